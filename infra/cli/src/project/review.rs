//! What a decision rests on, where it changed or went.

use crate::answer::project::Review;
use crate::wording::{flat, quoted, wrapped};

/// The most lines of a passage.
const LINES: usize = 3;

/// What became of the source, as it was and what is nearest to it now.
pub(super) fn lines(review: &Review, width: usize) -> Vec<String> {
    let what = if review.nearest.is_some() { "changed" } else { "nothing like it is there" };
    let since = review.since.get(..10).unwrap_or_default();
    let told = format!("{}: {what} since {since}", review.name);
    let mut lines = wrapped(&told, "    - ", "      ", width);
    lines.extend(quoted(&review.was, ("      was ", "          "), LINES, width));
    match review.nearest.as_ref().map(|nearest| &nearest.text) {
        Some(Some(text)) => {
            lines.extend(quoted(&flat(text), ("      now ", "          "), LINES, width));
        }
        Some(None) => lines.push("      now in a document that is not everyone's to read".into()),
        None => {}
    }
    lines
}
