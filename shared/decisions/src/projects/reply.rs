//! What the projects' routes answer.

use serde::Serialize;
use wire::decisions::{
    DecisionList, DecisionReply, ReindexDecisionsReply, RelatedList, RestingList,
};
use wire::projects::{MemberList, Project, ProjectList, ProjectReply};
use wire::trail::{DigestList, QueryList, TrailPage};

/// What the projects' routes answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// Decisions that were indexed again.
    Again(ReindexDecisionsReply),
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
