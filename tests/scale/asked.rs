//! Questions, as the functions ask them. Their vectors are kept, so that only the index is measured
//! and what is made of its replies.

use std::path::Path;
use std::time::{Duration, Instant};

use adapters::Qdrant;
use answers::KnowledgeBases;
use ask::Ask;
use async_trait::async_trait;
use ports::scope::Scope;
use ports::{Clock, Embedder};
use serde_json::{Value, json};
use testing::{Corpus, FakeContext};
use workflows::search::Sources;
use workflows::{rcca, search};

use crate::load::spread;

/// The questions of each kind.
const EACH: usize = 40;

/// The rounds; the first is not counted.
const ROUNDS: usize = 11;

struct Watch;

#[async_trait]
impl Clock for Watch {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// Questions, and what they are asked with besides the index.
pub(crate) struct Questions<'a> {
    embedder: &'a dyn Embedder,
    kinds: [(&'static str, Vec<String>); 3],
    bases: KnowledgeBases,
    sources: Sources,
}

impl Questions<'_> {
    pub(crate) fn new<'a>(data: &Path, embedder: &'a dyn Embedder) -> Questions<'a> {
        let asked = |name: &str| {
            let lines = std::fs::read_to_string(data.join("questions").join(name)).unwrap();
            let question = |line: &str| {
                let line: Value = serde_json::from_str(line).unwrap();
                line["question"].as_str().unwrap().to_owned()
            };
            lines.lines().map(question).take(EACH).collect()
        };
        let infra = plumbline_tests::root().join("infra");
        let shipped = |folder: &str| {
            let files = crate::files(&infra.join(folder), "toml").into_iter();
            let named = files.map(|file| {
                let name = file.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(file).unwrap())
            });
            named.collect::<Vec<_>>()
        };
        Questions {
            embedder,
            kinds: [
                ("rcca", asked("rcca.jsonl")),
                ("answer", asked("answer_global.jsonl")),
                ("search", asked("search.jsonl")),
            ],
            bases: KnowledgeBases::parse(&shipped("knowledge")).unwrap(),
            sources: Sources::parse(&shipped("sources")).unwrap(),
        }
    }

    /// Asks all questions of the largest tenant and of a small one, and prints what they took.
    pub(crate) async fn measure(&self, when: &str, index: &Qdrant) {
        for scope in [Scope::Global, Scope::Team("t7".into())] {
            for (kind, questions) in &self.kinds {
                let (mut times, mut found) = (Vec::new(), 0);
                for round in 0..ROUNDS {
                    for question in questions {
                        let begun = Instant::now();
                        let bytes = self.ask(kind, question, &scope, index).await;
                        if round > 0 {
                            times.push(begun.elapsed());
                            found += bytes;
                        }
                    }
                }
                let kilobytes = found / times.len() / 1_000;
                println!("{when}, {scope}, {kind}: {}, {kilobytes} kB", spread(times));
            }
        }
    }

    /// Asks one question; returns the size of the reply.
    async fn ask(&self, kind: &str, question: &str, scope: &Scope, index: &Qdrant) -> usize {
        let mut context = FakeContext::default();
        context.caller.groups = vec!["t7".into()];
        let corpus = Corpus::default();
        let ask = Ask::new(context.context(), self.embedder, index);
        let body = json!({"question": question, "knowledge": [scope.to_string()]});
        let reply = match kind {
            "rcca" => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_string(&rcca::run(&ask, request).await.unwrap().reply)
            }
            "search" => {
                let (sources, cache) = (&self.sources, &corpus.answers);
                let services = search::Services { ask: &ask, sources, clock: &Watch, cache };
                let body = json!({"question": question, "knowledge": [scope.to_string()]});
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_string(&search::run(&services, request).await.unwrap().0.reply)
            }
            _ => {
                let services = answers::Services {
                    bases: &self.bases,
                    ask,
                    embed_model: "scale",
                    documents: &corpus.documents,
                    answers: &corpus.answers,
                    chat: None,
                    files: &corpus.files,
                    may_go_on: &|| true,
                };
                let request = serde_json::from_value(json!({"question": question})).unwrap();
                let given = answers::run(&services, scope.clone(), request).await.unwrap();
                serde_json::to_string(&given.report)
            }
        };
        reply.unwrap().len()
    }
}
