//! What is sent to record, move and look for decisions.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::DecisionStatus;

/// Asks for the earlier decisions nearest to one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRelated {
    /// What is about to be chosen, or a subject, 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    pub decision: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// How many are wanted, 1 to 50; 10 where absent.
    #[schemars(range(min = 1, max = 50))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u32>,
}

/// Saves a decision.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDecision {
    /// What was chosen, in one line of 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    pub decision: String,
    /// What it was chosen from, the others and itself, up to 100 of up to 500 characters.
    #[schemars(length(max = 100), inner(length(min = 1, max = 500)))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// Why, 1 to 10,000 characters.
    #[schemars(length(min = 1, max = 10000))]
    pub rationale: String,
    /// What it rests on, up to 50 passages.
    #[schemars(length(max = 50))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Reference>,
    /// `proposed`, `accepted` or `rejected`; `accepted` where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<DecisionStatus>,
    /// The accepted decision whose place it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// When it was decided, not after now; now where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    /// Where the sources are: `global`, `user`, `case:<id>`, `team:<id>`; `["global"]` where
    /// absent.
    #[schemars(inner(regex(pattern = "^(global|user|case:.+|team:.+)$")))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knowledge: Vec<String>,
    /// Kept answers of these knowledge bases that cite the sources, up to 16 (`answer_id` in their
    /// `meta`): while the index is away they are quoted from there.
    #[schemars(length(max = 16))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// True if all members of the project shall read what is quoted of the caller's own documents,
    /// of a case or of a team. Without it such sources are refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub share: bool,
}

/// A passage that a decision rests on.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The passage.
    pub passage_id: Uuid,
    /// How much the decision rests on it: 1 wholly, 0.1 hardly.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance: f64,
}

/// Accepts or rejects a proposal; or confirms a decision whose evidence changed, by the status that
/// it has already.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDecisionMove {
    /// The status wanted.
    pub to: DecisionStatus,
    /// Why, up to 1,000 characters.
    #[schemars(length(min = 1, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The version that the caller has seen.
    pub version: u64,
    /// The accepted decision whose place it takes when it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
}

/// Asks for decisions to be indexed again, as many as one request can do.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReindexDecisionsRequest {
    /// Where to go on, from the reply before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}
