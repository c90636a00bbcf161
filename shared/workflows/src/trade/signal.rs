//! Finds the criteria that a text mentions.

use std::borrow::Cow;
use std::ops::Range;

use super::concept;
use super::wanted::Criterion;
use text::question::{ENOUGH, telling};
use text::term::{Mention, Terms};

/// The words of all criteria. A text is searched once for all of them.
pub(super) struct Signals {
    /// The words that indicate a criterion. A mention's number is the place of its criterion.
    words: Words,
    /// The words of the criteria's names. A mention's number is `criterion * MOST_WORDS + word`.
    names: Option<Terms>,
    /// The number of different words in each name.
    counts: Vec<usize>,
    /// The words that a text must have for each criterion: those of its name with a digit. "p50" is
    /// not "p99".
    musts: Vec<Vec<String>>,
}

enum Words {
    Types(&'static Terms),
    Criteria(Terms),
}

/// The criteria that a text mentions.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// The mentions of criteria.
    pub mentions: Vec<Mention>,
    /// The words of criteria's names in the text. A mention's number is `criterion * MOST_WORDS +
    /// word`.
    names: Vec<Mention>,
}

/// The criteria that a statement mentions.
pub(super) struct StatementCriteria<'a> {
    /// Those in its own words.
    pub words: &'a Spoken,
    /// Those in the head of its row or column.
    pub head: &'a Spoken,
    /// Those in the heading above it.
    pub heading: &'a Spoken,
}

/// Upper bound for the words of a name that count.
const MOST_WORDS: usize = 64;

impl Signals {
    /// Returns the signals of the seven types, which need only their words.
    pub(super) fn of_types() -> Signals {
        Signals {
            words: Words::Types(&concept::TYPE_WORDS),
            names: None,
            counts: Vec::new(),
            musts: Vec::new(),
        }
    }

    /// Returns the signals of a caller's criteria: the words of their names, and the usual words
    /// for such a thing.
    pub(super) fn of(criteria: &[Criterion]) -> Signals {
        let mut words: Vec<(usize, Cow<'_, str>)> = Vec::new();
        let mut names: Vec<(usize, &str)> = Vec::new();
        let mut counts = Vec::new();
        for (place, criterion) in criteria.iter().enumerate() {
            words.push((place, Cow::Borrowed(criterion.name.as_str())));
            let usual = concept::of_name(&criterion.name).words;
            words.extend(usual.into_iter().map(|word| (place, Cow::Borrowed(word))));
            let mut parts = telling(&criterion.name);
            parts.truncate(MOST_WORDS);
            counts.push(parts.len());
            names.extend(
                parts.iter().enumerate().map(|(word, text)| (place * MOST_WORDS + word, *text)),
            );
        }
        let musts = criteria.iter().map(|criterion| numbered(&criterion.name)).collect();
        Signals {
            musts,
            words: Words::Criteria(Terms::new(
                words.iter().map(|(place, word)| (*place, word.as_ref())),
            )),
            names: Some(Terms::new(names)),
            counts,
        }
    }

    /// Finds the criteria that a text mentions.
    pub(super) fn spoken(&self, text: &str) -> Spoken {
        let words = match &self.words {
            Words::Types(words) => words,
            Words::Criteria(words) => words,
        };
        let names = self.names.as_ref().map(|names| names.find(text)).unwrap_or_default();
        Spoken { mentions: words.find(text), names }
    }

    /// Returns true if the texts have all words of the criterion's name that have a digit.
    pub(super) fn may_be(&self, criterion: usize, texts: &[&str]) -> bool {
        let Some(musts) = self.musts.get(criterion).filter(|musts| !musts.is_empty()) else {
            return true;
        };
        let found: Vec<String> = texts.iter().flat_map(|text| numbered(text)).collect();
        musts.iter().all(|must| found.contains(must))
    }

    /// Returns the share of the words of a criterion's name that the texts have together,
    /// `0.0..=1.0`.
    pub(super) fn share(&self, criterion: usize, texts: &[&Spoken]) -> f64 {
        let Some(count) = self.counts.get(criterion).filter(|count| **count > 0) else {
            return 0.0;
        };
        let mentions = texts.iter().flat_map(|text| &text.names);
        let mentions = mentions.filter(|mention| mention.number / MOST_WORDS == criterion);
        let bits = mentions.fold(0_u64, |bits, mention| bits | 1 << (mention.number % MOST_WORDS));
        f64::from(bits.count_ones()) / as_f64(*count)
    }

    /// Returns the weight of the texts together for a criterion, see [`weight`].
    pub(super) fn weight(&self, criterion: usize, texts: &[&Spoken]) -> f64 {
        let count = self.counts.get(criterion).copied().unwrap_or_default();
        weight(self.share(criterion, texts), count)
    }
}

/// Returns the weight of having this `share` of `count` meaningful words: 0 below six in ten of
/// them; above, it grows with the share and a little with the count.
fn weight(share: f64, count: usize) -> f64 {
    if share < ENOUGH { 0.0 } else { 0.8 * share + 0.05 * share * as_f64(count) }
}

/// Returns the words of a text that have a digit, in lower case.
fn numbered(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let numbered = words.filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    numbered.map(str::to_lowercase).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a count of words")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

impl Spoken {
    /// Returns the mentions within a part of the text, with their bytes counted from its beginning.
    pub(super) fn within(&self, range: &Range<usize>) -> Spoken {
        let part = |all: &[Mention]| {
            let first = all.partition_point(|mention| mention.start < range.start);
            let inside = all[first..].iter().take_while(|mention| mention.end <= range.end);
            let (start, end) = (
                |mention: &Mention| mention.start - range.start,
                |mention: &Mention| mention.end - range.start,
            );
            inside
                .map(|mention| Mention { start: start(mention), end: end(mention), ..*mention })
                .collect()
        };
        Spoken { mentions: part(&self.mentions), names: part(&self.names) }
    }

    /// Returns true if the text mentions the criterion.
    pub(super) fn has(&self, criterion: usize) -> bool {
        self.mentions.iter().any(|mention| mention.number == criterion)
    }
}
