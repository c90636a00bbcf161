//! Computes the change of one weight that brings another alternative level with the first.
//!
//! If one weight is `w` and the others are scaled in proportion, a total is linear in `w`: the
//! score by this criterion times `w`, plus the weighted mean of the others times `1 - w`. Two
//! totals that differ in slope are therefore level at one `w`, which has a closed form.

use super::scale::Score;
use super::{Flip, Table, WeightFlip, round12};

/// Upper bound for a difference of scores that is a rounding error.
const NOTHING: f64 = 1e-12;

/// Returns the smallest change for each criterion, in the given order. An interval counts as its
/// middle.
pub(super) fn weight_flips(table: &Table, rank: &[usize]) -> Vec<WeightFlip> {
    table
        .criteria
        .iter()
        .enumerate()
        .map(|(column, criterion)| WeightFlip {
            criterion: criterion.name.clone(),
            weight: round12(table.weights[column]),
            flip: smallest(table, column, rank),
        })
        .collect()
}

fn smallest(table: &Table, column: usize, rank: &[usize]) -> Option<Flip> {
    let (first, others) = rank.split_first()?;
    let first = Line::of(&table.weights, &table.scores[*first], column)?;
    let weight = round12(table.weights[column]);
    others
        .iter()
        .filter_map(|other| {
            let line = Line::of(&table.weights, &table.scores[*other], column)?;
            let lead = first.over(line);
            Some((lead.level_from(weight)?, lead, *other))
        })
        // If two alternatives draw level at the same weight, the one that gains faster is named.
        .min_by(|(a, a_lead, _), (b, b_lead, _)| {
            let nearest = round12((a - weight).abs()).total_cmp(&round12((b - weight).abs()));
            nearest.then_with(|| b_lead.slope().abs().total_cmp(&a_lead.slope().abs()))
        })
        .map(|(flips_at, _, other)| Flip {
            flips_at,
            change: round12(flips_at - weight),
            to: table.alternatives[other].clone(),
        })
}

/// A total, or the lead of one total over another, as a linear function of one weight.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// The value at weight 0, where only the other criteria count.
    at_zero: f64,
    /// The value at weight 1, where only this criterion counts.
    at_one: f64,
}

impl Line {
    /// Returns a total as a function of one weight; `None` if the other criteria have no weight to
    /// scale.
    fn of(weights: &[f64], scores: &[Score], column: usize) -> Option<Line> {
        let others = || (0..weights.len()).filter(|other| *other != column);
        let weight: f64 = others().map(|other| weights[other]).sum();
        let sum: f64 = others().map(|other| weights[other] * scores[other].middle()).sum();
        (weight > 0.0).then(|| Line { at_zero: sum / weight, at_one: scores[column].middle() })
    }

    fn over(self, other: Line) -> Line {
        let difference = |a: f64, b: f64| if (a - b).abs() < NOTHING { 0.0 } else { a - b };
        Line {
            at_zero: difference(self.at_zero, other.at_zero),
            at_one: difference(self.at_one, other.at_one),
        }
    }

    fn slope(self) -> f64 {
        self.at_one - self.at_zero
    }

    /// Returns the weight within `0.0..=1.0` at which a lead is 0. `None` if there is no such
    /// weight, if the lead is 0 everywhere, or if it is 0 at `weight` already and negative nowhere.
    fn level_from(self, weight: f64) -> Option<f64> {
        if self.slope().abs() < NOTHING {
            return None;
        }
        let level = round12(-self.at_zero / self.slope());
        let turns = self.at_zero.min(self.at_one) < 0.0 || (level - weight).abs() > NOTHING;
        ((0.0..=1.0).contains(&level) && turns).then_some(level)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sample::{Study, any_cell, criterion, known, study};
    use super::super::{Direction, Matrix};

    const GRID: u32 = 2_000;

    /// The same totals, computed from naive scores.
    struct Naive {
        middles: Vec<Vec<f64>>,
        weights: Vec<f64>,
        first: usize,
    }

    impl Naive {
        fn of(study: &Study, answer: &Matrix) -> Naive {
            let middle = |(low, high): (f64, f64)| low / 2.0 + high / 2.0;
            let columns = study.criteria.len();
            let row = |row| (0..columns).map(|column| middle(study.score(row, column))).collect();
            Naive {
                middles: (0..study.alternatives.len()).map(row).collect(),
                weights: study.weights(),
                first: study.number(&answer.rank[0]),
            }
        }

        /// Returns the lead of the first alternative over `other` if one weight is changed and the
        /// others are scaled in proportion.
        fn lead(&self, other: usize, column: usize, weight: f64) -> f64 {
            let share = (1.0 - weight) / (1.0 - self.weights[column]);
            let moved = self.weights.iter().enumerate();
            let moved = moved.map(|(at, old)| if at == column { weight } else { old * share });
            moved
                .zip(self.middles[self.first].iter().zip(&self.middles[other]))
                .map(|(weight, (first, other))| weight * (first - other))
                .sum()
        }

        fn is_first_everywhere(&self, column: usize, within: f64) -> bool {
            let grid = (0..=GRID).map(|step| f64::from(step) / f64::from(GRID));
            grid.filter(|at| (at - self.weights[column]).abs() < within).all(|at| {
                (0..self.middles.len()).all(|other| self.lead(other, column, at) >= -1e-9)
            })
        }
    }

    proptest! {
        #[test]
        fn a_flip_levels_two_totals_and_none_comes_earlier(study in study(any_cell)) {
            let answer = study.answer();
            let naive = Naive::of(&study, &answer);
            for (column, found) in answer.weight_flips.iter().enumerate() {
                if naive.weights[column] > 1.0 - 1e-9 {
                    prop_assert!(found.flip.is_none());
                    continue;
                }
                let within = found.flip.as_ref().map_or(2.0, |flip| flip.change.abs());
                prop_assert!(naive.is_first_everywhere(column, within));
                let Some(flip) = &found.flip else { continue };
                prop_assert!((0.0..=1.0).contains(&flip.flips_at));
                prop_assert!((found.weight + flip.change - flip.flips_at).abs() < 1e-9);
                let lead = |at| naive.lead(study.number(&flip.to), column, at);
                prop_assert!(lead(flip.flips_at).abs() < 1e-9);
                let beyond = [flip.flips_at - 1e-4, flip.flips_at + 1e-4];
                let overtakes = beyond.iter().any(|at| lead(*at) < 0.0);
                prop_assert!(overtakes || beyond.iter().any(|at| !(0.0..=1.0).contains(at)));
            }
        }
    }

    fn rows(cells: &[[f64; 2]], weights: [f64; 2]) -> Matrix {
        let criteria = [("speed", weights[0]), ("cost", weights[1])];
        let criteria = criteria.map(|(name, weight)| {
            let mut criterion = criterion(name, weight, Direction::Max);
            criterion.range = Some((0.0, 1.0));
            criterion
        });
        let alternatives = ["A", "B", "C"][..cells.len()].iter().map(|name| (*name).into());
        let cells = cells.iter().map(|row| row.map(known).into()).collect();
        Study { alternatives: alternatives.collect(), criteria: criteria.into(), cells }.answer()
    }

    #[test]
    fn alternatives_alike_never_flip() {
        let answer = rows(&[[0.3, 0.7], [0.3, 0.7]], [0.5, 0.5]);
        assert!(answer.weight_flips.iter().all(|found| found.flip.is_none()));
    }

    #[test]
    fn a_tie_flips_without_any_change() {
        let answer = rows(&[[0.3, 0.7], [0.7, 0.3]], [0.5, 0.5]);
        let flip = answer.weight_flips[0].flip.clone().unwrap();
        assert_eq!((flip.flips_at, flip.change, flip.to.as_str()), (0.5, 0.0, "B"));
    }

    #[test]
    fn one_that_is_level_only_where_we_are_hides_no_flip_further_on() {
        // B is level with A only while speed has no weight; C overtakes A later.
        let answer = rows(&[[0.5, 0.8], [0.2, 0.8], [1.0, 0.6]], [0.0, 1.0]);
        let flip = answer.weight_flips[0].flip.clone().unwrap();
        assert_eq!(flip.to, "C");
        assert!((flip.flips_at - 2.0 / 7.0).abs() < 1e-9);
        assert!(answer.weight_flips[1].flip.is_none());
    }

    #[test]
    fn of_two_that_draw_level_at_once_the_one_that_goes_ahead_further_is_named() {
        let answer = rows(&[[0.4, 0.8], [0.6, 0.6], [0.8, 0.4]], [0.25, 0.75]);
        let flip = answer.weight_flips[0].flip.clone().unwrap();
        assert_eq!((flip.flips_at, flip.to.as_str()), (0.5, "C"));
    }
}
