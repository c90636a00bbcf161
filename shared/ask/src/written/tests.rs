use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::Value;

use super::*;
use crate::Ask;
use crate::question::Asked;
use ports::Completion;
use ports::degraded::Degraded;
use testing::{Corpus, FakeAnswers, FakeContext, FakeEmbedder};

/// A model that replies with the given texts, one after another.
struct Scripted(Mutex<Vec<Value>>);

#[async_trait]
impl Model for Scripted {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        assert!(prompt.user.contains("water hammer") && prompt.tool.unwrap().name == "queries");
        let mut answers = self.0.lock().unwrap();
        if answers.is_empty() {
            return Err(Error::unavailable("the language model", "slow"));
        }
        Ok(Completion { content: answers.remove(0), tokens_in: 7, tokens_out: 3 })
    }
}

fn asked(queries: &[&str], mode: Option<AnswerMode>, scopes: &[Scope]) -> Asked {
    let queries = queries.iter().map(|query| Question::parse(query).unwrap()).collect();
    let question = Question::parse("Why is there water hammer?").unwrap();
    Asked { queries, mode, ..Asked::of(question, Grant::unchecked(scopes)) }
}

/// Asks for queries from a model of this name with these replies; returns the queries and the
/// missing parts.
fn ask(
    kept: &FakeAnswers,
    (name, answers): (&str, &[Value]),
    mut asked: Asked,
) -> (Vec<String>, Vec<Degraded>) {
    let model = Scripted(Mutex::new(answers.to_vec()));
    written(kept, (name, &model), &[], &mut asked);
    (asked.written.iter().map(|query| query.as_str().to_owned()).collect(), asked.degraded)
}

fn written(
    kept: &FakeAnswers,
    (name, model): (&str, &Scripted),
    choices: &[Choice<'_>],
    asked: &mut Asked,
) {
    let chat = Some(testing::chat(model, name));
    let writer = Some(Writer { chat, kept, mode: AnswerMode::Extractive });
    let (context, corpus) = (FakeContext::default(), Corpus::default());
    let ask = Ask { writer, ..Ask::new(context.context(), &FakeEmbedder, &corpus.index) };
    pollster::block_on(ask.write_queries(asked, choices)).unwrap();
}

fn standard(scopes: &[Scope]) -> Asked {
    asked(&[], Some(AnswerMode::Generative), scopes)
}

#[test]
fn they_are_written_at_standard_alone_and_where_the_caller_sends_none() {
    let kept = FakeAnswers::default();
    for asked in [
        asked(&[], None, &[Scope::Global]),
        asked(&["valve"], Some(AnswerMode::Generative), &[Scope::Global]),
    ] {
        let (written, degraded) = ask(&kept, ("a", &[]), asked);
        assert!(written.is_empty() && degraded.is_empty());
    }
    let (written, degraded) = ask(&kept, ("a", &[]), standard(&[Scope::Global]));
    assert!(written.is_empty() && degraded[0].part == "queries_written", "a failure is told");
}

#[test]
fn what_is_no_query_is_left_out_and_what_is_long_is_cut() {
    let answer = json!({"queries": ["pressure surge", " ", "x".repeat(900), "Why is there water hammer?", "pressure surge", "a", "b", "c"]});
    let (written, degraded) =
        ask(&FakeAnswers::default(), ("a", &[answer]), standard(&[Scope::Global]));
    assert_eq!((written.len(), written[0].as_str(), degraded.len()), (3, "pressure surge", 0));
    assert_eq!(written[1].len(), LONGEST);
    let odd = json!({"queries": "pressure surge"});
    let (written, degraded) =
        ask(&FakeAnswers::default(), ("a", &[odd]), standard(&[Scope::Global]));
    assert!(written.is_empty() && degraded.len() == 1);
}

#[test]
fn they_are_kept_for_the_model_with_what_has_the_fewest_readers() {
    let kept = FakeAnswers::default();
    let (case, answer) = (Scope::Case("01J".into()), json!({"queries": ["pressure surge"]}));
    let both = || standard(&[Scope::Global, case.clone()]);
    for answers in [&[answer][..], &[]] {
        let (written, _) = ask(&kept, ("a", answers), both());
        assert_eq!(written, ["pressure surge"], "the second time unasked");
    }
    assert!(kept.queries.lock().unwrap().keys().all(|(scope, _)| *scope == case));
    assert_eq!(ask(&kept, ("b", &[]), both()).1.len(), 1, "another model writes its own");
    assert_eq!(ask(&kept, ("a", &[]), standard(&[Scope::Global])).1.len(), 1);
}

#[test]
fn what_was_written_without_sources_to_choose_from_is_not_used_where_there_are_some() {
    let kept = FakeAnswers::default();
    let form = json!({"queries": ["pressure surge"], "intent": "explain", "sources": ["docs"]});
    let model = Scripted(Mutex::new(vec![json!({"queries": ["pressure surge"]}), form]));
    let sources = |choices: &[Choice<'_>]| {
        let mut asked = standard(&[Scope::Global]);
        written(&kept, ("a", &model), choices, &mut asked);
        asked.route.map(|route| route.sources)
    };
    assert_eq!(sources(&[]), None);
    let choices = [("docs", "documentation"), ("code", "source code")];
    assert_eq!(sources(&choices), Some(vec!["docs".into()]));
    assert_eq!(sources(&choices), Some(vec!["docs".into()]), "kept with the queries");
}
