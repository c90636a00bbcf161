//! The trail: a project's questions and decisions, and how people read them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::decision::Decided;
use crate::project::Project;

mod digest;
mod html;
mod madr;
mod markdown;
#[cfg(test)]
mod sample;
mod timeline;

pub use self::digest::{Digest, DigestLine, KnowledgeGap, ReplacedDecision};
pub use self::html::html;
pub use self::madr::madr;
pub use self::markdown::markdown;

/// A result that a question was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// The passage.
    pub chunk_id: Uuid,
    /// Its score in that answer.
    pub score: f64,
}

impl Answered {
    /// Passages with their scores, each passage once with its best score; best first.
    pub fn best(results: impl Iterator<Item = (Uuid, f64)>) -> Vec<Answered> {
        let mut best: Vec<Answered> = Vec::new();
        for (chunk_id, score) in results {
            match best.iter_mut().find(|own| own.chunk_id == chunk_id) {
                Some(own) => own.score = own.score.max(score),
                None => best.push(Answered { chunk_id, score }),
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

/// The lowest ULID of `time`: what was recorded at that time or later has none below it.
pub fn ulid_at(time: Timestamp) -> String {
    let since_1970 = u64::try_from(time.as_millisecond()).unwrap_or_default();
    ulid::Ulid::from_parts(since_1970, 0).to_string()
}

/// An entry of the trail.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrailPage {
    /// Whose trail.
    pub project: Project,
    /// The time that it is told as of, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// The entries, newest first.
    pub entries: Vec<TrailEntry>,
    /// The decisions whose evidence changed or went, whether they stand on this page or not.
    pub needs_review: Vec<Decided>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}
