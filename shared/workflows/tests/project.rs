//! Tests the effects of a project on a question: the calls, their order, and the consequences if
//! one fails.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::future::poll_fn;
use std::sync::Mutex;
use std::task::Poll;

use ask::Ask;
use async_trait::async_trait;
use model::Result;
use model::document::Passage;
use pollster::block_on;
use ports::context::RequestContext;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Embedder, Embedding, Index, Notes, Profiles, Purpose, Ranked, Search};
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};
use uuid::Uuid;
use wire::projects::{Project, Role};
use wire::trail::Asked;
use workflows::rcca;

const PUMP: &str = "# Pump tripped\n\n## Symptoms\n\nThe pump tripped on vibration.\n\n## Root cause\n\nThe coupling was out of line.\n";
const FAN: &str = "# Fan tripped\n\n## Symptoms\n\nThe fan tripped on vibration, against ISO 20816-1.\n\n## Root cause\n\nA blade was bent.\n";

/// Services that record the begin and the end of each call. Each call takes a moment, in which
/// another one may begin.
struct Watched<'a> {
    context: &'a FakeContext,
    corpus: &'a Corpus,
    calls: Mutex<Vec<String>>,
}

impl Watched<'_> {
    async fn call<T>(&self, name: &str, work: impl Future<Output = T>) -> T {
        self.calls.lock().unwrap().push(format!("{name} begins"));
        let mut waited = false;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        let done = work.await;
        self.calls.lock().unwrap().push(format!("{name} ends"));
        done
    }
}

#[async_trait]
impl Embedder for Watched<'_> {
    fn space(&self) -> String {
        FakeEmbedder.space()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.call("embed", FakeEmbedder.embed(texts, purpose)).await
    }
}

#[async_trait]
impl Index for Watched<'_> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        self.call("search", self.corpus.index.search(grant, filters, searches)).await
    }

    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        passages: &[Uuid],
    ) -> Result<Vec<Passage>> {
        self.call("read", self.corpus.index.documents(grant, documents, passages)).await
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.call("passages", self.corpus.index.passages(grant, ids)).await
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.call("read", self.corpus.index.points(grant, ids)).await
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        self.call("embeddings", self.corpus.index.embeddings(grant, ids)).await
    }

    async fn scan(
        &self,
        grant: &Grant,
        of: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        self.call("scan", self.corpus.index.scan(grant, of, limit)).await
    }
}

#[async_trait]
impl Profiles for Watched<'_> {
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>> {
        self.call("profile", self.context.projects.project(project, user)).await
    }
}

#[async_trait]
impl Notes for Watched<'_> {
    async fn record(&self, project: &str, asked: &Asked) -> Result<()> {
        self.call("note", self.context.projects.record(project, asked)).await
    }
}

fn site() -> (FakeContext, Corpus, String) {
    block_on(async {
        let documents = [("pump.md", PUMP), ("fan.md", FAN)];
        let (mut context, corpus) = (FakeContext::default(), Corpus::of(&documents).await);
        let profile = json!({"name": "Fans", "standards": ["ISO 20816-1"], "domain": "bent blade"});
        let project = context.project(&corpus, profile).await;
        (context, corpus, project)
    })
}

fn ask(
    context: &FakeContext,
    corpus: &Corpus,
    project: Option<&str>,
) -> (Result<Value>, Vec<String>, usize) {
    let watched = Watched { context, corpus, calls: Mutex::default() };
    let context = RequestContext { profiles: &watched, notes: &watched, ..context.context() };
    let ask = Ask::new(context, &watched, &watched);
    let request = json!({
        "question": "it trips on vibration", "project_id": project, "top_k": 5, "explain": true
    });
    let answer = block_on(rcca::run(&ask, serde_json::from_value(request).unwrap()));
    let missing = answer.as_ref().map_or(0, |answer| answer.degraded.len());
    let calls = std::mem::take(&mut *watched.calls.lock().unwrap());
    (answer.map(|answer| serde_json::to_value(answer.reply).unwrap()), calls, missing)
}

#[test]
fn the_profile_is_read_while_the_question_is_embedded_and_nothing_else_waits() {
    let (context, corpus, project) = site();
    let (answer, calls, _) = ask(&context, &corpus, Some(&project));
    assert_eq!(answer.unwrap()["decisions"], json!([]));
    let expected = [
        "embed begins",
        "profile begins",
        "embed ends",
        "profile ends",
        "search begins",
        "search ends",
        "read begins",
        "read ends",
        "note begins",
        "note ends",
    ];
    assert_eq!(calls, expected);
    let (answer, calls, _) = ask(&context, &corpus, None);
    assert_eq!((calls.len(), answer.unwrap().get("decisions")), (6, None));
}

#[test]
fn a_stranger_is_turned_away_before_anything_is_searched() {
    let (mut context, corpus, project) = site();
    context.caller.sub = "eve".into();
    let (answer, calls, _) = ask(&context, &corpus, Some(&project));
    assert_eq!(answer.unwrap_err().to_string(), format!("no project named `{project}`"));
    assert!(calls.iter().all(|call| !call.starts_with("search")), "{calls:?}");
}

#[test]
fn a_note_that_fails_does_not_fail_the_answer() {
    let (mut context, corpus, project) = site();
    context.projects.is_forgetful = true;
    let (answer, _, missing) = ask(&context, &corpus, Some(&project));
    assert_eq!((answer.unwrap()["total_results"].as_u64(), missing), (Some(2), 1));
}

#[test]
fn the_profile_raises_what_speaks_of_it_and_the_parts_say_so() {
    let (context, corpus, project) = site();
    let boosts = |answer: &Value, name: &str| {
        let results = answer["results"].as_array().unwrap();
        let result = results.iter().find(|result| result["passage"]["file"] == name).unwrap();
        result["score_parts"]["boosts"].clone()
    };
    let answer = ask(&context, &corpus, Some(&project)).0.unwrap();
    let expected = json!([
        {"name": "project standard: ISO 20816-1", "share": 0.1},
        {"name": "project domain: bent blade", "share": 0.05},
    ]);
    assert_eq!(boosts(&answer, "fan.md"), expected);
    assert_eq!(boosts(&answer, "pump.md"), json!([]));
}

#[test]
fn decisions_that_hold_come_beside_the_answer_and_bear_on_the_question() {
    let (mut context, corpus, project) = site();
    for (decision, status) in [
        ("Stop every machine that trips on vibration", "accepted"),
        ("Ignore trips on vibration", "rejected"),
        ("Paint the fence", "accepted"),
    ] {
        let new = json!({"decision": decision, "rationale": "As agreed.", "status": status});
        block_on(context.decide(&corpus, &project, new)).unwrap();
    }
    context.tick();
    let answer = ask(&context, &corpus, Some(&project)).0.unwrap();
    let decisions = answer["decisions"].as_array().unwrap();
    let names: Vec<_> = decisions.iter().map(|decision| &decision["decision"]).collect();
    assert_eq!(names, ["Stop every machine that trips on vibration"]);
}

#[test]
fn the_profile_brings_a_document_among_those_that_are_wanted() {
    let text = |number: usize| {
        format!(
            "# Trip {number}\n\n## Symptoms\n\nIt tripped on vibration against STD-{number}, more than once{}.\n",
            " again".repeat(number)
        )
    };
    let texts: Vec<(String, String)> =
        (10..22).map(|number| (format!("incidents/{number}.md"), text(number))).collect();
    let documents: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (mut context, corpus) = (FakeContext::default(), block_on(Corpus::of(&documents)));
    let names = |context: &FakeContext, project: Option<&str>| -> Vec<String> {
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request =
            json!({"question": "it trips on vibration", "top_k": 5, "project_id": project});
        let request = serde_json::from_value(request).unwrap();
        let answer = block_on(rcca::run(&ask, request)).unwrap();
        answer.reply.report.results.into_iter().map(|result| result.passage.file).collect()
    };
    let plain = names(&context, None);
    let left_out = (10..22).filter(|number| !plain.contains(&format!("incidents/{number}.md")));
    let raised = left_out.filter(|number| {
        let standards: Vec<String> = vec![format!("STD-{number}"), format!("{number}")];
        let profile =
            json!({"name": "Trips", "standards": standards, "domain": "tripped vibration"});
        let project = block_on(context.project(&corpus, profile));
        context.tick();
        let found = names(&context, Some(&project));
        found.len() == 5 && found.contains(&format!("incidents/{number}.md"))
    });
    assert!(raised.count() > 0, "{plain:?}");
}
