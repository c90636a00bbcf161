//! Scales weights to a sum of 1, and values to scores from 0 to 1.

use super::{Cell, Criterion, Direction, ScoredCell, Table, Weight, round12};

/// Upper bound for the distance from 1 at which a sum of weights counts as 1.
const SUM_TOLERANCE: f64 = 1e-9;

/// A score as an interval within `0.0..=1.0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Score {
    /// The score in the worst case.
    pub(super) low: f64,
    /// The score in the best case.
    pub(super) high: f64,
    /// True if the value itself may be outside the range of the known values.
    pub(super) is_open: bool,
}

impl Score {
    pub(super) fn middle(self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    pub(super) fn width(self) -> f64 {
        self.high - self.low
    }
}

/// Returns the criteria's weights, divided by their sum; all 0 if none is above 0.
pub(super) fn weights(criteria: &[Criterion]) -> Vec<f64> {
    let largest = criteria.iter().map(|criterion| criterion.weight).fold(0.0, f64::max);
    if largest <= 0.0 {
        return vec![0.0; criteria.len()];
    }
    // Dividing by the largest weight first keeps the sum of huge weights finite.
    let sum: f64 = criteria.iter().map(|criterion| criterion.weight / largest).sum();
    criteria.iter().map(|criterion| criterion.weight / largest / sum).collect()
}

/// Returns true if the weights as given sum to 1.
pub(super) fn sum_to_one(criteria: &[Criterion]) -> bool {
    let sum: f64 = criteria.iter().map(|criterion| criterion.weight).sum();
    (sum - 1.0).abs() <= SUM_TOLERANCE
}

/// Returns the score of each alternative by each criterion, in the shape of `cells`.
pub(super) fn scores(criteria: &[Criterion], cells: &[Vec<Cell>]) -> Vec<Vec<Score>> {
    let scales: Vec<Scale> = criteria
        .iter()
        .enumerate()
        .map(|(column, criterion)| Scale::of(criterion, cells.iter().map(|row| &row[column])))
        .collect();
    cells
        .iter()
        .map(|row| row.iter().zip(&scales).map(|(cell, scale)| scale.score(cell)).collect())
        .collect()
}

/// The linear mapping from values to scores.
struct Scale {
    worst: f64,
    best: f64,
    is_given: bool,
    /// True if the only known value has nothing to be compared with.
    is_alone: bool,
}

impl Scale {
    fn of<'c>(criterion: &Criterion, cells: impl Iterator<Item = &'c Cell> + Clone) -> Scale {
        let is_given = criterion.range.is_some();
        let known = cells.clone().filter(|cell| matches!(cell, Cell::Known { .. })).count();
        let is_alone = !is_given && known == 1 && cells.clone().count() > 1;
        let (low, high) = criterion.range.unwrap_or_else(|| known_range(cells));
        let (worst, best) = match criterion.direction {
            Direction::Max => (low, high),
            Direction::Min => (high, low),
        };
        Scale { worst, best, is_given, is_alone }
    }

    fn score(&self, cell: &Cell) -> Score {
        match cell {
            Cell::Known { .. } if self.is_alone => Score { low: 0.0, high: 1.0, is_open: true },
            Cell::Unknown { .. } => Score { low: 0.0, high: 1.0, is_open: !self.is_given },
            Cell::Known { low, high } => {
                let (one, other) = (self.value(*low), self.value(*high));
                Score { low: one.min(other), high: one.max(other), is_open: false }
            }
        }
    }

    fn value(&self, value: f64) -> f64 {
        // Halving first keeps the difference of two huge values finite.
        let width = self.best / 2.0 - self.worst / 2.0;
        if width.abs() > 0.0 {
            ((value / 2.0 - self.worst / 2.0) / width).clamp(0.0, 1.0)
        } else {
            1.0
        }
    }
}

/// Returns the smallest and the largest known value; an empty range if none is known.
fn known_range<'c>(cells: impl Iterator<Item = &'c Cell>) -> (f64, f64) {
    cells.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), cell| match cell {
        Cell::Known { low, high } => (least.min(*low), most.max(*high)),
        Cell::Unknown { .. } => (least, most),
    })
}

/// Returns the weights as the caller sees them.
pub(super) fn weights_answer(table: &Table) -> Vec<Weight> {
    table
        .criteria
        .iter()
        .zip(&table.weights)
        .map(|(criterion, weight)| Weight {
            criterion: criterion.name.clone(),
            given: criterion.weight,
            weight: round12(*weight),
        })
        .collect()
}

/// Returns the scores as the caller sees them, grouped by alternative.
pub(super) fn cells_answer(table: &Table) -> Vec<ScoredCell> {
    let rows = table.alternatives.iter().zip(table.cells).zip(&table.scores);
    rows.flat_map(|((alternative, cells), scores)| {
        let columns = table.criteria.iter().zip(cells).zip(scores);
        columns.map(move |((criterion, cell), score)| scored(alternative, criterion, cell, *score))
    })
    .collect()
}

fn scored(alternative: &str, criterion: &Criterion, cell: &Cell, score: Score) -> ScoredCell {
    let (low, high, unknown) = match cell {
        Cell::Known { low, high } => (Some(*low), Some(*high), None),
        Cell::Unknown { reason } => (None, None, Some(reason.clone())),
    };
    ScoredCell {
        alternative: alternative.into(),
        criterion: criterion.name.clone(),
        low,
        high,
        score_low: round12(score.low),
        score_high: round12(score.high),
        unknown,
    }
}
