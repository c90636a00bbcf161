//! The sources of a decision that changed or went.

use wire::decisions::Review;

use crate::wording::{day, flat, quoted, wrapped};

/// The most lines of a passage.
const LINES: usize = 3;

/// Tells what became of the source, as it was and what is nearest to it now.
pub(super) fn lines(review: &Review, width: usize) -> Vec<String> {
    let what = if review.nearest.is_some() { "changed" } else { "nothing like it is there" };
    let heading = format!("{}: {what} since {}", review.file, day(review.since));
    let mut lines = wrapped(&heading, "    - ", "      ", width);
    lines.extend(quoted(&review.was, "      was ", "          ", LINES, width));
    match review.nearest.as_ref().map(|nearest| &nearest.text) {
        Some(Some(text)) => {
            lines.extend(quoted(&flat(text), "      now ", "          ", LINES, width));
        }
        Some(None) => lines.push("      now in a document that is not everyone's to read".into()),
        None => {}
    }
    lines
}
