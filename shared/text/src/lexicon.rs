//! Phrases of a language with their meaning to Plumbline, from the files in `lexicons`. The files
//! are compiled in.

use std::cmp::Reverse;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Match, MatchKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Declares the files of English phrases, each as TOML for [`Lexicon::new`].
macro_rules! english {
    ($($name:ident: $file:literal,)*) => {$(
        #[doc = concat!("The file `", $file, ".toml`.")]
        pub const $name: &str = include_str!(concat!("../lexicons/en/", $file, ".toml"));
    )*};
}

english! {
    ALIKE: "alike",
    ARGUMENT: "argument",
    CHECKED: "checked",
    CLAUSE: "clause",
    COMPARISON: "comparison",
    CONFLICT: "conflict",
    DECISION: "decision",
    DEFINITION: "definition",
    EXPLORE: "explore",
    GENRE: "genre",
    HEADING: "heading",
    PLAN: "plan",
    PLAN_HEADING: "plan_heading",
    REPORT: "report",
    REQUIREMENT: "requirement",
    STOP: "stop",
}

/// Phrases in lower case, in groups of one class each.
pub struct Lexicon<C> {
    automaton: AhoCorasick,
    phrases: Vec<Phrase>,
    classes: Vec<C>,
}

struct Phrase {
    group: usize,
    ending: Ending,
}

/// The endings that the last word of a phrase may have.
enum Ending {
    None,
    /// Endings of up to [`SHORT`] letters, marked by a tilde.
    Short,
    /// Any ending, marked by a star.
    Any,
}

/// Upper bound for the letters of a short ending: "risk~" matches "risks", but "cons~" does not
/// match "constraint".
const SHORT: usize = 3;

/// A phrase that was found.
pub struct Found<'l, C> {
    /// The class of the phrase's group.
    pub class: &'l C,
    /// The place of the phrase's group in the file, from 0.
    pub group: usize,
    /// The byte where the phrase begins.
    pub start: usize,
    /// The byte after the phrase.
    pub end: usize,
}

#[derive(Deserialize)]
struct File<C> {
    group: Vec<Group<C>>,
}

#[derive(Deserialize)]
struct Group<C> {
    #[serde(flatten)]
    class: C,
    phrases: Vec<String>,
}

fn groups<C: DeserializeOwned>(toml: &str) -> Vec<Group<C>> {
    let file: File<C> =
        toml::from_str(toml).unwrap_or_else(|error| panic!("a lexicon is read: {error}"));
    file.group
}

/// Returns the phrases of such a file, each with the class of its group.
///
/// # Panics
/// Panics as [`Lexicon::new`] does.
pub fn phrases<C: DeserializeOwned + Clone>(toml: &str) -> impl Iterator<Item = (String, C)> {
    groups::<C>(toml).into_iter().flat_map(|group| {
        let Group { class, phrases } = group;
        phrases.into_iter().map(move |phrase| (phrase, class.clone()))
    })
}

impl<C: DeserializeOwned> Lexicon<C> {
    /// Reads groups of phrases in TOML. A group has `phrases`, `why` or a measured `worth`, and the
    /// fields of the class. A star at the end of a phrase stands for any ending, a tilde for one of
    /// up to three letters.
    ///
    /// # Panics
    /// Panics for an invalid file, because the files are part of the program.
    pub fn new(toml: &str) -> Lexicon<C> {
        let (mut words, mut phrases, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        for (place, group) in groups(toml).into_iter().enumerate() {
            for phrase in group.phrases {
                let ending = match phrase.chars().next_back() {
                    Some('*') => Ending::Any,
                    Some('~') => Ending::Short,
                    _ => Ending::None,
                };
                phrases.push(Phrase { group: place, ending });
                words.push(phrase.trim_end_matches(['*', '~']).to_owned());
            }
            classes.push(group.class);
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA)) // built in 1 ms, where a DFA takes 5
            .build(&words)
            .unwrap_or_else(|error| panic!("phrases make an automaton: {error}"));
        Lexicon { automaton, phrases, classes }
    }
}

impl<C> Lexicon<C> {
    /// Finds the phrases in a lower-case text, in order. Of overlapping phrases the first one
    /// counts, then the longest one.
    pub fn find(&self, text: &str) -> impl Iterator<Item = Found<'_, C>> {
        let matches = self.automaton.find_overlapping_iter(text);
        let mut whole: Vec<_> = matches.filter(|hit| self.is_whole(text, hit)).collect();
        whole.sort_by_key(|hit| (hit.start(), Reverse(hit.end())));
        let mut end = 0;
        whole.retain(|hit| {
            let is_free = hit.start() >= end;
            end = if is_free { hit.end() } else { end };
            is_free
        });
        whole.into_iter().map(|hit| {
            let group = self.phrases[hit.pattern().as_usize()].group;
            Found { class: &self.classes[group], group, start: hit.start(), end: hit.end() }
        })
    }

    /// Finds all phrases in a lower-case text, including those that overlap.
    pub fn find_all(&self, text: &str) -> Vec<Found<'_, C>> {
        let mut found: Vec<Found<'_, C>> = Vec::new();
        for hit in self.automaton.find_overlapping_iter(text) {
            let group = self.phrases[hit.pattern().as_usize()].group;
            if self.is_whole(text, &hit) {
                let class = &self.classes[group];
                found.push(Found { class, group, start: hit.start(), end: hit.end() });
            }
        }
        found
    }

    /// Returns true if a match begins at the beginning of a word, and ends at the end of a word or
    /// with an ending that its phrase may have.
    fn is_whole(&self, text: &str, found: &Match) -> bool {
        let rest = &text.as_bytes()[found.end()..];
        let ends = match self.phrases[found.pattern().as_usize()].ending {
            Ending::None => !is_in_word(rest.first()),
            Ending::Short => {
                rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count() <= SHORT
            }
            Ending::Any => true,
        };
        ends && !is_in_word(text.as_bytes()[..found.start()].last())
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
    fn phrases_are_whole_words_but_for_the_endings_they_may_have() {
        let lexicon: Lexicon<Weight> = Lexicon::new(
            "[[group]]\nwhy = \"\"\nweight = 3\nphrases = [\"error\", \"refus*\"]\n[[group]]\nweight = 1\nphrases = [\"not refused\", \"con~\", \"error in\"]",
        );
        let text = "errors overfailed error inside refused not refused cons constraint";
        let found: Vec<_> = lexicon
            .find(text)
            .map(|found| (found.class.weight, found.group, &text[found.start..found.end]))
            .collect();
        assert_eq!(found, [(3, 0, "error"), (3, 0, "refus"), (1, 1, "not refused"), (1, 1, "con")]);
    }
}
