//! Decides if a passage has the form of a procedure: boxes to tick, numbered steps, orders.

use model::document::Passage;
use text::block::{Block, Form};

/// The strength of boxes to tick or numbered items, in hundredths.
const FORM: u32 = 60;

/// Returns the strength of the passage's form as a procedure, in hundredths.
pub(super) fn strength(passage: &Passage, blocks: &[&Block]) -> u32 {
    let (mut ticks, mut numbered) = (0, 0);
    for block in blocks {
        let marker = marker(&passage.text, block);
        let starts_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        // A box with a date records what was done, not what is to be done.
        let is_dated = starts_with_digit(&passage.text[block.range.clone()]);
        ticks += u32::from(marker.contains('[') && !is_dated);
        numbered += u32::from(
            matches!(block.form, Form::Item(_)) && starts_with_digit(marker.trim_start()),
        );
    }
    if ticks > 1 || numbered > 1 { FORM } else { 0 }
}

/// Returns the text before a block in its line: the marker of an item, including its box to tick.
pub(super) fn marker<'t>(text: &'t str, block: &Block) -> &'t str {
    let line = text[..block.range.start].rfind('\n').map_or(0, |end| end + 1);
    &text[line..block.range.start]
}
