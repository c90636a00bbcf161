//! Computes how often each alternative takes each rank if nothing is assumed about the weights.

use fastrand::Rng;

use super::{RankAcceptability, Table};

/// The number of weightings that are drawn. The error of a share exceeds 0.01 in at most one of
/// twenty cases.
pub(super) const DRAWS: u32 = 10_000;

/// The seed of the random numbers. It is fixed so that the same question has the same answer.
const SEED: u64 = 6_105;

/// Returns the share of draws in which each alternative takes each rank. Ties within a draw go by
/// the given order.
pub(super) fn rank_acceptability(table: &Table) -> Vec<RankAcceptability> {
    let count = table.alternatives.len();
    if count == 0 {
        return Vec::new();
    }
    let mut draw = Draw::of(table);
    let mut rng = Rng::with_seed(SEED);
    let mut taken = vec![0_u32; count * count];
    for _ in 0..DRAWS {
        for (rank, alternative) in draw.rank(&mut rng).iter().enumerate() {
            taken[alternative * count + rank] += 1;
        }
    }
    let shares = |taken: &[u32]| taken.iter().map(|n| f64::from(*n) / f64::from(DRAWS)).collect();
    let rows = table.alternatives.iter().zip(taken.chunks(count));
    rows.map(|(alternative, taken)| RankAcceptability {
        alternative: alternative.clone(),
        ranks: shares(taken),
    })
    .collect()
}

/// The scores, and the buffers of a draw.
struct Draw {
    /// The worst-case scores by each criterion, one for each alternative.
    columns: Vec<Vec<f64>>,
    /// The scores that are not exact.
    intervals: Vec<Interval>,
    cuts: Vec<f64>,
    weights: Vec<f64>,
    totals: Vec<f64>,
    rank: Vec<usize>,
}

struct Interval {
    alternative: usize,
    criterion: usize,
    width: f64,
}

impl Draw {
    fn of(table: &Table) -> Draw {
        let (alternatives, criteria) = (table.alternatives.len(), table.criteria.len());
        let column = |criterion: usize| table.scores.iter().map(|row| row[criterion].low).collect();
        let intervals = table.scores.iter().enumerate().flat_map(|(alternative, row)| {
            row.iter().enumerate().filter(|(_, score)| score.width() > 0.0).map(
                move |(criterion, score)| Interval { alternative, criterion, width: score.width() },
            )
        });
        Draw {
            columns: (0..criteria).map(column).collect(),
            intervals: intervals.collect(),
            cuts: vec![0.0; criteria - 1],
            weights: vec![0.0; criteria],
            totals: vec![0.0; alternatives],
            rank: (0..alternatives).collect(),
        }
    }

    /// Returns the alternatives in the order of one draw, the best total first.
    fn rank(&mut self, rng: &mut Rng) -> &[usize] {
        self.draw_weights(rng);
        self.totals.fill(0.0);
        for (weight, column) in self.weights.iter().zip(&self.columns) {
            for (total, score) in self.totals.iter_mut().zip(column) {
                *total += weight * score;
            }
        }
        for Interval { alternative, criterion, width } in &self.intervals {
            self.totals[*alternative] += self.weights[*criterion] * width * rng.f64();
        }
        let totals = &self.totals;
        self.rank.sort_unstable_by(|a, b| totals[*b].total_cmp(&totals[*a]).then(a.cmp(b)));
        &self.rank
    }

    /// Draws the weights by cutting `0.0..=1.0` at random places. The lengths of the pieces are
    /// uniform among all weights that sum to 1 (Devroye: Non-Uniform Random Variate Generation,
    /// 1986, chapter V). No logarithm is used, so every machine draws the same.
    fn draw_weights(&mut self, rng: &mut Rng) {
        self.cuts.fill_with(|| rng.f64());
        self.cuts.sort_unstable_by(f64::total_cmp);
        let mut last = 0.0;
        for (weight, cut) in self.weights.iter_mut().zip(self.cuts.iter().chain(&[1.0])) {
            *weight = cut - last;
            last = *cut;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sample::{Study, any_cell, criterion, known, study, unknown};
    use super::super::{Cell, Direction};

    fn first_shares(cells: Vec<Vec<Cell>>) -> Vec<f64> {
        let names = ["speed", "cost", "risk"];
        let criteria: Vec<_> = names[..cells[0].len()]
            .iter()
            .map(|name| criterion(name, 1.0, Direction::Max))
            .collect();
        let alternatives = (0..cells.len()).map(|number| number.to_string()).collect();
        let answer = Study { alternatives, criteria, cells }.answer();
        answer.rank_acceptability.iter().map(|one| one.ranks[0]).collect()
    }

    fn is_about(share: f64, expected: f64) -> bool {
        (share - expected).abs() < 0.02
    }

    #[test]
    fn one_that_is_best_by_one_of_three_criteria_wins_a_third_of_the_weightings() {
        let row =
            |best: usize| (0..3).map(|at| known(if at == best { 1.0 } else { 0.0 })).collect();
        let shares = first_shares((0..3).map(row).collect());
        assert!(shares.iter().all(|share| is_about(*share, 1.0 / 3.0)), "{shares:?}");
    }

    #[test]
    fn weights_are_uniform_on_the_simplex() {
        // The first alternative wins if its criterion's weight is above 1/2: a quarter of the
        // triangle.
        let cells = vec![
            vec![known(1.0), known(0.0), known(0.0)],
            vec![known(0.0), known(1.0), known(1.0)],
        ];
        let shares = first_shares(cells);
        assert!(is_about(shares[0], 0.25) && is_about(shares[1], 0.75), "{shares:?}");
    }

    #[test]
    fn an_unknown_value_is_drawn_uniformly() {
        let shares = first_shares(vec![vec![known(0.0)], vec![unknown()], vec![known(1.0)]]);
        assert_eq!(shares, [0.0, 0.0, 1.0]);
        let cells = vec![vec![unknown()], vec![known(0.0)], vec![unknown()]];
        let shares = first_shares(cells);
        assert!(is_about(shares[1], 1.0 / 3.0), "a lone known value tells nothing: {shares:?}");
        let interval = Cell::Known { low: 0.0, high: 1.0 };
        let shares = first_shares(vec![vec![interval], vec![known(0.25)]]);
        assert!(is_about(shares[0], 0.75), "{shares:?}");
    }

    #[test]
    fn a_tie_in_a_draw_goes_by_the_given_order() {
        assert_eq!(first_shares(vec![vec![known(1.0), known(2.0)]; 3]), [1.0, 0.0, 0.0]);
        let alike = |number: u32| match number % 3 {
            0 => vec![known(1.0), known(0.0)],
            1 => vec![known(0.0), known(1.0)],
            _ => vec![known(0.0), known(0.0)],
        };
        let shares = first_shares((0..60).map(alike).collect());
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-9, "{shares:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn shares_sum_to_one_per_alternative_and_per_rank(study in study(any_cell)) {
            let shares = study.answer().rank_acceptability;
            for (rank, row) in shares.iter().enumerate() {
                let column: f64 = shares.iter().map(|one| one.ranks[rank]).sum();
                prop_assert!((row.ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!((column - 1.0).abs() < 1e-9);
            }
        }

        #[test]
        fn one_that_is_dominated_never_wins_more_often(study in study(any_cell)) {
            let answer = study.answer();
            let wins = |name: &str| answer.rank_acceptability[study.number(name)].ranks[0];
            for pair in &answer.dominance {
                prop_assert!(wins(&pair.dominates) <= wins(&pair.alternative));
            }
        }
    }
}
