//! Measures the time of a search over several sources in memory, without its services, and compares
//! several late sources with one.
//!
//! `cargo bench -p workflows --bench search -- $PWD/../shared/bench/corpus.json` takes the texts of
//! that file for 14 documents of each of five sources. It prints microseconds per answer, and the
//! time with six sources that are each 60 ms late, relative to the time with one.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench may stop, and prints")]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use ask::Ask;
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use ports::{Clock, Index};
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder, LateIndex};
use workflows::search::{Services, Sources, run};

const ROUNDS: usize = 41;
const LATE: Duration = Duration::from_millis(60);
const NAMES: [&str; 6] = ["code", "docs", "forum", "guide", "runtime", "textbook"];

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

async fn ask(index: &dyn Index, corpus: &Corpus, sources: &Sources, names: &[&str]) -> Value {
    let context = FakeContext::default();
    let ask = Ask::new(context.context(), &FakeEmbedder, index);
    // The answers of this corpus are not kept, because the second one would take no time.
    let cache = Corpus::default();
    let clock = Watch(Instant::now());
    let services = Services { ask: &ask, sources, clock: &clock, cache: &cache.answers };
    let body = json!({"question": "incident pump fatigue", "sources": names, "top_k": 50});
    let request = serde_json::from_value(body).unwrap();
    let (answer, _) = run(&services, request).await.unwrap();
    assert!(!corpus.index.held().is_empty() && answer.degraded.is_empty());
    serde_json::to_value(answer.reply).unwrap()
}

/// Returns the median time of an answer, in microseconds.
async fn median(index: &dyn Index, corpus: &Corpus, names: &[&str], rounds: usize) -> f64 {
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
    let index = |late| {
        let wait = move |_: &_| -> BoxFuture<'static, ()> { Box::pin(tokio::time::sleep(late)) };
        LateIndex { inner: &corpus.index, wait: Box::new(wait), once: Some(Mutex::default()) }
    };
    let in_time = index(Duration::ZERO);
    println!("six sources, none late: {:.0} us", median(&in_time, &corpus, &NAMES, ROUNDS).await);
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
