//! Decisions that documents record.

use serde::{Deserialize, Serialize};

use super::{Fact, Side};
use crate::lifecycle::Lifecycle;

/// A decision that a document records, or the options that it lists for one. A part is absent if
/// the document does not state it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedDecision {
    /// The sentence that states the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Fact>,
    /// What became of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Lifecycle>,
    /// The document's own day, in UTC: `2026-06-09`.
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
