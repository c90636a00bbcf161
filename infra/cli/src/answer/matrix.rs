//! Alternatives compared by weighted criteria.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Matrix {
    pub(crate) weights: Vec<Weight>,
    #[serde(default)]
    pub(crate) weights_normalized: bool,
    pub(crate) cells: Vec<Cell>,
    pub(crate) totals: Vec<Total>,
    /// Best first.
    pub(crate) rank: Vec<String>,
    pub(crate) margin: Option<f64>,
    pub(crate) verdict: Option<Verdict>,
    #[serde(default)]
    pub(crate) contenders: Vec<String>,
    #[serde(default)]
    pub(crate) weight_flips: Vec<WeightFlip>,
    #[serde(default)]
    pub(crate) rank_acceptability: Vec<RankAcceptability>,
    #[serde(default)]
    pub(crate) draws: u32,
    #[serde(default)]
    pub(crate) dominance: Vec<Dominance>,
    /// What is not known, the largest swing first.
    #[serde(default)]
    pub(crate) gaps: Vec<Gap>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Clear,
    Close,
    Tie,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Weight {
    pub(crate) criterion: String,
    pub(crate) given: Option<f64>,
    /// The share of the sum of all.
    #[serde(rename = "weight")]
    pub(crate) share: f64,
}

/// Neither `low` nor `high` where nothing is known.
#[derive(Debug, Deserialize)]
pub(crate) struct Cell {
    pub(crate) alternative: String,
    pub(crate) criterion: String,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Total {
    pub(crate) alternative: String,
    #[serde(rename = "total")]
    pub(crate) score: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WeightFlip {
    pub(crate) criterion: String,
    pub(crate) weight: f64,
    /// Absent where no weight of this criterion changes the first place.
    #[serde(flatten)]
    pub(crate) flip: Option<Flip>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Flip {
    pub(crate) flips_at: f64,
    pub(crate) to: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RankAcceptability {
    pub(crate) alternative: String,
    /// The share of draws per rank, that of the first rank first.
    pub(crate) ranks: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dominance {
    pub(crate) alternative: String,
    pub(crate) dominates: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Gap {
    pub(crate) alternative: String,
    pub(crate) criterion: String,
    pub(crate) reason: String,
    pub(crate) swing: f64,
}

impl Matrix {
    pub(crate) fn total(&self, alternative: &str) -> Option<&Total> {
        self.totals.iter().find(|total| total.alternative == alternative)
    }
}
