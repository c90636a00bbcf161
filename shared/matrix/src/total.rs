//! Weighted totals and their order.

use super::scale::Score;
use super::{Table, Total, round12};

/// Returns the total of each alternative, in the given order.
///
/// Totals are rounded before they are compared, so that ties do not depend on the order of
/// summation.
pub(super) fn totals(table: &Table) -> Vec<Total> {
    table
        .alternatives
        .iter()
        .zip(&table.scores)
        .map(|(alternative, scores)| {
            let low = weighted(&table.weights, scores, |score| score.low);
            let high = weighted(&table.weights, scores, |score| score.high);
            Total {
                alternative: alternative.clone(),
                total: round12(f64::midpoint(low, high)),
                low: round12(low),
                high: round12(high),
            }
        })
        .collect()
}

fn weighted(weights: &[f64], scores: &[Score], value: impl Fn(Score) -> f64) -> f64 {
    weights.iter().zip(scores).map(|(weight, score)| weight * value(*score)).sum()
}

/// Returns the alternatives, best total first; ties go by the given order.
pub(super) fn rank(totals: &[Total]) -> Vec<usize> {
    let mut rank: Vec<usize> = (0..totals.len()).collect();
    rank.sort_by(|a, b| totals[*b].total.total_cmp(&totals[*a].total));
    rank
}
