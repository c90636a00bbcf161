//! Tests many simultaneous writers on one project, uploads of one document, and uploads into a case
//! that closes: exactly the allowed changes happen, and none is lost.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adapters::Table;
use decisions::projects;
use decisions::projects::{Once, ProjectContext};
use dynamo::Dynamo;
use model::document::document_id;
use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::{Caller, Scope};
use ports::{Cases, DocumentCleanup, Documents, Record, Status as DocumentStatus, Written};
use serde_json::json;
use testing::{Corpus, FakeMembers, caller, live, open_case, project_context, record, stamp};
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
        project_context(&self.caller, stamp, &self.table, &self.members, &self.corpus)
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

/// The uploads of one document.
const UPLOADS: usize = 200;

/// What a writer did, between two ticks of a clock that all share.
#[derive(Debug)]
struct Event {
    begun: u64,
    ended: u64,
    number: usize,
    is_done: bool,
}

/// Runs a writer for each number, in a random order, and returns what each did.
async fn history<F: Future<Output = bool> + Send + 'static>(
    count: usize,
    write: impl Fn(usize) -> F,
) -> Vec<Event> {
    let (clock, turns) = (Arc::new(AtomicU64::new(0)), Arc::new(Semaphore::new(AT_ONCE)));
    let mut numbers: Vec<usize> = (0..count).collect();
    fastrand::Rng::with_seed(7).shuffle(&mut numbers);
    let mut writers = tokio::task::JoinSet::new();
    for number in numbers {
        let (clock, turns, written) = (clock.clone(), turns.clone(), write(number));
        writers.spawn(async move {
            let _turn = turns.acquire().await.unwrap();
            let begun = clock.fetch_add(1, Ordering::SeqCst);
            let is_done = written.await;
            Event { begun, ended: clock.fetch_add(1, Ordering::SeqCst), number, is_done }
        });
    }
    writers.join_all().await
}

fn upload(number: usize) -> Record {
    record("pump.md", &format!("01K{number:023}"))
}

/// The model is a register that keeps the highest version: a write of a lower one is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_hundred_uploads_of_one_name_the_latest_is_found_and_none_goes_back() {
    let table = Arc::new(Dynamo::start().await.table(None));
    let id = upload(0).document_id;
    table.announce(&upload(0), None).await.unwrap();
    let events = history(UPLOADS, |number| {
        let table = table.clone();
        async move {
            let new = upload(number);
            // Another upload may be announced already, with a higher version.
            table.announce(&new, None).await.unwrap();
            table.mark(&new.scope, id, &new.version, &DocumentStatus::Indexing).await.unwrap();
            table.settle(&new.scope, id, &live(&new.version, &new)).await.unwrap()
        }
    })
    .await;
    for one in &events {
        let higher = || events.iter().filter(|other| other.is_done && other.number > one.number);
        if one.is_done {
            let before = higher().find(|other| other.ended < one.begun);
            assert!(before.is_none(), "{one:?} took the place of {before:?}");
        } else {
            assert!(higher().any(|other| other.begun < one.ended), "{one:?} is lost");
        }
    }
    let left = table.document(&upload(0).scope, id).await.unwrap().unwrap();
    assert_eq!(left.live.unwrap().version, upload(UPLOADS - 1).version);
    assert_eq!(left.status, DocumentStatus::Indexed);
}

/// The model is a door: who comes before it closes is let in, and taken away with the case.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_upload_outlives_a_case_that_closes_meanwhile() {
    let table = Arc::new(Dynamo::start().await.table(None));
    let now: jiff::Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let case = open_case("01JCASE0000000000000000001", "ann", now);
    table.create_case(&case, None).await.unwrap();
    let scope = Scope::Case(case.case_id.clone());
    // The writer of the middle closes the case.
    let closer = UPLOADS / 2;
    let events = history(UPLOADS, |number| {
        let (table, scope, id) = (table.clone(), scope.clone(), case.case_id.clone());
        async move {
            if number == closer {
                return table.begin_closing(&id, "ann", now).await.unwrap();
            }
            let new = record(&format!("{number}.log"), "01KUPLOAD");
            let document_id = document_id(&scope, &new.name);
            let new = Record { scope, document_id, ..new };
            table.announce(&new, None).await.is_ok_and(|written| written == Written::Done)
        }
    })
    .await;
    let (closing, uploads): (Vec<&Event>, Vec<&Event>) =
        events.iter().partition(|event| event.number == closer);
    assert!(closing[0].is_done);
    for one in &uploads {
        if one.is_done {
            assert!(one.begun < closing[0].ended, "{one:?} came after {:?}", closing[0]);
        } else {
            assert!(one.ended > closing[0].begun, "{one:?} is lost before {:?}", closing[0]);
        }
    }
    let mut removed = 0;
    for number in 0..UPLOADS {
        let id = document_id(&scope, &format!("{number}.log"));
        removed += usize::from(table.delete_record(&scope, id).await.unwrap());
    }
    assert_eq!(removed, uploads.iter().filter(|one| one.is_done).count());
}
