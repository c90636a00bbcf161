//! What a search over several sources costs besides its services, and whether late sources are waited for at once.
//!
//! `cargo bench -p workflow --bench search -- ../shared/bench/corpus.json` takes the texts of that file for 14 documents of each of
//! five sources. It prints microseconds per answer, and what six sources of which each is 60 ms late take of the time of one.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench may stop, and prints")]

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Value, json};
use uuid::Uuid;
use workflow::Result;
use workflow::document::Chunk;
use workflow::filter::Filters;
use workflow::ports::{Clock, Embedding, Index, Ranked, Search};
use workflow::retrieve::Retriever;
use workflow::scope::Grant;
use workflow::search::{Services, Sources, run};
use workflow::testing::{Corpus, FakeDesk, FakeEmbedder};

const ROUNDS: usize = 41;
const LATE: Duration = Duration::from_millis(60);
const NAMES: [&str; 6] = ["code", "docs", "forum", "guide", "runtime", "textbook"];

/// An index whose searches are made once, and come late.
struct Recorded<'a> {
    inner: &'a dyn Index,
    replies: Mutex<HashMap<String, Vec<Ranked>>>,
    late: Duration,
}

#[async_trait]
impl Index for Recorded<'_> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        if !self.late.is_zero() {
            tokio::time::sleep(self.late).await;
        }
        let key = format!("{filters:?} {}", searches.len());
        if let Some(reply) = self.replies.lock().unwrap().get(&key) {
            return Ok(reply.clone());
        }
        let reply = self.inner.search(grant, filters, searches).await?;
        self.replies.lock().unwrap().insert(key, reply.clone());
        Ok(reply)
    }

    async fn documents(&self, grant: &Grant, all: &[Uuid], some: &[Uuid]) -> Result<Vec<Chunk>> {
        self.inner.documents(grant, all, some).await
    }

    async fn chunks(&self, grant: &Grant, chunks: &[Uuid]) -> Result<Vec<Chunk>> {
        self.inner.chunks(grant, chunks).await
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Chunk>> {
        self.inner.points(grant, ids).await
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        self.inner.embeddings(grant, ids).await
    }

    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        most: usize,
    ) -> Result<(Vec<Chunk>, bool)> {
        self.inner.scan(grant, filters, most).await
    }
}

struct Watch(Instant);

#[async_trait]
impl Clock for Watch {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

fn sources() -> Sources {
    let file = |name: &str| {
        let path = format!("{}/../../infra/sources/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        (format!("{name}.toml"), std::fs::read_to_string(path).unwrap())
    };
    Sources::parse(&NAMES.map(file)).unwrap()
}

/// Ingests the texts as documents of all sources in turn.
async fn corpus(texts: &[String]) -> Corpus {
    let document = |number: usize| {
        let (source, text) = (NAMES[number % NAMES.len()], &texts[number % texts.len()]);
        (format!("{number}.md"), format!("---\nsource: {source}\n---\n# Note {number}\n\n{text}\n"))
    };
    let documents: Vec<(String, String)> = (0..14 * NAMES.len()).map(document).collect();
    let documents: Vec<(&str, &str)> =
        documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Corpus::of(&documents).await
}

async fn ask(index: &Recorded<'_>, corpus: &Corpus, sources: &Sources, names: &[&str]) -> Value {
    let (retriever, desk) = (Retriever::new(&FakeEmbedder, index), FakeDesk::default());
    // The answers of this corpus are not kept, or the second one would cost nothing.
    let cache = Corpus::default();
    let clock = Watch(Instant::now());
    let services =
        Services { retriever: &retriever, sources, clock: &clock, cache: &cache.answers };
    let body = json!({"question": "incident pump fatigue", "sources": names, "top_k": 50});
    let request = serde_json::from_value(body).unwrap();
    let (answer, _) = run(&services, &desk.desk(), request).await.unwrap();
    assert!(!corpus.index.held().is_empty() && answer.degraded.is_empty());
    serde_json::to_value(answer.reply).unwrap()
}

/// The median of the microseconds that an answer takes.
async fn median(index: &Recorded<'_>, corpus: &Corpus, names: &[&str], rounds: usize) -> f64 {
    let sources = sources();
    ask(index, corpus, &sources, names).await;
    let mut times = Vec::new();
    for _ in 0..rounds {
        let begun = Instant::now();
        let answer = ask(index, corpus, &sources, names).await;
        times.push(begun.elapsed().as_secs_f64() * 1e6);
        assert!(answer["results"].as_array().is_some_and(|results| results.len() > 5));
    }
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

async fn measure(texts: &[String]) {
    let corpus = corpus(texts).await;
    let index = |late| Recorded { inner: &corpus.index, replies: Mutex::default(), late };
    let at_once = index(Duration::ZERO);
    println!("six sources, none late: {:.0} us", median(&at_once, &corpus, &NAMES, ROUNDS).await);
    let late = index(LATE);
    let one = median(&late, &corpus, &NAMES[..1], 15).await;
    let six = median(&late, &corpus, &NAMES, 15).await;
    println!("each 60 ms late: one {one:.0} us, six {six:.0} us, ratio {:.2}", six / one);
}

fn main() {
    let Some(file) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("skipped: name the file with the texts");
        return;
    };
    let entries: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let texts: Vec<String> =
        entries.iter().map(|entry| entry["content"].as_str().unwrap().to_owned()).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(measure(&texts));
}
