//! Finds the words that tell a symptom, a cause, a factor or a resolution.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::words::CUES;

/// What a sentence is worth for each field, in this order: symptom, root cause, factor, resolution.
pub(super) type Weights = [i16; 4];

/// What a cue does besides its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing else.
    Plain,
    /// It names something bad, whose denial is no symptom: "no failure was observed".
    Harm,
    /// It denies what follows within so many words.
    Denial(usize),
}

/// A group of words that say alike.
pub(super) struct Cue {
    pub weights: Weights,
    pub role: Role,
}

/// All cues' words in one automaton; a cue's number is found by its pattern's.
pub(super) struct Words {
    automaton: AhoCorasick,
    patterns: Vec<Pattern>,
}

struct Pattern {
    cue: Cue,
    is_stem: bool,
}

/// The words, read once.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

impl Words {
    fn new() -> Words {
        let mut words = Vec::new();
        let mut patterns = Vec::new();
        for (role, weights, list) in CUES {
            for word in list.split(',') {
                let stem = word.trim_end_matches('*');
                words.push(stem);
                patterns.push(Pattern {
                    cue: Cue { weights: *weights, role: *role },
                    is_stem: stem.len() < word.len(),
                });
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::ContiguousNFA)) // built in 1 ms, where a DFA takes 5
            .build(&words)
            .unwrap_or_else(|error| panic!("the cues make an automaton: {error}"));
        Words { automaton, patterns }
    }

    /// Finds the cues in a text of small letters with the bytes where they stand, in order.
    pub(super) fn find<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (&'t Cue, usize, usize)> {
        self.automaton.find_iter(text).filter_map(move |found| {
            let pattern = &self.patterns[found.pattern().as_usize()];
            let (start, end) = (found.start(), found.end());
            let begins = !ends_word(text.as_bytes()[..start].last());
            let ends = pattern.is_stem || !ends_word(text.as_bytes().get(end));
            (begins && ends).then_some((&pattern.cue, start, end))
        })
    }
}

fn ends_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_word_is_a_cue_twice() {
        let mut seen = HashSet::new();
        let words = CUES.iter().flat_map(|(_, _, list)| list.split(','));
        assert_eq!(
            words.filter(|word| !seen.insert(word.trim_end_matches('*'))).collect::<Vec<_>>(),
            [""; 0]
        );
    }

    #[test]
    fn cues_are_whole_words_unless_any_ending_will_do() {
        let found = |text: &str| {
            WORDS.find(text).map(|(_, start, end)| text[start..end].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found("errors overfailed refused"), ["error", "refused"]);
    }
}
