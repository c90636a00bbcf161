//! Random studies for tests, and naive arithmetic to compare with.

use proptest::prelude::*;

use super::{Cell, Criterion, Direction, Matrix, matrix};

/// The input of [`matrix`].
#[derive(Debug, Clone)]
pub(super) struct Study {
    pub(super) alternatives: Vec<String>,
    pub(super) criteria: Vec<Criterion>,
    pub(super) cells: Vec<Vec<Cell>>,
}

impl Study {
    pub(super) fn answer(&self) -> Matrix {
        matrix(&self.alternatives, &self.criteria, &self.cells)
    }

    /// Returns the place of the alternative with this name.
    pub(super) fn number(&self, name: &str) -> usize {
        self.alternatives.iter().position(|alternative| alternative == name).unwrap()
    }

    /// Returns the given range of a criterion, else its smallest and largest value; `None` without
    /// either.
    pub(super) fn range(&self, criterion: usize) -> Option<(f64, f64)> {
        let mut known = Vec::new();
        for row in &self.cells {
            if let Cell::Known { low, high } = row[criterion] {
                known.extend([low, high]);
            }
        }
        known.sort_by(f64::total_cmp);
        self.criteria[criterion].range.or_else(|| Some((*known.first()?, *known.last()?)))
    }

    /// Returns true if only one of several alternatives has a value by this criterion, and no range
    /// is given.
    pub(super) fn is_alone(&self, criterion: usize) -> bool {
        let is_known = |row: &&Vec<Cell>| matches!(row[criterion], Cell::Known { .. });
        let known = self.cells.iter().filter(is_known).count();
        known == 1 && self.cells.len() > 1 && self.criteria[criterion].range.is_none()
    }

    /// Returns the score of a cell in the worst and in the best case.
    pub(super) fn score(&self, alternative: usize, criterion: usize) -> (f64, f64) {
        let Cell::Known { low, high } = self.cells[alternative][criterion] else {
            return (0.0, 1.0);
        };
        if self.is_alone(criterion) {
            return (0.0, 1.0);
        }
        let (min, max) = self.range(criterion).unwrap();
        if max - min <= 0.0 {
            return (1.0, 1.0);
        }
        let share = |value: f64| ((value - min) / (max - min)).clamp(0.0, 1.0);
        match self.criteria[criterion].direction {
            Direction::Max => (share(low), share(high)),
            Direction::Min => (1.0 - share(high), 1.0 - share(low)),
        }
    }

    /// Returns the given weights, divided by their sum.
    pub(super) fn weights(&self) -> Vec<f64> {
        let sum: f64 = self.criteria.iter().map(|criterion| criterion.weight).sum();
        self.criteria.iter().map(|criterion| criterion.weight / sum).collect()
    }

    /// Returns an alternative's total in the worst case, by the middles, and in the best case.
    pub(super) fn total(&self, alternative: usize, weights: &[f64]) -> [f64; 3] {
        let mut total = [0.0; 3];
        for (criterion, weight) in weights.iter().enumerate() {
            let (low, high) = self.score(alternative, criterion);
            for (sum, score) in total.iter_mut().zip([low, low / 2.0 + high / 2.0, high]) {
                *sum += weight * score;
            }
        }
        total
    }
}

pub(super) fn known(value: f64) -> Cell {
    Cell::Known { low: value, high: value }
}

pub(super) fn unknown() -> Cell {
    Cell::Unknown { reason: "not told".into() }
}

pub(super) fn criterion(name: &str, weight: f64, direction: Direction) -> Criterion {
    Criterion { name: name.into(), weight, direction, range: None }
}

/// Returns multiples of one half from -10 to 10, so that ties and equal values are frequent.
fn value() -> impl Strategy<Value = f64> {
    (-20..=20_i32).prop_map(|halves| f64::from(halves) / 2.0)
}

/// Returns a single value.
pub(super) fn exact() -> BoxedStrategy<Cell> {
    value().prop_map(known).boxed()
}

/// Returns a single value or none.
pub(super) fn exact_or_unknown() -> BoxedStrategy<Cell> {
    prop_oneof![3 => exact(), 1 => Just(unknown())].boxed()
}

/// Returns a single value, an interval or neither.
pub(super) fn any_cell() -> BoxedStrategy<Cell> {
    let interval =
        (value(), value()).prop_map(|(a, b)| Cell::Known { low: a.min(b), high: a.max(b) });
    prop_oneof![3 => exact(), 1 => interval, 1 => Just(unknown())].boxed()
}

fn any_criterion() -> impl Strategy<Value = (f64, Direction, Option<(f64, f64)>)> {
    let weight = prop_oneof![(0..=10_u32).prop_map(f64::from), 0.0..5.0_f64];
    let direction = prop_oneof![Just(Direction::Max), Just(Direction::Min)];
    let range = (value(), 1..=20_u32).prop_map(|(low, width)| (low, low + f64::from(width)));
    (weight, direction, prop::option::weighted(0.3, range))
}

/// Returns up to six alternatives with up to six criteria, at least one of which has a weight.
pub(super) fn study(cell: fn() -> BoxedStrategy<Cell>) -> impl Strategy<Value = Study> {
    let criteria = prop::collection::vec(any_criterion(), 1..=6)
        .prop_filter("a weight is above 0", |criteria| criteria.iter().any(|one| one.0 > 0.0));
    (1..=6_usize, criteria).prop_flat_map(move |(alternatives, criteria)| {
        let row = prop::collection::vec(cell(), criteria.len());
        let criteria = criteria.into_iter().enumerate();
        let criteria: Vec<Criterion> = criteria
            .map(|(number, (weight, direction, range))| Criterion {
                name: format!("criterion {number}"),
                weight,
                direction,
                range,
            })
            .collect();
        let names = (0..alternatives).map(|number| format!("alternative {number}")).collect();
        prop::collection::vec(row, alternatives).prop_map(move |cells| {
            let (alternatives, criteria): (Vec<String>, _) = (Vec::clone(&names), criteria.clone());
            Study { alternatives, criteria, cells }
        })
    })
}
