//! The replies of the routes for projects.

use serde::Serialize;
use wire::decisions::{
    DecisionList, DecisionReply, ReindexDecisionsReply, RelatedList, RestingList,
};
use wire::projects::{InvitationList, MemberList, Project, ProjectList, ProjectReply};
use wire::trail::{Asked, DigestList, QueryList, TrailPage};

/// A reply of the routes for projects.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// The decisions that were indexed again.
    Again(ReindexDecisionsReply),
    /// A profile.
    Project(Project),
    /// A profile with its members.
    ProjectReply(ProjectReply),
    /// The caller's projects.
    Projects(ProjectList),
    /// The members of a project.
    Members(MemberList),
    /// The invitations to the caller.
    Invitations(InvitationList),
    /// A question that was noted.
    Note(Asked),
    /// The questions of a project.
    Queries(QueryList),
    /// The related earlier decisions.
    Related(RelatedList),
    /// One decision.
    Decision(DecisionReply),
    /// The decisions of a project.
    Decisions(DecisionList),
    /// A page of the trail.
    Trail(TrailPage),
    /// The digests of a project.
    Digests(DigestList),
    /// The decisions that cite a document.
    Resting(RestingList),
}
