//! Lines that describe the text below them, and lines that are not sentences.

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

/// Upper bound for the words of a label that names only a side: "Pros and cons".
const BARE: usize = 3;

/// Returns the side that a heading or label announces.
pub(super) fn side(label: &str) -> Option<Side> {
    let lower = label.to_ascii_lowercase();
    let mut sides = ARGUMENTS.find(&lower).map(|found| found.class.side);
    let first = sides.next()?;
    let are_one = sides.all(|other| other == first);
    Some(if are_one { first } else { Side::Either })
}

/// Returns the side that the first word of a statement states, in the style of decision records:
/// "Good, because ...".
pub(super) fn opening(text: &str) -> Option<Side> {
    let end = text.find([',', ':']).filter(|end| *end <= "Neutral".len())?;
    let word = text[..end].to_ascii_lowercase();
    let found = ARGUMENTS.find(&word).find(|found| found.start == 0 && found.end == end);
    found.map(|found| found.class.side)
}

/// Returns true if a line announces the text after it: "Pros of Bazel:", "**Bazel**".
pub(super) fn is_label(text: &str) -> bool {
    let text = text.trim();
    let is_bold = text.starts_with("**") && text.ends_with("**");
    (text.ends_with(':') || text.ends_with(":**") || is_bold) && text.len() <= 120
}

/// Returns true if a label that announces a side names nothing else.
pub(super) fn is_bare(text: &str) -> bool {
    text.split_whitespace().count() <= BARE && !text.contains(" of ")
}

/// Returns true if a line in a block of code is a sentence.
pub(super) fn is_prose(line: &str) -> bool {
    let is_marked = line.contains(['{', '}', ';', '=']) || line.starts_with(['/', '#', '*', '<']);
    !is_marked && line.split_whitespace().count() >= 8
}
