//! Distinguishes the names that a statement is about from those that it only compares with.

use std::sync::LazyLock;

use crate::lexicon::Lexicon;
use serde::Deserialize;

use crate::term::Mention;

/// The alternatives that a statement is about.
#[derive(Debug, Default, PartialEq)]
pub struct Subjects {
    /// The mentions of the alternatives, in order.
    pub named: Vec<Mention>,
    /// True if the statement begins with one of them.
    pub is_opening: bool,
    /// True if they are joined in one list: "A and B", "A, B or C".
    are_joined: bool,
}

impl Subjects {
    /// Returns the alternatives that a statement without values is about: all of one list, or else
    /// the first.
    pub fn of_quality(mut self) -> Vec<Mention> {
        if !self.are_joined {
            self.named.truncate(1);
        }
        self.named
    }
}

/// A group of `comparison.toml`.
#[derive(Deserialize)]
struct Word {
    stands: Stands,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stands {
    Apart,
    Article,
    Joined,
}

static WORDS: LazyLock<Lexicon<Word>> = LazyLock::new(|| Lexicon::new(crate::lexicon::COMPARISON));

/// Upper bound for the words before a name with which a statement begins.
const OPENING: usize = 4;

/// Returns the names in `text` that it is about. The byte positions of the mentions refer to a text
/// in which `text` begins at `begin`.
pub fn subjects(text: &str, begin: usize, mentions: &[Mention]) -> Subjects {
    let named: Vec<Mention> = mentions
        .iter()
        .filter(|mention| !is_compared(&text[..mention.start - begin]))
        .copied()
        .collect();
    let is_opening = named
        .first()
        .is_some_and(|first| text[..first.start - begin].split_whitespace().count() <= OPENING);
    let are_joined = are_joined(text, begin, &named);
    Subjects { named, is_opening, are_joined }
}

/// Returns true if all names are joined in one list.
fn are_joined(text: &str, begin: usize, named: &[Mention]) -> bool {
    named.windows(2).all(|pair| {
        let between = text.get(pair[0].end - begin..pair[1].start - begin).unwrap_or_default();
        let between = between.to_ascii_lowercase();
        let joining: usize = WORDS
            .find(&between)
            .filter(|word| matches!(word.class.stands, Stands::Article | Stands::Joined))
            .map(|word| word.end - word.start)
            .sum();
        between.bytes().filter(u8::is_ascii_alphanumeric).count() == joining
    })
}

/// The number of bytes before a name that are examined. It exceeds the length of the longest
/// phrase.
const REACH: usize = 60;

/// Returns true if the text before a name shows that the name is only compared with.
fn is_compared(before: &str) -> bool {
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(REACH))..];
    let lower = near.to_ascii_lowercase();
    let mut rest = trimmed(&lower);
    let words: Vec<_> = WORDS.find(rest).collect();
    for word in words.into_iter().rev() {
        match word.class.stands {
            Stands::Apart => return word.end == rest.len(),
            Stands::Article if word.end == rest.len() => {
                rest = trimmed(&rest[..word.start]);
            }
            _ => return false,
        }
    }
    false
}

fn trimmed(text: &str) -> &str {
    text.trim_end_matches([' ', '\n', '*', '_', '`', '"', '(', '['])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Terms;

    fn about(text: &str) -> (Vec<usize>, bool) {
        let terms = Terms::proper([(0, "Kafka"), (1, "NATS")], []);
        let found = subjects(text, 0, &terms.find(text));
        (found.named.iter().map(|mention| mention.number).collect(), found.is_opening)
    }

    #[test]
    fn what_is_only_compared_with_is_no_subject() {
        assert_eq!(about("Kafka keeps more than NATS."), (vec![0], true));
        assert_eq!(about("Compared to the Kafka, NATS is small."), (vec![1], true));
        assert_eq!(about("This replaces **Kafka**."), (vec![], false));
        assert_eq!(about("Unlike Kafka, NATS is small."), (vec![1], true));
        assert_eq!(about("It is slow compared with Kafka"), (vec![], false));
        assert_eq!(about("Kafka and NATS are both free."), (vec![0, 1], true));
        assert_eq!(about("It takes less work to run NATS"), (vec![1], false));
        assert_eq!(about("There is no notation for this in Kafka"), (vec![0], false));
    }
}
