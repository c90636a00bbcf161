//! Decisions that documents record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fact, Side};

/// A decision that a document records, or the options that it lists for one. What it does not tell is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedDecision {
    /// The sentence that says what was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Fact>,
    /// Its status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<DocumentedStatus>,
    /// The day of the decision, as the document writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Reasons that it gives, in the document's order. At most 4 of a side for an option and for the choice itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The names of the options that it lists. At most 12, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// A reason that a decision gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The sentence or item.
    #[serde(flatten)]
    pub fact: Fact,
    /// The side that it takes.
    pub side: Side,
    /// The option that it is on, by its place among the options; absent for a reason of the choice itself.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub option: Option<u16>,
}

/// The status of a recorded decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentedStatus {
    /// It stands.
    Accepted,
    /// It is not decided yet.
    Proposed,
    /// It was decided against.
    Rejected,
    /// Another one took its place.
    Superseded,
}
