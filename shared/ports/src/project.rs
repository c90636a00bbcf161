//! Stores of projects: profiles, members, and the trail.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionSource};
use wire::projects::{Invitation, Member, Project, Role};
use wire::trail::{Asked, Digest};

use super::Page;
use crate::scope::Scope;
use model::Result;

/// Prevents that a request takes effect twice. It is written together with what the request
/// creates, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The sender of the request.
    pub user: String,
    /// The request's route and the caller's key for it.
    pub key: String,
    /// SHA-256 of the body, in hexadecimal digits.
    pub hash: String,
    /// The answer, as JSON.
    pub answer: String,
    /// The time of the request.
    pub at: Timestamp,
    /// The time until which the guard is stored.
    pub until: Timestamp,
}

/// The answer to an earlier request with the same key.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Kept {
    /// SHA-256 of that request's body, in hexadecimal digits.
    pub hash: String,
    /// The answer, as JSON.
    pub answer: String,
}

/// The outcome of a write that is done as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The write is done.
    Done,
    /// The data that the write depends on has changed meanwhile. Nothing was written.
    Stale,
    /// A request with the same key was done before. Nothing was written.
    Repeated,
}

/// Knows the members of projects.
#[async_trait]
pub trait Profiles: Send + Sync {
    /// Returns the profile and the role of `user`, both in one read; `None` if there is no such
    /// project or `user` is not a member.
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>>;
}

/// Records the questions of projects.
#[async_trait]
pub trait Notes: Send + Sync {
    /// Records a question.
    async fn record(&self, project: &str, asked: &Asked) -> Result<()>;
}

/// Stores the answers to earlier requests.
#[async_trait]
pub trait Requests: Send + Sync {
    /// Returns the answer to an earlier request, until it expires.
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>>;
}

/// Stores profiles and members.
#[async_trait]
pub trait Projects: Profiles + Requests {
    /// Returns the profile without a check of the user; only a scheduled job needs this.
    async fn profile(&self, project: &str) -> Result<Option<Project>>;

    /// Writes a new project with its owner.
    async fn create(
        &self,
        project: &Project,
        owner: &str,
        guard: Option<&Guard>,
    ) -> Result<Written>;

    /// Replaces the previous version of the profile by this one. The decisions that need review
    /// stay as they are.
    async fn update(&self, project: &Project) -> Result<Written>;

    /// Lists the projects of which `user` is a member by id, after `after`.
    async fn projects(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Project, String>>;

    /// Lists the members of a project, and those who are invited.
    async fn members(&self, project: &str) -> Result<Vec<Member>>;

    /// Invites a user to the project of this invitation; an existing member stays what they are.
    async fn invite(&self, user: &str, invitation: &Invitation) -> Result<()>;

    /// Makes an invited user a member. Returns true if they were invited.
    async fn join(&self, project: &str, user: &str) -> Result<bool>;

    /// Lists the invitations to a user, of projects and of cases.
    async fn invitations(&self, user: &str) -> Result<Vec<Invitation>>;

    /// Removes a member who is not the owner, or an invitation. Returns true if there was one.
    async fn remove_member(&self, project: &str, user: &str) -> Result<bool>;

    /// Makes a member the owner, and the owner a member. Returns true if they had these roles.
    async fn hand_over(&self, project: &str, from: &str, to: &str) -> Result<bool>;

    /// Lists the projects that may need a digest by id, after `after`: those that are planning or
    /// active, and those that ended recently.
    async fn active(&self, limit: u32, after: Option<&str>) -> Result<Page<String, String>>;

    /// Removes an ended project from that list.
    async fn archive(&self, project: &str) -> Result<()>;

    /// Removes a project with its members, questions and decisions.
    async fn erase(&self, project: &str) -> Result<()>;
}

/// A span of ULIDs, both ends excluded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// The lower end; only ULIDs above it are in the span.
    pub above: Option<String>,
    /// The upper end; only ULIDs below it are in the span.
    pub below: Option<String>,
}

/// The pending work of a decision after a change: its current form must be indexed, and its sources
/// must be checked again. It is written together with the change, so that nothing is lost if the
/// request is interrupted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Pending {
    /// The change: the ULID of its request.
    pub change: String,
    /// The granted knowledge bases that a new decision quotes; none for an older decision.
    pub scopes: Vec<Scope>,
}

/// Stores a project's questions and decisions.
#[async_trait]
pub trait Trail: Notes {
    /// Lists questions within `span`, newest first, at most `limit`.
    async fn questions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Asked>>;

    /// Writes a new decision with its sources and its pending work. If it supersedes another
    /// decision, that one is written with its new status, as by [`Trail::revise`] for the same
    /// change; both or neither.
    async fn decide(
        &self,
        project: &str,
        decided: &Decided,
        pending: &Pending,
        superseded: Option<&Decision>,
        guard: Option<&Guard>,
    ) -> Result<Written>;

    /// Replaces the previous version of each decision by this one, and updates the project's list
    /// of decisions that need review; all or none. With a `change`, each decision is pending to be
    /// indexed.
    async fn revise(
        &self,
        project: &str,
        decisions: &[&Decision],
        change: Option<&str>,
    ) -> Result<Written>;

    /// Returns the pending work of a decision.
    async fn pending(&self, project: &str, decision: &str) -> Result<Option<Pending>>;

    /// Records that a decision has no pending work, except for that of changes after `change`.
    async fn done(&self, project: &str, decision: &str, change: &str) -> Result<()>;

    /// Returns those of the decisions that exist, in no order.
    async fn decisions_named(&self, project: &str, decisions: &[String]) -> Result<Vec<Decision>>;

    /// Lists decisions within `span`, newest first, at most `limit`.
    async fn decisions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Decision>>;

    /// Returns the sources of the decisions from `first` to `last`, both included, each with its
    /// decision.
    async fn sources(
        &self,
        project: &str,
        first: &str,
        last: &str,
    ) -> Result<Vec<(String, DecisionSource)>>;

    /// Writes a digest, unless there is one for that period.
    async fn tell(&self, project: &str, digest: &Digest) -> Result<Written>;

    /// Returns the digest of a period, by its name ([`Digest::period`]).
    async fn digest(&self, project: &str, period: &str) -> Result<Option<Digest>>;

    /// Lists digests below `below`, newest first.
    async fn digests(
        &self,
        project: &str,
        limit: u32,
        below: Option<&str>,
    ) -> Result<Page<Digest, String>>;
}

/// A source of a decision that belongs to a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Resting {
    /// The project of the decision.
    pub project: String,
    /// The decision.
    pub decision: String,
    /// The passage as it was quoted.
    pub source: DecisionSource,
}

/// Knows the decisions that cite a document.
#[async_trait]
pub trait Reviews: Trail {
    /// Returns true if a decision of any project cites this document.
    async fn is_cited(&self, document: Uuid) -> Result<bool>;

    /// Lists every source from this document, in all projects.
    async fn resting_on(&self, document: Uuid) -> Result<Vec<Resting>>;

    /// Lists decisions of all projects, each with its project, after `after`: at most `limit`, and
    /// possibly none even if more follow.
    async fn decisions_of_all(
        &self,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<(String, Decision), String>>;
}
