//! Finds the alternatives that are better than others whatever the weights.

use super::scale::Score;
use super::{Dominance, Table};

/// Returns the pairs in which one alternative dominates the other, ordered by the better one, then
/// by the other.
pub(super) fn dominance(table: &Table) -> Vec<Dominance> {
    let named = || table.alternatives.iter().zip(&table.scores);
    named()
        .flat_map(|(alternative, scores)| {
            named().filter(move |(_, others)| dominates(scores, others)).map(
                move |(dominated, _)| Dominance {
                    alternative: alternative.clone(),
                    dominates: dominated.clone(),
                },
            )
        })
        .collect()
}

/// Returns true if `scores` are certainly never below `others`, and above them at least once.
fn dominates(scores: &[Score], others: &[Score]) -> bool {
    let pairs = || scores.iter().zip(others);
    let is_certain = |score: &Score, other: &Score| !score.is_open && !other.is_open;
    pairs().all(|(score, other)| is_certain(score, other) && score.low >= other.high)
        && pairs().any(|(score, other)| score.low > other.high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sample::{Study, any_cell, criterion, known, study, unknown};
    use super::super::{Cell, Direction};

    proptest! {
        #[test]
        fn one_dominates_another_just_where_its_worst_case_is_never_below_and_once_above(study in study(any_cell)) {
            let found = study.answer().dominance;
            let (count, criteria) = (study.alternatives.len(), study.criteria.len());
            for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
                let open = |row: usize, column: usize| {
                    study.criteria[column].range.is_none() && matches!(study.cells[row][column], Cell::Unknown { .. })
                };
                let ahead = |column| study.score(one, column).0 - study.score(other, column).1;
                let is_certain = |column| !open(one, column) && !open(other, column);
                let expected = (0..criteria).all(|column| is_certain(column) && ahead(column) > -1e-9)
                    && (0..criteria).any(|column| ahead(column) > 1e-9);
                let names = (&study.alternatives[one], &study.alternatives[other]);
                let is_found = found.iter().any(|pair| (&pair.alternative, &pair.dominates) == names);
                prop_assert_eq!(is_found, expected);
            }
        }
    }

    #[test]
    fn an_unknown_value_is_beaten_for_certain_only_where_the_range_is_given() {
        let mut speed = criterion("speed", 1.0, Direction::Max);
        let cost = criterion("cost", 1.0, Direction::Min);
        let dominated = |criteria| {
            let cells = vec![vec![known(9.0), known(1.0)], vec![unknown(), known(2.0)]];
            let alternatives = ["A", "B"].map(String::from).into();
            Study { alternatives, criteria, cells }.answer().dominance.len()
        };
        assert_eq!(dominated(vec![speed.clone(), cost.clone()]), 0);
        speed.range = Some((0.0, 9.0));
        assert_eq!(dominated(vec![speed, cost]), 1);
    }
}
