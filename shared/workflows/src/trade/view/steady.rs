//! How steady the first place of a comparison is.

use matrix::{Matrix, percent};
use views::wording::listed;
use views::{Block, Depth, Item, Section, Words};

/// Tells what would turn the first place, what holds under any weights, and what is not known.
pub(super) fn sections(matrix: &Matrix) -> Vec<Block<'_>> {
    let parts = [
        ("What would turn it", turns(matrix), Depth::Full),
        ("Whatever the weights", whatever(matrix), Depth::Full),
        ("Not known", gaps(matrix), Depth::First),
    ];
    let section = |title: &'static str, items: Vec<String>, depth| {
        let items = items.into_iter().map(Item::plain).collect();
        let (title, remark) = (Words::Plain(title.into()), String::new());
        let blocks = vec![Block::Items(items)];
        Block::Section(Section { title, remark, depth, blocks })
    };
    let parts = parts.into_iter().filter(|(_, items, _)| !items.is_empty());
    parts.map(|(title, items, depth)| section(title, items, depth)).collect()
}

/// The changes of a single weight that bring another option level.
fn turns(matrix: &Matrix) -> Vec<String> {
    let flips = matrix.weight_flips.iter().filter_map(|weight| {
        let flip = weight.flip.as_ref()?;
        let (at, now) = (percent(flip.flips_at), percent(weight.weight));
        Some(format!("{}: at {at} instead of {now}, {} draws level", weight.criterion, flip.to))
    });
    let steady = matrix.weight_flips.iter().filter(|weight| weight.flip.is_none());
    let steady: Vec<&str> = steady.map(|weight| weight.criterion.as_str()).collect();
    let given =
        matrix.weights.iter().map(|weight| format!("{} {}", weight.criterion, weight.given));
    let given = given.collect::<Vec<_>>().join(", ");
    let steady = (!steady.is_empty()).then(|| format!("{}: no weight does", listed(&steady)));
    let given = matrix.weights_normalized.then(|| format!("Weights as given: {given}"));
    flips.chain(steady).chain(given).collect()
}

/// What holds without the given weights: the shares of random ones, and who is better by every
/// criterion.
fn whatever(matrix: &Matrix) -> Vec<String> {
    // With unknown values, the shares of random weights would show chance and not preference.
    let shares = matrix.rank_acceptability.iter().filter(|_| matrix.gaps.is_empty());
    let mut first: Vec<(&str, f64)> = shares
        .filter_map(|shares| Some((shares.alternative.as_str(), *shares.ranks.first()?)))
        .collect();
    first.sort_by(|a, b| b.1.total_cmp(&a.1));
    let first = first.into_iter().map(|(name, share)| {
        format!("{name} comes first in {} of {} random weightings", percent(share), matrix.draws)
    });
    let better = matrix.dominance.iter();
    let better =
        better.map(|pair| format!("{} is nowhere worse than {}", pair.alternative, pair.dominates));
    first.chain(better).collect()
}

fn gaps(matrix: &Matrix) -> Vec<String> {
    let gaps = matrix.gaps.iter().map(|gap| {
        let (criterion, option) = (&gap.criterion, &gap.alternative);
        format!("{criterion} of {option}: {} (up to {:.2} of its total)", gap.reason, gap.swing)
    });
    gaps.collect()
}
