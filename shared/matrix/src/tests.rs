use proptest::prelude::*;

use super::sample::{Study, any_cell, criterion, exact, exact_or_unknown, known, study, unknown};
use super::*;

/// Three databases by throughput (0.5), price (0.3) and age (0.2):
///
/// |   | throughput | price    | age     | total
/// | A | 100 -> 1   | 30 -> 0  | 5 -> 1  | 0.5 + 0.0 + 0.2 = 0.7
/// | B |  60 -> 0.5 | 10 -> 1  | ? 0..=1 | 0.25 + 0.3 + 0..=0.2 = 0.55..=0.75, middle 0.65
/// | C |  20 -> 0   | 20 -> .5 | 1 -> 0  | 0.15
fn databases() -> Study {
    Study {
        alternatives: ["A", "B", "C"].map(String::from).into(),
        criteria: vec![
            criterion("throughput", 5.0, Direction::Max),
            criterion("price", 3.0, Direction::Min),
            criterion("age", 2.0, Direction::Max),
        ],
        cells: vec![
            vec![known(100.0), known(30.0), known(5.0)],
            vec![known(60.0), known(10.0), unknown()],
            vec![known(20.0), known(20.0), known(1.0)],
        ],
    }
}

/// Returns the matrix of alternatives from A on, by one criterion whose values are the scores.
fn by_merit(intervals: &[(f64, f64)]) -> Matrix {
    let mut merit = criterion("merit", 1.0, Direction::Max);
    merit.range = Some((0.0, 1.0));
    let names: Vec<String> =
        ["A", "B", "C", "D"][..intervals.len()].iter().map(ToString::to_string).collect();
    let cells: Vec<_> =
        intervals.iter().map(|(low, high)| vec![Cell::Known { low: *low, high: *high }]).collect();
    matrix(&names, &[merit], &cells)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn a_matrix_worked_by_hand_is_met() {
    let answer = databases().answer();
    let weights: Vec<f64> = answer.weights.iter().map(|weight| weight.weight).collect();
    assert_eq!(weights, [0.5, 0.3, 0.2]);
    assert!(answer.weights_normalized);
    let scores: Vec<_> =
        answer.cells.iter().map(|cell| (cell.score_low, cell.score_high)).collect();
    let expected = [1.0, 0.0, 1.0, 0.5, 1.0, f64::NAN, 0.0, 0.5, 0.0];
    for (score, expected) in scores.into_iter().zip(expected) {
        assert_eq!(score, if expected.is_nan() { (0.0, 1.0) } else { (expected, expected) });
    }
    let totals: Vec<_> =
        answer.totals.iter().map(|total| (total.low, total.total, total.high)).collect();
    assert_eq!(totals, [(0.7, 0.7, 0.7), (0.55, 0.65, 0.75), (0.15, 0.15, 0.15)]);
    assert_eq!(answer.rank, ["A", "B", "C"]);
    assert_eq!(answer.margin, Some(0.071_428_571_429));
    assert_eq!((answer.verdict, answer.winner), (Some(Verdict::Tie), None));
    assert_eq!(answer.contenders, ["A", "B"]);
    assert_eq!(answer.dominance, []);
    assert_eq!(answer.gaps.len(), 1);
    assert_eq!((answer.gaps[0].alternative.as_str(), answer.gaps[0].swing), ("B", 0.2));
}

#[test]
fn the_flips_of_a_matrix_worked_by_hand_are_met() {
    let flips = databases().answer().weight_flips;
    // A leads B by 0.5 in throughput, by -1 in price and by 0.5 in age (middles). At the flips:
    // * throughput: 0.5 w = (1 - w) * (0.3 * 1 - 0.2 * 0.5) / 0.5, so w = 0.4 / 0.9;
    // * price: w = (1 - w) * 0.5, w = 1 / 3; age: 0.5 w = (1 - w) * 0.05 / 0.8, w = 0.0625 / 0.5625
    let expected = [4.0 / 9.0, 1.0 / 3.0, 1.0 / 9.0];
    for (found, expected) in flips.iter().zip(expected) {
        let flip = found.flip.as_ref().unwrap();
        assert!(near(flip.flips_at, expected), "{found:?}");
        assert!(near(flip.change, expected - found.weight), "{found:?}");
        assert_eq!(flip.to, "B");
    }
}

#[test]
fn the_wire_has_absent_fields_where_nothing_is_known_and_null_without_a_winner() {
    let answer = serde_json::to_value(databases().answer()).unwrap();
    let unknown = serde_json::json!({
        "alternative": "B", "criterion": "age", "score_low": 0.0, "score_high": 1.0, "unknown": "not told"
    });
    assert_eq!(answer["cells"][5], unknown);
    assert_eq!(answer["weight_flips"][1]["to"], "B");
    assert_eq!(answer["verdict"], "tie");
    assert_eq!(answer["winner"], serde_json::Value::Null);
    assert_eq!(answer["draws"], 10_000);
}

#[test]
fn one_alternative_has_a_total_but_no_verdict() {
    let mut study = databases();
    study.alternatives.truncate(1);
    study.cells.truncate(1);
    let answer = study.answer();
    assert_eq!((answer.margin, answer.verdict, answer.winner), (None, None, None));
    assert!(answer.contenders.is_empty());
    assert!(near(answer.totals[0].total, 1.0));
    assert_eq!(answer.rank_acceptability[0].ranks, [1.0]);
    assert!(answer.weight_flips.iter().all(|found| found.flip.is_none()));
}

#[test]
fn without_criteria_or_alternatives_all_parts_are_empty() {
    let names = ["A", "B"].map(String::from);
    for answer in [matrix(&names, &[], &[vec![], vec![]]), matrix(&[], &[], &[])] {
        assert!(answer.weights.is_empty() && answer.cells.is_empty() && answer.totals.is_empty());
        assert!(answer.rank.is_empty() && answer.rank_acceptability.is_empty());
        assert_eq!((answer.margin, answer.verdict, answer.winner), (None, None, None));
    }
    assert_eq!(matrix(&[], &databases().criteria, &[]).weight_flips.len(), 3);
}

#[test]
fn a_criterion_without_weight_decides_nothing_but_may_when_it_gets_some() {
    let mut study = databases();
    study.criteria[2].weight = 0.0;
    let answer = study.answer();
    // B: 0.625 * 0.5 + 0.375 = 0.6875; A: 0.625. Age alone: A 1, B 0.5.
    assert_eq!(answer.rank, ["B", "A", "C"]);
    assert!(answer.gaps[0].swing.abs() < 1e-12);
    let flip = answer.weight_flips[2].flip.clone().unwrap();
    assert_eq!(flip.to, "A");
    assert!(near(flip.flips_at, 0.0625 / 0.5625) && near(flip.change, flip.flips_at));
}

#[test]
fn weights_that_are_all_zero_or_huge_give_numbers_still() {
    let mut study = databases();
    study.criteria.iter_mut().for_each(|criterion| criterion.weight = 0.0);
    let answer = study.answer();
    assert_eq!((answer.margin, answer.verdict), (Some(0.0), Some(Verdict::Tie)));
    study.criteria.iter_mut().for_each(|criterion| criterion.weight = f64::MAX);
    study.cells[0][0] = known(f64::MAX);
    study.cells[1][0] = known(f64::MIN);
    let answer = study.answer();
    assert!(answer.weights.iter().all(|weight| near(weight.weight, 1.0 / 3.0)));
    assert!(answer.totals.iter().all(|total| (0.0..=1.0).contains(&total.total)));
}

#[test]
fn a_lead_of_exactly_a_tenth_is_no_tie() {
    let lead = |second: f64| by_merit(&[(1.0, 1.0), (second, second)]);
    assert_eq!((lead(0.9).margin, lead(0.9).verdict), (Some(0.1), Some(Verdict::Clear)));
    assert_eq!(lead(0.91).verdict, Some(Verdict::Tie));
    assert_eq!(lead(0.91).contenders, ["A", "B"]);
}

#[test]
fn totals_that_differ_by_rounding_only_are_equal_and_no_flip() {
    // The sum 0.1 + 0.2 is slightly more than 0.3.
    let weights = [("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0), ("e", 0.0)];
    let criteria = weights.map(|(name, weight)| criterion(name, weight, Direction::Max));
    let rows = [[0, 0, 1, 0, 1], [1, 1, 0, 0, 0]];
    let cells: Vec<Vec<Cell>> =
        rows.map(|row| row.map(|value| known(f64::from(value))).into()).into();
    let answer = matrix(&["A", "B"].map(String::from), &criteria, &cells);
    assert_eq!(answer.rank, ["A", "B"]);
    assert_eq!(answer.margin, Some(0.0));
    assert_eq!(answer.weight_flips[4].flip, None);
}

#[test]
fn intervals_that_overlap_make_a_win_close() {
    let answer = by_merit(&[(0.6, 1.0), (0.5, 0.7), (0.2, 0.6), (0.1, 0.5)]);
    assert_eq!((answer.margin, answer.verdict), (Some(0.25), Some(Verdict::Close)));
    assert_eq!(answer.winner.as_deref(), Some("A"));
    assert_eq!(answer.contenders, ["A", "B", "C"]);
    let answer = by_merit(&[(0.6, 1.0), (0.5, 0.59)]);
    assert_eq!((answer.verdict, answer.contenders), (Some(Verdict::Clear), vec!["A".into()]));
    assert_eq!(
        by_merit(&[(0.6, 1.0), (0.5, 0.6)]).verdict,
        Some(Verdict::Close),
        "it may be level"
    );
}

/// Returns the verdict on rows of hours and latency, both better if smaller; `None` is unknown.
fn judged(weights: [f64; 2], rows: &[[Option<f64>; 2]]) -> Option<Verdict> {
    let criteria = [("hours", weights[0]), ("latency", weights[1])];
    let criteria = criteria.map(|(name, weight)| criterion(name, weight, Direction::Min));
    let unknown = || Cell::Unknown { reason: "not measured".into() };
    let cell = |value: &Option<f64>| value.map_or_else(unknown, known);
    let cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let names = ["A", "B", "C"].map(String::from);
    matrix(&names[..rows.len()], &criteria, &cells).verdict
}

#[test]
fn a_lead_is_clear_only_where_nothing_unknown_can_turn_it() {
    let half = [[Some(2.0), None], [Some(6.0), None]];
    assert_eq!(judged([1.0, 1.0], &half), Some(Verdict::Close), "half of the weight is unknown");
    // If C took 600 hours, A and B would be almost level in hours, and B would win.
    let stretched = [[Some(2.0), Some(9.0)], [Some(6.0), Some(8.0)], [None, Some(9.0)]];
    assert_eq!(judged([0.5, 0.4], &stretched), Some(Verdict::Close));
}

proptest! {
    #[test]
    fn totals_are_what_naive_arithmetic_gives(study in study(any_cell)) {
        let (answer, weights) = (study.answer(), study.weights());
        for (number, total) in answer.totals.iter().enumerate() {
            let [low, middle, high] = study.total(number, &weights);
            prop_assert!(near(total.low, low) && near(total.total, middle) && near(total.high, high));
        }
        let totals: Vec<f64> = answer.rank.iter().map(|name| answer.totals[study.number(name)].total).collect();
        prop_assert!(totals.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn weights_sum_to_one_and_scores_stay_within_it(study in study(any_cell)) {
        let answer = study.answer();
        prop_assert!(near(answer.weights.iter().map(|weight| weight.weight).sum(), 1.0));
        for cell in answer.cells {
            prop_assert!(0.0 <= cell.score_low && cell.score_low <= cell.score_high && cell.score_high <= 1.0);
        }
    }

    #[test]
    fn it_is_a_tie_just_where_the_margin_is_below_a_tenth(study in study(any_cell)) {
        let answer = study.answer();
        prop_assert_eq!(answer.margin.is_none(), study.alternatives.len() < 2);
        prop_assert_eq!(answer.verdict == Some(Verdict::Tie), answer.margin.is_some_and(|margin| margin < 0.1));
        prop_assert!(answer.margin.is_none_or(|margin| (0.0..=1.0).contains(&margin)));
        prop_assert_eq!(answer.winner.is_some(), answer.verdict.is_some_and(|verdict| verdict != Verdict::Tie));
        prop_assert!(answer.winner.is_none_or(|winner| answer.contenders.contains(&winner)));
    }

    #[test]
    fn a_clear_winner_wins_whatever_the_unknown_values_are(
        study in study(exact_or_unknown),
        values in prop::collection::vec(-1e3..1e3_f64, 36),
    ) {
        let answer = study.answer();
        let mut completed = study;
        for (cell, value) in completed.cells.iter_mut().flatten().zip(values) {
            if matches!(cell, Cell::Unknown { .. }) {
                *cell = known(value);
            }
        }
        if answer.verdict == Some(Verdict::Clear) {
            prop_assert_eq!(&completed.answer().rank[0], &answer.rank[0]);
        }
    }

    #[test]
    fn scaling_all_weights_changes_nothing_but_what_was_given(study in study(any_cell), scale in 0.01..1000.0_f64) {
        let mut scaled = study.clone();
        scaled.criteria.iter_mut().for_each(|criterion| criterion.weight *= scale);
        let (answer, mut other) = (study.answer(), scaled.answer());
        for (total, other) in answer.totals.iter().zip(&other.totals) {
            prop_assert!(near(total.total, other.total));
        }
        prop_assert_eq!((&answer.rank, answer.verdict), (&other.rank, other.verdict));
        prop_assert_eq!(&answer.contenders, &other.contenders);
        // Multiplying by a power of two is exact, so the whole answer can be compared.
        scaled = study;
        scaled.criteria.iter_mut().for_each(|criterion| criterion.weight *= 4.0);
        other = Matrix { weights_normalized: answer.weights_normalized, ..scaled.answer() };
        other.weights.iter_mut().for_each(|weight| weight.given /= 4.0);
        prop_assert_eq!(answer, other);
    }

    #[test]
    fn worst_and_best_case_hold_whatever_the_unknown_values_are(
        study in study(exact_or_unknown),
        shares in prop::collection::vec(0.0..=1.0_f64, 36),
    ) {
        let mut completed = study.clone();
        for (number, cell) in completed.cells.iter_mut().flatten().enumerate() {
            if matches!(cell, Cell::Unknown { .. }) {
                let (low, high) = study.range(number % study.criteria.len()).unwrap_or((0.0, 1.0));
                *cell = known((low + (high - low) * shares[number]).min(high));
            }
        }
        for (total, one) in study.answer().totals.iter().zip(completed.answer().totals) {
            prop_assert!(total.low - 1e-9 <= one.total && one.total <= total.high + 1e-9);
        }
    }

    #[test]
    fn gaps_are_sorted_and_explain_the_width_of_a_total(study in study(exact_or_unknown)) {
        let answer = study.answer();
        prop_assert!(answer.gaps.is_sorted_by(|a, b| a.swing >= b.swing));
        for total in answer.totals {
            let gaps = answer.gaps.iter().filter(|gap| gap.alternative == total.alternative);
            prop_assert!(near(gaps.map(|gap| gap.swing).sum(), total.high - total.low));
        }
    }

    #[test]
    fn the_same_question_has_the_same_answer(study in study(exact)) {
        prop_assert_eq!(study.answer(), study.answer());
    }
}
