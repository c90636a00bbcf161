//! Decides if a passage gives an example, a standard or a practice.

use std::sync::LazyLock;

use cue::{Good, strengths as phrase_strengths};
use model::document::{DocumentType, Passage};
use text::block::{Block, Form, blocks};
use text::term::Terms;

mod cue;

/// Words in a title which show that the document is a standard.
static NORMS: LazyLock<Terms> = LazyLock::new(|| {
    let words = [
        "standard",
        "NIST",
        "ISO",
        "IEC",
        "IEEE",
        "ASVS",
        "ECSS",
        "MIL STD",
        "regulation",
        "RFC 2119",
    ];
    Terms::new(words.into_iter().enumerate())
});

fn is_norm(passage: &Passage) -> bool {
    passage.document_type == DocumentType::Standard
        || passage.standard.is_some()
        || NORMS.are_in(&passage.title)
        || NORMS.are_in(&passage.name)
}

/// Returns the strengths with which the passage gives an example, a standard and a practice,
/// `0..=1000`.
pub(super) fn strengths(passage: &Passage) -> [u16; 3] {
    let blocks = blocks(&passage.text);
    let mut strengths = phrase_strengths(&prose(&passage.text, &blocks));
    for (strength, headed) in strengths.iter_mut().zip(phrase_strengths(passage.heading())) {
        *strength = (*strength + 0.3 * headed).min(1.0);
    }
    if is_norm(passage) {
        strengths[Good::Standard as usize] = (strengths[Good::Standard as usize] + 0.5).min(1.0);
    }
    if blocks.iter().any(|block| block.form == Form::Code) {
        strengths[Good::Example as usize] = (strengths[Good::Example as usize] + 0.3).min(1.0);
    }
    [Good::Example, Good::Standard, Good::Practice]
        .map(|good| thousandths(strengths[good as usize]))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1,000")]
fn thousandths(share: f64) -> u16 {
    (share * 1_000.0).round() as u16
}

/// Returns the sentences of the passage on one line, without headings, code and lists of links.
fn prose(text: &str, blocks: &[Block]) -> String {
    let is_prose = |block: &&Block| {
        let part = &text[block.range.clone()];
        let is_link = part.starts_with('[') && part.contains("](");
        !matches!(block.form, Form::Heading | Form::Code) && !is_link
    };
    let mut prose = String::with_capacity(text.len());
    for block in blocks.iter().filter(is_prose) {
        prose.push(' ');
        for line in text[block.range.clone()].lines() {
            prose.push_str(line);
            prose.push(' ');
        }
    }
    prose
}
