//! The words of a question that carry its meaning, and the search for them in a text.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::block::{Block, Form, blocks};
use crate::cjk;
use crate::language::Language;
use crate::lexicon::{ALIKE, phrases};
use crate::sentence;
use crate::stop::is_common;
use crate::term::{Terms, stem, stem_in};
use crate::words::parts;

mod mask;

pub use mask::Mask;

/// Lower bound for the share of a question's words in a text about its subject: of two words both,
/// of three words two.
pub const ENOUGH: f64 = 0.6;

/// The stems of words about planning and deciding.
const PLANNING: [&str; 9] =
    ["plan", "project", "decid", "decis", "accept", "reject", "adopt", "consequ", "today"];

/// Upper bound for the words of a question, so that a [`Mask`] has a bit for each.
const MOST: usize = 60;

/// A group of `alike.toml`.
#[derive(Clone, Deserialize)]
struct Alike {
    meaning: String,
}

/// Groups of synonyms, each with its stem.
static GROUPS: LazyLock<Vec<Vec<(String, String)>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (word, Alike { meaning }) in phrases(ALIKE) {
        let stem = stem(&word);
        groups.entry(meaning).or_default().push((word, stem));
    }
    groups.into_values().collect()
});

/// The words of a question that carry its meaning. A text may have a word in any form, and also
/// within a name: `ts-contacts-service` and `findContactsById` contain "contacts", `kafka1`
/// contains "kafka".
#[derive(Debug)]
pub struct QuestionTerms {
    /// The words as the question writes them, one for each stem.
    words: Vec<String>,
    language: Language,
    /// The search for words by their numbers. Numbers from [`MOST`] on belong to synonyms.
    terms: Terms,
    /// Other wordings of the same question.
    others: Vec<QuestionTerms>,
}

impl QuestionTerms {
    /// Reads a question. If all of its words are common ones, all of them count.
    pub fn of(question: &str) -> QuestionTerms {
        QuestionTerms::in_language(question, Language::of(question))
    }

    fn in_language(question: &str, language: Language) -> QuestionTerms {
        let mut words = telling_in(question, language);
        words.truncate(MOST);
        let spaced: Vec<Option<String>> = words.iter().map(|word| spaced(word)).collect();
        let own = words.iter().copied().enumerate();
        let own =
            own.chain(spaced.iter().enumerate().filter_map(|(n, s)| Some((n, s.as_deref()?))));
        let terms = Terms::within_names(own.chain(alike(&words, language)), language);
        let words = words.into_iter().map(str::to_owned).collect();
        QuestionTerms { words, language, terms, others: Vec::new() }
    }

    /// Reads the question of someone who plans or decides, without the words about planning. The
    /// words about the subject remain.
    pub fn of_matter(question: &str) -> QuestionTerms {
        let is_planning = |word: &&str| {
            let stem = stem(word.trim_matches(|c: char| !c.is_alphanumeric()));
            PLANNING.contains(&stem.as_str())
        };
        let matter: Vec<&str> =
            question.split_whitespace().filter(|word| !is_planning(word)).collect();
        QuestionTerms::of(&matter.join(" "))
    }

    /// Adds other wordings. A text is about the subject if it has the words of one wording.
    #[must_use]
    pub fn or<'t>(mut self, others: impl IntoIterator<Item = &'t str>) -> QuestionTerms {
        let read = |text| QuestionTerms::in_language(text, self.language);
        self.others = others.into_iter().map(read).collect();
        self
    }

    /// Returns the words as the question writes them.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the words that `text` has.
    pub fn mask(&self, text: &str) -> Mask {
        let mut mask = Mask::default();
        for number in self.terms.numbers_in(text, usize::MAX) {
            match number.checked_sub(MOST) {
                None => mask.exact |= 1 << number,
                Some(alike) => mask.alike |= 1 << alike,
            }
        }
        mask
    }

    fn exact(&self, text: &str) -> u64 {
        self.terms.numbers_in(text, MOST).fold(0, |bits, number| bits | 1 << number)
    }

    /// Returns the number of the words that `text` has, without synonyms.
    pub fn count_in(&self, text: &str) -> u32 {
        self.exact(text).count_ones()
    }

    /// Returns the share of the words that `texts` have together, without synonyms, `0.0..=1.0`.
    #[expect(clippy::cast_precision_loss, reason = "a count of words")]
    pub fn share(&self, texts: &[&str]) -> f64 {
        let found = texts.iter().fold(0, |bits, text| bits | self.exact(text));
        f64::from(found.count_ones()) / self.words.len().max(1) as f64
    }

    /// Returns true if `texts` together have the words of the subject, in one of its wordings.
    pub fn is_told_by(&self, texts: &[&str]) -> bool {
        let says = |terms: &QuestionTerms| terms.share(texts) >= ENOUGH;
        says(self) || self.others.iter().any(says)
    }

    /// Returns the weight of each word among texts with these masks. A rare word weighs more
    /// (inverse document frequency).
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub fn weights(&self, masks: &[Mask]) -> Vec<f64> {
        let count = masks.len() as f64;
        let weight = |word: usize| {
            let having = masks.iter().filter(|mask| mask.has(word)).count() as f64;
            (1.0 + count / (1.0 + having)).ln()
        };
        (0..self.words.len()).map(weight).collect()
    }

    /// Returns the sentence of `text` with the most words of the question, not counting synonyms;
    /// of equal ones the first. Returns `None` if no sentence has any. Headings and table rows do
    /// not count as sentences.
    pub fn nearest(&self, text: &str) -> Option<Range<usize>> {
        let prose = blocks(text)
            .into_iter()
            .filter(|block| !matches!(block.form, Form::Heading | Form::Row));
        let sentences = prose.flat_map(|Block { range, .. }| {
            let within = sentence::sentences(&text[range.clone()]);
            within.map(move |sentence| range.start + sentence.start..range.start + sentence.end)
        });
        let mut best: Option<(u32, Range<usize>)> = None;
        for range in sentences {
            let count = self.count_in(&text[range.clone()]);
            if count > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((count, range));
            }
        }
        best.map(|(_, range)| range)
    }
}

/// Returns the words of an English text that carry its meaning, one for each stem. If all words are
/// common ones, it returns all of them.
pub fn telling(text: &str) -> Vec<&str> {
    telling_in(text, Language::English)
}

fn telling_in(text: &str, language: Language) -> Vec<&str> {
    let says_nothing = |word: &str| match language {
        _ if word.starts_with(cjk::is_letter) => cjk::is_common(word),
        Language::English => is_common(word),
        other => other.is_stop_word(word),
    };
    let words: Vec<&str> = cjk::words(text).collect();
    // The "t" of "didn't" says nothing, the "C" of "C" does.
    let is_rest = |word: &str| word.len() == 1 && word.starts_with(char::is_lowercase);
    let tells = |word: &&str| !is_rest(word) && !says_nothing(word);
    let telling: Vec<&str> = words.iter().copied().filter(tells).collect();
    let mut seen = HashSet::new();
    let mut words = if telling.is_empty() { words } else { telling };
    words.retain(|word| seen.insert(stem_in(word, language)));
    words
}

/// Returns the parts of a name with spaces between them: "find Contacts By Id" for
/// `findContactsById`. Returns `None` for a single part.
fn spaced(word: &str) -> Option<String> {
    let parts: Vec<&str> = parts(word).map(|range| &word[range]).collect();
    (parts.len() > 1 && !word.starts_with(cjk::is_letter)).then(|| parts.join(" "))
}

/// Returns the synonyms of `words`, each with the number of its word plus [`MOST`]. If two words of
/// a question are synonyms, the first one has their other synonyms.
fn alike(words: &[&str], language: Language) -> Vec<(usize, &'static str)> {
    let stems: Vec<String> = words.iter().map(|word| stem_in(word, language)).collect();
    let mut seen: HashSet<&str> = stems.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for (number, stem) in stems.iter().enumerate() {
        let groups = GROUPS.iter().filter(|group| group.iter().any(|(_, other)| other == stem));
        for (word, stem) in groups.flatten() {
            if seen.insert(stem) {
                found.push((MOST + number, word.as_str()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_read_in_its_own_language() {
        let terms = QuestionTerms::of("Warum sind die Pumpen nach dem Start ausgefallen?");
        assert!(terms.share(&["Die Pumpe ist beim Start ausgefallen."]) >= ENOUGH);
        assert!(terms.share(&["Das ist nach dem Umbau die Regel."]).abs() < 1e-9);
    }

    #[test]
    fn pairs_are_the_words_of_chinese_and_japanese() {
        let terms = QuestionTerms::of("日志保存期限是多久？");
        assert_eq!(terms.words(), ["日志", "志保", "保存", "存期", "期限"]);
        assert!(terms.share(&["所有日志的保存期限为90天。"]) >= ENOUGH);
        assert!(terms.share(&["水泵每天检查一次。"]).abs() < 1e-9);
        let mixed = "Kubernetes 中 liveness probe 和 readiness probe 有什么区别";
        let words = ["Kubernetes", "中", "liveness", "probe", "readiness", "区别"];
        assert_eq!(QuestionTerms::of(mixed).words(), words);
        let terms = QuestionTerms::of("Kubernetesのログの保存期間は何日ですか。");
        assert!(terms.share(&["ログは90日間保存する。Kubernetesの保存期間は別に定める。"]) > 0.9);
    }

    #[test]
    fn common_words_count_only_where_there_are_no_others() {
        let terms = QuestionTerms::of("What is the retry policy versus a backoff?");
        assert!((terms.share(&["Retries: our policies"]) - 2.0 / 3.0).abs() < 1e-9);
        assert!((terms.share(&["nothing", "of it is"])).abs() < 1e-9);
        assert!((QuestionTerms::of("what is it").share(&["it is what"]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_word_stands_within_a_name_and_a_name_in_its_parts() {
        let contacts = QuestionTerms::of("contacts");
        assert_eq!(contacts.mask("at findContactsById, ts-contacts-service").exact, 1);
        for name in ["RabbitMQ", "rabbitmq", "Rabbit MQ", "theRabbitMQBroker"] {
            assert_eq!(QuestionTerms::of("RabbitMQ").mask(name).exact, 1, "{name}");
        }
        assert_eq!(QuestionTerms::of("RabbitMQ").mask("a rabbit").exact, 0);
        assert_eq!(QuestionTerms::of("kafka").mask("kafka1 is up").exact, 1);
    }

    #[test]
    fn rare_words_count_more_and_words_that_say_the_same_a_part() {
        let terms = QuestionTerms::of("Why did the broker shut down?");
        assert_eq!(terms.words(), ["broker", "shut", "down"]);
        assert_eq!(QuestionTerms::of("Why's P-7 in C?").words(), ["P", "7", "C"]);
        let texts = ["broker 1 ok", "broker 2 ok", "broker 1 shutdown"];
        let masks: Vec<Mask> = texts.iter().map(|text| terms.mask(text)).collect();
        assert!(masks[2].has(1) && masks[2].exact & 2 == 0);
        let weights = terms.weights(&masks);
        assert!(weights[1] > weights[0]);
        assert!(masks[2].share(&weights) > masks[0].share(&weights));
    }

    #[test]
    fn the_sentence_with_most_of_the_words_is_nearest_and_a_heading_is_none() {
        let text = "# Why seals wear\n\nThe station has two pumps. The seal of pump 7 wore out. It was replaced.";
        let terms = QuestionTerms::of("Why did the seals wear?\npump seal");
        let nearest = terms.nearest(text).unwrap();
        assert_eq!(text[nearest].trim(), "The seal of pump 7 wore out.");
        assert_eq!(QuestionTerms::of("certificate").nearest(text), None);
    }
}
