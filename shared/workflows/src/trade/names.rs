//! Finds the names of alternatives in texts: as the caller writes them, and in headings also by the
//! words that distinguish them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::spelling::spellings;
use super::wanted::Alternative;
use ask::evidence::Evidence;
use text::question::telling;
use text::stop::is_common;
use text::term::{Mention, Terms, stem};

/// Finds the alternatives that texts name.
pub(super) struct Names {
    /// Whole names. A mention's number is the place of its alternative.
    whole: Terms,
    /// Words of names. A mention's number is `alternative * MOST_WORDS + word`.
    words: Terms,
    /// The weight of each word, by these numbers.
    weights: HashMap<usize, Weight>,
    /// The sum of the weights of each alternative.
    totals: Vec<f64>,
    /// The names and words that were found in each passage of the evidence.
    passages: Vec<Found>,
}

/// The weight of a word of a name.
#[derive(Clone, Copy)]
struct Weight {
    much: f64,
    /// True if no other alternative has the word.
    is_own: bool,
    /// True if the word is the rarest one of its alternative.
    is_rarest: bool,
}

/// The alternatives that a text names, and the words of their names in it.
#[derive(Default)]
pub(super) struct Found {
    whole: Vec<Mention>,
    words: Vec<Mention>,
}

/// Upper bound for the words of a name that count.
const MOST_WORDS: usize = 64;

/// Lower bound for the weighted share of a name's words in a heading, a label or a title about the
/// alternative.
const LEAST_ABOVE: f64 = 0.5;

/// The factors for a word that is written like no other ("EKS", "kOps", "S3"), for one with a
/// capital, and for any other.
const MARKED: f64 = 2.0;
const CAPITAL: f64 = 1.5;
const ORDINARY: f64 = 1.0;

/// The assumed number of passages with a word that no text has.
const NOWHERE: f64 = 0.5;

/// The factor for a word that several alternatives have.
const SHARED: f64 = 0.5;

impl Found {
    /// Returns the whole names that the text contains.
    pub(super) fn whole(&self) -> &[Mention] {
        &self.whole
    }

    /// Returns the whole names within a statement, which is a part of the text.
    pub(super) fn within(&self, range: &Range<usize>) -> &[Mention] {
        part(&self.whole, range)
    }
}

impl Names {
    /// Reads the names, and the rarity of their words in the evidence.
    pub(super) fn new(alternatives: &[Alternative], evidence: &[Evidence]) -> Names {
        let spelled = spellings(alternatives);
        let mut words: Vec<(usize, &str)> = Vec::new();
        for (place, alternative) in alternatives.iter().enumerate() {
            let parts = alternative.names.iter().flat_map(|name| telling(name)).take(MOST_WORDS);
            words.extend(parts.enumerate().map(|(word, text)| (place * MOST_WORDS + word, text)));
        }
        let mut names = Names {
            whole: Terms::proper(texts(&spelled.names), texts(&spelled.initials)),
            words: Terms::new(words.iter().copied()),
            weights: HashMap::new(),
            totals: vec![0.0; alternatives.len()],
            passages: Vec::new(),
        };
        names.passages = evidence.iter().map(|passage| names.find(&passage.passage.text)).collect();
        let foreign = names.foreign(&words, evidence);
        words.retain(|(number, _)| !foreign.contains(number));
        names.weigh(&words);
        names
    }

    /// Returns the words that belong to another name in the texts: most of their mentions, and more
    /// than one, follow the same capitalized word, as "MQ" of "Rabbit MQ" does if the texts have
    /// "Corvid MQ". A single mention may begin a sentence: "Deploy ELK".
    fn foreign(&self, words: &[(usize, &str)], evidence: &[Evidence]) -> HashSet<usize> {
        let parts: HashSet<(usize, String)> =
            words.iter().map(|(number, word)| (number / MOST_WORDS, stem(word))).collect();
        let mut mentions: HashMap<usize, usize> = HashMap::new();
        let mut behind: HashMap<(usize, String), usize> = HashMap::new();
        for (passage, found) in evidence.iter().zip(&self.passages) {
            for mention in &found.words {
                *mentions.entry(mention.number).or_default() += 1;
                let Some(name) = name_before(&passage.passage.text, mention.start) else {
                    continue;
                };
                let name = stem(name);
                if !parts.contains(&(mention.number / MOST_WORDS, name.clone())) {
                    *behind.entry((mention.number, name)).or_default() += 1;
                }
            }
        }
        let is_most = |number: &usize, count: usize| count > 1 && 2 * count > mentions[number];
        let most = behind.into_iter().filter(|((number, _), count)| is_most(number, *count));
        most.map(|((number, _), _)| number).collect()
    }

    /// Computes the weights of the words: a rare word has more weight than a frequent one, and a
    /// word that is written like a name has more than another. If the texts have such a word of a
    /// name, the name's words that no text has do not count: "self-hosted ELK" is found as "ELK".
    fn weigh(&mut self, words: &[(usize, &str)]) {
        let mut passages: HashMap<usize, u32> = HashMap::new();
        for passage in &self.passages {
            let found: HashSet<usize> =
                passage.words.iter().map(|mention| mention.number).collect();
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
            let word_stem = stem(word);
            let is_own = !words
                .iter()
                .any(|(other, word)| other / MOST_WORDS != alternative && stem(word) == word_stem);
            let shape = shape(*number, word);
            let part = if is_own { 1.0 } else { SHARED };
            let much = part * shape * (1.0 + all / count).ln();
            self.weights.insert(*number, Weight { much, is_own, is_rarest: false });
            self.totals[alternative] += much;
        }
        self.mark_rarest();
    }

    fn mark_rarest(&mut self) {
        let mut rarest: Vec<f64> = vec![0.0; self.totals.len()];
        for (number, weight) in &self.weights {
            let most = &mut rarest[number / MOST_WORDS];
            *most = most.max(weight.much);
        }
        for (number, weight) in &mut self.weights {
            weight.is_rarest = weight.much >= rarest[number / MOST_WORDS];
        }
    }

    /// Finds the names and their words in a text.
    pub(super) fn find(&self, text: &str) -> Found {
        Found { whole: self.whole.find(text), words: self.words.find(text) }
    }

    /// Returns the names and words in a passage, by its place among the evidence.
    pub(super) fn passage(&self, place: usize) -> &Found {
        &self.passages[place]
    }

    /// Returns the one alternative that a part of the text is about. The part is a heading, a label
    /// or a title.
    pub(super) fn above(&self, found: &Found, range: &Range<usize>) -> Option<usize> {
        let named = part(&found.whole, range);
        match named.first() {
            Some(first) => {
                named.iter().all(|mention| mention.number == first.number).then_some(first.number)
            }
            None => self.nearest(part(&found.words, range)),
        }
    }

    /// Returns the alternative to which most of the words belong, if its rarest word is among them,
    /// they have at least [`LEAST_ABOVE`] of the weight of all its words, and no other alternative
    /// has as much.
    fn nearest(&self, words: &[Mention]) -> Option<usize> {
        let mut shares: HashMap<usize, Share> = HashMap::new();
        let mut seen = HashSet::new();
        for mention in words.iter().filter(|mention| seen.insert(mention.number)) {
            let Some(weight) = self.weights.get(&mention.number) else { continue };
            let share = shares.entry(mention.number / MOST_WORDS).or_default();
            share.of_all += weight.much / self.totals[mention.number / MOST_WORDS];
            share.is_own |= weight.is_own;
            share.has_rarest |= weight.is_rarest;
        }
        let mut best: Vec<(usize, f64)> = shares
            .into_iter()
            .filter(|(_, share)| share.tells())
            .map(|(number, share)| (number, share.of_all))
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (number, share) = *best.first()?;
        let is_alone = best.get(1).is_none_or(|(_, other)| *other < share);
        is_alone.then_some(number)
    }
}

/// The words of an alternative in a text.
#[derive(Default)]
struct Share {
    /// The sum of their weights, as a share of the weights of all its words.
    of_all: f64,
    is_own: bool,
    has_rarest: bool,
}

impl Share {
    fn tells(&self) -> bool {
        self.is_own && self.has_rarest && self.of_all >= LEAST_ABOVE
    }
}

/// Returns the mentions within a part of a text.
fn part<'m>(mentions: &'m [Mention], range: &Range<usize>) -> &'m [Mention] {
    let first = mentions.partition_point(|mention| mention.start < range.start);
    let behind = mentions.partition_point(|mention| mention.start < range.end);
    &mentions[first..behind]
}

/// Returns the factor for a word's resemblance to a name: higher for "EKS" and "S3" than for
/// "Fargate" in "EKS Fargate", and higher for that than for "Managed" in "Managed nodes".
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

/// Returns the word before a place, if it has a capital and may be part of a name.
fn name_before(text: &str, place: usize) -> Option<&str> {
    let before = text[..place].strip_suffix(' ')?;
    let start = before.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + 1);
    let word = before.get(start..)?;
    (word.starts_with(char::is_uppercase) && !is_common(&word.to_lowercase())).then_some(word)
}

fn texts(names: &[(usize, String)]) -> impl Iterator<Item = (usize, &str)> {
    names.iter().map(|(number, name)| (*number, name.as_str()))
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
