//! Lists the unknown values, and their influence on the result.

use super::scale::Score;
use super::{Cell, MatrixGap, Table, round12};

/// The reason why a known value may say nothing.
const ALONE: &str = "no other alternative has a value to compare this one with";

/// Returns the unknown cells, and the known ones without another value to compare. The largest
/// swing comes first; ties go by the given order.
pub(super) fn gaps(table: &Table) -> Vec<MatrixGap> {
    let mut gaps: Vec<MatrixGap> = Vec::new();
    for ((alternative, cells), scores) in
        table.alternatives.iter().zip(table.cells).zip(&table.scores)
    {
        for (column, cell) in cells.iter().enumerate() {
            if let Some(reason) = reason(cell, scores[column]) {
                gaps.push(MatrixGap {
                    alternative: alternative.clone(),
                    criterion: table.criteria[column].name.clone(),
                    reason,
                    swing: round12(table.weights[column] * scores[column].width()),
                });
            }
        }
    }
    gaps.sort_by(|a, b| b.swing.total_cmp(&a.swing));
    gaps
}

fn reason(cell: &Cell, score: Score) -> Option<String> {
    match cell {
        Cell::Unknown { reason } => Some(reason.clone()),
        Cell::Known { .. } => score.is_open.then(|| ALONE.to_owned()),
    }
}
