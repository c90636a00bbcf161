//! Which of these options, and on what evidence.

use crate::common::DocumentedDecision;
use crate::request::{Workflow, workflow_request};
use matrix::{Direction, Matrix, ScoredCell};
use model::evidence::{Place, ScoreParts, Strength};
use model::facts::Side;
use quantity::Quantity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

workflow_request! {
    /// Names options to find what speaks for and against each.
    pub struct TradeRequest {
        /// The question; 1 to 2,000 characters.
        question,
        /// The project that it is asked for: it is noted in that project's trail, whose decisions
        /// come beside the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// How many documents are read, 1 to 50; 10 where absent.
        top_k,
        /// The options, 1 to 50; discovered in the question and the documents where absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub alternatives: Option<Vec<AlternativeRequest>>,
        /// What they are judged by, 1 to 45; where absent: performance, cost, reliability,
        /// security, scalability, maintainability, usability.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub criteria: Option<Vec<CriterionRequest>>,
    }
}

/// Compares options.
#[derive(Debug, Clone, Copy)]
pub struct Trade;

impl Workflow for Trade {
    type Request = TradeRequest;
    type Report = TradeReport;

    const SUMMARY: &'static str =
        "Compare options by what documents say of them.";
    const EXAMPLE: &'static str = r#"{
        "question": "Which message broker for order events?",
        "alternatives": [
            "Halyard",
            {
                "name": "Tidewire",
                "aliases": [
                    "TW"
                ]
            }
        ],
        "criteria": [
            {
                "name": "latency",
                "weight": 0.6,
                "unit": "ms"
            },
            {
                "name": "cost",
                "weight": 0.4
            }
        ]
    }"#;
    const TOOL: &'static str = "compare_options";
    const TITLE: &'static str = "Compare options";
    const DESCRIPTION: &'static str = "\
Compare options by what documents say of each: quotes, values with units, a matrix where criteria have weights. Use it for \"which of \
these\", \"X or Y\". Name the `alternatives`; give `criteria` a `weight` only where the person said what matters. `decided` is an earlier \
decision that settles it: name it first. Without options to compare use explore_topic or answer_question.";
}

/// An option: its name, or its name with other names of it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "must be a name, or an object of `name` and `aliases`")]
pub enum AlternativeRequest {
    /// The name.
    Name(String),
    /// The name and its aliases.
    NamedAlternative(NamedAlternative),
}

/// An option with other names.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedAlternative {
    /// The name, 1 to 100 characters with a letter or digit.
    pub name: String,
    /// What else it is called, at most 10.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// What options are judged by: its name, or its name and how it counts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "must be a name, or an object of `name` and any of `weight`, `direction` (`max` or `min`), `unit`, `range`"
)]
pub enum CriterionRequest {
    /// The name.
    Name(String),
    /// The name and how it counts.
    WeighedCriterion(WeighedCriterion),
}

/// A criterion that may count for a decision.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeighedCriterion {
    /// The name, 1 to 100 characters with a letter or digit.
    pub name: String,
    /// How much it counts, 0 or more; weights that do not sum to 1 are scaled. Either all criteria
    /// have one or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Whether more is better or less; where absent, what its name says ("cost" is better low).
    #[schemars(with = "Option<Direction>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// The unit that its values are compared in, such as `ms` or `USD/mo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The values that count as worst and best, the smaller first; where absent, the range that is
    /// found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
}

/// What speaks for and against each option.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TradeReport {
    /// Always `trade_study`.
    pub result_type: String,
    /// Decisions in documents that settle the question, those that settle it best first; at most 3.
    pub decided: Vec<DocumentedDecision>,
    /// The options, in the caller's order.
    pub alternatives: Vec<AlternativeReport>,
    /// Evidence on the criteria that names none of them; at most 10 pieces, the plainest first.
    pub general: Vec<TradeEvidence>,
    /// The comparison, where the criteria carry weights and something is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
    /// The values that the comparison needs and that no document tells, where it is left out for
    /// that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// In how many documents all this evidence stands.
    pub total_sources: usize,
    /// What was assumed.
    pub notes: Vec<String>,
}

/// A value that no document tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// The option.
    pub alternative: String,
    /// The criterion.
    pub criterion: String,
    /// Why it is not known.
    pub reason: String,
}

/// What is known of one option.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AlternativeReport {
    /// Its name.
    pub name: String,
    /// The evidence, criterion by criterion; at most 5 pieces each: what speaks of the criterion
    /// most plainly first, then by score.
    pub criteria: Vec<TradeEvidence>,
    /// In how many documents its evidence stands.
    pub source_count: usize,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TradeEvidence {
    /// The criterion that it speaks of; `General` where it speaks of none of them.
    pub name: String,
    /// What the document says, verbatim: a whole sentence, item or row; of one with more than 400
    /// characters the part around the value, cut at words.
    pub evidence: String,
    /// The side that it takes, where the document lists it as a pro or a con.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The value, where it tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
    /// How well it answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few
    /// passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
    /// The passage that it stands in.
    pub passage: Place,
    /// How plainly it speaks of the criterion, `0.0..=1.0`; what does so most comes first.
    pub plainness: f64,
}

impl TradeReport {
    /// Returns the value of a cell of the matrix in the documents' words; `None` where nothing is
    /// known.
    pub fn value(&self, matrix: &Matrix, alternative: &str, criterion: &str) -> Option<String> {
        let is_meant =
            |cell: &&ScoredCell| cell.alternative == alternative && cell.criterion == criterion;
        let cell = matrix.cells.iter().find(is_meant)?;
        let (low, high) = (cell.low?, cell.high?);
        let reports = self.alternatives.iter().filter(|report| report.name == alternative);
        let found: Vec<&Quantity> = reports
            .flat_map(|report| &report.criteria)
            .filter(|evidence| evidence.name == criterion)
            .filter_map(|evidence| evidence.value.as_ref())
            .collect();
        let both = found.iter().find(|value| has(value, low) && has(value, high));
        let one = |number: f64| found.iter().find(|value| has(value, number));
        Some(match (both, one(low), one(high), found.as_slice()) {
            (Some(value), ..) | (None, _, _, [value]) => value.text.clone(),
            (None, Some(low), Some(high), _) => format!("{} to {}", low.text, high.text),
            _ => scaled(&found, low, high).unwrap_or_else(|| {
                if high <= low { low.to_string() } else { format!("{low} to {high}") }
            }),
        })
    }
}

/// Returns the two values that are `low` and `high` in another unit than the documents', the same
/// one for both.
fn scaled(found: &[&Quantity], low: f64, high: f64) -> Option<String> {
    let numbers: Vec<(f64, &str)> = found
        .iter()
        .filter_map(|value| Some((value.si.as_ref()?.number, value.text.as_str())))
        .collect();
    let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * one.abs().max(other.abs());
    numbers.iter().find_map(|(least, text)| {
        let factor = least / low;
        let is_high = |most: &&(f64, &str)| factor.is_finite() && is_near(most.0, high * factor);
        let (_, other) = numbers.iter().find(is_high)?;
        Some(if text == other { (*text).into() } else { format!("{text} to {other}") })
    })
}

/// Returns true if one of a quantity's numbers is this one, rounding aside.
fn has(quantity: &Quantity, number: f64) -> bool {
    let stated = [Some(quantity.number), quantity.low, quantity.high];
    let si = quantity.si.as_ref().map(|si| [Some(si.number), si.low, si.high]);
    let mut numbers = stated.into_iter().chain(si.into_iter().flatten()).flatten();
    numbers.any(|other| (other - number).abs() <= 1e-9 * other.abs().max(number.abs()))
}
