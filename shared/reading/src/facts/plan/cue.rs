//! Words by which a passage, or a heading above it, shows what it gives to somebody who plans.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::Good;

mod word;

use word::{Cues, HEADED, SAID};

struct Words {
    automaton: AhoCorasick,
    worth: Vec<(Good, u32)>,
}

impl Words {
    fn new(cues: &'static Cues) -> Words {
        let cues = cues.iter().flat_map(|(good, worth, words)| {
            words.split('|').map(move |word| (word, (*good, *worth)))
        });
        let (words, worth): (Vec<&str>, Vec<_>) = cues.unzip();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .build(words)
            .unwrap_or_else(|error| panic!("the cues make an automaton: {error}"));
        Words { automaton, worth }
    }

    /// The strongest word counts, the others a fifth as much.
    fn strengths(&self, text: &str) -> [u32; 4] {
        let mut strongest = [0_u32; 4];
        let mut sum = [0_u32; 4];
        let mut denied = None;
        for found in self.automaton.find_iter(text) {
            let before = &text[..found.start()];
            let begins = !before.ends_with(|c: char| c.is_ascii_alphanumeric());
            if !begins || !ends(&text[found.end() - 1..]) {
                continue;
            }
            // "No risk of data loss" denies both.
            if is_denied(before) || denied == Some(found.start()) {
                denied = Some(found.end());
                continue;
            }
            let (good, worth) = self.worth[found.pattern().as_usize()];
            let place = good as usize;
            strongest[place] = strongest[place].max(worth);
            sum[place] += worth;
        }
        std::array::from_fn(|place| {
            strongest[place] + ((sum[place] - strongest[place]) / 5).min(MOST_MORE)
        })
    }
}

/// What all words but the strongest can say together: a word that is said often proves little more.
const MOST_MORE: u32 = 20;

/// A cue is a word without its ending, of at most three letters: "risk" is in "risks", "cons" not in "constraint".
fn ends(from_last_letter: &str) -> bool {
    let ending = from_last_letter.chars().skip(1).take_while(char::is_ascii_alphabetic).count();
    from_last_letter.starts_with(' ') || ending <= 3
}

/// Whether the last words before a cue deny it: "no known risk", "does not pose a risk".
fn is_denied(before: &str) -> bool {
    let clause = before.rsplit(['.', ',', ';', ':', '(', '\n']).next().unwrap_or_default();
    clause.split_whitespace().rev().take(3).any(|word| {
        ["no", "not", "without", "never", "nor", "neither"]
            .iter()
            .any(|deny| word.eq_ignore_ascii_case(deny))
            || word.ends_with("n't")
    })
}

static IN_TEXT: LazyLock<Words> = LazyLock::new(|| Words::new(SAID));
static IN_HEADING: LazyLock<Words> = LazyLock::new(|| Words::new(HEADED));

/// How strongly `prose` shows by its words that it serves each facet, in hundredths, in the order of [`Good`].
pub(super) fn said(prose: &str) -> [u32; 4] {
    IN_TEXT.strengths(prose)
}

/// How strongly `heading` says so of what stands under it.
pub(super) fn headed(heading: &str) -> [u32; 4] {
    IN_HEADING.strengths(heading)
}

#[cfg(test)]
mod tests {
    use super::super::Good::Risk;
    use super::*;

    fn is_found(text: &str, good: Good) -> bool {
        said(text)[good as usize] > 0
    }

    #[test]
    fn cues_are_words_with_their_endings_and_not_parts_of_others() {
        assert!(is_found("two drawbacks", Risk) && is_found("many vulnerabilities", Risk));
        assert!(!is_found("an asterisk", Risk) && !is_found("an advantage", Risk));
        assert_eq!(headed("Constraint solving"), [0; 4]);
        assert!(headed("Cons")[Risk as usize] > 0);
    }

    #[test]
    fn what_is_denied_is_not_said() {
        assert!(!is_found("It does not pose a risk.", Risk));
        assert!(!is_found("There is no risk of data loss.", Risk));
        assert!(!is_found("without any drawbacks", Risk));
        assert!(is_found("It is not new; the risk is old.", Risk));
    }

    #[test]
    fn one_word_that_is_said_often_proves_little_more() {
        let once = said("a threat")[Risk as usize];
        assert!(said(&"a threat, ".repeat(50))[Risk as usize] <= once + MOST_MORE);
    }
}
