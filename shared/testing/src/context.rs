//! A caller for tests.

use jiff::SignedDuration;
use serde_json::Value;
use wire::decisions::Decided;

use crate::{Corpus, FakeEmbedder, FakeMembers, FakeProjects};
use decisions::projects;
use decisions::projects::Once;
use model::Result;
use ports::context::RequestContext;
use ports::question::Stamp;
use ports::scope::Caller;
use ports::trail::ulid_at;
use ports::{Projects, Reviews};

/// A caller with their cases and projects: `ann` at a fixed time, by default.
#[derive(Debug)]
pub struct FakeContext {
    /// The caller.
    pub caller: Caller,
    /// The id and the time of the request.
    pub stamp: Stamp,
    /// The caller's cases.
    pub members: FakeMembers,
    /// The caller's projects.
    pub projects: FakeProjects,
}

impl Default for FakeContext {
    fn default() -> FakeContext {
        FakeContext {
            caller: caller("ann"),
            stamp: stamp("2026-11-20T18:00:00Z"),
            members: FakeMembers::default(),
            projects: FakeProjects::default(),
        }
    }
}

/// Returns a caller who is in no group.
pub fn caller(sub: &str) -> Caller {
    Caller {
        sub: sub.into(),
        groups: Vec::new(),
        scopes: Vec::new(),
        has_key: false,
        admin_group: "knowledge-admins".into(),
    }
}

/// Returns a stamp with this RFC 3339 time.
pub fn stamp(time: &str) -> Stamp {
    let time = time.parse().unwrap();
    Stamp { id: ulid_at(time), time }
}

impl FakeContext {
    /// Returns the context of a request.
    pub fn context(&self) -> RequestContext<'_> {
        RequestContext {
            caller: &self.caller,
            stamp: &self.stamp,
            members: &self.members,
            profiles: &self.projects,
            notes: &self.projects,
        }
    }
}

/// Returns the context of the projects' routes over a store, with everything else in memory.
pub fn project_context<'a, S: Projects + Reviews>(
    caller: &'a Caller,
    stamp: &'a Stamp,
    store: &'a S,
    members: &'a FakeMembers,
    corpus: &'a Corpus,
) -> projects::ProjectContext<'a> {
    projects::ProjectContext {
        caller,
        stamp,
        projects: store,
        trail: store,
        members,
        embedder: &FakeEmbedder,
        index: &corpus.index,
        publisher: &corpus.index,
        answers: &corpus.answers,
        tasks: &corpus.tasks,
    }
}

impl FakeContext {
    /// Moves to the next second: the next request has another id and a later time.
    pub fn tick(&mut self) {
        let time = self.stamp.time + SignedDuration::from_secs(1);
        self.stamp = Stamp { id: ulid_at(time), time };
    }

    /// Returns the context of the projects' routes.
    pub fn project_context<'a>(&'a self, corpus: &'a Corpus) -> projects::ProjectContext<'a> {
        project_context(&self.caller, &self.stamp, &self.projects, &self.members, corpus)
    }

    /// Creates a project of the caller and returns its id.
    pub async fn project(&mut self, corpus: &Corpus, profile: Value) -> String {
        self.tick();
        let once = Once { route: "POST /v1/projects", key: None, body: b"" };
        let new = serde_json::from_value(profile).unwrap();
        projects::create(&self.project_context(corpus), &once, new).await.unwrap().project_id
    }

    /// Saves a decision as the caller.
    pub async fn decide(&mut self, corpus: &Corpus, project: &str, new: Value) -> Result<Decided> {
        self.tick();
        let once = Once { route: "POST decisions", key: None, body: b"" };
        let new = serde_json::from_value(new).unwrap();
        let reply = projects::decide(&self.project_context(corpus), project, &once, new).await?;
        Ok(reply.reply.decided)
    }
}
