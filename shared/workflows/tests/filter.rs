//! Tests that no answer of any workflow contains documents that its filters exclude.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use ask::Ask;
use proptest::prelude::*;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};
use workflows::custom::Strategies;
use workflows::{custom, explore, rcca, trade};

const TYPES: [&str; 4] = ["runbook", "postmortem", "standard", "guide"];
const TAGS: [&str; 3] = ["pump", "broker", "billing"];
const AUTHORS: [&str; 2] = ["Ada", "Bob"];

/// Returns a document for each type, tag and author. All have the same text, so that only the
/// filter distinguishes them.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for kind in TYPES {
        for tag in TAGS {
            for author in AUTHORS {
                let text = format!(
                    "---\ndocument_type: {kind}\ntags: [{tag}]\nauthor: {author}\n---\n# Broker and pump, {tag}\n\n\
                     ## Comparison\n\nA broker is a relay. The broker costs 5 USD, the pump costs 7 USD. You should, for example, \
                     test it; it shall not leak.\n\n## Root cause\n\nThe pump stopped because the broker was full.\n"
                );
                documents.push((format!("{kind}/{tag}/{author}.md"), text));
            }
        }
    }
    documents
}

/// Collects the files of all passages in an answer.
fn files(answer: &Value, found: &mut Vec<String>) {
    match answer {
        Value::Object(fields) => {
            if fields.contains_key("passage_id")
                && let Some(file) = fields.get("file").and_then(Value::as_str)
            {
                found.push(file.to_owned());
            }
            fields.values().for_each(|value| files(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| files(value, found)),
        _ => {}
    }
}

fn ask(corpus: &Corpus, workflow: &str, body: Value) -> Value {
    let context = FakeContext::default();
    let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
    let file = "description = \"All\"\nquery_expansion = [\"relay\"]\n";
    let strategies = Strategies::parse(&[("all.toml".to_owned(), file.to_owned())]).unwrap();
    pollster::block_on(async {
        match workflow {
            "rcca" => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_value(rcca::run(&ask, request).await.unwrap().reply)
            }
            "trade" => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_value(trade::run(&ask, request).await.unwrap().reply)
            }
            "explore" => {
                let request = serde_json::from_value(body).unwrap();
                serde_json::to_value(explore::run(&ask, request).await.unwrap().reply)
            }
            _ => {
                let request = serde_json::from_value(body).unwrap();
                let answer = custom::run(&ask, &strategies, "all", request).await.unwrap();
                serde_json::to_value(answer.reply)
            }
        }
        .unwrap()
    })
}

fn subset(values: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(values, 1..=values.len())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_a_filter_excludes_is_in_no_answer(kinds in subset(&TYPES), tags in subset(&TAGS), author in prop::sample::select(&AUTHORS)) {
        let documents = documents();
        let texts: Vec<(&str, &str)> = documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let corpus = pollster::block_on(Corpus::of(&texts));
        let filters = json!({"document_type": kinds, "tags": tags, "author": author});
        for workflow in ["rcca", "trade", "explore", "all"] {
            let body = json!({"question": "Broker or pump?", "top_k": 10, "filters": filters});
            let mut found = Vec::new();
            files(&ask(&corpus, workflow, body), &mut found);
            prop_assert!(!found.is_empty(), "{workflow} finds nothing");
            for file in found {
                let parts: Vec<&str> = file.trim_end_matches(".md").split('/').collect();
                let allowed = kinds.contains(&parts[0]) && tags.contains(&parts[1]) && *author == *parts[2];
                prop_assert!(allowed, "{workflow} cites {file} against {filters}");
            }
        }
    }
}

/// Returns the `section` of all citations in an answer.
fn sections(answer: &Value) -> Vec<&str> {
    match answer {
        Value::Object(fields) => {
            let title = fields.get("section").and_then(Value::as_str);
            title.into_iter().chain(fields.values().flat_map(sections)).collect()
        }
        Value::Array(values) => values.iter().flat_map(sections).collect(),
        _ => Vec::new(),
    }
}

/// Returns a document of `kind` with sections of this `title`, which is long enough to get a
/// summary.
fn long_document(kind: &str, title: &str) -> String {
    let words =
        "The broker is a relay and the pump must be tested, for example by hand. ".repeat(12);
    let part = |number: usize| {
        format!(
            "## {title} {number}\n\nThe pump {number} stopped because the broker was full. \
             The broker costs {number} USD. {words}\n\n"
        )
    };
    let parts: String = (0..70).map(part).collect();
    format!("---\ndocument_type: {kind}\n---\n# Broker and pump\n\n{parts}")
}

#[test]
fn no_workflow_shows_the_summary_of_a_long_document() {
    let documents = [("guide", "Comparison"), ("postmortem", "Root cause")]
        .map(|(kind, title)| (format!("{kind}.md"), long_document(kind, title)));
    let corpus = pollster::block_on(Corpus::of(
        &documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>(),
    ));
    let points = corpus.index.held();
    let summary = points.iter().find(|point| point.passage.is_summary()).expect("there is one");
    let its_words: String = summary.passage.text.chars().take(300).collect();
    for workflow in ["rcca", "trade", "explore", "all"] {
        let question = json!({"question": format!("Which broker? {its_words}"), "top_k": 50});
        let answer = ask(&corpus, workflow, question);
        let sections = sections(&answer);
        assert!(!sections.contains(&"Summary"), "{workflow}: {sections:?}");
    }
}
