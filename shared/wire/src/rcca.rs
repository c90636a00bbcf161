//! What failed like this before, and why.

use crate::request::{Workflow, workflow_request};
use model::evidence::{Place, Quote, ScoreParts, Strength};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

workflow_request! {
    /// Describes a failure to find earlier ones like it.
    pub struct RccaRequest {
        /// What happens, in the caller's own words; 1 to 2,000 characters.
        question,
        /// The project that it is asked for: it is noted in that project's trail, whose decisions
        /// come beside the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// How many past failures are wanted, 1 to 50. Where absent at most 10, without those whose
        /// score is below three quarters of the best one's, unless a model graded them.
        top_k,
    }
}

/// Finds past failures like one, with their causes.
#[derive(Debug, Clone, Copy)]
pub struct Rcca;

impl Workflow for Rcca {
    type Request = RccaRequest;
    type Report = RccaReport;

    const SUMMARY: &'static str =
        "Find past failures like the one described, and the causes that they share.";
    const EXAMPLE: &'static str = r#"{
        "question": "Checkout requests time out and the database refuses new connections",
        "queries": [
            "connection pool exhausted",
            "requests wait for a connection of the pool"
        ],
        "top_k": 5
    }"#;
    const TOOL: &'static str = "find_past_failures";
    const TITLE: &'static str = "Past failures and their causes";
    const DESCRIPTION: &'static str = "\
Find past failures like the one described: symptoms, root cause, resolution and what was checked, each with file and lines. Use it when \
something broke: \"what failed like this before, and why\". Put the symptom into `question`, and send three to five `queries`: \
terms of such a report, error messages, the supposed cause, a sentence that it might contain. `causes` are those of the first \
results, `to_check` what others checked. For what a log says use answer_question or query_records.";
}

/// Past failures like the one described, and the causes that they share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RccaReport {
    /// Always `rcca_analysis`.
    pub result_type: String,
    /// One result per document that reports a failure, best first; at most as many as `top_k` says.
    pub results: Vec<Failure>,
    /// What caused the first three of them, the cause that most documents support first; empty
    /// where these name none.
    pub causes: Vec<Cause>,
    /// What was checked in the first three of them and the question does not mention. At most two
    /// of each.
    pub to_check: Vec<Check>,
    /// Documents that speak of the same and report no failure: guides, decisions, standards. At
    /// most 3.
    pub also_read: Vec<AlsoRead>,
    /// How many results there are.
    pub total_results: usize,
}

impl RccaReport {
    /// A report of nothing.
    pub fn empty() -> RccaReport {
        RccaReport {
            result_type: "rcca_analysis".into(),
            results: Vec::new(),
            causes: Vec::new(),
            to_check: Vec::new(),
            also_read: Vec::new(),
            total_results: 0,
        }
    }
}

/// A past failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The passage that was found best.
    pub passage: Place,
    /// Its text, verbatim; absent where the document's report says it in its fields.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The words of it that are nearest to the question and its queries; absent where the report's
    /// fields have them, or the text is no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Quote>,
    /// How well it answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few
    /// passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
    /// What the document tells of the failure.
    pub report: FailureFields,
}

/// A document that speaks of the same and reports no failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlsoRead {
    /// How well its best passage answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few
    /// passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
    /// That passage.
    pub passage: Place,
    /// Its words that are nearest to the question, where it is strongly like it and the first
    /// failure is not, or where no failure was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Quote>,
}

/// A cause, with the results whose documents tell of it. The `root_cause` of the first of them says
/// it in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// Those results, by their passages, best first.
    pub results: Vec<Place>,
    /// How many documents that is.
    pub support: usize,
}

impl FailureFields {
    /// All quotes but those of `checked`.
    pub fn told(&self) -> impl Iterator<Item = &Quote> {
        let lists =
            [&self.symptoms, &self.contributing_factors, &self.impact, &self.denied, &self.actions];
        let events = self.timeline.iter().map(|event| &event.event);
        lists.into_iter().flatten().chain(&self.root_cause).chain(&self.resolution).chain(events)
    }
}

impl Cause {
    /// True of a result that tells of it.
    pub fn is_of(&self, result: &Failure) -> bool {
        self.results.iter().any(|cited| cited.passage_id == result.passage.passage_id)
    }

    /// The best of its results, and how that puts it; `None` where the reply lacks it.
    pub fn best<'r>(&self, results: &'r [Failure]) -> Option<(&'r Failure, &'r Quote)> {
        let first = results.iter().find(|result| self.is_of(result))?;
        Some((first, first.report.root_cause.as_ref()?))
    }
}

/// An examination that the report of a like failure tells of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The report's own words.
    #[serde(flatten)]
    pub quote: Quote,
    /// Its result, by its passage.
    pub result: Place,
}

/// Verbatim words of the document, each with its line in the result's file; what the document does
/// not tell is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureFields {
    /// Observations: behavior, error messages. At most 8, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symptoms: Vec<Quote>,
    /// The cause that the document names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<Quote>,
    /// Circumstances that helped it to happen or made it worse. At most 6, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contributing_factors: Vec<Quote>,
    /// The measure that ended it, or keeps it from coming back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Quote>,
    /// Harm that it did. At most 4, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impact: Vec<Quote>,
    /// Events with their times. At most 20, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<TimelineEvent>,
    /// Examinations on the way to the cause, but for those in `to_check`. At most 4, in the
    /// document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Quote>,
    /// Harm and causes that were not the case. At most 4, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<Quote>,
    /// Measures planned afterwards. At most 6, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Quote>,
}

/// An event of a failure, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEvent {
    /// The time, as the document writes it before the event, beside it or as its heading.
    pub time: String,
    /// The event.
    pub event: Quote,
}
