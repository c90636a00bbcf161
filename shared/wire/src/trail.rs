//! The trail: what was asked and decided for a project.

use crate::decisions::{Decided, DecisionStatus};
use crate::projects::{Move, Project};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A result that a question was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// The passage.
    pub passage_id: Uuid,
    /// Its score in that answer.
    pub score: f64,
}

impl Answered {
    /// Passages with their scores, each passage once with its best score; best first.
    pub fn best(results: impl Iterator<Item = (Uuid, f64)>) -> Vec<Answered> {
        let mut best: Vec<Answered> = Vec::new();
        for (passage_id, score) in results {
            match best.iter_mut().find(|answered| answered.passage_id == passage_id) {
                Some(answered) => answered.score = answered.score.max(score),
                None => best.push(Answered { passage_id, score }),
            }
        }
        best.sort_by(|a, b| b.score.total_cmp(&a.score));
        best
    }
}

/// A question that was asked for a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// The request's id, a ULID.
    pub query_id: String,
    /// The question.
    pub question: String,
    /// Which workflow answered it.
    pub workflow: String,
    /// What it answered, best first; at most [`Asked::RESULTS`].
    pub results: Vec<Answered>,
    /// Who asked.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

impl Asked {
    /// The most results that are kept of an answer.
    pub const RESULTS: usize = 50;
}

/// A question to be noted in a project's trail.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// The question, 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub question: String,
}

/// An entry of the trail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TrailEntry {
    /// A question.
    Question(Asked),
    /// A decision.
    Decision(Decided),
}

impl TrailEntry {
    /// Its ULID: the later it was recorded, the higher.
    pub fn id(&self) -> &str {
        match self {
            TrailEntry::Question(asked) => &asked.query_id,
            TrailEntry::Decision(decided) => &decided.decision.decision_id,
        }
    }
}

/// A page of the trail, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrailPage {
    /// Whose trail.
    pub project: Project,
    /// The time that it is told as of, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// The entries, newest first.
    pub entries: Vec<TrailEntry>,
    /// The decisions whose evidence changed or went, whether they stand on this page or not.
    pub needs_review: Vec<Decided>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
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

/// A decision that another one took the place of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplacedDecision {
    /// The one that held before.
    #[serde(flatten)]
    pub line: DigestLine,
    /// The id of the one that holds now.
    pub by: String,
}

/// A page of what was asked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct QueryList {
    /// The questions, newest first.
    pub queries: Vec<Asked>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A page of digests.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct DigestList {
    /// The digests, newest first.
    pub digests: Vec<Digest>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}
