//! A decision matrix: which alternative the numbers favor, how certain that is, and what would
//! change it.
//!
//! The matrix consists of weighted, normalized scores, as in the NASA Systems Engineering Handbook
//! (SP-2016-6105 Rev2, section 6.8 "Decision Analysis") and the Systems Engineering Body of
//! Knowledge ("Decision Management"). Its sensitivity is part of the answer: an unknown value stays
//! an interval to the end, and a narrow lead is a tie. All is pure arithmetic: the same input gives
//! the same answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod acceptability;
mod answer;
mod dominance;
mod flip;
mod gap;
#[cfg(test)]
mod sample;
mod scale;
#[cfg(test)]
mod tests;
mod total;
mod verdict;
mod words;

pub use answer::{
    Dominance, Flip, Matrix, MatrixGap, RankAcceptability, ScoredCell, Total, Verdict, Weight,
    WeightFlip,
};
use scale::Score;
pub use words::{percent, sentence};

/// Which way a criterion is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// More is better.
    Max,
    /// Less is better.
    Min,
}

/// A criterion by which alternatives are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// The name of the criterion.
    pub name: String,
    /// The weight: finite, at least 0, and above 0 for at least one criterion. The weights need not
    /// sum to 1.
    pub weight: f64,
    /// The direction that is better.
    pub direction: Direction,
    /// The finite values, low below high, between which the score goes from 0 to 1; it stays
    /// constant beyond them. If absent, they are the smallest and the largest known value.
    pub range: Option<(f64, f64)>,
}

/// The known value of an alternative by a criterion, in the criterion's unit.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A value, or an interval that contains it: a stated range, or several values that disagree.
    Known {
        /// The lower bound, finite.
        low: f64,
        /// The upper bound, finite; equal to `low` for a single value.
        high: f64,
    },
    /// The value is unknown.
    Unknown {
        /// The reason.
        reason: String,
    },
}

/// The input of all parts of the answer: one row of scores for each alternative, with one score for
/// each criterion.
struct Table<'t> {
    alternatives: &'t [String],
    criteria: &'t [Criterion],
    cells: &'t [Vec<Cell>],
    weights: Vec<f64>,
    scores: Vec<Vec<Score>>,
}

/// Compares `alternatives` by `criteria`; `cells` has one row for each alternative with one cell
/// for each criterion.
///
/// Without criteria there is nothing to compare, and all parts are empty. If no weight is above 0,
/// every total is 0.
///
/// # Panics
///
/// Panics if `cells` has another shape.
pub fn matrix(alternatives: &[String], criteria: &[Criterion], cells: &[Vec<Cell>]) -> Matrix {
    let (alternatives, cells) =
        if criteria.is_empty() { Default::default() } else { (alternatives, cells) };
    assert!(cells.len() == alternatives.len(), "there is one row of cells per alternative");
    assert!(
        cells.iter().all(|row| row.len() == criteria.len()),
        "a row has one cell per criterion"
    );
    let weights = scale::weights(criteria);
    let scores = scale::scores(criteria, cells);
    Table { alternatives, criteria, cells, weights, scores }.answer()
}

impl Table<'_> {
    fn answer(&self) -> Matrix {
        let totals = total::totals(self);
        let rank = total::rank(&totals);
        let judgment = verdict::judge(self, &totals, &rank);
        let name = |alternative: &usize| self.alternatives[*alternative].clone();
        Matrix {
            weights: scale::weights_answer(self),
            weights_normalized: !scale::sum_to_one(self.criteria),
            cells: scale::cells_answer(self),
            rank: rank.iter().map(name).collect(),
            margin: judgment.margin,
            verdict: judgment.verdict,
            winner: judgment.winner.as_ref().map(name),
            contenders: judgment.contenders.iter().map(name).collect(),
            weight_flips: flip::weight_flips(self, &rank),
            rank_acceptability: acceptability::rank_acceptability(self),
            draws: acceptability::DRAWS,
            dominance: dominance::dominance(self),
            gaps: gap::gaps(self),
            totals,
        }
    }
}

/// Rounds to twelve decimals and never to `-0`. Sums that differ only by rounding errors become
/// equal, and 0.3 is shown as 0.3.
fn round12(value: f64) -> f64 {
    const SCALE: f64 = 1e12;
    (value * SCALE).round() / SCALE + 0.0
}
