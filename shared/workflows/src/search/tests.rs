use serde_json::{Value, json};

use super::*;
use model::Error;
use ports::Index;
use ports::scope::Scope;
use testing::{Corpus, FakeContext, FakeEmbedder};

mod late;
mod routed;

use late::{FakeClock, late};

const CODE: &str = "/// Limits how often a caller may ask.\npub struct RateLimiter {\n    left: u32,\n}\n\nimpl RateLimiter {\n    /// Takes a token from the bucket.\n    pub fn take_token(&mut self) -> bool {\n        self.left > 0\n    }\n}\n";
const BOOK: &str = "---\nsource: textbook\n---\n# Rate limiting\n\nThe token bucket algorithm explains how a rate limiter admits bursts.\n";
const DOCS: &str = "---\nsource: docs\n---\n# Settings\n\n## Rate limiter\n\nThe rate limiter admits at most 600 requests per minute.\n";
const GUIDE: &str = "---\nsource: guide\n---\n# Handbook\n\n## Rate limiter\n\nThe rate limiter admits at most 300 requests per minute.\n";
const COPY: &str = "---\nsource: forum\n---\n# Rate limiting\n\nThe token bucket algorithm  explains how a RATE limiter admits bursts.\n";

pub(super) fn sources() -> Sources {
    let shipped = [
        ("code.toml", include_str!("../../../../infra/sources/code.toml")),
        ("docs.toml", include_str!("../../../../infra/sources/docs.toml")),
        ("forum.toml", include_str!("../../../../infra/sources/forum.toml")),
        ("guide.toml", include_str!("../../../../infra/sources/guide.toml")),
        ("runtime.toml", include_str!("../../../../infra/sources/runtime.toml")),
        ("textbook.toml", include_str!("../../../../infra/sources/textbook.toml")),
    ];
    let files = shipped.map(|(name, text)| (name.to_owned(), text.to_owned()));
    Sources::parse(&files).unwrap()
}

async fn corpus() -> Corpus {
    let documents = [
        ("src/limit.rs", CODE),
        ("book.md", BOOK),
        ("settings.md", DOCS),
        ("handbook.md", GUIDE),
        ("thread.md", COPY),
    ];
    Corpus::of(&documents).await
}

/// Returns the answer as JSON, with `cache` and the missing parts beside it.
async fn ask_with(
    corpus: &Corpus,
    index: &dyn Index,
    clock: &FakeClock,
    request: Value,
) -> Result<Value> {
    let context = FakeContext::default();
    ask_by(corpus, &Ask::new(context.context(), &FakeEmbedder, index), clock, request).await
}

async fn ask_by(
    corpus: &Corpus,
    ask: &Ask<'_>,
    clock: &FakeClock,
    request: Value,
) -> Result<Value> {
    let sources = sources();
    let services = Services { ask, sources: &sources, clock, cache: &corpus.answers };
    let mut request: SearchRequest = serde_json::from_value(request).unwrap();
    request.explain = true;
    let (answer, cache) = run(&services, request).await?;
    let missing: Vec<String> = answer.degraded.iter().map(|a| a.part.to_string()).collect();
    let mut value = serde_json::to_value(answer.reply).unwrap();
    (value["cache"], value["missing"]) = (json!(cache), json!(missing));
    Ok(value)
}

fn ask(request: Value) -> Result<Value> {
    pollster::block_on(async {
        let corpus = corpus().await;
        ask_with(&corpus, &corpus.index, &FakeClock { is_over: false }, request).await
    })
}

fn names(answer: &Value) -> Vec<&str> {
    let results = answer["results"].as_array().unwrap().iter();
    results.map(|result| result["passage"]["file"].as_str().unwrap()).collect()
}

fn asked<'a>(answer: &'a Value, when: &str) -> Vec<&'a str> {
    let all = answer["routing"]["sources"].as_array().unwrap().iter();
    all.filter(|all| all["asked"] == when).map(|a| a["name"].as_str().unwrap()).collect()
}

const QUESTION: &str = "Where is the rate limiter implemented?";

#[test]
fn a_definition_is_found_by_the_name_that_a_question_gives_it() {
    let answer = ask(json!({"question": QUESTION})).unwrap();
    assert_eq!((&answer["routing"]["intent"], asked(&answer, "no").len()), (&Value::Null, 0));
    assert_eq!(names(&answer)[0], "src/limit.rs");
    assert!(asked(&answer, "later").is_empty(), "all were asked at once");
    let symbols = answer["results"][0]["symbols"].as_array().unwrap();
    assert!(
        symbols.contains(&json!({"name": "RateLimiter", "kind": "struct", "line": 2})),
        "{symbols:?}"
    );
}

#[test]
fn sources_that_the_caller_names_are_asked_and_no_others() {
    let answer = ask(json!({"question": QUESTION, "sources": ["docs", "guide", "docs"]})).unwrap();
    let (mut first, later) = (asked(&answer, "first"), asked(&answer, "later"));
    first.sort_unstable();
    assert_eq!((first, later.len()), (vec!["docs", "guide"], 0));
    assert!(names(&answer).iter().all(|name| ["settings.md", "handbook.md"].contains(name)));
    for wrong in [json!([]), json!(["wiki"])] {
        let refused = ask(json!({"question": QUESTION, "sources": wrong})).unwrap_err();
        assert!(
            matches!(&refused, Error::Invalid { field, .. } if field.starts_with("sources")),
            "{refused}"
        );
    }
    let files = vec!["a.rs"; 21];
    let refused = ask(json!({"question": QUESTION, "context": {"files": files}})).unwrap_err();
    assert!(
        matches!(&refused, Error::Invalid { field, .. } if field == "context.files"),
        "{refused}"
    );
}

#[test]
fn the_same_passage_of_several_sources_is_one_result_with_all_of_them() {
    let answer =
        ask(json!({"question": "token bucket algorithm", "sources": ["textbook", "forum"]}))
            .unwrap();
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{answer}");
    assert_eq!(results[0]["sources"], json!(["forum", "textbook"]));
    assert_eq!(results[0]["also_at"].as_array().unwrap().len(), 1);
    let alone =
        ask(json!({"question": "token bucket algorithm", "sources": ["textbook"]})).unwrap();
    let fusion = |value: &Value| value["results"][0]["score_parts"]["fusion"].as_f64().unwrap();
    assert!((fusion(&answer) - fusion(&alone)).abs() < 1e-9, "a duplicate gains nothing");
}

#[test]
fn values_that_disagree_are_shown_and_left_unresolved() {
    let answer = ask(json!({"question": "How many requests does the rate limiter admit?", "sources": ["docs", "guide"]})).unwrap();
    let sides = answer["conflicts"][0]["sides"].as_array().unwrap();
    assert_eq!(sides.len(), 2, "{answer}");

    let leading = sides.iter().filter(|side| side["has_most_authority"] == true).count();
    assert_eq!(leading, 1, "{sides:?}");
}

#[test]
fn a_source_that_is_late_is_named_and_the_others_answer() {
    pollster::block_on(async {
        let corpus = corpus().await;
        let late = late(&corpus.index, "docs", None);
        let request = json!({"question": QUESTION, "sources": ["docs", "guide"]});
        let answer = ask_with(&corpus, &late, &FakeClock { is_over: true }, request).await.unwrap();
        assert_eq!(answer["missing"], json!(["source: docs"]));
        assert_eq!(names(&answer), ["handbook.md"]);
        assert!(
            corpus.answers.searches.lock().unwrap().is_empty(),
            "what lacks a part is not kept"
        );
        let request = json!({"question": QUESTION, "sources": ["docs"]});
        let failed = ask_with(&corpus, &late, &FakeClock { is_over: true }, request).await;
        assert!(matches!(failed, Err(Error::Unavailable { .. })));
    });
}

#[test]
fn the_order_in_which_sources_answer_changes_nothing() {
    pollster::block_on(async {
        let corpus = corpus().await;
        let mut answers = Vec::new();
        for source in ["code", "docs", "textbook"] {
            let late = late(&corpus.index, source, Some(3));
            let request = json!({"question": "rate limiter", "top_k": 20, "sources": ["code", "docs", "textbook", "guide"]});
            corpus.answers.searches.lock().unwrap().clear();
            let answer =
                ask_with(&corpus, &late, &FakeClock { is_over: false }, request).await.unwrap();
            answers.push(answer["results"].clone());
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    });
}

#[test]
fn the_parts_of_a_score_add_up() {
    let answer = ask(json!({"question": "rate limiter", "top_k": 20})).unwrap();
    let mut weights: Vec<f64> = Vec::new();
    for result in answer["results"].as_array().unwrap() {
        let parts = &result["score_parts"];
        let boosts: f64 =
            parts["boosts"].as_array().unwrap().iter().map(|p| p["share"].as_f64().unwrap()).sum();
        let fusion = parts["fusion"].as_f64().unwrap();
        let wanted = fusion + (1.0 - fusion) * boosts.min(0.3);
        assert!((parts["final"].as_f64().unwrap() - wanted).abs() < 1e-3, "{parts}");
        let rankings = parts["rankings"].as_array().unwrap().iter();
        let sum: f64 = rankings
            .map(|ranking| ranking["weight"].as_f64().unwrap() * ranking["score"].as_f64().unwrap())
            .sum();
        if fusion > 0.0 {
            weights.push(sum / fusion);
        }
    }
    assert!(weights.len() > 2);
    let is_same = |pair: &[f64]| (pair[0] - pair[1]).abs() < 1e-6;
    assert!(weights.windows(2).all(is_same), "all sources divide by the same weights: {weights:?}");
}

#[test]
fn an_answer_is_given_again_to_the_same_grant_until_a_document_changes() {
    pollster::block_on(async {
        let corpus = corpus().await;
        let clock = FakeClock { is_over: false };
        let ask = async |knowledge: &[&str]| {
            let request = json!({"question": QUESTION, "knowledge": knowledge});
            ask_with(&corpus, &corpus.index, &clock, request).await.unwrap()["cache"].clone()
        };
        assert_eq!((ask(&["global"]).await, ask(&["global"]).await), (json!("miss"), json!("hit")));
        assert_eq!(
            ask(&["global", "user"]).await,
            "miss",
            "another grant has an answer of its own"
        );
        corpus.answers.change(&Scope::User("ann".into()));
        assert_eq!(ask(&["global"]).await, "hit");
        assert_eq!(ask(&["global", "user"]).await, "miss", "any of the scopes counts");
        corpus.answers.change(&Scope::Global);
        assert_eq!(ask(&["global"]).await, "miss");
    });
}

#[test]
fn what_stands_nowhere_is_not_answered() {
    let answer = ask(json!({"question": "Where is Zookeeper configured?"})).unwrap();
    assert_eq!(answer["abstained"]["reason"], "unknown_name");
    assert_eq!(answer["results"], json!([]));
}

#[test]
fn words_that_occur_nowhere_do_not_count_beside_a_symbol_that_is_defined() {
    let note = |number: u8| {
        (format!("note-{number}.md"), format!("# Note\n\nValve {number} was closed at noon.\n"))
    };
    let notes: Vec<(String, String)> = (10..50).map(note).collect();
    let all = notes.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let all: Vec<(&str, &str)> = all.chain([("src/limit.rs", CODE)]).collect();
    let abstained = |question: &str| {
        let answer = pollster::block_on(async {
            let corpus = Corpus::of(&all).await;
            let request = json!({"question": question});
            ask_with(&corpus, &corpus.index, &FakeClock { is_over: false }, request).await
        });
        answer.unwrap()["abstained"]["reason"].clone()
    };
    assert_eq!(abstained("where is the valve limiter frobnicated, wobbled?"), "unknown_words");
    assert_eq!(abstained("where is the rate limiter frobnicated, wobbled?"), Value::Null);
}

#[test]
fn an_open_file_counts_a_little_more_and_context_is_told() {
    let answer =
        ask(json!({"question": "rate limiter", "context": {"files": ["/home/ann/handbook.md"]}}))
            .unwrap();
    let result = answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|result| result["passage"]["file"] == "handbook.md")
        .unwrap();
    let boosts = result["score_parts"]["boosts"].as_array().unwrap();
    assert!(boosts.iter().any(|boost| boost["name"] == "context"), "{boosts:?}");
    assert!(asked(&answer, "first").contains(&"context"));
}

#[test]
fn what_the_caller_calls_unlike_does_not_come_back_by_its_name() {
    let answer = ask(json!({"question": QUESTION})).unwrap();
    let id = answer["results"][0]["passage"]["passage_id"].clone();
    let without = ask(json!({"question": QUESTION, "unlike": [id]})).unwrap();
    assert!(!names(&without).contains(&"src/limit.rs"), "{without}");
}

#[test]
fn errors_of_the_context_take_no_answer_away() {
    let error = "QX17 frobnicator vexed quuxly zymurgy";
    let answer = ask(json!({"question": QUESTION, "context": {"errors": [error]}})).unwrap();
    assert_eq!(names(&answer)[0], "src/limit.rs");
}

#[test]
fn a_file_is_open_by_whole_parts_of_its_path() {
    let boosted = |file: &str| {
        let request = json!({"question": QUESTION, "context": {"files": [file]}});
        ask(request).unwrap()["results"][0]["score_parts"]["boosts"].to_string().contains("context")
    };
    assert!(boosted("limit.rs") && boosted("/home/ann/src/limit.rs") && !boosted("it.rs"));
}
