//! Lists the pairs of statements in a knowledge base that a language model would judge, and the
//! conflicts that the rules find by themselves.
//!
//! `cargo bench --workspace --bench conflicts -- FOLDER...` reads the Markdown files in these
//! folders. `--shown` prints the text for the model, a JSON line for each call, and `--found` the
//! conflicts by the rules.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use ports::scope::Scope;
use ports::{Completion, Model, Prompt};
use serde_json::json;
use testing::Corpus;
use workflows::conflicts;

/// A model that finds no conflicts and keeps the prompts that it gets.
#[derive(Default)]
struct Doubter(Mutex<Vec<String>>);

#[async_trait]
impl Model for Doubter {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        self.0.lock().unwrap().push(prompt.user.to_owned());
        let content = json!({"q1": 0});
        Ok(Completion { content, tokens_in: 0, tokens_out: 0 })
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let folders = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let documents: Vec<(String, String)> =
        folders.flat_map(|folder| documents(Path::new(folder))).collect();
    if documents.is_empty() {
        println!("skipped: name folders with Markdown files");
        return;
    }
    let documents: Vec<(&str, &str)> =
        documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    pollster::block_on(async {
        let corpus = Corpus::of(&documents).await;
        let model = Doubter::default();
        for model in [None, Some((&model as &dyn Model, "doubter"))] {
            let (by, begun) = (model.map_or("rules", |_| "pairs"), Instant::now());
            let (index, answers) = (&corpus.index, &corpus.answers);
            let outcome =
                conflicts::find(&Scope::Global, index, answers, model, Timestamp::UNIX_EPOCH);
            println!("by {by}: {:?}, {:.1?}", outcome.await.unwrap(), begun.elapsed());
            if model.is_none() && has("--found") {
                println!("{}", answers.conflicts.lock().unwrap()[&Scope::Global].body);
            }
        }
        let shown = model.0.into_inner().unwrap();
        let bytes: usize = shown.iter().map(String::len).sum();
        println!("calls of a model: {}, with {bytes} bytes", shown.len());
        shown.iter().filter(|_| has("--shown")).for_each(|text| println!("{}", json!(text)));
    });
}

fn documents(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(documents(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push((path.display().to_string(), std::fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    found
}
