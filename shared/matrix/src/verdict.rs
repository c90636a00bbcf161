//! Judges how certain the first place is.

use super::scale::Score;
use super::{Table, Total, Verdict, round12};

/// Lower bound for the lead of a winner, as a share of the first total. A smaller lead is a tie.
const TIE: f64 = 0.1;

/// The verdict on the totals, with alternatives by their place in the given order. Empty for fewer
/// than two alternatives.
#[derive(Debug, Default)]
pub(super) struct Judgment {
    pub(super) margin: Option<f64>,
    pub(super) verdict: Option<Verdict>,
    pub(super) winner: Option<usize>,
    pub(super) contenders: Vec<usize>,
}

/// Judges the lead of the first of `rank`.
pub(super) fn judge(table: &Table, totals: &[Total], rank: &[usize]) -> Judgment {
    let [first, second, ..] = *rank else { return Judgment::default() };
    let lead_over = |other: usize| lead(totals[first].total, totals[other].total);
    let may_reach = |other: usize| other != first && least_lead(table, first, other) <= 0.0;
    let margin = lead_over(second);
    let verdict = if margin < TIE {
        Verdict::Tie
    } else if rank[1..].iter().any(|other| may_reach(*other)) {
        Verdict::Close
    } else {
        Verdict::Clear
    };
    let contends = |other: usize| match verdict {
        Verdict::Tie => lead_over(other) < TIE,
        Verdict::Close | Verdict::Clear => other == first || may_reach(other),
    };
    Judgment {
        margin: Some(margin),
        verdict: Some(verdict),
        winner: (verdict != Verdict::Tie).then_some(first),
        contenders: rank.iter().copied().filter(|other| contends(*other)).collect(),
    }
}

/// Returns the distance of `other` below `first`, as a share of `first`; 0 if `first` is 0.
fn lead(first: f64, other: f64) -> f64 {
    if first > 0.0 { round12((first - other) / first) } else { 0.0 }
}

/// Returns the smallest possible lead of `first` over `other`, whatever the unknown values are. It
/// is negative if `other` may lead.
fn least_lead(table: &Table, first: usize, other: usize) -> f64 {
    let (first, other) = (&table.scores[first], &table.scores[other]);
    let columns = first.iter().zip(other).zip(&table.weights).enumerate();
    let leads = columns.map(|(column, ((first, other), weight))| {
        let is_open = table.scores.iter().any(|row| row[column].is_open);
        weight * if is_open { of_open_range(*first, *other) } else { first.low - other.high }
    });
    round12(leads.sum())
}

/// Returns the smallest possible lead by a criterion whose range may grow with an unknown value.
/// Two known scores may come arbitrarily close to each other, but they keep their order.
fn of_open_range(first: Score, other: Score) -> f64 {
    let are_known = !first.is_open && !other.is_open;
    if are_known && first.low >= other.high { 0.0 } else { -1.0 }
}
