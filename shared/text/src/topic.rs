//! What a question is about, and whether a passage speaks of it.

use std::collections::HashSet;

pub use crate::stop::{Texts, is_common, is_common_in};

use crate::language::Language;
use crate::term::{Terms, stem, stem_in};

/// From this share of a question's words on a text speaks of its subject: of two words both, of three two.
pub const ENOUGH: f64 = 0.6;

/// Stems of words for planning and deciding.
const PLANNING: [&str; 9] =
    ["plan", "project", "decid", "decis", "accept", "reject", "adopt", "consequ", "today"];

/// The words of a question that carry its meaning.
#[derive(Debug)]
pub struct Topic {
    terms: Terms,
    count: usize,
    language: Language,
    /// The topics of other wordings.
    others: Vec<Topic>,
}

impl Topic {
    /// Reads `question`; where all its words are common ones, all of them count.
    pub fn of(question: &str) -> Topic {
        Topic::in_language(question, Language::of(question))
    }

    fn in_language(question: &str, language: Language) -> Topic {
        let words = telling_in(question, language);
        let count = words.len();
        let terms = Terms::in_language(words.into_iter().enumerate(), language);
        Topic { count, terms, language, others: Vec::new() }
    }

    /// The same with other wordings: a passage speaks of the subject where it does so by one of them.
    #[must_use]
    pub fn or<'t>(mut self, others: impl IntoIterator<Item = &'t str>) -> Topic {
        let language = self.language;
        self.others = others.into_iter().map(|text| Topic::in_language(text, language)).collect();
        self
    }

    /// Reads a question of somebody who plans or decides, without the words for that: the matter itself is left.
    pub fn of_matter(question: &str) -> Topic {
        let is_planning = |word: &&str| {
            let stem = stem(word.trim_matches(|c: char| !c.is_alphanumeric()));
            PLANNING.contains(&stem.as_str())
        };
        let matter: Vec<&str> =
            question.split_whitespace().filter(|word| !is_planning(word)).collect();
        Topic::of(&matter.join(" "))
    }

    /// The share of the question's words that `texts` have, `0.0..=1.0`.
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    pub fn share(&self, texts: &[&str]) -> f64 {
        let mentions = texts.iter().flat_map(|text| self.terms.find(text));
        let found: HashSet<usize> = mentions.map(|mention| mention.number).collect();
        found.len() as f64 / self.count.max(1) as f64
    }

    /// Whether `texts` together speak of the subject by their words, in one of its wordings.
    pub fn is_told_by(&self, texts: &[&str]) -> bool {
        let says = |topic: &Topic| topic.share(texts) >= ENOUGH;
        says(self) || self.others.iter().any(says)
    }
}

/// The words of a text that carry its meaning, each stem once; all of them where they are all common.
pub fn telling(text: &str) -> Vec<&str> {
    telling_in(text, Language::English)
}

/// The same of a text in another language.
fn telling_in(text: &str, language: Language) -> Vec<&str> {
    let says_nothing = |word: &str| match language {
        Language::English => is_common(word),
        other => other.is_stop_word(word),
    };
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let telling: Vec<&str> =
        words.iter().copied().filter(|word| word.len() > 1 && !says_nothing(word)).collect();
    let mut seen = HashSet::new();
    let mut words = if telling.is_empty() { words } else { telling };
    words.retain(|word| seen.insert(stem_in(word, language)));
    words
}

/// How much it says to have this `share` of a text's `count` telling words: 0 below six in ten of them, else the share, and a
/// little more the more words that are.
#[expect(clippy::cast_precision_loss, reason = "a count of words")]
pub fn weight(share: f64, count: usize) -> f64 {
    if share < ENOUGH { 0.0 } else { 0.8 * share + 0.05 * share * count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_read_in_its_own_language() {
        let topic = Topic::of("Warum sind die Pumpen nach dem Start ausgefallen?");
        assert!(topic.share(&["Die Pumpe ist beim Start ausgefallen."]) >= ENOUGH);
        assert!(topic.share(&["Das ist nach dem Umbau die Regel."]).abs() < 1e-9);
    }

    #[test]
    fn a_topic_is_what_is_left_without_common_words() {
        let topic = Topic::of("What is the retry policy versus a backoff?");
        assert!((topic.share(&["Retries: our policies"]) - 2.0 / 3.0).abs() < 1e-9);
        assert!((topic.share(&["nothing", "of it is"])).abs() < 1e-9);
        assert!((Topic::of("what is it").share(&["it is what"]) - 1.0).abs() < 1e-9);
    }
}
