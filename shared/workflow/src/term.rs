//! Names found in texts by whole words and their stems, never by parts of words.

use aho_corasick::{AhoCorasick, MatchKind};
use rust_stemmers::{Algorithm, Stemmer};

/// Names to look for. Each stands for something by its number; several may stand for the same.
#[derive(Debug)]
pub struct Terms {
    /// Finds where a name's first word may begin.
    automaton: AhoCorasick,
    terms: Vec<Term>,
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
    /// As the name writes it; what is written so needs no stemming.
    own: String,
    /// How it must be written: "Go" is no "go".
    exact: Option<String>,
}

/// A place where a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// What the name stands for.
    pub number: usize,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Terms {
    /// Takes names with the numbers of what they stand for. A name without a letter or digit is never found.
    ///
    /// # Panics
    /// With more names than an automaton can hold, which are some billions of letters.
    pub fn new<'n>(names: impl IntoIterator<Item = (usize, &'n str)>) -> Terms {
        let terms: Vec<Term> = names
            .into_iter()
            .map(|(number, name)| Term { number, words: words(name) })
            .filter(|term| !term.words.is_empty())
            .collect();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(terms.iter().map(|term| beginning(&term.words[0].stem)))
            .unwrap_or_else(|error| panic!("names make an automaton: {error}"));
        Terms { automaton, terms }
    }

    /// Finds the names in `text`, in order. Where several stand within each other only the longest counts; one name may
    /// stand for several.
    pub fn find(&self, text: &str) -> Vec<Mention> {
        let mut found: Vec<Mention> = Vec::new();
        for hit in self.automaton.find_overlapping_iter(text) {
            let term = &self.terms[hit.pattern().as_usize()];
            if !begins_word(text, hit.start()) {
                continue;
            }
            if let Some(end) = term.end(text, hit.start()) {
                found.push(Mention { number: term.number, start: hit.start(), end });
            }
        }
        found.sort_by_key(|mention| (mention.start, std::cmp::Reverse(mention.end)));
        found.dedup();
        let mut last = 0..0;
        found.retain(|mention| {
            let own = mention.start..mention.end;
            let counts = own.start >= last.end || own == last;
            if counts {
                last = own;
            }
            counts
        });
        found
    }

    /// Whether `text` has one of the names.
    pub fn are_in(&self, text: &str) -> bool {
        self.automaton.find_overlapping_iter(text).any(|hit| {
            let term = &self.terms[hit.pattern().as_usize()];
            begins_word(text, hit.start()) && term.end(text, hit.start()).is_some()
        })
    }
}

impl Term {
    /// Where the name ends that begins at `start`, if it does.
    fn end(&self, text: &str, start: usize) -> Option<usize> {
        let mut at = start;
        for (place, word) in self.words.iter().enumerate() {
            if place > 0 {
                at += gap(&text[at..])?;
            }
            let end = at + word_length(&text[at..]);
            let own = &text[at..end];
            if !word.is(own) {
                return None;
            }
            at = end;
        }
        Some(at)
    }
}

impl Word {
    fn is(&self, other: &str) -> bool {
        if let Some(exact) = &self.exact {
            return exact == other;
        }
        let is_near = other.len() <= self.stem.len() + LONGEST_ENDING;
        other.eq_ignore_ascii_case(&self.own) || (is_near && stem(other) == self.stem)
    }
}

/// No ending that is taken off has more bytes ("authorizationally").
const LONGEST_ENDING: usize = 9;

/// The stems of a text's words, in order.
pub fn stems(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.stem).collect()
}

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(skip) = text[at..].find(char::is_alphanumeric) {
        let start = at + skip;
        at = start + word_length(&text[start..]);
        let word = &text[start..at];
        let is_name = word.len() <= SHORT && is_capitalized(word);
        let exact = is_name.then(|| word.to_owned());
        words.push(Word { stem: stem(word), own: word.to_owned(), exact });
    }
    words
}

/// Words up to this many letters have no endings to take off.
const SHORT: usize = 3;

fn is_capitalized(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
}

/// A word without its ending; what products put behind their names counts as one
/// ("Postgres", "Postgre-SQL").
pub fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    if word.chars().count() <= SHORT {
        return word;
    }
    let product = ["sql", "db", "js"].iter().find_map(|ending| word.strip_suffix(ending));
    let root = product.filter(|root| root.chars().count() > SHORT).unwrap_or(&word);
    Stemmer::create(Algorithm::English).stem(root).into_owned()
}

/// What every spelling of a word with this stem begins with ("polici", "policy").
fn beginning(stem: &str) -> &str {
    stem.strip_suffix(['i', 'y', 'e']).filter(|rest| rest.len() >= SHORT).unwrap_or(stem)
}

/// The bytes of the word that `text` begins with: letters or digits, not both ("base2" is "base 2").
fn word_length(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let same = |c: char| c.is_alphanumeric() && c.is_numeric() == first.is_numeric();
    text.find(|c| !same(c)).unwrap_or(text.len())
}

/// The bytes between two words of one name: blanks, a hyphen, marks; `None` where something else stands there.
fn gap(text: &str) -> Option<usize> {
    let end = text.find(char::is_alphanumeric)?;
    let is_mark = |c: char| " \n-_/.*`‑(\"'“”‘’".contains(c);
    (text[..end].chars().count() <= 4 && text[..end].chars().all(is_mark)).then_some(end)
}

fn begins_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let first = text[at..].chars().next();
    before.zip(first).is_none_or(|(before, first)| {
        !before.is_alphanumeric() || before.is_numeric() != first.is_numeric()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'t>(names: &[&str], text: &'t str) -> Vec<(usize, &'t str)> {
        let terms = Terms::new(names.iter().copied().enumerate());
        terms.find(text).iter().map(|own| (own.number, &text[own.start..own.end])).collect()
    }

    #[test]
    fn names_are_whole_words() {
        assert_eq!(found(&["Go"], "Golang is good, MongoDB too; we go on. Go 1.13"), [(0, "Go")]);
        assert_eq!(found(&["Golang", "Go"], "Golang or Go"), [(0, "Golang"), (1, "Go")]);
        assert_eq!(found(&["Java"], "JavaScript"), []);
    }

    #[test]
    fn endings_do_not_matter() {
        assert_eq!(
            found(&["Postgres"], "PostgreSQL, POSTGRES"),
            [(0, "PostgreSQL"), (0, "POSTGRES")]
        );
        assert_eq!(found(&["PostgreSQL"], "postgres"), [(0, "postgres")]);
        assert_eq!(found(&["MongoDB"], "Mongo is used"), [(0, "Mongo")]);
        assert_eq!(found(&["managed nodes"], "a managed node group"), [(0, "managed node")]);
        assert_eq!(found(&["retry policy"], "retry policies"), [(0, "retry policies")]);
    }

    #[test]
    fn marks_and_line_breaks_may_stand_within_a_name() {
        assert_eq!(found(&["base2"], "base-2, `base 2`, base 20"), [(0, "base-2"), (0, "base 2")]);
        assert_eq!(
            found(&["page cache hints"], "**page\n  cache** hint"),
            [(0, "page\n  cache** hint")]
        );
        assert_eq!(found(&["direct I/O"], "Direct I/O"), [(0, "Direct I/O")]);
    }

    #[test]
    fn the_longest_name_counts() {
        let names = ["Endpoints", "100 Endpoints per EndpointSlice"];
        assert_eq!(
            found(&names, "with 100 Endpoints per EndpointSlice"),
            [(1, "100 Endpoints per EndpointSlice")]
        );
    }

    proptest! {
        #[test]
        fn a_name_is_found_where_it_stands_alone_and_nothing_is_found_within_a_word(name in "[A-Z][a-z]{2,9}", other in "[a-z]{1,5}") {
            let alone = format!("{other}: {name}.");
            prop_assert!(found(&[&name], &alone).iter().any(|(_, own)| *own == name));
            let inside = format!("{other}{name}");
            let at_end = found(&[&name], &inside).iter().any(|(_, own)| own.len() < inside.len());
            prop_assert!(!at_end);
        }

        #[test]
        fn any_text_can_be_searched_for_any_name(name in "\\PC{0,12}", text in "\\PC{0,80}") {
            for mention in Terms::new([(0, name.as_str())]).find(&text) {
                prop_assert!(text.get(mention.start..mention.end).is_some());
            }
        }
    }
}
