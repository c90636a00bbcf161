//! Scores each unit as a symptom, a cause, a factor, and a resolution.

use std::sync::LazyLock;

use model::document::Passage;
use serde::Deserialize;
use text::lexicon::Lexicon;

use super::kind::Kind;
use super::unit::{Form, Unit};

/// The score of a sentence for each field, in this order: symptom, root cause, factor, resolution.
pub(super) type Weights = [i16; 4];

/// The meaning of a phrase.
#[derive(Deserialize)]
struct Cue {
    weights: Weights,
}

static CUES: LazyLock<Lexicon<Cue>> = LazyLock::new(|| Lexicon::new(text::lexicon::REPORT));

pub(super) const SYMPTOM: usize = 0;
pub(super) const CAUSE: usize = 1;
pub(super) const FACTOR: usize = 2;
pub(super) const RESOLUTION: usize = 3;

/// Upper bound for what further cues add to the best one.
const MORE: i16 = 3;

/// Lower bound for a heading that shows its field alone.
const HEADED: i16 = 5;

/// Lower bound for the words of a statement; a cell's first word is its head.
const WORDS: usize = 3;

/// Beginnings of sentences that deny something.
const DENIALS: [&str; 5] = ["No ", "No one ", "Nobody ", "None ", "Nothing "];

/// Scores all units by the headings above them and their cues.
pub(super) fn score(document: &[&Passage], units: &[Unit]) -> Vec<Weights> {
    let mut scores = Vec::with_capacity(units.len());
    let mut rest = units;
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|unit| unit.passage == first.passage).count();
        let (passage, others) = rest.split_at(length);
        let text = document[first.passage].text.to_ascii_lowercase();
        cues(&text, passage, &mut scores);
        rest = others;
    }
    for (number, (unit, score)) in units.iter().zip(&mut scores).enumerate() {
        let place = place(unit.kind, number, units.len());
        for field in 0..4 {
            score[field] += place[field];
        }
        let text = &document[unit.passage].text[unit.range.clone()];
        if !is_statement(unit, text) {
            *score = base(Kind::Excluded);
        } else if denies(text) {
            score[SYMPTOM] = base(Kind::Excluded)[SYMPTOM];
        }
    }
    scores
}

/// Returns the score that the heading or label above a unit gives for each field.
fn base(kind: Kind) -> Weights {
    match kind {
        Kind::Plain => [0, 0, -1, 0],
        Kind::Symptoms => [9, -4, -4, -6],
        Kind::Impact => [4, -3, -4, -5],
        Kind::Detection => [4, 0, -3, -4],
        Kind::Summary => [2, 1, -1, 2],
        Kind::Event => [2, 1, 1, -1],
        Kind::Timeline => [0, -1, -3, 0],
        Kind::Cause => [-4, 9, -1, -5],
        Kind::Whys => [-6, 1, 1, -6],
        Kind::Factors => [-5, -2, 9, -9],
        Kind::WentWrong => [-3, 1, 6, -7],
        Kind::Resolution => [-5, 1, -5, 9],
        Kind::Recommendation => [-8, -5, -5, 7],
        Kind::Actions => [-9, -7, -7, 3],
        Kind::Conclusion => [-1, 4, 0, 1],
        Kind::Excluded => [-30; 4],
    }
}

/// Returns the score of a unit's place: reports begin with the symptoms and end with the
/// resolution.
fn place(kind: Kind, number: usize, count: usize) -> Weights {
    let early = i16::from(number * 4 < count);
    let is_planned = matches!(kind, Kind::Actions | Kind::Recommendation);
    let late = i16::from(number * 2 > count && !is_planned);
    [early, 0, 0, late]
}

/// Returns false for code, a question, an announcement of what follows, a picture, an address, and
/// words that are too few.
fn is_statement(unit: &Unit, text: &str) -> bool {
    let least = WORDS + usize::from(unit.form == Form::Cell);
    let is_link = text.starts_with('[') && text.contains("]: ");
    let begins = ["http", "<http", "!["].iter().any(|mark| text.starts_with(mark));
    let is_long = text.split_ascii_whitespace().nth(least - 1).is_some();
    is_long && unit.form != Form::Code && !text.ends_with(['?', ':']) && !begins && !is_link
}

/// Returns true if the sentence begins with a denial.
pub(super) fn denies(text: &str) -> bool {
    DENIALS.iter().any(|word| text.starts_with(word))
}

/// The sums of a unit's cues.
#[derive(Clone, Copy, Default)]
struct Tally {
    best: Weights,
    more: Weights,
    against: Weights,
}

impl Tally {
    fn add(&mut self, weights: Weights) {
        for (field, weight) in weights.into_iter().enumerate() {
            if weight < 0 {
                self.against[field] += weight;
            } else {
                let best = self.best[field];
                self.best[field] = best.max(weight);
                self.more[field] += best.min(weight);
            }
        }
    }

    /// Returns the score of the cues and of the heading, `base`. The best cue counts in full, all
    /// others together at most [`MORE`], since a long sentence is not a better one. If the heading
    /// shows the field, cues against it do not count.
    fn total(&self, base: Weights) -> Weights {
        std::array::from_fn(|field| {
            let (base, best) = (base[field], self.best[field]);
            let against = if base >= HEADED { 0 } else { self.against[field] };
            base + best + (self.more[field] / 2).min(MORE).min(best) + against
        })
    }
}

/// Adds up the cues of one passage's units; `text` is in lower case.
fn cues(text: &str, units: &[Unit], scores: &mut Vec<Weights>) {
    let mut tallies = vec![Tally::default(); units.len()];
    let mut current = 0;
    for cue in CUES.find(text) {
        while units.get(current).is_some_and(|unit| unit.range.end <= cue.start) {
            current += 1;
        }
        let Some(unit) = units.get(current) else { break };
        if cue.start >= unit.range.start {
            tallies[current].add(cue.class.weights);
        }
    }
    scores.extend(units.iter().zip(&tallies).map(|(unit, tally)| tally.total(base(unit.kind))));
}
