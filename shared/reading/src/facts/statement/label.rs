//! Lines that say what stands below them, and what is no sentence.

use std::sync::LazyLock;

use model::facts::Side;
use serde::Deserialize;
use text::lexicon::Lexicon;

#[derive(Deserialize)]
struct Argument {
    side: Side,
}

static ARGUMENTS: LazyLock<Lexicon<Argument>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::ARGUMENT));

/// The most words of a label that names nothing but a side: "Pros and cons".
const BARE: usize = 3;

/// The side that a heading or label announces.
pub(super) fn side(label: &str) -> Option<Side> {
    let lower = label.to_ascii_lowercase();
    let mut sides = ARGUMENTS.find(&lower).map(|found| found.class.side);
    let first = sides.next()?;
    let are_one = sides.all(|other| other == first);
    Some(if are_one { first } else { Side::Either })
}

/// The side that a statement takes by its first word, as decision records put it: "Good, because ...".
pub(super) fn opening(text: &str) -> Option<Side> {
    let end = text.find([',', ':']).filter(|end| *end <= "Neutral".len())?;
    let word = text[..end].to_ascii_lowercase();
    let found = ARGUMENTS.find(&word).find(|found| found.start == 0 && found.end == end);
    found.map(|found| found.class.side)
}

/// Whether a line announces what follows: "Pros of Bazel:", "**Bazel**".
pub(super) fn is_label(text: &str) -> bool {
    let text = text.trim();
    let is_bold = text.starts_with("**") && text.ends_with("**");
    (text.ends_with(':') || text.ends_with(":**") || is_bold) && text.len() <= 120
}

/// Whether a label that announces a side names nothing else.
pub(super) fn is_bare(text: &str) -> bool {
    text.split_whitespace().count() <= BARE && !text.contains(" of ")
}

/// Whether a line in a block of code is a sentence.
pub(super) fn is_prose(line: &str) -> bool {
    let is_marked = line.contains(['{', '}', ';', '=']) || line.starts_with(['/', '#', '*', '<']);
    !is_marked && line.split_whitespace().count() >= 8
}
