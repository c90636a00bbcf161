//! Decisions as they are listed, and what stands beside them.

use jiff::Timestamp;
use model::evidence::{ScoreParts, Strength};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Decided, Decision, DecisionStatus};

/// A decision of the project that bears on the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Related {
    /// A ULID.
    pub decision_id: String,
    /// What was chosen.
    pub decision: String,
    /// How it stands.
    pub status: DecisionStatus,
    /// When it was decided.
    pub decided_at: Timestamp,
    /// What was chosen, why, and among what.
    pub content: String,
    /// How near it is to the question, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few
    /// passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
}

/// A decision in its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuccessionLink {
    /// A ULID.
    pub decision_id: String,
    /// What was chosen.
    pub decision: String,
    /// How it stands.
    pub status: DecisionStatus,
    /// When it was decided.
    pub decided_at: Timestamp,
}

impl SuccessionLink {
    /// Names a decision among those of its line.
    pub fn of(decision: &Decision) -> SuccessionLink {
        SuccessionLink {
            decision_id: decision.decision_id.clone(),
            decision: decision.decision.clone(),
            status: decision.status,
            decided_at: decision.decided_at,
        }
    }
}

/// The decisions that a request came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReindexDecisionsReply {
    /// Decisions that are in the index as they stand.
    pub indexed: u32,
    /// Decisions that changed meanwhile: ask again.
    pub changed: u32,
    /// Where the next request goes on; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Earlier decisions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RelatedList {
    /// The decisions, nearest first.
    pub decisions: Vec<Related>,
}

/// A decision.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DecisionReply {
    /// The decision with what it rests on.
    #[serde(flatten)]
    pub decided: Decided,
    /// The line of decisions in which it stands, the oldest first; absent where it stands alone or
    /// none was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<SuccessionLink>,
}

/// A page of decisions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct DecisionList {
    /// The decisions, newest first.
    pub decisions: Vec<Decided>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A decision that rests on a document, with what it rests on there.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RestingDecision {
    /// Its project.
    pub project_id: String,
    /// What that is called.
    pub project_name: String,
    /// The decision, with its sources of that document alone.
    #[serde(flatten)]
    pub decided: Decided,
}

/// The decisions that rest on a document.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RestingList {
    /// Those among the caller's projects, newest first.
    pub decisions: Vec<RestingDecision>,
}
