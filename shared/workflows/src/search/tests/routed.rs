//! Tests sources that a language model chooses.

use std::sync::Mutex;

use async_trait::async_trait;
use wire::common::AnswerMode;

use super::*;
use ask::written::Writer;
use ports::{Completion, Model, Prompt};

/// A model that fills in this form and keeps the prompts for it, and also grades the results.
struct FormModel {
    form: Value,
    told: Mutex<Vec<String>>,
}

#[async_trait]
impl Model for FormModel {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        let tool = prompt.tool.as_ref().unwrap();
        let graded = json!({"p1": 3, "q1": 0});
        let content = if tool.name == "grades" { graded } else { self.form.clone() };
        if tool.name != "grades" {
            self.told.lock().unwrap().push(format!("{}\n{}", prompt.system, tool.schema));
        }
        Ok(Completion { content, tokens_in: 7, tokens_out: 3 })
    }
}

/// Asks with a model that fills in this form; returns the answer and the prompts.
fn routed(request: Value, form: Value) -> (Value, Vec<String>) {
    let model = FormModel { form, told: Mutex::default() };
    let answer = pollster::block_on(async {
        let corpus = corpus().await;
        let named = Some(testing::chat(&model, "m"));
        let writer = Writer { chat: named, kept: &corpus.answers, mode: AnswerMode::Generative };
        let context = FakeContext::default();
        let mut ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        ask.writer = Some(writer);
        ask_by(&corpus, &ask, &FakeClock { is_over: false }, request).await.unwrap()
    });
    (answer, model.told.into_inner().unwrap())
}

fn form(intent: &str, sources: &[&str]) -> Value {
    json!({"queries": ["token bucket"], "intent": intent, "sources": sources})
}

#[test]
fn a_model_chooses_the_sources_and_the_answer_says_so() {
    let (answer, told) =
        routed(json!({"question": QUESTION}), form("compare", &["guide", "docs", "guide", "wiki"]));
    assert_eq!(asked(&answer, "first"), ["guide", "docs"], "known ones, each once");
    assert_eq!(answer["routing"]["intent"], "compare");
    let reason = "A language model read the question as one to compare, for guide, docs.";
    assert_eq!((&answer["routing"]["reason"], &answer["missing"]), (&json!(reason), &json!([])));
    assert_eq!(answer["queries_written"], json!(["token bucket"]));
    let rankings = answer["results"][0]["score_parts"]["rankings"].as_array().unwrap();
    assert!(rankings.iter().any(|ranking| ranking["retriever"] == "rerank"), "{rankings:?}");
    assert!(
        told[0].contains("\nforum: exported forum threads: ")
            && told[0].contains("\"troubleshoot\"")
    );
}

#[test]
fn a_caller_who_names_sources_is_not_overruled() {
    let request = json!({"question": QUESTION, "sources": ["textbook"]});
    let (answer, _) = routed(request, form("explain", &["guide"]));
    assert_eq!((asked(&answer, "first"), asked(&answer, "later").len()), (vec!["textbook"], 0));
    assert_eq!(answer["routing"]["intent"], "explain");
}

#[test]
fn without_a_usable_choice_all_sources_are_asked() {
    for form in [form("locate", &["wiki"]), json!({"queries": ["token bucket"]})] {
        let (answer, _) = routed(json!({"question": QUESTION}), form);
        assert_eq!(
            (asked(&answer, "first").len(), &answer["routing"]["intent"]),
            (6, &Value::Null)
        );
    }
}

#[test]
fn for_a_caller_who_sends_queries_none_are_written() {
    let request = json!({"question": QUESTION, "queries": ["token bucket"]});
    assert!(routed(request, form("explain", &["guide"])).1.is_empty());
}

#[test]
fn a_model_confirms_conflicts_and_rules_find_them_where_it_does_not_answer() {
    let question = "How many requests does the rate limiter admit?";
    let request = json!({"question": question, "sources": ["docs", "guide"]});
    let by_rules = ask(request.clone()).unwrap();
    assert_eq!(by_rules["conflicts"].as_array().unwrap().len(), 1);
    let (judged, _) = routed(request, form("explain", &["guide"]));
    assert_eq!((&judged["conflicts"], &judged["missing"]), (&json!([]), &json!([])), "{judged}");
}

#[test]
fn an_answer_that_one_model_judged_is_not_given_again_for_another() {
    let corpus = pollster::block_on(corpus());
    for (name, kept) in [("m", 1), ("m", 1), ("n", 2)] {
        let model = FormModel { form: form("explain", &["guide"]), told: Mutex::default() };
        let named = Some(testing::chat(&model, name));
        let writer = Writer { chat: named, kept: &corpus.answers, mode: AnswerMode::Generative };
        let context = FakeContext::default();
        let mut ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        ask.writer = Some(writer);
        let request = json!({"question": QUESTION});
        let clock = FakeClock { is_over: false };
        pollster::block_on(ask_by(&corpus, &ask, &clock, request)).unwrap();
        assert_eq!(corpus.answers.searches.lock().unwrap().len(), kept, "{name}");
    }
}
