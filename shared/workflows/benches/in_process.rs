//! Measures the cost of a request without its services, from the hits to the answer as JSON.
//!
//! `cargo bench -p workflows --bench in_process -- ../shared/bench/corpus.json` prints microseconds
//! per request, over the results in that file: `[{content, score, document_title,
//! section_title}]`. The numbers are medians of rounds in which the workflows take turns. With the
//! name of a workflow after the file, it runs this one alone, for a profiler.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::sync::Mutex;
use std::time::Instant;

use ask::Ask;
use async_trait::async_trait;
use model::Result;
use model::document::{Attributes, DocumentType, Origin, Passage, passage_id};
use model::facts::Facts;
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::usual::Usual;
use ports::{Brings, Embedder, Embedding, Hit, Index, Purpose, Ranked, Record, Search, Status};
use serde::Deserialize;
use serde_json::{Value, json};
use testing::FakeContext;
use uuid::Uuid;
use workflows::{explore, rcca, trade};

const ROUNDS: usize = 41;
const BATCH: u32 = 20;

#[derive(Deserialize)]
struct Entry {
    content: String,
    score: f32,
    #[serde(rename = "document_title")]
    title: String,
    #[serde(rename = "section_title")]
    section: String,
}

/// An index that finds the same passages for every search. Its answers are made before the clock
/// runs.
struct Fixed {
    passages: Vec<(f32, Passage)>,
    searches: Mutex<Vec<Search>>,
    hits: Mutex<Vec<Vec<Ranked>>>,
    documents: Mutex<Vec<Vec<Passage>>>,
    document_points: Vec<Passage>,
    points: Mutex<Vec<Vec<Passage>>>,
}

struct NoVectors;

#[async_trait]
impl Embedder for NoVectors {
    fn space(&self) -> String {
        "none".into()
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        Ok(vec![Vec::new(); texts.len()])
    }
}

impl Fixed {
    /// Makes the answers to the next `count` calls, in the form of the last ones.
    fn prepare(&self, count: u32) {
        let searches = self.searches.lock().unwrap();
        for _ in 0..count {
            self.hits.lock().unwrap().push(self.found(&searches));
            let passages = self.passages.iter().map(|(_, passage)| passage.clone());
            self.documents.lock().unwrap().push(passages.collect());
            self.points.lock().unwrap().push(self.points());
        }
    }

    /// Returns all document points and passages.
    fn points(&self) -> Vec<Passage> {
        let passages = self.passages.iter().map(|(_, passage)| passage);
        passages.chain(&self.document_points).cloned().collect()
    }

    fn found(&self, searches: &[Search]) -> Vec<Ranked> {
        let mut is_first = true;
        let mut ranking = |search: &Search| {
            let brings = search.brings != Brings::Ids && std::mem::take(&mut is_first);
            let hit = |(raw, passage): &(f32, Passage)| Hit {
                passage_id: passage.id,
                document_id: passage.document_id,
                version: passage.version.clone(),
                raw: *raw,
                passage: brings.then(|| Box::new(passage.clone())),
            };
            let usual = Some(Usual { mean: 0.1, spread: Some(0.1) });
            Ranked { hits: self.passages.iter().map(hit).collect(), usual }
        };
        searches.iter().map(&mut ranking).collect()
    }
}

#[async_trait]
impl Index for Fixed {
    async fn search(&self, _: &Grant, _: &Filters, searches: Vec<Search>) -> Result<Vec<Ranked>> {
        if let Some(prepared) = self.hits.lock().unwrap().pop() {
            return Ok(prepared);
        }
        let found = self.found(&searches);
        *self.searches.lock().unwrap() = searches;
        Ok(found)
    }

    async fn documents(&self, _: &Grant, _: &[Uuid], _: &[Uuid]) -> Result<Vec<Passage>> {
        let prepared = self.documents.lock().unwrap().pop();
        Ok(prepared
            .unwrap_or_else(|| self.passages.iter().map(|(_, passage)| passage.clone()).collect()))
    }

    async fn passages(&self, _grant: &Grant, _ids: &[Uuid]) -> Result<Vec<Passage>> {
        Ok(Vec::new())
    }

    async fn points(&self, _: &Grant, _: &[Uuid]) -> Result<Vec<Passage>> {
        let prepared = self.points.lock().unwrap().pop();
        Ok(prepared.unwrap_or_else(|| self.points()))
    }

    async fn embeddings(&self, _: &Grant, _: &[Uuid]) -> Result<Vec<Embedding>> {
        Ok(Vec::new())
    }

    async fn scan(&self, _: &Grant, _: &Filters, _: usize) -> Result<(Vec<Passage>, bool)> {
        Ok((Vec::new(), true))
    }
}

fn passage(number: u32, entry: &Entry) -> Passage {
    let document_id = Uuid::from_u128(u128::from(number));
    Passage {
        id: passage_id(document_id, "01", 0),
        scope: None,
        document_id,
        version: "01".into(),
        position: 0,
        name: format!("{number}.md"),
        title: entry.title.clone(),
        section: entry.section.clone(),
        document_type: DocumentType::Postmortem,
        source: Origin::Docs,
        tags: Vec::new(),
        author: None,
        standard: None,
        commit: None,
        edition: None,
        lifecycle: None,
        language: None,
        severity: Vec::new(),
        code: Vec::new(),
        lines: None,
        time: None,
        assumed: None,
        uri: None,
        article: None,
        ordinal: None,
        text: entry.content.clone(),
        facts: Facts::default(),
        unmasked: None,
    }
}

/// Returns the document point of a report with this text, as an ingest reads it. The passage gets
/// the facts of the first passage that was read.
fn document_point(passage: &mut Passage) -> Passage {
    let document_id = passage.document_id;
    let record = Record {
        scope: Scope::Global,
        document_id,
        name: "postmortem.md".into(),
        content_type: "text/markdown".into(),
        bytes: passage.text.len() as u64,
        attributes: Attributes::default(),
        status: Status::Waiting,
        version: passage.version.clone(),
        live: None,
        deleted: None,
        kept: None,
        is_final: false,
        first: passage.version.clone(),
        prior: passage.version.clone(),
        updated_at: String::new(),
    };
    let mut reading = reading::read(&record, &passage.version, passage.text.as_bytes()).unwrap();
    passage.facts = reading.entries[1].passage.facts.clone();
    reading.entries.swap_remove(0).passage
}

fn ask(index: &Fixed, workflow: &str, body: &Value) -> String {
    let context = FakeContext::default();
    let ask = Ask::new(context.context(), &NoVectors, index);
    pollster::block_on(async {
        let body = body.clone();
        match workflow {
            "rcca" => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_string(&rcca::run(&ask, request).await.unwrap().reply)
            }
            "trade" => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_string(&trade::run(&ask, request).await.unwrap().reply)
            }
            _ => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_string(&explore::run(&ask, request).await.unwrap().reply)
            }
        }
        .unwrap()
    })
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(file) = arguments.next() else {
        println!("skipped: name the file with the results");
        return;
    };
    let entries: Vec<Entry> =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let passages = (0..).zip(&entries).map(|(number, entry)| (entry.score, passage(number, entry)));
    let mut passages: Vec<(f32, Passage)> = passages.collect();
    let index = Fixed {
        document_points: passages.iter_mut().map(|(_, passage)| document_point(passage)).collect(),
        passages,
        points: Mutex::default(),
        searches: Mutex::default(),
        hits: Mutex::default(),
        documents: Mutex::default(),
    };
    let question = "incident pump fatigue";
    let alternatives = ["Option A", "Option B", "lithium-ion battery", "fuel cell"];
    let only = arguments.next();
    let cases = [
        ("rcca", json!({"question": question, "top_k": 50})),
        ("trade", json!({"question": question, "top_k": 50, "alternatives": alternatives})),
        ("explore", json!({"question": question})),
    ];
    let is_wanted = |workflow: &str| only.as_deref().is_none_or(|only| only == workflow);
    let cases: Vec<_> = cases.into_iter().filter(|(workflow, _)| is_wanted(workflow)).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); cases.len()];
    for _ in 0..ROUNDS {
        for ((workflow, body), times) in cases.iter().zip(&mut times) {
            ask(&index, workflow, body);
            index.prepare(BATCH);
            let begun = Instant::now();
            for _ in 0..BATCH {
                assert!(ask(&index, workflow, body).len() > 100);
            }
            times.push(begun.elapsed().as_secs_f64() * 1e6 / f64::from(BATCH));
            index.hits.lock().unwrap().clear();
            index.documents.lock().unwrap().clear();
            index.points.lock().unwrap().clear();
        }
    }
    for ((workflow, _), times) in cases.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        println!("{workflow:8} median {:8.1} us  min {:8.1} us", times[ROUNDS / 2], times[0]);
    }
}
