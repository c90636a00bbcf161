//! Phrases of a language and what they tell, read from `infra/lexicons`, which is compiled in.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Phrases in small letters, each with what it tells.
pub(crate) struct Lexicon<C> {
    automaton: AhoCorasick,
    phrases: Vec<Phrase>,
    classes: Vec<C>,
}

struct Phrase {
    class: usize,
    /// Whether any ending of its last word will do.
    is_stem: bool,
}

/// A phrase that was found.
pub(crate) struct Found<'l, C> {
    /// What it tells.
    pub class: &'l C,
    /// The byte where it begins.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

#[derive(Deserialize)]
struct File<C> {
    group: Vec<Group<C>>,
}

/// Phrases that tell the same.
#[derive(Deserialize)]
struct Group<C> {
    #[serde(flatten)]
    class: C,
    phrases: Vec<String>,
}

impl<C: DeserializeOwned> Lexicon<C> {
    /// Reads groups of phrases in TOML: `phrases`, `why`, and what the phrases tell. A star stands for any ending.
    ///
    /// # Panics
    /// Where the file is none: it is part of the program.
    pub(crate) fn new(toml: &str) -> Lexicon<C> {
        let file: File<C> =
            toml::from_str(toml).unwrap_or_else(|error| panic!("a lexicon is read: {error}"));
        let (mut words, mut phrases, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        for (number, group) in file.group.into_iter().enumerate() {
            for phrase in group.phrases {
                let stem = phrase.trim_end_matches('*');
                phrases.push(Phrase { class: number, is_stem: stem.len() < phrase.len() });
                words.push(stem.trim_end().to_owned());
            }
            classes.push(group.class);
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::ContiguousNFA)) // built in 1 ms, where a DFA takes 5
            .build(&words)
            .unwrap_or_else(|error| panic!("phrases make an automaton: {error}"));
        Lexicon { automaton, phrases, classes }
    }
}

impl<C> Lexicon<C> {
    /// Finds the phrases in a text of small letters, in order; of two that overlap the first and then the longest.
    pub(crate) fn find<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Found<'t, C>> {
        self.automaton.find_iter(text).filter_map(move |found| {
            let phrase = &self.phrases[found.pattern().as_usize()];
            let (start, end) = (found.start(), found.end());
            let begins = !is_in_word(text.as_bytes()[..start].last());
            let ends = phrase.is_stem || !is_in_word(text.as_bytes().get(end));
            let class = &self.classes[phrase.class];
            (begins && ends).then_some(Found { class, start, end })
        })
    }
}

fn is_in_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Weight {
        weight: i16,
    }

    #[test]
    fn phrases_are_whole_words_unless_any_ending_will_do() {
        let lexicon: Lexicon<Weight> = Lexicon::new(
            "[[group]]\nwhy = \"\"\nweight = 3\nphrases = [\"error\", \"refus*\"]\n[[group]]\nweight = 1\nphrases = [\"not refused\"]",
        );
        let text = "errors overfailed error refused not refused";
        let found: Vec<_> =
            lexicon.find(text).map(|own| (own.class.weight, &text[own.start..own.end])).collect();
        assert_eq!(found, [(3, "error"), (3, "refus"), (1, "not refused")]);
    }
}
