//! What failed like this before, and why.

use crate::request::workflow_request;
use model::evidence::{Passage, ScoreParts, Source, Strength};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

workflow_request! {
    /// Describes a failure to find earlier ones like it.
    pub struct RccaRequest {
        /// What happens, in the caller's own words; 1 to 2,000 characters.
        question,
        /// The project that it is asked for: it is noted in that project's trail, whose decisions come beside the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// How many past failures are wanted, 1 to 50; 10 where absent.
        top_k,
    }
}

/// Past failures like the one described, and the causes that they share.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RccaReport {
    /// Always `rcca_analysis`.
    pub result_type: String,
    /// One result per document that reports a failure, best first; as many as `top_k` says.
    pub results: Vec<Failure>,
    /// What caused the first three of them, the cause that most documents support first; empty where these name none.
    pub causes: Vec<Cause>,
    /// What was checked in the first three of them and the question does not mention. At most two of each.
    pub to_check: Vec<Check>,
    /// Documents that speak of the same and report no failure: guides, decisions, standards. At most 3.
    pub also_read: Vec<AlsoRead>,
    /// How many results there are.
    pub total_results: usize,
}

/// A past failure.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The passage that was found best.
    pub chunk_id: Uuid,
    /// Its text, verbatim; absent where the document's report says it in its fields.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// How well it answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
    /// Where the passage stands.
    pub source: Source,
    /// What the document tells of the failure.
    pub report: FailureFields,
}

/// A document that speaks of the same and reports no failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlsoRead {
    /// How well its best passage answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
    /// That passage.
    pub source: Source,
}

/// A cause, with the results whose documents tell of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// How the best of these results puts it.
    pub cause: Passage,
    /// Those results' `chunk_id`s, best first.
    pub results: Vec<Uuid>,
    /// How many documents that is.
    pub support: usize,
}

/// An examination that the report of a like failure tells of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The report's own words.
    pub check: Passage,
    /// The `chunk_id` of its result.
    pub result: Uuid,
}

/// Verbatim passages of the document, each with the place where it stands; what the document does not tell is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureFields {
    /// Observations: behavior, error messages. At most 8, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symptoms: Vec<Passage>,
    /// The cause that the document names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<Passage>,
    /// Circumstances that helped it to happen or made it worse. At most 6, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contributing_factors: Vec<Passage>,
    /// The measure that ended it, or keeps it from coming back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Passage>,
    /// Harm that it did. At most 4, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impact: Vec<Passage>,
    /// Events with their times. At most 20, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<TimelineEvent>,
    /// Examinations on the way to the cause. At most 4, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Passage>,
    /// Harm and causes that were not the case. At most 4, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<Passage>,
    /// Measures planned afterwards. At most 6, in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Passage>,
}

/// An event of a failure, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEvent {
    /// The time, as the document writes it before the event, beside it or as its heading.
    pub time: String,
    /// The event.
    pub event: Passage,
}
