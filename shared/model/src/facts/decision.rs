//! Decisions that documents record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fact, Side};

/// A decision that a document records, or the options that it lists for one. A part is absent if
/// the document does not state it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedDecision {
    /// The sentence that states the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Fact>,
    /// The status of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<DocumentedStatus>,
    /// The day of the decision, as the document writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The reasons, in the document's order. At most 4 on each side of an option, and of the choice
    /// itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// The names of the listed options. At most 12, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// A reason for or against an option or a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The sentence or item with the reason.
    #[serde(flatten)]
    pub fact: Fact,
    /// The side that the reason takes.
    pub side: Side,
    /// The place of its option among the options; absent for a reason of the choice itself.
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

impl DocumentedStatus {
    /// Returns the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DocumentedStatus::Accepted => "accepted",
            DocumentedStatus::Proposed => "proposed",
            DocumentedStatus::Rejected => "rejected",
            DocumentedStatus::Superseded => "superseded",
        }
    }
}
