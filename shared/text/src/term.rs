//! Finds names in texts by whole words and their stems, never by parts of words.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::cjk;
use crate::language::Language;
use crate::words::{are_apart, begins_part, begins_word, parts};

mod stem;

pub use stem::{stem, stem_in};

use stem::with_stem;

/// Names to search for. Each has a number for the thing that it names; names may share a number.
#[derive(Debug)]
pub struct Terms {
    /// The automaton that finds the possible beginnings of a name's first word.
    automaton: AhoCorasick,
    names: Vec<Term>,
    language: Language,
    /// True if a name may also be a part of one whose capitals mark its parts: `findContactsById`.
    may_be_within: bool,
    /// The place of the name of each pattern.
    of_pattern: Vec<usize>,
}

#[derive(Debug)]
struct Term {
    number: usize,
    words: Vec<Word>,
}

/// A word of a name.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    stem: String,
    /// The word as the name writes it. A word in this spelling needs no stemming.
    written: String,
    /// True if the word must have this spelling.
    is_exact: bool,
    /// True if the word ends with `DB`: a "document" in lower case is not one.
    is_database: bool,
}

/// Upper bound for the patterns that a DFA finds. A DFA takes a third of the time and more memory.
const BY_DFA: usize = 512;

/// A place where a name occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// The number of the thing that is named.
    pub number: usize,
    /// The first byte of the name.
    pub start: usize,
    /// The byte after the name.
    pub end: usize,
}

impl Terms {
    /// Takes names with the numbers of their things; one without letters and digits is not found.
    ///
    /// # Panics
    /// Panics if there are more names than an automaton can hold, which is billions of letters.
    pub fn new<'n>(names: impl IntoIterator<Item = (usize, &'n str)>) -> Terms {
        Terms::in_language(names, Language::English)
    }

    fn in_language<'n>(
        names: impl IntoIterator<Item = (usize, &'n str)>,
        language: Language,
    ) -> Terms {
        let term = |(number, name)| Term { number, words: words(name, language) };
        Terms::of(names.into_iter().map(term), language)
    }

    /// Takes words of a language in the same way. They are also found within names whose capitals
    /// mark their parts: "contacts" in `findContactsById`.
    ///
    /// # Panics
    /// Panics as [`Terms::new`] does.
    pub fn within_names<'n>(
        names: impl IntoIterator<Item = (usize, &'n str)>,
        language: Language,
    ) -> Terms {
        Terms { may_be_within: true, ..Terms::in_language(names, language) }
    }

    /// Takes proper names in the same way. A short name must be written as it is here, because "Go"
    /// is not "go" and "IT" is not "it". The same applies to all names in `exact`.
    ///
    /// # Panics
    /// Panics as [`Terms::new`] does.
    pub fn proper<'n>(
        names: impl IntoIterator<Item = (usize, &'n str)>,
        exact: impl IntoIterator<Item = (usize, &'n str)>,
    ) -> Terms {
        let names = names.into_iter().map(|name| (name, false));
        let exact = exact.into_iter().map(|name| (name, true));
        let term = |((number, name), is_exact)| {
            let mut words = words(name, Language::English);
            if let [word] = words.as_mut_slice() {
                word.is_exact = is_exact || must_be_exact(&word.written);
            }
            Term { number, words }
        };
        Terms::of(names.chain(exact).map(term), Language::English)
    }

    fn of(terms: impl Iterator<Item = Term>, language: Language) -> Terms {
        let terms: Vec<Term> = terms.filter(|term| !term.words.is_empty()).collect();
        let mut patterns: Vec<String> = Vec::new();
        let mut of_pattern = Vec::new();
        for (place, term) in terms.iter().enumerate() {
            let first = &term.words[0];
            if language != Language::English {
                // Stemmers of other languages remove umlauts and accents, but keep the first
                // letters.
                for pattern in openings(&first.written) {
                    patterns.push(pattern);
                    of_pattern.push(place);
                }
                continue;
            }
            patterns.push(beginning(&first.stem).to_owned());
            of_pattern.push(place);
            // The automaton ignores the case of ASCII letters only.
            if !first.written.is_ascii() {
                patterns.push(first.written.clone());
                of_pattern.push(place);
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .kind((patterns.len() <= BY_DFA).then_some(AhoCorasickKind::DFA))
            .build(patterns)
            .unwrap_or_else(|error| panic!("names make an automaton: {error}"));
        Terms { automaton, names: terms, language, may_be_within: false, of_pattern }
    }

    /// Finds the names in `text`, in order. Of names that contain each other only the longest
    /// counts. One name may have several numbers.
    pub fn find(&self, text: &str) -> Vec<Mention> {
        let mut found: Vec<Mention> = self.all(text, usize::MAX).collect();
        found.sort_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end), hit.number));
        found.dedup();
        let mut last = 0..0;
        found.retain(|mention| {
            let end = mention.start..mention.end;
            let counts = end.start >= last.end || end == last;
            if counts {
                last = end;
            }
            counts
        });
        found
    }

    /// Returns true if `text` has one of the names.
    pub fn are_in(&self, text: &str) -> bool {
        self.all(text, usize::MAX).next().is_some()
    }

    /// Returns the numbers of all names in `text` whose number is below `bound`, overlapping ones
    /// too. A number may repeat.
    pub fn numbers_in<'t>(
        &'t self,
        text: &'t str,
        bound: usize,
    ) -> impl Iterator<Item = usize> + 't {
        self.all(text, bound).map(|mention| mention.number)
    }

    fn all<'t>(&'t self, text: &'t str, bound: usize) -> impl Iterator<Item = Mention> + 't {
        self.automaton.find_overlapping_iter(text).filter_map(move |hit| {
            let (start, term) =
                (hit.start(), &self.names[self.of_pattern[hit.pattern().as_usize()]]);
            let begins = begins_word(text, start) || self.may_be_within && begins_part(text, start);
            let end =
                (begins && term.number < bound).then(|| term.end(text, start, self)).flatten()?;
            Some(Mention { number: term.number, start, end })
        })
    }
}

/// Upper bound for the bytes of a word that is looked at.
const LONGEST: usize = 512;

impl Term {
    /// Returns the end of the name at `start`, if it occurs there.
    fn end(&self, text: &str, start: usize, terms: &Terms) -> Option<usize> {
        let mut at = start;
        for (place, word) in self.words.iter().enumerate() {
            if place > 0 {
                at += gap(&text[at..])?;
            }
            // A longer word is none of a name's, and a long line without blanks is read once.
            let near = &text[at..text.floor_char_boundary(at + LONGEST)];
            let whole = word_length(near);
            let is = |length: &usize| word.is(&near[..*length], terms.language);
            let part = || parts(near).next().map(|part| part.end).filter(|part| *part < whole);
            let part = || terms.may_be_within.then(part).flatten().filter(is);
            at += Some(whole).filter(is).or_else(part)?;
        }
        Some(at)
    }
}

impl Word {
    fn is(&self, other: &str, language: Language) -> bool {
        if self.is_exact {
            return self.written == other;
        }
        if other.eq_ignore_ascii_case(&self.written) {
            return true;
        }
        // A word of one letter has no other spelling, and stemming takes time.
        if self.written.len() == 1 {
            return false;
        }
        let is_near =
            language != Language::English || other.len() <= self.stem.len() + LONGEST_ENDING;
        let may_be = !(self.is_database && other.starts_with(char::is_lowercase));
        is_near && may_be && with_stem(other, language, |stem| stem == self.stem)
    }
}

/// Upper bound for the bytes of an ending that stemming removes ("authorizationally").
const LONGEST_ENDING: usize = 9;

/// Returns the stems of a text's words, in order.
pub fn stems(text: &str) -> Vec<String> {
    words(text, Language::English).into_iter().map(|word| word.stem).collect()
}

fn words(text: &str, language: Language) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(skip) = text[at..].find(char::is_alphanumeric) {
        let start = at + skip;
        at = start + word_length(&text[start..]);
        let word = &text[start..at];
        let is_database = word.len() > "DB".len() && word.ends_with("DB");
        let stem = stem_in(word, language);
        words.push(Word { stem, written: word.to_owned(), is_exact: false, is_database });
    }
    words
}

/// Upper bound for the letters of words without endings.
const SHORT: usize = 3;

/// Returns true if a name is so short that only its capitals distinguish it from a word.
fn must_be_exact(name: &str) -> bool {
    let is_short = name.chars().count() <= SHORT && name.starts_with(char::is_uppercase);
    is_short && (name.chars().any(char::is_lowercase) || name.chars().count() < SHORT)
}

/// Returns the first letters of a word of another language, in lower case and in capitals.
fn openings(word: &str) -> [String; 3] {
    let lower = word.to_lowercase();
    let small: String = lower.chars().take(SHORT).collect();
    let mut letters = small.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let capital: String = first.chain(letters).collect();
    [small.clone(), capital, small.to_uppercase()]
}

/// Returns the common beginning of all words with this stem ("polici", "policy"; "abi", "abyed").
fn beginning(stem: &str) -> &str {
    stem.strip_suffix(['i', 'y', 'e']).filter(|rest| !rest.is_empty()).unwrap_or(stem)
}

/// Returns the number of bytes of the word at the beginning of `text`. A word has letters or
/// digits, not both ("base2" is "base 2"), and the marks that distinguish "C++" and "C#" from "C".
/// A letter of [`cjk`] is a word of its own.
fn word_length(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    if cjk::is_letter(first) {
        return first.len_utf8();
    }
    let same = |c: char| c.is_alphanumeric() && !are_apart(first, c);
    let end = text.find(|c| !same(c)).unwrap_or(text.len());
    let marks = text[end..].bytes().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    let goes_on = |c: char| c.is_alphanumeric() && !cjk::is_letter(c);
    let ends = !text[end + marks..].starts_with(goes_on);
    if ends && !first.is_numeric() { end + marks } else { end }
}

/// Returns the bytes between two words of a name: white space, a hyphen, marks; else `None`.
fn gap(text: &str) -> Option<usize> {
    let end = text.find(char::is_alphanumeric)?;
    let is_mark = |c: char| " \n-_/.*`‑(\"'“”‘’".contains(c);
    (text[..end].chars().count() <= 4 && text[..end].chars().all(is_mark)).then_some(end)
}

#[cfg(test)]
#[path = "term_tests.rs"]
mod tests;
