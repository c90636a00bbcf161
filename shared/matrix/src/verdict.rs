//! How sure the first place is.

use super::{Total, Verdict, round12};

/// A lead below this share of the first total is a tie, not a win.
const TIE: f64 = 0.1;

/// What the totals say; alternatives by their place in the given order. Empty for fewer than two alternatives.
#[derive(Debug, Default)]
pub(super) struct Judgment {
    pub(super) margin: Option<f64>,
    pub(super) verdict: Option<Verdict>,
    pub(super) winner: Option<usize>,
    pub(super) contenders: Vec<usize>,
}

/// Judges the lead of the first of `rank`.
pub(super) fn judge(totals: &[Total], rank: &[usize]) -> Judgment {
    let [first, second, ..] = *rank else { return Judgment::default() };
    let lead_over = |other: usize| lead(totals[first].total, totals[other].total);
    let worst = totals[first].low;
    let margin = lead_over(second);
    let verdict = if margin < TIE {
        Verdict::Tie
    } else if rank[1..].iter().any(|other| totals[*other].high > worst) {
        Verdict::Close
    } else {
        Verdict::Clear
    };
    let contends = |other: usize| match verdict {
        Verdict::Tie => lead_over(other) < TIE,
        Verdict::Close => totals[other].high >= worst,
        Verdict::Clear => other == first,
    };
    Judgment {
        margin: Some(margin),
        verdict: Some(verdict),
        winner: (verdict != Verdict::Tie).then_some(first),
        contenders: rank.iter().copied().filter(|other| contends(*other)).collect(),
    }
}

/// How far `other` is below `first`, as a share of `first`; 0 where `first` is 0.
fn lead(first: f64, other: f64) -> f64 {
    if first > 0.0 { round12((first - other) / first) } else { 0.0 }
}
