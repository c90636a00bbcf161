//! The matrix as the caller sees it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Alternatives compared by weighted criteria. Scores, weights, totals and shares are `0.0..=1.0`,
/// rounded to 12 decimals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Matrix {
    /// How much each criterion counts, in the given order.
    pub weights: Vec<Weight>,
    /// Whether the given weights did not sum to 1 (within 1e-9) and were scaled to.
    pub weights_normalized: bool,
    /// What each alternative scores by each criterion, alternative by alternative.
    pub cells: Vec<ScoredCell>,
    /// What each alternative scores in all, in the given order.
    pub totals: Vec<Total>,
    /// The alternatives, best total first; ties go by the given order.
    pub rank: Vec<String>,
    /// How far the second total is below the first, as a share of the first; 0 where all totals are
    /// 0, `null` for fewer than two alternatives.
    pub margin: Option<f64>,
    /// How sure the first place is; `null` for fewer than two alternatives.
    pub verdict: Option<Verdict>,
    /// The first of `rank`; `null` on a tie and for fewer than two alternatives.
    pub winner: Option<String>,
    /// Who may still be the best, in the order of `rank`. On a tie all whose total is less than 10
    /// % below the first; when close the winner and all that may draw level with it; when clear the
    /// winner alone.
    pub contenders: Vec<String>,
    /// What change of one weight alone brings another alternative level with the first of `rank`,
    /// per criterion.
    pub weight_flips: Vec<WeightFlip>,
    /// How often each alternative takes each rank when nothing is assumed of the weights, in the
    /// given order.
    ///
    /// The weights are drawn uniformly from all that sum to 1, Dirichlet(1, .., 1), whatever
    /// weights were given; in each draw a value that is not known exactly is drawn uniformly from
    /// its score's interval. Lahdelma, Salminen: SMAA-2: Stochastic Multicriteria Acceptability
    /// Analysis for Group Decision Making, Operations Research 49(3), 2001.
    pub rank_acceptability: Vec<RankAcceptability>,
    /// How many draws those shares are of.
    pub draws: u32,
    /// Which alternatives are better than which others whatever the weights.
    pub dominance: Vec<Dominance>,
    /// What is not known, the largest swing first.
    pub gaps: Vec<MatrixGap>,
}

/// How much a criterion counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Weight {
    /// The criterion.
    pub criterion: String,
    /// The weight as it was given.
    pub given: f64,
    /// Its share of the sum of all.
    pub weight: f64,
}

/// What an alternative scores by a criterion: 0 at the worst end of the criterion's range, 1 at the
/// best.
///
/// Where every known value is the same and no range is given, nothing tells them apart and each
/// scores 1. Where only one of several alternatives has a value and no range is given, it scores 0
/// to 1 like the others: it cannot be compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoredCell {
    /// The alternative.
    pub alternative: String,
    /// The criterion.
    pub criterion: String,
    /// The least the value can be, in the criterion's unit; absent where nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The most the value can be, in the criterion's unit; absent where nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The score in the worst case; 0 where nothing is known.
    pub score_low: f64,
    /// The score in the best case; 1 where nothing is known.
    pub score_high: f64,
    /// Why nothing is known; absent where something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// An alternative's scores, each times the criterion's weight, summed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Total {
    /// The alternative.
    pub alternative: String,
    /// The middle of `low` and `high`.
    pub total: f64,
    /// The worst case, as far as the criteria's ranges tell.
    pub low: f64,
    /// The best case, as far as the criteria's ranges tell.
    pub high: f64,
}

/// How sure the first place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The margin is at least 10 %, and no other can draw level, whatever is not known exactly: a
    /// value that is not known may also lie outside the range of those that are, unless a range is
    /// given.
    Clear,
    /// The margin is at least 10 %, but what is not known exactly may bring another level.
    Close,
    /// The margin is below 10 %.
    Tie,
}

/// The smallest change of one weight that brings another alternative level with the first of
/// `rank`.
///
/// `flips_at`, `change` and `to` are absent where no weight of this criterion does that, and where
/// it is the only one above 0, so that nothing says how the others would share what it gives up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeightFlip {
    /// The criterion.
    pub criterion: String,
    /// Its normalized weight.
    pub weight: f64,
    /// Where the first place changes.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub flip: Option<Flip>,
}

/// A weight at which another alternative's total is level with the first one's, the other weights
/// scaled in proportion.
///
/// Beyond it the other alternative is ahead, unless it is 0 or 1 and there is no beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flip {
    /// The normalized weight at which the totals are level.
    pub flips_at: f64,
    /// How far that is from the present one, `-1.0..=1.0`.
    pub change: f64,
    /// The alternative that draws level.
    pub to: String,
}

/// How often an alternative takes each rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankAcceptability {
    /// The alternative.
    pub alternative: String,
    /// The share of draws per rank, that of the first rank first; they sum to 1.
    pub ranks: Vec<f64>,
}

/// An alternative that is better than another whatever the weights.
///
/// By every criterion its worst case is at least the other's best, and by one it is above. A cell
/// that is unknown, by a criterion without a given range, leaves that uncertain: the value may lie
/// beyond all that are known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dominance {
    /// The better one.
    pub alternative: String,
    /// The other.
    pub dominates: String,
}

/// A cell of which nothing is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixGap {
    /// The alternative.
    pub alternative: String,
    /// The criterion.
    pub criterion: String,
    /// Why nothing is known.
    pub reason: String,
    /// How much of the alternative's total it decides: the criterion's weight times the width of
    /// the score's interval.
    pub swing: f64,
}
