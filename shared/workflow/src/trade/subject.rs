//! Which of the names in a statement it is about, and which it only compares with.

use crate::term::Mention;

/// The alternatives that a statement is about.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Subjects {
    /// Their mentions, in order.
    pub named: Vec<Mention>,
    /// Whether the statement begins with one of them.
    pub is_opening: bool,
    /// Whether they stand in one row: "A and B", "A, B or C".
    are_joined: bool,
}

impl Subjects {
    /// Those that a statement without values is about: all of one row, else the first.
    pub(super) fn of_quality(mut self) -> Vec<Mention> {
        if !self.are_joined {
            self.named.truncate(1);
        }
        self.named
    }
}

/// Words before a name that the statement compares with, or goes away from.
const COMPARING: [&str; 26] = [
    "than",
    "compared to",
    "compared with",
    "in comparison to",
    "unlike",
    "instead of",
    "rather than",
    "versus",
    "vs",
    "vs.",
    "over",
    "as opposed to",
    "in contrast to",
    "in contrast with",
    "similar to",
    "same as",
    "not",
    "replaces",
    "replace",
    "replacing",
    "replaces usage of",
    "away from",
    "migrate from",
    "alternative to",
    "without",
    "outside of",
];

/// Words that may stand between these and the name.
const BETWEEN: [&str; 8] = ["the", "a", "an", "using", "having", "our", "with", "current"];

/// A statement begins with a name that has at most so many words before it.
const OPENING: usize = 4;

/// Words by which a document speaks of what it proposes, and what it may be called.
const OWN: [&str; 6] =
    ["this ", "the proposed ", "the feature proposed", "we propose", "the proposal", "with this "];
const KINDS: [&str; 8] =
    ["pep", "rfc", "kep", "proposal", "change", "decision", "feature", "propose"];

/// Whether a statement begins with what its document proposes: "This RFC", "The proposed change".
pub(super) fn is_on_proposal(text: &str) -> bool {
    let head: String = text.chars().take(30).collect::<String>().to_lowercase();
    OWN.iter().any(|own| head.starts_with(own)) && KINDS.iter().any(|kind| head.contains(kind))
}

/// Of the names in `text`, whose first byte is at `begin` of what the mentions count from, those that it is about.
pub(super) fn subjects(text: &str, begin: usize, mentions: &[Mention]) -> Subjects {
    let named: Vec<Mention> =
        mentions.iter().filter(|own| !is_compared(&text[..own.start - begin])).copied().collect();
    let is_opening = named
        .first()
        .is_some_and(|first| text[..first.start - begin].split_whitespace().count() <= OPENING);
    let are_joined = are_joined(text, begin, &named);
    Subjects { named, is_opening, are_joined }
}

/// Whether all names stand in one row.
fn are_joined(text: &str, begin: usize, named: &[Mention]) -> bool {
    named.windows(2).all(|pair| {
        let between = text.get(pair[0].end - begin..pair[1].start - begin).unwrap_or_default();
        let mut words =
            between.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.all(|word| ["and", "or", "both", "the", "a", "an", "nor"].contains(&word))
    })
}

/// Whether what stands before a name says that it is only compared with.
fn is_compared(before: &str) -> bool {
    let lower = before.to_lowercase();
    let mut rest = lower.trim_end_matches([' ', '\n', '*', '_', '`', '"', '(', '[']);
    while let Some(shorter) = BETWEEN.iter().find_map(|word| without(rest, word)) {
        rest = shorter;
    }
    COMPARING.iter().any(|word| without(rest, word).is_some())
}

/// The text before its last word or words, where these are the last.
fn without<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_suffix(word)?;
    let begins = rest.is_empty() || rest.ends_with(|c: char| !c.is_alphanumeric());
    begins.then(|| rest.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Terms;

    fn about(text: &str) -> (Vec<usize>, bool) {
        let terms = Terms::proper([(0, "Kafka"), (1, "NATS")]);
        let own = subjects(text, 0, &terms.find(text));
        (own.named.iter().map(|mention| mention.number).collect(), own.is_opening)
    }

    #[test]
    fn what_is_only_compared_with_is_no_subject() {
        assert_eq!(about("Kafka keeps more than NATS."), (vec![0], true));
        assert_eq!(about("Compared to the current Kafka, NATS is small."), (vec![1], false));
        assert_eq!(about("This replaces usage of **Kafka**."), (vec![], false));
        assert_eq!(about("Kafka and NATS are both free."), (vec![0, 1], true));
        assert_eq!(about("It takes less work to run NATS"), (vec![1], false));
        assert_eq!(about("There is no notation for this in Kafka"), (vec![0], false));
    }
}
