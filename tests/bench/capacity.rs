//! Measures the cost of each access pattern of projects in the table, as `DynamoDB` (dynoxide)
//! reports it.
//!
//! `cargo test -p plumbline-tests --bench capacity` prints for each call its requests and the units
//! they consumed. It then pages through a trail of 10,000 entries, and hands out 10,000 projects.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::sync::Mutex;

use adapters::Table;
use async_trait::async_trait;
use aws_sdk_dynamodb::config::SharedInterceptor;
use decisions::digest::{Job, Jobs, Length, Run, last_period};
use decisions::projects::{Once, Page, ProjectContext};
use decisions::{digest, projects};
use dynamo::Dynamo;
use meter::{Meter, Reading};
use model::Result;
use ports::question::Stamp;
use ports::scope::{Caller, Grant, Scope};
use ports::trail::ulid_at;
use ports::{Notes, Profiles, Projects};
use serde_json::{Value, json};
use testing::{Corpus, FakeMembers, FakeTasks, caller, project_context, stamp};
use wire::trail::{Answered, Asked};

#[path = "../dynamo.rs"]
mod dynamo;
#[path = "meter.rs"]
mod meter;

const ENTRIES: i64 = 10_000;
const PROJECTS: i64 = 10_000;

struct Site {
    table: Table,
    corpus: Corpus,
    members: FakeMembers,
    caller: Caller,
    meter: Meter,
    seconds: std::cell::Cell<i64>,
}

impl Site {
    fn context<'a>(&'a self, stamp: &'a Stamp) -> ProjectContext<'a> {
        project_context(&self.caller, stamp, &self.table, &self.members, &self.corpus)
    }

    fn next(&self) -> Stamp {
        self.seconds.set(self.seconds.get() + 1);
        let first = stamp("2026-11-16T08:00:00Z").time;
        let time = first + jiff::SignedDuration::from_secs(self.seconds.get());
        Stamp { id: ulid_at(time), time }
    }

    async fn measured<T>(
        &self,
        name: &str,
        work: impl AsyncFnOnce(&ProjectContext<'_>) -> Result<T>,
    ) -> T {
        let stamp = self.next();
        self.meter.reset();
        let done = work(&self.context(&stamp)).await.unwrap();
        println!("{name:<46} {}", self.meter.take());
        done
    }

    async fn note(&self, project: &str) -> Result<()> {
        let stamp = self.next();
        let result = Answered { passage_id: uuid::Uuid::nil(), score: 0.913 };
        let asked = Asked {
            query_id: stamp.id,
            question: "Which seal lasts longest in hot condensate?".into(),
            workflow: "rcca".into(),
            results: vec![result; 10],
            by: self.caller.sub.clone(),
            at: stamp.time,
        };
        self.table.record(project, &asked).await
    }
}

fn body<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

const ONCE: Once<'_> = Once { route: "", key: None, body: b"" };

async fn access_patterns(site: &Site) -> String {
    let keyed = Once { key: Some("k"), ..ONCE };
    let profile = json!({"name": "Pump station", "domain": "water", "standards": ["ISO 9906"]});
    let project = site
        .measured("create a project, with a key", async |context| {
            projects::create(context, &keyed, body(profile)).await
        })
        .await
        .project_id;
    site.measured("show it, with its members", async |context| {
        projects::show(context, &project).await
    })
    .await;
    let edit = json!({"version": 1, "domain": "steam"});
    site.measured("edit it", async |context| projects::edit(context, &project, body(edit)).await)
        .await;
    let to = json!({"version": 2, "to": "active"});
    site.measured("move it", async |context| {
        projects::move_status(context, &project, body(to)).await
    })
    .await;
    site.measured("let a member in", async |context| {
        projects::invite(context, &project, "bob").await
    })
    .await;
    site.measured("list my projects", async |context| {
        projects::list(context, &Page::default()).await
    })
    .await;
    site.measured("a question: profile and membership", async |_| {
        site.table.project(&project, "ann").await
    })
    .await;
    site.measured("a question: its note, ten results", async |_| site.note(&project).await).await;
    decisions(site, &project).await;
    project
}

async fn decisions(site: &Site, project: &str) {
    let grant = Grant::unchecked(&[Scope::Global]);
    let index: &dyn ports::Index = &site.corpus.index;
    let document = model::document::document_id(&Scope::Global, "seal.md");
    let passages = index.documents(&grant, &[document], &[]).await.unwrap();
    let sources: Vec<Value> = passages
        .iter()
        .map(|passage| json!({"passage_id": passage.id, "relevance": 0.8}))
        .collect();
    let new = |decision: &str| json!({"decision": decision, "rationale": "It lasts longest. ".repeat(60), "alternatives": ["rubber", "carbon"]});
    let decide = async |name: &str, new: Value| {
        let work = async |context: &ProjectContext<'_>| {
            projects::decide(context, project, &ONCE, body(new)).await
        };
        site.measured(name, work).await.reply.decided.decision.decision_id
    };
    let first = decide("save a decision, no sources", new("Rubber seals")).await;
    let mut supported = new("Carbon seals");
    supported["sources"] = json!(sources);
    decide(&format!("save a decision, {} sources", sources.len()), supported).await;
    let mut next = new("Ceramic seals");
    next["supersedes"] = json!(first);
    decide("save one that supersedes another", next).await;
    site.measured("show a decision in its line", async |context| {
        projects::decision(context, project, &first).await
    })
    .await;
    site.measured("tell the trail", async |context| {
        projects::trail(context, project, &Page::default(), None).await
    })
    .await;
    site.measured("which decisions rest on a document", async |context| {
        projects::resting(context, &document.to_string()).await
    })
    .await;
    let (from, to) = last_period(Length::Week, stamp("2026-11-23T06:00:00Z").time);
    let job = Job { project_id: project.into(), from, to };
    site.measured("a digest that is told", async |context| {
        digest::tell(&site.table, &site.table, &FakeTasks::default(), &job, context.stamp.time)
            .await
    })
    .await;
}

/// Writes a trail of [`ENTRIES`] questions and pages through it, newest first.
async fn long_trail(site: &Site, project: &str) {
    for _ in 0..ENTRIES {
        site.note(project).await.unwrap();
    }
    let (mut cursor, mut pages) = (None::<String>, Vec::<Reading>::new());
    loop {
        let stamp = site.next();
        site.meter.reset();
        let page = Page { limit: Some("100"), cursor: cursor.as_deref() };
        let trail = projects::trail(&site.context(&stamp), project, &page, None).await.unwrap();
        pages.push(site.meter.take());
        cursor = trail.cursor;
        if cursor.is_none() {
            break;
        }
    }
    println!("\na trail of {ENTRIES} entries in {} pages of 100:", pages.len());
    for place in [0, pages.len() / 2, pages.len() - 2, pages.len() - 1] {
        println!("  page {:<5} {}", place + 1, pages[place]);
    }
}

struct Taken(Mutex<usize>);

#[async_trait]
impl Jobs for Taken {
    async fn send(&self, jobs: &[Job]) -> Result<()> {
        *self.0.lock().unwrap() += jobs.len();
        Ok(())
    }
}

async fn fan_out(site: &Site) {
    for _ in 0..PROJECTS {
        let stamp = site.next();
        let new = body(json!({"name": "One of many"}));
        projects::create(&site.context(&stamp), &ONCE, new).await.unwrap();
    }
    let taken = Taken(Mutex::new(0));
    site.meter.reset();
    let (run, now) = (Run { period: Length::Week }, stamp("2026-11-23T06:00:00Z").time);
    digest::fan_out(&site.table, &taken, run, now).await.unwrap();
    println!("\n{} projects handed out: {}", taken.0.lock().unwrap(), site.meter.take());
    let id = site.table.active(1, None).await.unwrap().items.swap_remove(0);
    let (from, to) = last_period(Length::Week, now);
    let job = Job { project_id: id, from: from - jiff::SignedDuration::from_hours(168), to: from };
    site.measured("a digest of a quiet week", async |_| {
        digest::tell(&site.table, &site.table, &FakeTasks::default(), &job, to).await
    })
    .await;
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let dynamo = Dynamo::start().await;
    let meter = Meter::default();
    let text = "# Seal\n\n## Hours\n\nThe carbon seal lasted 900 hours.\n\n## Cost\n\nIt costs EUR 40.\n\n## Heat\n\nIt bears 180 degrees.\n";
    let site = Site {
        table: dynamo.table(Some(SharedInterceptor::new(meter.clone()))),
        corpus: Corpus::of(&[("seal.md", text)]).await,
        members: FakeMembers::default(),
        caller: caller("ann"),
        meter,
        seconds: std::cell::Cell::new(0),
    };
    let project = access_patterns(&site).await;
    long_trail(&site, &project).await;
    fan_out(&site).await;
}
