//! Computes a decision from evidence.

use super::judge::measure;
use super::wanted::Criterion;
use matrix::{self, Cell, Matrix};
use model::evidence::round3;
use quantity::{Quantity, Unit};
use wire::trade::{AlternativeReport, Missing, TradeEvidence};

/// The distance from the best piece, in score and plainness together, within which the values of
/// pieces count alike. If they differ, the cell is an interval.
const AS_GOOD: f64 = 0.03;

/// Returns the decision matrix, if the criteria have weights and at least one value is known;
/// otherwise the missing values.
pub(super) fn matrix(
    criteria: &[Criterion],
    alternatives: &[AlternativeReport],
) -> (Option<Matrix>, Vec<Missing>) {
    let decides: Option<Vec<matrix::Criterion>> =
        criteria.iter().map(|criterion| criterion.decides.clone()).collect();
    let Some(decides) = decides else { return (None, Vec::new()) };
    let units: Vec<Option<Unit>> = criteria
        .iter()
        .map(|criterion| criterion.unit.clone().or_else(|| common_unit(criterion, alternatives)))
        .collect();
    let cell = |alternative: &AlternativeReport, (criterion, unit): (&Criterion, &Option<Unit>)| {
        let pieces = alternative.criteria.iter().filter(|piece| piece.name == criterion.name);
        cell(&pieces.collect::<Vec<_>>(), unit.as_ref())
    };
    let row = |alternative: &AlternativeReport| -> Vec<Cell> {
        criteria.iter().zip(&units).map(|pair| cell(alternative, pair)).collect()
    };
    let cells: Vec<Vec<Cell>> = alternatives.iter().map(row).collect();
    if cells.iter().flatten().any(|cell| matches!(cell, Cell::Known { .. })) {
        let names: Vec<String> =
            alternatives.iter().map(|alternative| alternative.name.clone()).collect();
        return (Some(matrix::matrix(&names, &decides, &cells)), Vec::new());
    }
    let missing = alternatives.iter().zip(cells).flat_map(|(alternative, row)| {
        criteria.iter().zip(row).filter_map(|(criterion, cell)| match cell {
            Cell::Unknown { reason } => Some(Missing {
                alternative: alternative.name.clone(),
                criterion: criterion.name.clone(),
                reason,
            }),
            Cell::Known { .. } => None,
        })
    });
    (None, missing.collect())
}

/// Returns the unit of the best value for this criterion. All others are compared in it.
fn common_unit(criterion: &Criterion, alternatives: &[AlternativeReport]) -> Option<Unit> {
    let pieces = alternatives.iter().flat_map(|alternative| &alternative.criteria);
    let values = pieces.filter(|piece| piece.name == criterion.name && piece.value.is_some());
    let best = values.max_by(|a, b| a.score.total_cmp(&b.score))?;
    let unit = &best.value.as_ref()?.unit;
    Some(quantity::unit(unit).unwrap_or_else(|| Unit::count(unit)))
}

fn cell(pieces: &[&TradeEvidence], unit: Option<&Unit>) -> Cell {
    let unknown = |reason: String| Cell::Unknown { reason };
    if pieces.is_empty() {
        return unknown("no evidence was found".into());
    }
    let valued: Vec<_> = pieces
        .iter()
        .filter_map(|piece| Some((piece.score.min(1.0) + piece.plainness, piece.value.as_ref()?)))
        .collect();
    let Some((_, first)) = valued.first() else {
        return unknown("the evidence tells no value".into());
    };
    let numbers = |value: &Quantity| unit.and_then(|unit| value.in_unit(unit));
    let fitting: Vec<(f64, (f64, f64))> =
        valued.iter().filter_map(|(score, value)| Some((*score, numbers(value)?))).collect();
    let Some((best, _)) = fitting.first() else {
        let found = if first.unit.is_empty() {
            format!("{:?}", measure(first)).to_lowercase()
        } else {
            first.unit.clone()
        };
        let wanted = unit.map_or_else(String::new, |unit| unit.symbol().to_owned());
        return unknown(format!(
            "the values found are in `{found}`, which does not convert to `{wanted}`"
        ));
    };
    let as_good = fitting.iter().filter(|(score, _)| *score >= best - AS_GOOD);
    let (low, high) = as_good
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, range)| {
            (low.min(range.0), high.max(range.1))
        });
    Cell::Known { low, high }
}

/// Returns notes on the assumptions about weights.
pub(super) fn notes(criteria: &[Criterion]) -> Vec<String> {
    let weights: Vec<f64> = criteria
        .iter()
        .filter_map(|criterion| criterion.decides.as_ref().map(|decides| decides.weight))
        .collect();
    let sum: f64 = weights.iter().sum();
    let mut notes = Vec::new();
    if !weights.is_empty() && (sum - 1.0).abs() > 1e-9 {
        let sum = round3(sum);
        notes.push(format!("The weights sum to {sum}, so each was divided by that."));
    }
    notes
}
