//! Whether a passage is built to be followed: boxes to tick, numbered steps, orders.

use model::document::Chunk;
use text::block::{Block, Form};

/// What boxes to tick or numbered items come to, in hundredths.
const FORM: u32 = 60;

/// How strongly the passage's form says that it is to be followed, in hundredths.
pub(super) fn strength(chunk: &Chunk, blocks: &[&Block]) -> u32 {
    let (mut ticks, mut numbered) = (0, 0);
    for block in blocks {
        let marker = marker(&chunk.text, block);
        let starts_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        // A box with a date tells what was done, not what to do.
        let is_dated = starts_with_digit(&chunk.text[block.range.clone()]);
        ticks += u32::from(marker.contains('[') && !is_dated);
        numbered += u32::from(
            matches!(block.form, Form::Item(_)) && starts_with_digit(marker.trim_start()),
        );
    }
    if ticks > 1 || numbered > 1 { FORM } else { 0 }
}

/// What stands before a block in its line: the marker of an item, with its box to tick.
pub(super) fn marker<'t>(text: &'t str, block: &Block) -> &'t str {
    let line = text[..block.range.start].rfind('\n').map_or(0, |end| end + 1);
    &text[line..block.range.start]
}
