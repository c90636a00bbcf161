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

/// Lower bound for a cue that shows its field alone.
const STRONG: i16 = 3;

/// Lower bound for a cue that shows its field anywhere, whatever the heading is: "the primary cause
/// of this is ...".
const OUTRIGHT: i16 = 8;

/// Lower bound for a heading that shows its field alone.
const HEADED: i16 = 5;

/// Below a heading that shows the field, cues against the field count only if their sum is this
/// low.
const PLAINLY_AGAINST: i16 = -6;

/// Beginnings of sentences that deny something.
const DENIALS: [&str; 5] = ["No ", "No one ", "Nobody ", "None ", "Nothing "];

/// Scores all units by the headings above them, their cues, and their place.
pub(super) fn score(document: &[&Passage], units: &[Unit]) -> Vec<Weights> {
    let has_symptoms = units.iter().any(|unit| unit.kind == Kind::Symptoms);
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
        let base = base(unit.kind);
        let place = place(unit.kind, number, units.len());
        for field in 0..4 {
            score[field] += place[field];
        }
        if has_symptoms && matches!(unit.kind, Kind::Impact | Kind::Detection) {
            score[SYMPTOM] -= 3;
        }
        if unit.kind == Kind::Cause {
            let opens = number == 0 || units[number - 1].kind != Kind::Cause;
            let tells_effect = score[SYMPTOM] >= base[SYMPTOM] + 3;
            score[CAUSE] += i16::from(opens) + 2 * i16::from(tells_effect);
        }
        if unit.kind == Kind::Recommendation && (number == 0 || units[number - 1].kind != unit.kind)
        {
            score[RESOLUTION] += 3; // the first recommendation matters most
        }
        if unit.kind == Kind::Actions {
            // Planned actions rank below actions that were done.
            score[RESOLUTION] = score[RESOLUTION].min(base[RESOLUTION] + 1);
        }
        form(unit, &document[unit.passage].text, score);
        // Another cause, outside the part on causes, is a factor.
        if unit.kind != Kind::Cause {
            score[FACTOR] = score[FACTOR].max(score[CAUSE] - 1);
        }
    }
    scores
}

/// Returns the score that the heading or label above a unit gives for each field.
fn base(kind: Kind) -> Weights {
    match kind {
        Kind::Plain => [0, 0, -1, 0],
        Kind::Symptoms => [7, -4, -4, -6],
        Kind::Impact => [4, -3, -4, -5],
        Kind::Detection => [4, 0, -3, -4],
        Kind::Summary => [2, 1, -1, 2],
        Kind::Event => [2, 1, 1, -1],
        Kind::Timeline => [0, -1, -3, 0],
        Kind::Cause => [-4, 6, -1, -5],
        Kind::Whys => [-6, 1, 1, -6],
        Kind::Factors => [-5, -2, 7, -9],
        Kind::WentWrong => [-3, 1, 6, -7],
        Kind::Resolution => [-5, 1, -5, 7],
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
    let late =
        i16::from(number * 2 > count && !matches!(kind, Kind::Actions | Kind::Recommendation));
    [early, 0, 0, late]
}

fn form(unit: &Unit, text: &str, score: &mut Weights) {
    let words = text[unit.range.clone()].split_ascii_whitespace().take(6).count();
    if words < 3 + usize::from(unit.form == Form::Cell) || text[unit.range.clone()].ends_with('?') {
        lower(score, 6);
    }
    if text[unit.range.clone()].ends_with(':') {
        lower(score, 3); // it only announces what follows
    }
    let text = &text[unit.range.clone()];
    let is_address = text.starts_with("http") || text.starts_with("<http");
    if is_address || text.starts_with("![") || (text.starts_with('[') && text.contains("]: ")) {
        *score = base(Kind::Excluded); // a picture, an address, or the target of a link
    }
    if denies(text) {
        score[SYMPTOM] = base(Kind::Excluded)[SYMPTOM];
    }
    if unit.form == Form::Code {
        score[SYMPTOM] -= 2;
        score[CAUSE] -= 20;
        score[FACTOR] -= 20;
        score[RESOLUTION] -= 20;
    }
}

/// Returns true if the sentence begins with a denial.
pub(super) fn denies(text: &str) -> bool {
    DENIALS.iter().any(|word| text.starts_with(word))
}

fn lower(score: &mut Weights, by: i16) {
    *score = score.map(|score| score - by);
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
    /// others together at most [`MORE`], since a long sentence is not a better one. Weak cues alone
    /// show a symptom, but no cause and no resolution. If the heading shows the field, only strong
    /// cues against it count.
    fn total(&self, base: Weights) -> Weights {
        std::array::from_fn(|field| {
            let best = if self.best[field] < STRONG && field != SYMPTOM {
                self.best[field].min(1)
            } else {
                self.best[field]
            };
            let is_headed = base[field] >= HEADED && self.against[field] > PLAINLY_AGAINST;
            let against = if is_headed { 0 } else { self.against[field] };
            let base = if best >= OUTRIGHT { base[field].max(0) } else { base[field] };
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
