//! What a decision rests on, where it changed or went.

use crate::answer::project::Review;
use crate::wording::{flat, quoted, wrapped};

/// The most lines of a passage.
const LINES: usize = 3;

/// What became of the source, as it was and what is nearest to it now.
pub(super) fn lines(review: &Review, width: usize) -> Vec<String> {
    let what = if review.since_version.is_some() { "changed" } else { "is gone" };
    let mut lines = wrapped(&format!("{} {what}", review.name), "    - ", "      ", width);
    lines.extend(quoted(&review.was, ("      was ", "          "), LINES, width));
    if let Some(nearest) = &review.nearest {
        lines.extend(quoted(&flat(&nearest.text), ("      now ", "          "), LINES, width));
    }
    lines
}
