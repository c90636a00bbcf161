//! What is kept of projects: profiles, members, and the trail.

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionSource};
use wire::projects::{Member, Project, Role};
use wire::trail::{Asked, Digest};

use super::Page;
use crate::scope::Scope;
use model::Result;

/// Keeps a request from being carried out twice: it is written together with what the request creates, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// Who asked.
    pub user: String,
    /// The request's route and the caller's key for it.
    pub key: String,
    /// SHA-256 of the body, in hexadecimal digits.
    pub hash: String,
    /// What was answered, as JSON.
    pub answer: String,
    /// When the request is made.
    pub at: Timestamp,
    /// Until when it is kept.
    pub until: Timestamp,
}

/// What was answered to an earlier request of the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// SHA-256 of that request's body, in hexadecimal digits.
    pub hash: String,
    /// The answer, as JSON.
    pub answer: String,
}

/// What came of a write that is done as a whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is done.
    Done,
    /// Something it rests on has changed meanwhile; nothing was written.
    Stale,
    /// A request of the same key was carried out before; nothing was written.
    Repeated,
}

/// Knows who belongs to a project.
#[async_trait]
pub trait Profiles: Send + Sync {
    /// Gives the profile and what `user` may do, both in one read; `None` where there is no such project or `user`
    /// does not belong to it.
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>>;
}

/// Notes what a project asks.
#[async_trait]
pub trait Notes: Send + Sync {
    /// Notes a question.
    async fn record(&self, project: &str, asked: &Asked) -> Result<()>;
}

/// Knows which requests were carried out already.
#[async_trait]
pub trait Requests: Send + Sync {
    /// Gives what was answered to an earlier request, until that expires.
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>>;
}

/// Keeps profiles and who belongs to them.
#[async_trait]
pub trait Projects: Profiles + Requests {
    /// Gives the profile, for nobody in particular: only a scheduled job asks so.
    async fn profile(&self, project: &str) -> Result<Option<Project>>;

    /// Writes a new project with its owner.
    async fn create(
        &self,
        project: &Project,
        owner: &str,
        guard: Option<&Guard>,
    ) -> Result<Written>;

    /// Writes the profile in place of the version just below its own. What needs review stays as it is.
    async fn update(&self, project: &Project) -> Result<Written>;

    /// Lists the projects that `user` belongs to by id, after `after`.
    async fn projects(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Project, String>>;

    /// Lists who belongs to a project.
    async fn members(&self, project: &str) -> Result<Vec<Member>>;

    /// Lets somebody in as a member; who belongs to it already stays what they are.
    async fn admit(&self, project: &str, user: &str) -> Result<()>;

    /// Lets a member go who is not the owner. Whether they were one.
    async fn remove_member(&self, project: &str, user: &str) -> Result<bool>;

    /// Makes a member the owner, and the owner a member. Whether they were these.
    async fn hand_over(&self, project: &str, from: &str, to: &str) -> Result<bool>;

    /// Lists the projects that a digest may have something to tell of by id, after `after`: those that are planning or
    /// active, and those that were until not long ago.
    async fn active(&self, limit: u32, after: Option<&str>) -> Result<Page<String, String>>;

    /// Takes a project that has ended out of that list.
    async fn archive(&self, project: &str) -> Result<()>;
}

/// A span of ULIDs, both ends excluded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// Only above this one.
    pub above: Option<String>,
    /// Only below this one.
    pub below: Option<String>,
}

/// What is still to be done about a decision that a change wrote: it is to be indexed as it stands since, and what it
/// rests on is to be looked at again. It is written together with the change, so that nothing is lost where a request
/// breaks off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// The change, the ULID of its request.
    pub change: String,
    /// The knowledge bases that a new decision was quoted from, as they were granted; none for an older one.
    pub scopes: Vec<Scope>,
}

/// Keeps a project's questions and decisions.
#[async_trait]
pub trait Trail: Notes {
    /// Lists questions within `span`, newest first, at most `limit`.
    async fn questions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Asked>>;

    /// Writes a new decision with its sources and what is pending of it and, where it takes another one's place, that one
    /// as it stands then, as [`Trail::revise`] does for the same change; both or neither.
    async fn decide(
        &self,
        project: &str,
        (decided, pending): (&Decided, &Pending),
        superseded: Option<&Decision>,
        guard: Option<&Guard>,
    ) -> Result<Written>;

    /// Writes decisions each in place of the version just below its own, and keeps the project's list of decisions
    /// that need review in step; all or none. Each is pending to be indexed where a `change` is told.
    async fn revise(
        &self,
        project: &str,
        decisions: &[&Decision],
        change: Option<&str>,
    ) -> Result<Written>;

    /// Gives what is pending of a decision.
    async fn pending(&self, project: &str, decision: &str) -> Result<Option<Pending>>;

    /// Notes that nothing is pending of a decision any more, but for what a change after `change` left.
    async fn done(&self, project: &str, decision: &str, change: &str) -> Result<()>;

    /// Gives those of the decisions that there are, in no order.
    async fn decisions_named(&self, project: &str, decisions: &[String]) -> Result<Vec<Decision>>;

    /// Lists decisions within `span`, newest first, at most `limit`.
    async fn decisions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Decision>>;

    /// Gives the sources of the decisions from `first` to `last`, both included, each with its decision.
    async fn sources(
        &self,
        project: &str,
        first: &str,
        last: &str,
    ) -> Result<Vec<(String, DecisionSource)>>;

    /// Writes a digest, unless there is one of that period.
    async fn tell(&self, project: &str, digest: &Digest) -> Result<Written>;

    /// Lists digests, newest first, below `below`.
    async fn digests(
        &self,
        project: &str,
        limit: u32,
        below: Option<&str>,
    ) -> Result<Page<Digest, String>>;
}

/// A source that rests on a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Resting {
    /// The project.
    pub project: String,
    /// The decision.
    pub decision: String,
    /// The passage as it was.
    pub source: DecisionSource,
}

/// Knows which decisions rest on a document.
#[async_trait]
pub trait Reviews: Trail {
    /// Whether a decision rests on this document, whosever project it is.
    async fn is_cited(&self, document: Uuid) -> Result<bool>;

    /// Lists every source that is of this document, whosever project it is.
    async fn resting_on(&self, document: Uuid) -> Result<Vec<Resting>>;

    /// Lists decisions of all projects, each with its project, after `after`: at most `limit`, and perhaps none although
    /// more follow.
    async fn decisions_of_all(
        &self,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<(String, Decision), String>>;
}
