//! The comparison as a sentence.

use crate::answer::{Flip, Matrix, MatrixGap, Total, Verdict, WeightFlip};

/// Upper bound for the unknown values that the sentence names.
const NAMED: usize = 3;

/// Returns a sentence that names the leader, its lead, and how certain that is.
pub fn sentence(matrix: &Matrix) -> String {
    let [first, second, ..] = matrix.rank.as_slice() else {
        return match matrix.rank.first() {
            Some(only) => format!("Only {only} was rated, so there is nothing to compare."),
            None => "No alternative could be rated.".into(),
        };
    };
    let score = |name| matrix.total(name).map_or(0.0, |total| total.total);
    let lead = format!("{:.2} against {:.2} for {second}", score(first), score(second));
    match matrix.verdict {
        Some(Verdict::Clear) => format!("{first} leads clearly: {lead}; {}.", steadiness(matrix)),
        Some(Verdict::Close) => match unknown(matrix) {
            Some(unknown) => {
                format!(
                    "{first} leads with {lead}, but what is unknown could still turn it: {unknown}."
                )
            }
            None => format!(
                "{first} leads with {lead}, but the values found are ranges that could still turn it."
            ),
        },
        Some(Verdict::Tie) => {
            let tied = if matrix.contenders.len() > 1 {
                listed(&matrix.contenders)
            } else {
                listed(&[first, second])
            };
            let margin = matrix
                .margin
                .map(|margin| format!(" (margin {})", percent(margin)))
                .unwrap_or_default();
            let why = unknown(matrix).unwrap_or_else(|| "nothing here tells them apart".into());
            let joined = if matrix.contenders.len() > 2 { "among" } else { "between" };
            format!("Tie {joined} {tied}{margin}: {why}.")
        }
        None => format!("{first} comes out first: {lead}."),
    }
}

/// Describes the smallest change of one weight that brings another alternative level.
fn steadiness(matrix: &Matrix) -> String {
    let change = |(flip, weight): &(&Flip, &WeightFlip)| (flip.flips_at - weight.weight).abs();
    let flips = matrix.weight_flips.iter();
    let nearest = flips
        .filter_map(|weight| Some((weight.flip.as_ref()?, weight)))
        .min_by(|a, b| change(a).total_cmp(&change(b)));
    match nearest {
        Some((flip, weight)) => format!(
            "the smallest change of one weight that brings {} level is {} at {} instead of {}",
            flip.to,
            weight.criterion,
            percent(flip.flips_at),
            percent(weight.weight)
        ),
        None => "no single weight changes that".into(),
    }
}

/// Describes the unknown values of the alternatives that may still win; `None` if all are known.
fn unknown(matrix: &Matrix) -> Option<String> {
    let is_contender = |name| matrix.contenders.is_empty() || matrix.contenders.contains(name);
    let gaps: Vec<&MatrixGap> = matrix
        .gaps
        .iter()
        .filter(|gap| gap.swing > 0.0 && is_contender(&gap.alternative))
        .collect();
    let mut names: Vec<String> = gaps
        .iter()
        .take(NAMED)
        .map(|gap| format!("{} of {}", gap.criterion, gap.alternative))
        .collect();
    if gaps.len() > NAMED {
        names.push(format!("{} more", gaps.len() - NAMED));
    }
    let verb = if gaps.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| format!("{} {verb} not known", listed(&names)))
}

/// Returns a share in percent: `50 %`, `33.3 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", format!("{:.1}", share * 100.0).trim_end_matches(".0"))
}

/// Joins words to a list: `A`, `A and B`, `A, B and C`.
fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

impl Matrix {
    /// Returns the total of an alternative.
    pub fn total(&self, alternative: &str) -> Option<&Total> {
        self.totals.iter().find(|total| total.alternative == alternative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_a_decimal_only_where_it_tells_something() {
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(1.0 / 3.0), "33.3 %");
        assert_eq!(percent(0.096), "9.6 %");
    }
}
