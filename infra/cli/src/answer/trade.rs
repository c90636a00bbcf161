//! What is known of alternatives, criterion by criterion.

use serde::Deserialize;

use super::matrix::Matrix;
use super::{Settled, Source};

/// The evidence for each alternative, and their comparison.
#[derive(Debug, Deserialize)]
pub struct Study {
    #[serde(default)]
    pub(crate) decided: Vec<Settled>,
    /// In the order of the answer.
    pub alternatives: Vec<Alternative>,
    /// Evidence that names no alternative.
    #[serde(default)]
    pub(crate) general: Vec<Evidence>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    pub(crate) matrix: Option<Matrix>,
    /// The values that a comparison needs and that nothing tells.
    #[serde(default)]
    pub(crate) missing: Vec<Missing>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Missing {
    pub(crate) alternative: String,
    pub(crate) criterion: String,
    pub(crate) reason: String,
}

/// What may be chosen.
#[derive(Debug, Deserialize)]
pub struct Alternative {
    /// As it was asked for.
    pub name: String,
    /// What is known of it.
    #[serde(default, rename = "criteria")]
    pub evidence: Vec<Evidence>,
    #[serde(default)]
    pub(crate) source_count: usize,
}

/// A quote, and what it says by a criterion.
#[derive(Debug, Deserialize)]
pub struct Evidence {
    /// Empty where the evidence names no alternative.
    #[serde(default, rename = "name")]
    pub criterion: String,
    /// The document's own words.
    #[serde(rename = "evidence")]
    pub quote: String,
    /// `for`, `against` or `either`, where the document lists it as a pro or a con.
    pub(crate) side: Option<String>,
    /// The quantity in it.
    pub value: Option<Quantity>,
    /// Where it stands.
    pub source: Source,
}

/// A quantity as the document has it, and its numbers.
#[derive(Debug, Deserialize)]
pub struct Quantity {
    /// In the document's words.
    pub text: String,
    #[serde(flatten)]
    pub(crate) numbers: Numbers,
    pub(crate) si: Option<Numbers>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Numbers {
    number: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl Quantity {
    /// Whether one of its numbers is this one, rounding aside.
    pub fn is(&self, number: f64) -> bool {
        let numbers = [Some(&self.numbers), self.si.as_ref()].into_iter().flatten();
        numbers
            .flat_map(|numbers| [numbers.number, numbers.low, numbers.high])
            .flatten()
            .any(|own| (own - number).abs() <= 1e-9 * own.abs().max(number.abs()))
    }
}

impl Alternative {
    /// Its evidence by criterion, in the order of the answer.
    pub(crate) fn by_criterion(&self) -> Vec<(&str, Vec<&Evidence>)> {
        let mut groups: Vec<(&str, Vec<&Evidence>)> = Vec::new();
        for evidence in &self.evidence {
            match groups.iter_mut().find(|(criterion, _)| *criterion == evidence.criterion) {
                Some((_, group)) => group.push(evidence),
                None => groups.push((&evidence.criterion, vec![evidence])),
            }
        }
        groups
    }
}
