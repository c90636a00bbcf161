//! What the projects' routes take and answer.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::decision::{Decided, DecisionStatus};
use crate::project::{Member, Project, Status};
use crate::related::Related;
use crate::strategy::Degraded;
use crate::succession::SuccessionLink;
use crate::trail::{Asked, Digest, TrailPage};

/// Creates a project.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    /// What it is called, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// The field it works in, up to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub domain: Option<String>,
    /// The standards that hold for it, up to 50 of up to 200 characters.
    #[schemars(length(max = 50), inner(length(min = 1, max = 200)))]
    #[serde(default)]
    pub standards: Vec<String>,
    /// What it must respect, up to 50 of up to 500 characters.
    #[schemars(length(max = 50), inner(length(min = 1, max = 500)))]
    #[serde(default)]
    pub constraints: Vec<String>,
}

/// Changes a profile; what is absent stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectChange {
    /// The version that the caller has seen.
    pub version: u64,
    /// What it is called, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub name: Option<String>,
    /// The field it works in; empty takes it away.
    pub domain: Option<String>,
    /// The standards that hold for it, all of them.
    #[schemars(length(max = 50), inner(length(min = 1, max = 200)))]
    pub standards: Option<Vec<String>>,
    /// What it must respect, all of it.
    #[schemars(length(max = 50), inner(length(min = 1, max = 500)))]
    pub constraints: Option<Vec<String>>,
}

/// Moves a project.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMove {
    /// The status wanted.
    pub to: Status,
    /// Why, up to 1,000 characters.
    #[schemars(length(min = 1, max = 1000))]
    pub reason: Option<String>,
    /// The version that the caller has seen.
    pub version: u64,
}

/// Asks for the earlier decisions nearest to one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRelated {
    /// What is about to be chosen, 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    pub decision: String,
    /// Why.
    pub rationale: Option<String>,
    /// How many are wanted, 1 to 50; 10 where absent.
    #[schemars(range(min = 1, max = 50))]
    pub top_k: Option<u32>,
}

/// Saves a decision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDecision {
    /// What was chosen, in one line of 1 to 500 characters.
    #[schemars(length(min = 1, max = 500))]
    pub decision: String,
    /// What it was chosen from, the others and itself, up to 100 of up to 500 characters.
    #[schemars(length(max = 100), inner(length(min = 1, max = 500)))]
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// Why, 1 to 10,000 characters.
    #[schemars(length(min = 1, max = 10000))]
    pub rationale: String,
    /// What it rests on, up to 50 passages.
    #[schemars(length(max = 50))]
    #[serde(default)]
    pub sources: Vec<Reference>,
    /// `proposed`, `accepted` or `rejected`; `accepted` where absent.
    pub status: Option<DecisionStatus>,
    /// The accepted decision whose place it takes.
    pub supersedes: Option<String>,
    /// When it was decided, not after now; now where absent.
    pub decided_at: Option<Timestamp>,
    /// Where the sources are: `global`, `user`, `case:<id>`, `team:<id>`; `["global"]` where absent.
    #[schemars(inner(regex(pattern = "^(global|user|case:.+|team:.+)$")))]
    #[serde(default)]
    pub knowledge: Vec<String>,
    /// Kept answers of these knowledge bases that cite the sources, up to 16 (`answer_id` in their `meta`): while the index is away they are quoted
    /// from there.
    #[schemars(length(max = 16))]
    #[serde(default)]
    pub answers: Vec<String>,
}

/// A passage that a decision rests on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The passage.
    pub chunk_id: Uuid,
    /// How much the decision rests on it: 1 wholly, 0.1 hardly.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance: f64,
}

/// Accepts or rejects a proposal; or confirms a decision whose evidence changed, by the status that it has already.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDecisionMove {
    /// The status wanted.
    pub to: DecisionStatus,
    /// Why, up to 1,000 characters.
    #[schemars(length(min = 1, max = 1000))]
    pub reason: Option<String>,
    /// The version that the caller has seen.
    pub version: u64,
    /// The accepted decision whose place it takes when it is accepted.
    pub supersedes: Option<String>,
}

/// A project with its members.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProjectReply {
    /// The profile.
    #[serde(flatten)]
    pub project: Project,
    /// Who belongs to it.
    pub members: Vec<Member>,
}

/// A page of the caller's projects.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProjectList {
    /// The projects by id, oldest first.
    pub projects: Vec<Project>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Who belongs to a project.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MemberList {
    /// The members, by name.
    pub members: Vec<Member>,
}

/// A page of what was asked.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct QueryList {
    /// The questions, newest first.
    pub queries: Vec<Asked>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Earlier decisions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RelatedList {
    /// The decisions, nearest first.
    pub decisions: Vec<Related>,
}

/// A decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecisionReply {
    /// The decision with what it rests on.
    #[serde(flatten)]
    pub decided: Decided,
    /// The line of decisions in which it stands, the oldest first; absent where it stands alone or none was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<SuccessionLink>,
    /// What is missing.
    #[serde(skip)]
    pub degraded: Vec<Degraded>,
}

impl DecisionReply {
    /// The decision alone.
    pub(super) fn of(decided: Decided) -> DecisionReply {
        DecisionReply { decided, line: Vec::new(), degraded: Vec::new() }
    }
}

/// A page of decisions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecisionList {
    /// The decisions, newest first.
    pub decisions: Vec<Decided>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A page of digests.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DigestList {
    /// The digests, newest first.
    pub digests: Vec<Digest>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A decision that rests on a document, with what it rests on there.
#[derive(Debug, Clone, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RestingList {
    /// Those among the caller's projects, newest first.
    pub decisions: Vec<RestingDecision>,
}

/// What the projects' routes answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// Decisions that were indexed again.
    Again(super::ReindexDecisionsReply),
    /// A profile.
    Project(Project),
    /// A profile with its members.
    ProjectReply(ProjectReply),
    /// The caller's projects.
    Projects(ProjectList),
    /// Who belongs to one.
    Members(MemberList),
    /// What was asked.
    Queries(QueryList),
    /// Earlier decisions.
    Related(RelatedList),
    /// A decision.
    Decision(DecisionReply),
    /// Decisions.
    Decisions(DecisionList),
    /// The trail.
    Trail(TrailPage),
    /// Digests.
    Digests(DigestList),
    /// Decisions on a document.
    Resting(RestingList),
}
