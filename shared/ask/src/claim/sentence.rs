//! Sentences in the form in which they are compared: clauses of words and numbers, each denied or
//! not.

use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;
use text::lexicon::Lexicon;

use super::value::{self, Value};
use text::stop::is_common;
use text::term::stem;
use text::words::parts;

/// Lower bound for the share of common words among all words of two sentences about the same
/// subject.
const SAME: f64 = 0.8;

/// A group of `clause.toml`.
#[derive(Deserialize)]
struct Phrase {
    does: Does,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Does {
    /// The phrase denies its clause.
    Deny,
    /// The phrase contains a denying word but does not deny.
    Keep,
    /// The phrase begins a clause.
    Begin,
}

static PHRASES: LazyLock<Lexicon<Phrase>> = LazyLock::new(|| Lexicon::new(text::lexicon::CLAUSE));

/// A part of a sentence that usually has a verb of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Clause {
    /// The stems of the words that carry meaning.
    pub words: Vec<String>,
    pub values: Vec<Value>,
    denials: usize,
}

impl Clause {
    /// Returns true if the clause is denied. Two denials cancel each other.
    pub(super) fn is_denied(&self) -> bool {
        self.denials % 2 == 1
    }
}

/// A sentence, a line, or a row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sentence {
    pub clauses: Vec<Clause>,
    /// The text as it is written.
    pub text: String,
}

impl Sentence {
    /// Reads a sentence.
    pub(super) fn of(text: &str) -> Sentence {
        let lower = text.to_ascii_lowercase();
        let found: Vec<(Does, usize, usize)> =
            PHRASES.find(&lower).map(|found| (found.class.does, found.start, found.end)).collect();
        let values = value::values(text);
        let mut clauses: Vec<Clause> = Vec::new();
        for range in ranges(text, &found, &values) {
            let words = parts(&text[range.clone()]).filter_map(|piece| {
                let at = range.start + piece.start;
                let word = &text[at..range.start + piece.end];
                let denies = found.iter().any(|(_, start, end)| (*start..*end).contains(&at));
                let is_value = values.iter().any(|value| value.range.contains(&at));
                let says_nothing = denies || is_value || word.len() < 2 || is_common(word);
                (!says_nothing).then(|| stem(word))
            });
            let denials = found
                .iter()
                .filter(|(does, start, _)| *does == Does::Deny && range.contains(start));
            let numbers = values.iter().filter(|value| range.contains(&value.range.start));
            clauses.push(Clause {
                words: words.collect(),
                values: numbers.cloned().collect(),
                denials: denials.count(),
            });
        }
        Sentence { text: text.into(), clauses }
    }

    /// Returns the stems of the words that carry meaning.
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.clauses.iter().flat_map(|clause| &clause.words)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.clauses.iter().flat_map(|clause| &clause.values)
    }

    /// Returns true if the sentence has a word with this stem.
    pub(super) fn has(&self, stem: &String) -> bool {
        self.clauses.iter().any(|clause| clause.words.contains(stem))
    }

    /// Returns true if both sentences have nearly the same words, which means that they are about
    /// the same subject.
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    fn is_of_the_same(&self, other: &Sentence) -> bool {
        let words: Vec<&String> = self.words().collect();
        let shared = words.iter().filter(|word| other.has(word)).count();
        let others = other.words().filter(|word| !self.has(word)).count();
        shared > 0 && shared as f64 >= SAME * (words.len() + others) as f64
    }

    /// Returns true if both sentences are about the same subject, but have different numbers or
    /// only one of them is denied.
    pub(super) fn contradicts(&self, other: &Sentence) -> bool {
        let is_denied = |sentence: &Sentence| {
            sentence.clauses.iter().filter(|clause| clause.is_denied()).count() % 2 == 1
        };
        let lacks =
            |sentence: &Sentence, value: &Value| !sentence.values().any(|found| value.is(found));
        let is_another = |value: &Value| {
            lacks(other, value)
                && other.values().any(|found| value.is_like(found) && lacks(self, found))
        };
        self.is_of_the_same(other)
            && (is_denied(self) != is_denied(other) || self.values().any(is_another))
    }

    /// Returns true if the sentence has neither a number nor a word that carries meaning.
    pub(super) fn is_common(&self) -> bool {
        self.words().next().is_none() && self.values().next().is_none()
    }
}

/// Returns the first clause of a sentence with the word that denies it; `None` if no word does or
/// two denials cancel each other.
pub fn first_clause(text: &str) -> (&str, Option<&str>) {
    let lower = text.to_ascii_lowercase();
    let found: Vec<(Does, usize, usize)> =
        PHRASES.find(&lower).map(|found| (found.class.does, found.start, found.end)).collect();
    let clause = ranges(text, &found, &value::values(text)).swap_remove(0);
    let mut denials =
        found.iter().filter(|(does, start, _)| *does == Does::Deny && clause.contains(start));
    let first = denials.next().map(|(_, start, end)| &text[*start..*end]);
    (&text[clause.clone()], first.filter(|_| denials.count() % 2 == 0))
}

/// Returns the clauses of a sentence. They end at punctuation marks and before conjunctions.
fn ranges(text: &str, found: &[(Does, usize, usize)], values: &[Value]) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = found
        .iter()
        .filter(|(does, ..)| *does == Does::Begin)
        .map(|(_, start, _)| *start)
        .filter(|start| text.is_char_boundary(*start))
        .collect();
    let marks = text.char_indices().filter(|(_, c)| matches!(c, ';' | '(' | ')' | '|' | '—'));
    cuts.extend(marks.map(|(at, _)| at));
    // "71 °C, normally 52 °C" are two clauses.
    let between = values.windows(2).filter_map(|pair| {
        let gap = pair[0].range.end..pair[1].range.start;
        text.get(gap.clone())?.find(", ").map(|at| gap.start + at)
    });
    cuts.extend(between);
    cuts.sort_unstable();
    let mut start = 0;
    let mut ranges = Vec::new();
    for cut in cuts.into_iter().chain([text.len()]) {
        if cut > start || cut == text.len() {
            ranges.push(start..cut);
            start = cut;
        }
    }
    ranges
}
