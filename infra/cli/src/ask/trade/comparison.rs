//! The decision matrix as a table, and how steady it is.

use console::style;
use matrix::{Matrix, Total, percent};
use wire::trade::TradeReport;

use crate::ask::table::table;
use crate::wording::{flat, listed, wrapped};

/// The table, what would flip it, random weightings, dominance and what is not known.
pub(super) fn lines(matrix: &Matrix, study: &TradeReport, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(cells(matrix, study, width));
    lines.extend(scaled(matrix).into_iter().flat_map(|text| wrapped(&text, "  ", "  ", width)));
    let parts = [
        ("What would flip it", flips(matrix)),
        ("Whatever the weights", whatever(matrix)),
        ("Not known", gaps(matrix)),
    ];
    for (title, items) in parts.into_iter().filter(|(_, items)| !items.is_empty()) {
        lines.extend([String::new(), style(title).bold().to_string()]);
        lines.extend(items.iter().flat_map(|item| wrapped(item, "  - ", "    ", width)));
    }
    lines
}

fn cells(matrix: &Matrix, study: &TradeReport, width: usize) -> Vec<String> {
    let totals: Vec<&Total> = matrix.rank.iter().filter_map(|name| matrix.total(name)).collect();
    let is_uncertain = totals.iter().any(|total| range(total).is_some());
    let criteria = matrix.weights.iter();
    let mut head = vec![String::new()];
    head.extend(criteria.map(|weight| format!("{} {}", weight.criterion, percent(weight.weight))));
    head.push("total".into());
    head.extend(is_uncertain.then(|| "range".into()));
    let rows: Vec<Vec<String>> = totals
        .iter()
        .map(|total| {
            let name = &total.alternative;
            let mut row = vec![name.clone()];
            let values = matrix.weights.iter();
            row.extend(values.map(|weight| {
                study.value(matrix, name, &weight.criterion).map_or("?".into(), |text| flat(&text))
            }));
            row.push(format!("{:.2}", total.total));
            if is_uncertain {
                row.push(range(total).unwrap_or_default());
            }
            row
        })
        .collect();
    table(&head, &rows, width)
}

/// The worst and the best case, where they can be told apart.
fn range(total: &Total) -> Option<String> {
    let (low, high) = (format!("{:.2}", total.low), format!("{:.2}", total.high));
    (low != high).then(|| format!("{low}..{high}"))
}

/// The weights as they were given, where they did not sum to 1.
fn scaled(matrix: &Matrix) -> Option<String> {
    let given: Vec<String> = matrix
        .weights
        .iter()
        .map(|weight| format!("{} {}", weight.criterion, weight.given))
        .collect();
    (matrix.weights_normalized && !given.is_empty())
        .then(|| style(format!("Weights as given: {}.", given.join(", "))).dim().to_string())
}

fn flips(matrix: &Matrix) -> Vec<String> {
    let mut items: Vec<String> = matrix
        .weight_flips
        .iter()
        .filter_map(|weight| {
            let flip = weight.flip.as_ref()?;
            let (at, now) = (percent(flip.flips_at), percent(weight.weight));
            Some(format!("{}: at {at} instead of {now}, {} draws level", weight.criterion, flip.to))
        })
        .collect();
    let steady: Vec<&str> = matrix
        .weight_flips
        .iter()
        .filter(|weight| weight.flip.is_none())
        .map(|weight| weight.criterion.as_str())
        .collect();
    if !steady.is_empty() {
        items.push(format!("{}: no weight does", listed(&steady)));
    }
    items
}

/// Tells what holds without the given weights: shares of random ones, and who is better by every
/// criterion.
fn whatever(matrix: &Matrix) -> Vec<String> {
    let mut first: Vec<(&str, f64)> = matrix
        .rank_acceptability
        .iter()
        .filter_map(|shares| Some((shares.alternative.as_str(), *shares.ranks.first()?)))
        .collect();
    first.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut items = Vec::new();
    // Who wins how often says nothing of weights where chance stands in for values that are not
    // known.
    if !first.is_empty() && matrix.gaps.is_empty() {
        let shares: Vec<String> =
            first.iter().map(|(name, share)| format!("{name} wins {}", percent(*share))).collect();
        items.push(format!("of {} random weightings {}", matrix.draws, listed(&shares)));
    }
    for name in &matrix.rank {
        let better = matrix.dominance.iter().filter(|pair| pair.alternative == *name);
        let others: Vec<&str> = better.map(|pair| pair.dominates.as_str()).collect();
        if !others.is_empty() {
            items.push(format!("{name} is nowhere worse than {}", listed(&others)));
        }
    }
    items
}

fn gaps(matrix: &Matrix) -> Vec<String> {
    let gaps = matrix.gaps.iter();
    gaps.map(|gap| {
        format!(
            "{} of {}: {} (up to {:.2} of its total)",
            gap.criterion,
            gap.alternative,
            flat(&gap.reason),
            gap.swing
        )
    })
    .collect()
}
