//! Projects, what was decided in them, and their trail.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{ScoreParts, Source};

/// A project's profile.
#[derive(Debug, Deserialize)]
pub struct Project {
    /// Its id.
    pub project_id: String,
    /// What people call it.
    pub name: String,
    pub(crate) domain: Option<String>,
    #[serde(default)]
    pub(crate) standards: Vec<String>,
    #[serde(default)]
    pub(crate) constraints: Vec<String>,
    pub(crate) status: String,
    pub(crate) version: u64,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    /// The first one first.
    #[serde(default)]
    pub(crate) history: Vec<Move>,
    /// Decisions, by their ids.
    #[serde(default)]
    pub(crate) needs_review: Vec<String>,
    /// Only where one project is told of.
    #[serde(default)]
    pub(crate) members: Vec<Member>,
}

/// A project's move from one status to another.
#[derive(Debug, Deserialize)]
pub(crate) struct Move {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) by: String,
    pub(crate) at: String,
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Member {
    pub(crate) user: String,
    pub(crate) role: String,
}

/// A decision and what it rests on.
#[derive(Debug, Deserialize)]
pub struct Decided {
    /// Its id.
    pub decision_id: String,
    /// What is chosen.
    pub decision: String,
    #[serde(default)]
    pub(crate) alternatives: Vec<String>,
    /// Why.
    pub rationale: String,
    /// How it stands.
    pub status: String,
    /// When.
    pub decided_at: String,
    pub(crate) recorded_at: String,
    pub(crate) by: String,
    pub(crate) supersedes: Option<String>,
    pub(crate) superseded_by: Option<String>,
    pub(crate) version: u64,
    #[serde(default)]
    pub(crate) history: Vec<DecisionMove>,
    #[serde(default)]
    pub(crate) needs_review: Vec<Review>,
    /// What it rests on.
    #[serde(default)]
    pub sources: Vec<DecisionSource>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DecisionMove {
    pub(crate) to: String,
    pub(crate) by: String,
    pub(crate) at: String,
    pub(crate) reason: Option<String>,
}

/// A passage as it was when the decision was recorded.
#[derive(Debug, Deserialize)]
pub struct DecisionSource {
    /// Where it stood.
    #[serde(flatten)]
    pub source: Source,
    pub(crate) relevance: f64,
    /// What it said.
    pub quote: String,
}

/// A source that changed or went.
#[derive(Debug, Deserialize)]
pub(crate) struct Review {
    pub(crate) name: String,
    pub(crate) was: String,
    pub(crate) nearest: Option<Nearest>,
    pub(crate) since: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Nearest {
    /// Absent where the document is not everyone's.
    pub(crate) text: Option<String>,
}

/// An earlier decision that is near to what is asked.
#[derive(Debug, Deserialize)]
pub(crate) struct Related {
    pub(crate) decision_id: String,
    pub(crate) decision: String,
    pub(crate) status: String,
    pub(crate) decided_at: String,
    #[serde(default)]
    pub(crate) score_parts: ScoreParts,
}

/// A question that was asked for a project.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    pub(crate) query_id: String,
    pub(crate) question: String,
    pub(crate) workflow: String,
    /// Best first.
    #[serde(default)]
    pub(crate) results: Vec<IgnoredAny>,
    pub(crate) by: String,
    pub(crate) at: String,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Entry {
    Question(Asked),
    Decision(Box<Decided>),
}

/// The newest entry first.
#[derive(Debug, Deserialize)]
pub(crate) struct Trail {
    pub(crate) project: Project,
    pub(crate) as_of: Option<String>,
    pub(crate) entries: Vec<Entry>,
    #[serde(default)]
    pub(crate) needs_review: Vec<Decided>,
    /// Where there are older entries.
    pub(crate) cursor: Option<String>,
}

/// What happened in a period.
#[derive(Debug, Deserialize)]
pub(crate) struct Digest {
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) to: String,
    #[serde(default)]
    pub(crate) new_decisions: Vec<Line>,
    #[serde(default)]
    pub(crate) accepted: Vec<Line>,
    #[serde(default)]
    pub(crate) rejected: Vec<Line>,
    #[serde(default)]
    pub(crate) superseded: Vec<Superseded>,
    /// Decisions without a source.
    #[serde(default)]
    pub(crate) unsupported: Vec<Line>,
    #[serde(default)]
    pub(crate) needs_review: Vec<Line>,
    #[serde(default)]
    pub(crate) knowledge_gaps: Vec<Unanswered>,
    #[serde(default)]
    pub(crate) status_moves: Vec<Move>,
    #[serde(default)]
    pub(crate) questions: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    pub(crate) decision_id: String,
    pub(crate) decision: String,
    pub(crate) status: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Superseded {
    pub(crate) decision_id: String,
    pub(crate) decision: String,
    /// The id of the decision that took its place.
    pub(crate) by: String,
}

/// A question that was asked again and again without a result.
#[derive(Debug, Deserialize)]
pub(crate) struct Unanswered {
    pub(crate) question: String,
    pub(crate) times: usize,
    pub(crate) last_asked: String,
}
