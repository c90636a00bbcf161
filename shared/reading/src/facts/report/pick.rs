//! Picks the passages that state a field best.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::kind::Kind;
use super::score::{CAUSE, FACTOR, RESOLUTION, SYMPTOM, Weights};
use super::unit::{Form, Unit};
use model::document::Passage;
use model::facts::Fact;

/// The conditions for a passage that states a field.
pub(super) struct Wanted {
    field: usize,
    /// Lower bound for the score.
    least: i16,
    /// The score from which a neighbor adds to a passage.
    neighbor: i16,
    /// Upper bound for the bytes.
    largest: usize,
    /// Upper bound for the number of passages.
    most: usize,
}

/// Lower bound for the score of a field that is reported. It was chosen on the seen reports: from 4
/// on, more of what is reported is wrong than right, and from 9 on, four in ten of the right ones
/// are lost (tests/bench/README.md).
const SURE: i16 = 7;

/// Lower bound for the score of a symptom. As many of those reported in the unread reports are
/// right as from 7 on, and more are found.
const SEEN: i16 = 6;

pub(super) const SYMPTOMS: Wanted =
    Wanted { field: SYMPTOM, least: SEEN, neighbor: 4, largest: 360, most: 8 };
pub(super) const FACTORS: Wanted =
    Wanted { field: FACTOR, least: SURE, neighbor: 5, largest: 360, most: 6 };
pub(super) const ROOT_CAUSE: Wanted =
    Wanted { field: CAUSE, least: SURE, neighbor: 2, largest: 500, most: 1 };
pub(super) const END: Wanted =
    Wanted { field: RESOLUTION, least: SURE, neighbor: 3, largest: 600, most: 1 };

/// Upper bound for the neighbors that form one passage.
const NEIGHBORS: usize = 3;

/// The units of a document with their scores.
pub(super) struct Scored<'d> {
    pub document: &'d [&'d Passage],
    pub units: &'d [Unit],
    pub scores: &'d [Weights],
}

impl Scored<'_> {
    /// Finds the run of neighbors that states a field best; of two equal runs, the earlier one.
    pub(super) fn best(&self, wanted: &Wanted) -> Option<Range<usize>> {
        let mut best: Option<((i16, i16), Range<usize>)> = None;
        for first in 0..self.units.len() {
            for last in first..self.units.len().min(first + NEIGHBORS) {
                if !self.is_one(first..last + 1, wanted) {
                    break;
                }
                let Some(score) = self.run(first..last + 1, wanted) else { continue };
                if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
                    best = Some((score, first..last + 1));
                }
            }
        }
        best.map(|(_, run)| run)
    }

    /// Returns true if the run can form one passage.
    fn is_one(&self, run: Range<usize>, wanted: &Wanted) -> bool {
        let (first, last) = (&self.units[run.start], &self.units[run.end - 1]);
        first.passage == last.passage
            && first.group == last.group
            && first.kind == last.kind
            && (run.len() == 1 || last.range.end - first.range.start <= wanted.largest)
    }

    /// Returns the score of a run: that of its best unit first, then the number of its other units
    /// that add to it, less those that do not.
    fn run(&self, run: Range<usize>, wanted: &Wanted) -> Option<(i16, i16)> {
        let scores = || self.scores[run.clone()].iter().map(|score| score[wanted.field]);
        let highest = scores().max().filter(|highest| *highest >= wanted.least)?;
        let worth = |score: i16| if score >= wanted.neighbor { 1 } else { -1 };
        Some((highest, scores().map(worth).sum()))
    }

    /// Finds the passages that state a field, best first. Passages that say the same are listed
    /// once.
    pub(super) fn several(&self, wanted: &Wanted, without: &[Range<usize>]) -> Vec<Fact> {
        let is_free = |number: &usize| !without.iter().any(|run| run.contains(number));
        let score = |number: usize| self.scores[number][wanted.field];
        let mut runs: Vec<(i16, Range<usize>)> = Vec::new();
        for number in
            (0..self.units.len()).filter(is_free).filter(|number| score(*number) >= wanted.least)
        {
            match runs.last_mut() {
                Some((highest, run))
                    if run.end == number && self.joins(run.start, number, wanted) =>
                {
                    run.end = number + 1;
                    *highest = (*highest).max(score(number));
                }
                _ => runs.push((score(number), number..number + 1)),
            }
        }
        runs.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let mut passages: Vec<Fact> = Vec::new();
        let mut seen: Vec<Vec<u64>> = Vec::new();
        for (_, run) in runs {
            if passages.len() == wanted.most {
                break;
            }
            let passage = self.fact(run, wanted);
            let words = words(&passage.text);
            if !seen.iter().any(|other| says_the_same(other, &words)) {
                seen.push(words);
                passages.push(passage);
            }
        }
        passages
    }

    /// Returns true if two units are sentences of one item and can form one passage.
    fn joins(&self, first: usize, last: usize, wanted: &Wanted) -> bool {
        let (first, last) = (&self.units[first], &self.units[last]);
        first.passage == last.passage
            && first.block == last.block
            && (first.form == Form::Item || first.form == Form::Cell || first.kind != Kind::Plain)
            && last.range.end - first.range.start <= wanted.largest
    }

    /// Returns the run as a passage, cut at a word if it is too long.
    pub(super) fn fact(&self, run: Range<usize>, wanted: &Wanted) -> Fact {
        let (first, last) = (&self.units[run.start], &self.units[run.end - 1]);
        let passage = self.document[first.passage];
        let (start, mut end) = (first.range.start, last.range.end);
        if end - start > wanted.largest {
            end = passage.text.floor_char_boundary(start + wanted.largest);
            let kept = &passage.text[start..end];
            end = start
                + kept.rfind([' ', '\n']).map_or(kept.len(), |at| kept[..at].trim_end().len());
        }
        passage.fact(start..end)
    }
}

/// Returns the hashes of the distinct words of a text, in order.
fn words(text: &str) -> Vec<u64> {
    let hash = FixedState::default();
    let is_between = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
    let words = text.split(is_between).filter(|word| !word.is_empty());
    let mut words: Vec<u64> = words.map(|word| hash.hash_one(word.to_ascii_lowercase())).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Returns true if nearly all words of the shorter text occur in the other.
fn says_the_same(one: &[u64], other: &[u64]) -> bool {
    let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let shared = few.iter().filter(|word| many.binary_search(word).is_ok()).count();
    shared * 5 >= few.len() * 4
}
