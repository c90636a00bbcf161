//! What changed in a project in a period, as it is kept and shown.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::decision::DecisionStatus;
use crate::project::Move;

/// A decision in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DigestLine {
    /// A ULID.
    pub decision_id: String,
    /// What was chosen.
    pub decision: String,
    /// How it stood at the period's end.
    pub status: DecisionStatus,
}

/// A decision that another one took the place of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplacedDecision {
    /// The one that held before.
    #[serde(flatten)]
    pub line: DigestLine,
    /// The id of the one that holds now.
    pub by: String,
}

/// A question that was asked again and again without a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeGap {
    /// The question as it was asked last.
    pub question: String,
    /// How often it was asked in the period.
    pub times: usize,
    /// When it was asked last.
    pub last_asked: Timestamp,
}

/// What changed in a project in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Digest {
    /// The project.
    pub project_id: String,
    /// What it is called.
    pub name: String,
    /// The period's beginning.
    pub from: Timestamp,
    /// The period's end, which is not in it.
    pub to: Timestamp,
    /// When this was told.
    pub made_at: Timestamp,
    /// Decisions recorded in the period.
    pub new_decisions: Vec<DigestLine>,
    /// Proposals accepted in the period.
    pub accepted: Vec<DigestLine>,
    /// Proposals rejected in the period.
    pub rejected: Vec<DigestLine>,
    /// Decisions that another one took the place of in the period.
    pub superseded: Vec<ReplacedDecision>,
    /// Decisions recorded in the period that rest on nothing.
    pub unsupported: Vec<DigestLine>,
    /// Decisions whose evidence changed or went in the period, and was not looked at since.
    pub needs_review: Vec<DigestLine>,
    /// Questions asked at least twice in the period, never with a result.
    pub knowledge_gaps: Vec<KnowledgeGap>,
    /// The project's own moves.
    pub status_moves: Vec<Move>,
    /// How many questions were asked.
    pub questions: usize,
    /// How many entries of these lists are left out, where there were too many.
    #[serde(default)]
    pub left_out: usize,
}

impl Digest {
    /// The period's name, the later the higher; a day and a week that end together have two.
    pub fn period(&self) -> String {
        format!("{}_{}", self.to, self.from)
    }

    /// The most entries of each list.
    pub const MOST: usize = 100;

    /// The most characters that are told of a decision.
    pub const LONGEST: usize = 200;

    /// Whether nothing changed. That questions were asked and answered is no change.
    pub fn is_quiet(&self) -> bool {
        self.new_decisions.is_empty()
            && self.accepted.is_empty()
            && self.rejected.is_empty()
            && self.superseded.is_empty()
            && self.needs_review.is_empty()
            && self.knowledge_gaps.is_empty()
            && self.status_moves.is_empty()
    }
}
