//! Phrases in a passage, or in a heading above it, which show that it helps with planning.

use std::sync::LazyLock;

use serde::Deserialize;
use text::lexicon::Lexicon;

use super::Good;

/// A group of `plan.toml` or `plan_heading.toml`.
#[derive(Deserialize)]
struct Cue {
    gives: Good,
    weight: u32,
}

static IN_TEXT: LazyLock<Lexicon<Cue>> = LazyLock::new(|| Lexicon::new(text::lexicon::PLAN));
static IN_HEADING: LazyLock<Lexicon<Cue>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::PLAN_HEADING));

/// Returns the strengths that the phrases of `prose` give for each kind, in hundredths, in the
/// order of [`Good`].
pub(super) fn phrase_strengths(prose: &str) -> [u32; 4] {
    strengths(&IN_TEXT, prose)
}

/// Returns the strengths that `heading` gives to the text below it.
pub(super) fn headed(heading: &str) -> [u32; 4] {
    strengths(&IN_HEADING, heading)
}

/// Returns the strength of the strongest phrase for each kind.
fn strengths(lexicon: &Lexicon<Cue>, text: &str) -> [u32; 4] {
    let lower = text.to_ascii_lowercase();
    let mut strongest = [0_u32; 4];
    let mut denied = None;
    for found in lexicon.find(&lower) {
        let before = &lower[..found.start];
        // In "No risk of data loss", the "No" denies both "risk" and "data loss".
        if is_denied(before) || denied.is_some_and(|end| lower[end..found.start].trim().is_empty())
        {
            denied = Some(found.end);
            continue;
        }
        let place = found.class.gives as usize;
        strongest[place] = strongest[place].max(found.class.weight);
    }
    strongest
}

/// Returns true if the last words before a phrase deny it: "no known risk", "does not pose a risk".
fn is_denied(before: &str) -> bool {
    let clause = before.rsplit(['.', ',', ';', ':', '(', '\n']).next().unwrap_or_default();
    clause.split_whitespace().rev().take(3).any(|word| {
        ["no", "not", "without", "never", "nor", "neither"].contains(&word) || word.ends_with("n't")
    })
}

#[cfg(test)]
mod tests {
    use super::super::Good::Risk;
    use super::*;

    fn is_found(text: &str, good: Good) -> bool {
        phrase_strengths(text)[good as usize] > 0
    }

    #[test]
    fn phrases_are_words_with_their_endings_and_not_parts_of_others() {
        assert!(is_found("two drawbacks", Risk) && is_found("many anti-patterns", Risk));
        assert!(!is_found("a drawbackless plan", Risk));
        assert!(!is_found("an asterisk", Risk) && !is_found("an advantage", Risk));
        assert_eq!(headed("Constraint solving"), [0; 4]);
        assert!(headed("Cons")[Risk as usize] > 0);
    }

    #[test]
    fn what_is_denied_is_not_said() {
        assert!(!is_found("It does not pose a risk.", Risk));
        assert!(!is_found("There is no risk of data loss.", Risk));
        assert!(!is_found("without any drawbacks", Risk));
        assert!(is_found("It is not new; the risk of loss is old.", Risk));
    }
}
