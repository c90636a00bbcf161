//! Tests many simultaneous writers on one project: exactly the allowed changes happen, and none is
//! lost.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::sync::Arc;

use adapters::Table;
use decisions::projects;
use decisions::projects::{Once, ProjectContext};
use dynamo::Dynamo;
use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::Caller;
use serde_json::json;
use testing::{Corpus, FakeMembers, caller, project_context, stamp};
use tokio::sync::Semaphore;
use wire::projects::{Project, Status};

#[path = "dynamo.rs"]
mod dynamo;

/// The number of writers.
const WRITERS: usize = 1_000;
/// The number of writers that read and write at the same time.
const AT_ONCE: usize = 50;

struct Site {
    table: Table,
    corpus: Corpus,
    members: FakeMembers,
    caller: Caller,
}

impl Site {
    fn context<'a>(&'a self, stamp: &'a Stamp) -> ProjectContext<'a> {
        project_context(&self.caller, stamp, &self.table, (&self.members, &self.corpus))
    }

    async fn read(&self, project: &str) -> Project {
        let stamp = stamp("2026-11-20T18:00:00Z");
        projects::show(&self.context(&stamp), project).await.unwrap().project
    }

    /// Reads the project, then moves it if the number is a multiple of 4, else edits it.
    async fn change(&self, project: &str, number: usize) -> Result<Project> {
        let stamp = stamp("2026-11-20T18:00:00Z");
        let context = self.context(&stamp);
        let read = projects::show(&context, project).await?.project;
        if number.is_multiple_of(4) {
            let to = if read.status == Status::Planning { "active" } else { "completed" };
            let wanted = json!({"to": to, "version": read.version, "reason": number.to_string()});
            let wanted = serde_json::from_value(wanted).unwrap();
            return projects::move_status(&context, project, wanted).await;
        }
        let mut constraints = read.constraints;
        constraints.truncate(49);
        constraints.push(format!("edit {number}"));
        let change = json!({"version": read.version, "constraints": constraints});
        projects::edit(&context, project, serde_json::from_value(change).unwrap()).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_thousand_moves_and_edits_exactly_the_allowed_ones_happen() {
    let site = Arc::new(Site {
        table: Dynamo::start().await.table(None),
        corpus: Corpus::default(),
        members: FakeMembers::default(),
        caller: caller("ann"),
    });
    let first = stamp("2026-11-20T18:00:00Z");
    let new = serde_json::from_value(json!({"name": "Pump"})).unwrap();
    let once = Once { route: "POST /v1/projects", key: None, body: b"" };
    let project = projects::create(&site.context(&first), &once, new).await.unwrap().project_id;
    let (mut writers, turns) = (tokio::task::JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
    for number in 0..WRITERS {
        let (site, project, turns) = (site.clone(), project.clone(), turns.clone());
        writers.spawn(async move {
            let _turn = turns.acquire().await.unwrap();
            (number, site.change(&project, number).await)
        });
    }
    let mut done = BTreeSet::new();
    while let Some(ended) = writers.join_next().await {
        let (number, result) = ended.unwrap();
        match result {
            Ok(written) => assert!(done.insert(written.version), "{} twice", written.version),
            Err(Error::Conflict { field: "version" | "to", reason }) => {
                let both = reason.contains("at version") || reason.contains("cannot go from");
                assert!(both, "{number}: {reason}");
            }
            Err(error) => panic!("{number}: {error}"),
        }
    }
    let left = site.read(&project).await;
    // Every version from the second on was written by exactly one writer, and only that writer was
    // told so.
    assert_eq!(left.version, 1 + done.len() as u64);
    assert_eq!(done, (2..=left.version).collect());
    let moves: Vec<(Status, Status)> =
        left.history.iter().map(|change| (change.from, change.to)).collect();
    let allowed = [(Status::Planning, Status::Active), (Status::Active, Status::Completed)];
    assert_eq!(moves, allowed[..moves.len()]);
    let edits = left.constraints.iter().collect::<BTreeSet<_>>().len();
    assert_eq!(edits, left.constraints.len(), "an edit is lost or doubled");
    assert!(edits > 0 && !moves.is_empty());
}
