//! The names of alternatives in texts: as the caller writes them, and by the words that tell them apart.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::ask::Alternative;
use super::spelling::spellings;
use crate::strategy::Evidence;
use crate::term::{Mention, Terms, stem};
use crate::topic::telling;

/// Names alternatives in texts.
pub(super) struct Names {
    /// Whole names; a mention's number is its alternative's place.
    whole: Terms,
    /// Words of names; a mention's number is `alternative * MOST_WORDS + word`.
    words: Terms,
    /// What each word says of its alternative, by these numbers.
    weights: HashMap<usize, Weight>,
    /// The sum of each alternative's weights.
    totals: Vec<f64>,
    /// What each passage of the evidence has.
    passages: Vec<Found>,
}

/// What a word of a name says.
#[derive(Clone, Copy)]
struct Weight {
    much: f64,
    /// Whether no other alternative has it.
    is_own: bool,
    /// Whether it is written like no other word, and so tells its alternative almost alone.
    is_marked: bool,
    /// Whether it is the rarest of its alternative's words.
    is_rarest: bool,
}

/// The alternatives that a text names, and the words of their names in it.
#[derive(Default)]
pub(super) struct Found {
    whole: Vec<Mention>,
    words: Vec<Mention>,
}

/// Of a name only so many words count.
const MOST_WORDS: usize = 64;

/// A heading, a label or a title is about an alternative where it has this share of its words, by their weights.
const LEAST_ABOVE: f64 = 0.5;

/// A statement names an alternative where it has this share of them.
const LEAST: f64 = 0.75;

/// What a word counts that is written like no other ("EKS", "kOps", "S3"), one with a capital, and any other.
const MARKED: f64 = 2.0;
const CAPITAL: f64 = 1.5;
const ORDINARY: f64 = 1.0;

/// A word that no text has is taken to be in so many passages.
const NOWHERE: f64 = 0.5;

/// A word that several alternatives have counts this much of one that tells them apart.
const SHARED: f64 = 0.5;

impl Found {
    /// The names that stand there as they are.
    pub(super) fn whole(&self) -> &[Mention] {
        &self.whole
    }
}

impl Names {
    /// Reads the names, and how rare their words are in the evidence.
    pub(super) fn new(alternatives: &[Alternative], evidence: &[Evidence]) -> Names {
        let own = spellings(alternatives);
        let mut words: Vec<(usize, &str)> = Vec::new();
        for (place, own) in alternatives.iter().enumerate() {
            let own = own.names.iter().flat_map(|name| telling(name)).take(MOST_WORDS);
            words.extend(own.enumerate().map(|(word, text)| (place * MOST_WORDS + word, text)));
        }
        let mut names = Names {
            whole: Terms::proper(texts(&own.names), texts(&own.initials)),
            words: Terms::new(words.iter().copied()),
            weights: HashMap::new(),
            totals: vec![0.0; alternatives.len()],
            passages: Vec::new(),
        };
        names.passages = evidence.iter().map(|own| names.find(&own.chunk.text)).collect();
        names.weigh(&words);
        names
    }

    /// A rare word says more than a frequent one, and one that is written like a name more than another. Where a name has
    /// such a word that the texts have, those that no text has do not count: "self-hosted ELK" is found as "ELK".
    fn weigh(&mut self, words: &[(usize, &str)]) {
        let mut passages: HashMap<usize, u32> = HashMap::new();
        for own in &self.passages {
            let found: HashSet<usize> = own.words.iter().map(|own| own.number).collect();
            for number in found {
                *passages.entry(number).or_default() += 1;
            }
        }
        let all = f64::from(u32::try_from(self.passages.len()).unwrap_or(u32::MAX));
        let is_named = |alternative: usize| {
            words.iter().any(|(number, word)| {
                number / MOST_WORDS == alternative
                    && passages.contains_key(number)
                    && shape(*number, word) > ORDINARY
            })
        };
        for (number, word) in words {
            let alternative = number / MOST_WORDS;
            let count = match passages.get(number) {
                Some(count) => f64::from(*count),
                None if is_named(alternative) => continue,
                None => NOWHERE,
            };
            let own_stem = stem(word);
            let is_own = !words
                .iter()
                .any(|(other, word)| other / MOST_WORDS != alternative && stem(word) == own_stem);
            let shape = shape(*number, word);
            let part = if is_own { 1.0 } else { SHARED };
            let much = part * shape * (1.0 + all / count).ln();
            let is_marked = is_own && shape > ORDINARY;
            self.weights.insert(*number, Weight { much, is_own, is_marked, is_rarest: false });
            self.totals[alternative] += much;
        }
        self.mark_rarest();
    }

    fn mark_rarest(&mut self) {
        let mut rarest: Vec<f64> = vec![0.0; self.totals.len()];
        for (number, own) in &self.weights {
            let most = &mut rarest[number / MOST_WORDS];
            *most = most.max(own.much);
        }
        for (number, own) in &mut self.weights {
            own.is_rarest = own.much >= rarest[number / MOST_WORDS];
        }
    }

    /// Finds the names and their words in a text.
    pub(super) fn find(&self, text: &str) -> Found {
        Found { whole: self.whole.find(text), words: self.words.find(text) }
    }

    /// What a passage has, by its place among the evidence.
    pub(super) fn passage(&self, place: usize) -> &Found {
        &self.passages[place]
    }

    /// The alternatives that a statement, a part of the text, names: by their names, and one more by most of its words.
    pub(super) fn within(&self, found: &Found, range: &Range<usize>) -> Vec<Mention> {
        let mut named = part(&found.whole, range).to_vec();
        let is_named = |number: usize| named.iter().any(|own| own.number == number);
        let words = part(&found.words, range).iter();
        let others: Vec<Mention> =
            words.filter(|own| !is_named(own.number / MOST_WORDS)).copied().collect();
        named.extend(self.nearest(&others, LEAST));
        named.sort_by_key(|own| own.start);
        named
    }

    /// The one alternative that a heading, a label or a title, a part of the text, is about.
    pub(super) fn above(&self, found: &Found, range: &Range<usize>) -> Option<usize> {
        let named = part(&found.whole, range);
        match named.first() {
            Some(first) => {
                named.iter().all(|own| own.number == first.number).then_some(first.number)
            }
            None => self.nearest(part(&found.words, range), LEAST_ABOVE).map(|own| own.number),
        }
    }

    /// The alternative that most of the words are of, where its rarest word is among them, they have at least the share
    /// `least` of all its words, and no other alternative has as much.
    fn nearest(&self, words: &[Mention], least: f64) -> Option<Mention> {
        let mut shares: HashMap<usize, Share> = HashMap::new();
        let mut seen = HashSet::new();
        for own in words.iter().filter(|own| seen.insert(own.number)) {
            let Some(weight) = self.weights.get(&own.number) else { continue };
            let share = shares.entry(own.number / MOST_WORDS).or_default();
            share.of_all += weight.much / self.totals[own.number / MOST_WORDS];
            share.is_own |= weight.is_own;
            share.is_marked |= weight.is_marked;
            share.has_rarest |= weight.is_rarest;
        }
        let mut best: Vec<(usize, f64)> = shares
            .into_iter()
            .filter(|(_, share)| share.tells(least))
            .map(|(number, share)| (number, share.of_all))
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (number, share) = *best.first()?;
        let is_alone = best.get(1).is_none_or(|(_, other)| *other < share);
        let is_rarest = |own: &&Mention| {
            own.number / MOST_WORDS == number
                && self.weights.get(&own.number).is_some_and(|own| own.is_rarest)
        };
        let first = words.iter().find(is_rarest)?;
        is_alone.then_some(Mention { number, start: first.start, end: first.end })
    }
}

/// The words of an alternative that a text has.
#[derive(Default)]
struct Share {
    /// Their weights, of those of all.
    of_all: f64,
    is_own: bool,
    is_marked: bool,
    has_rarest: bool,
}

impl Share {
    fn tells(&self, least: f64) -> bool {
        let least = if self.is_marked { LEAST_ABOVE } else { least };
        self.is_own && self.has_rarest && self.of_all >= least
    }
}

/// The mentions within a part of a text.
fn part<'m>(mentions: &'m [Mention], range: &Range<usize>) -> &'m [Mention] {
    let first = mentions.partition_point(|own| own.start < range.start);
    let behind = mentions.partition_point(|own| own.start < range.end);
    &mentions[first..behind]
}

/// How much a word looks like a name: "EKS" and "S3" more than "Fargate" in "EKS Fargate", and that more than
/// "Managed" in "Managed nodes".
fn shape(number: usize, word: &str) -> f64 {
    let is_marked = |c: char| c.is_uppercase() || c.is_numeric();
    if word.chars().skip(1).any(is_marked) {
        MARKED
    } else if word.starts_with(char::is_uppercase) && !number.is_multiple_of(MOST_WORDS) {
        CAPITAL
    } else {
        ORDINARY
    }
}

fn texts(names: &[(usize, String)]) -> impl Iterator<Item = (usize, &str)> {
    names.iter().map(|(number, name)| (*number, name.as_str()))
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
