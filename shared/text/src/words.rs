//! The words of a question, and which of them a text has. Names are read by their parts: `ts-contacts-service` and
//! `findContactsById` have "contacts", `kafka1` has "kafka" and "1".

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use crate::lexicon::phrases;
use regex::Regex;
use serde::Deserialize;

use crate::language::Language;
use crate::term::{stem, stem_in};
use crate::topic::is_common;

/// A group of `alike.toml`.
#[derive(Clone, Deserialize)]
struct Alike {
    meaning: String,
}

/// The stems of words that say the same, group by group.
static STEMS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (word, Alike { meaning }) in phrases(crate::lexicon::ALIKE) {
        groups.entry(meaning).or_default().push(stem(&word));
    }
    groups.into_values().collect()
});

/// How much a word counts that was only spoken of before.
const CONTEXT: f64 = 0.4;

/// How much a word counts that only says the same as the question's.
const ALIKE_COUNTS: f64 = 0.6;

/// At most so many words of a question are told apart; the others say little more.
const MOST: usize = 60;

/// The words of a question.
#[derive(Debug)]
pub struct Words {
    language: Language,
    /// The words as the question writes them.
    pub terms: Vec<String>,
    /// Those that only say what was spoken of before, one bit a word.
    context: u64,
    /// Which word each stem stands for, and whether it is the word itself.
    stems: HashMap<String, (usize, bool)>,
}

/// Which words a text has: themselves, or others that say the same. One bit a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mask {
    /// The words themselves.
    pub exact: u64,
    /// Words that say the same.
    pub alike: u64,
}

impl Mask {
    /// What either has.
    #[must_use]
    pub fn with(self, other: Mask) -> Mask {
        Mask { exact: self.exact | other.exact, alike: self.alike | other.alike }
    }

    /// How many words it has.
    pub fn count(self) -> u32 {
        (self.exact | self.alike).count_ones()
    }

    /// Whether it has the word with this place.
    pub fn has(self, word: usize) -> bool {
        (self.exact | self.alike) & (1 << word) != 0
    }
}

impl Words {
    /// Reads a question; where all of its words are common ones, all count.
    pub fn of(question: &str) -> Words {
        let all: Vec<&str> = parts(question).map(|range| &question[range]).collect();
        let language = Language::of(question);
        let says_nothing = |word: &str| match language {
            Language::English => is_common(word),
            other => other.is_stop_word(word),
        };
        let mut telling: Vec<&str> =
            all.iter().copied().filter(|word| !says_nothing(word)).collect();
        if telling.is_empty() {
            telling = all;
        }
        let mut words = Words { language, terms: Vec::new(), context: 0, stems: HashMap::new() };
        for word in telling {
            let stem = stem_in(word, language);
            if words.terms.len() < MOST && !words.stems.contains_key(&stem) {
                words.stems.insert(stem, (words.terms.len(), true));
                words.terms.push(word.to_owned());
            }
        }
        words.widen();
        words
    }

    /// The same where the words in `about` only say what was spoken of before: they count less.
    #[must_use]
    pub fn with_context(mut self, about: &[String]) -> Words {
        let language = self.language;
        let about: Vec<String> = about.iter().flat_map(|a| stems_in(a, language)).collect();
        for (number, word) in self.terms.iter().enumerate() {
            if about.contains(&stem_in(word, language)) {
                self.context |= 1 << number;
            }
        }
        self
    }

    /// Adds the words that say the same.
    fn widen(&mut self) {
        let mut stems: Vec<(String, usize)> =
            self.stems.iter().map(|(stem, (word, _))| (stem.clone(), *word)).collect();
        // Where two words of a question are alike, the first one has what says the same.
        stems.sort_by_key(|(_, word)| *word);
        for (stem, word) in stems {
            let groups = STEMS.iter().filter(|group| group.contains(&stem));
            for other in groups.flat_map(|group| group.iter()) {
                self.stems.entry(other.clone()).or_insert((word, false));
            }
        }
    }

    /// Which words `text` has. `seen` remembers how words were read before.
    pub fn mask(&self, text: &str, seen: &mut HashMap<String, Option<(usize, bool)>>) -> Mask {
        let mut mask = Mask::default();
        for range in parts(text) {
            let word = &text[range];
            let found = if let Some(found) = seen.get(word) {
                *found
            } else {
                let found = self.stems.get(&stem_in(word, self.language)).copied();
                seen.insert(word.to_owned(), found);
                found
            };
            match found {
                Some((word, true)) => mask.exact |= 1 << word,
                Some((word, false)) => mask.alike |= 1 << word,
                None => {}
            }
        }
        mask
    }

    /// The weights of the words in `mask` over all weights, `0.0..=1.0`.
    pub fn share(mask: Mask, weights: &[f64]) -> f64 {
        let sum: f64 = weights.iter().sum();
        let has = |word: usize, weight: &f64| {
            let bit = 1u64 << word;
            if mask.exact & bit != 0 {
                *weight
            } else if mask.alike & bit != 0 {
                weight * ALIKE_COUNTS
            } else {
                0.0
            }
        };
        let value: f64 = weights.iter().enumerate().map(|(word, weight)| has(word, weight)).sum();
        if sum > 0.0 { value / sum } else { 0.0 }
    }

    /// How telling each word is among texts with these masks: rare ones more (inverse document frequency).
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub fn weights(&self, masks: &[Mask]) -> Vec<f64> {
        let count = masks.len() as f64;
        let of = |word: usize| {
            let having = masks.iter().filter(|mask| mask.has(word)).count() as f64;
            let counts = if self.context & (1 << word) != 0 { CONTEXT } else { 1.0 };
            counts * (1.0 + count / (1.0 + having)).ln()
        };
        (0..self.terms.len()).map(of).collect()
    }
}

/// The parts of a text that are words or numbers; a word ends where its letters turn from small to capital or into
/// digits.
pub fn parts(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = rest.find(|(_, c)| c.is_alphanumeric())?;
        let mut last = first;
        let mut end = start + first.len_utf8();
        let mut length = 1;
        while let Some((at, next)) = rest.peek().copied() {
            let turns = last.is_lowercase() && next.is_uppercase()
                || last.is_numeric() != next.is_numeric();
            // "OOMKilled" is "OOM" and "Killed".
            let after = text[at + next.len_utf8()..].chars().take(2);
            let is_word = after.filter(|c| c.is_lowercase()).count() == 2;
            let begins = last.is_uppercase() && next.is_uppercase() && length > 1 && is_word;
            if !next.is_alphanumeric() || turns || begins {
                break;
            }
            rest.next();
            (last, length) = (next, length + 1);
            end = at + next.len_utf8();
        }
        Some(start..end)
    })
}

/// The stems of an English text's words.
pub fn stems(text: &str) -> impl Iterator<Item = String> {
    stems_in(text, Language::English)
}

/// The stems of a text's words.
fn stems_in(text: &str, language: Language) -> impl Iterator<Item = String> {
    parts(text).map(move |range| stem_in(&text[range], language))
}

/// Names of things: words with a capital or a digit inside, or with a capital in front that does not begin a sentence.
pub fn names(text: &str) -> Vec<&str> {
    let mut begins = true;
    let mut found = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "!,;()\"'".contains(c)) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let inner = bare.chars().skip(1).any(|c| c.is_uppercase() || c.is_numeric());
        let capital = !begins && bare.starts_with(char::is_uppercase);
        let has_letters = bare.contains(char::is_alphabetic);
        if has_letters && bare.chars().count() > 1 && (inner || capital) {
            found.push(bare);
        }
        if !word.is_empty() {
            begins = word.ends_with(['.', '?', ':']);
        }
    }
    found
}

/// Compiles a pattern that is part of the program.
///
/// # Panics
/// For a pattern that is none.
#[expect(clippy::unwrap_used, reason = "patterns are constants, and the tests compile them")]
pub fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<&str> {
        parts(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn names_are_read_by_their_parts() {
        assert_eq!(read("ts-contacts-service"), ["ts", "contacts", "service"]);
        assert_eq!(read("findContactsById kafka1"), ["find", "Contacts", "By", "Id", "kafka", "1"]);
        assert_eq!(read("OOMKilled ERROR"), ["OOM", "Killed", "ERROR"]);
    }

    #[test]
    fn names_are_told_from_words() {
        let text = "Which OutOfMemoryError did Kafka report? Please tell me of E1042.";
        assert_eq!(names(text), ["OutOfMemoryError", "Kafka", "E1042"]);
        assert!(names("What do I do when a job fails?").is_empty());
    }

    #[test]
    fn rare_words_count_more_and_words_that_say_the_same_a_part() {
        let words = Words::of("Why did the broker shut down?");
        assert_eq!(words.terms, ["broker", "shut", "down"]);
        let mut seen = HashMap::new();
        let texts = ["broker 1 ok", "broker 2 ok", "broker 1 shutdown"];
        let masks: Vec<Mask> = texts.iter().map(|text| words.mask(text, &mut seen)).collect();
        assert!(masks[2].has(1) && masks[2].exact & 2 == 0);
        let weights = words.weights(&masks);
        assert!(weights[1] > weights[0]);
        assert!(Words::share(masks[2], &weights) > Words::share(masks[0], &weights));
    }
}
