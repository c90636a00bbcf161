//! Tests statements that a language model assigns to options.

use super::*;
use ask::written::Writer;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder, FakeModel};
use wire::common::AnswerMode;

const NOTES: &str = "# Brokers\n\nTidewire and Halyard were tried. The first restarts in 2 s. Tidewire was named in 2019.\n\n\
    The other one loses messages.\n";

/// Asks for a comparison of Tidewire and Halyard; returns the report and the failed parts.
fn ask(model: &FakeModel, alternatives: &Value) -> (Value, Vec<String>) {
    ask_of(NOTES, model, alternatives)
}

fn ask_of(text: &str, model: &FakeModel, alternatives: &Value) -> (Value, Vec<String>) {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("notes.md", text)]).await;
        let context = FakeContext::default();
        let mut ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let (chat, mode) = (Some(testing::chat(model, "m")), AnswerMode::Generative);
        ask.writer = Some(Writer { chat, kept: &corpus.answers, mode });
        let request = json!({"question": "Tidewire or Halyard?", "alternatives": alternatives});
        let mut request: TradeRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let answer = run(&ask, request).await.unwrap();
        let failed =
            answer.degraded.into_iter().map(|degraded| degraded.part.into_owned()).collect();
        (serde_json::to_value(answer.reply).unwrap(), failed)
    })
}

fn pieces(report: &Value, place: usize) -> Vec<&str> {
    let pieces = report["alternatives"][place]["criteria"].as_array().unwrap();
    pieces.iter().map(|piece| piece["evidence"].as_str().unwrap()).collect()
}

/// Returns a model that assigns these statements to Tidewire and Halyard.
fn model(tidewire: &[&str], halyard: &[&str]) -> FakeModel {
    let options =
        json!([{"option": "o1", "statements": tidewire}, {"option": "o2", "statements": halyard}]);
    FakeModel::of("statements", json!({"options": options}))
        .with("queries", json!({"queries": ["broker"]}))
}

#[test]
fn what_a_model_gives_to_an_option_stands_there_and_nothing_else_does() {
    let listed = json!(["Tidewire", "Halyard"]);
    for alternatives in [listed, Value::Null] {
        let (report, failed) = ask(&model(&["s2"], &["s4"]), &alternatives);
        assert!(failed.is_empty(), "{failed:?}");
        assert_eq!(report["alternatives"][0]["name"], "Tidewire");
        assert_eq!(pieces(&report, 0), ["The first restarts in 2 s."]);
        assert_eq!(pieces(&report, 1), ["The other one loses messages."]);
        let boosts = &report["alternatives"][1]["criteria"][0]["score_parts"]["boosts"];
        assert_eq!(boosts[0]["name"], "a language model gives it to the alternative");
    }
}

#[test]
fn a_decision_that_a_model_gives_to_an_option_settles_the_question() {
    let text = "# 7. Messages\n\n## Status\n\nAccepted\n\n## Context\n\nTidewire loses messages.\n\n## Decision\n\n\
        We will move to the newer one.\n";
    let decided_in = |text: &str, tidewire: &[&str], halyard: &[&str]| {
        let (report, _) = ask_of(text, &model(tidewire, halyard), &json!(["Tidewire", "Halyard"]));
        let decided = report["decided"].as_array().unwrap().clone();
        decided.into_iter().map(|decision| decision["option"].clone()).collect::<Vec<Value>>()
    };
    let decided = |tidewire: &[&str], halyard: &[&str]| decided_in(text, tidewire, halyard);
    assert_eq!(decided(&["s2"], &["s3"]), [json!("Halyard")]);
    let named = text.replace("the newer one", "Halyard, which costs less than Tidewire");
    assert_eq!(decided_in(&named, &["s3"], &[]), [json!("Halyard")], "its own words come first");
    assert_eq!(decided(&["s2"], &[]), [Value::Null; 0]);
    assert_eq!(decided(&["s2", "s3"], &["s3"]), [Value::Null; 0]);
}

#[test]
fn where_the_model_fails_rules_decide_and_the_answer_says_so() {
    let busy = FakeModel::of("queries", json!({"queries": ["broker"]}));
    let (report, failed) = ask(&busy, &json!(["Tidewire", "Halyard"]));
    assert_eq!(failed, ["rerank"]);
    assert!(pieces(&report, 0).contains(&"Tidewire was named in 2019."), "{report}");
}

#[test]
fn cells_stay_with_their_heads_and_values_of_several_options_with_those_that_are_named() {
    let text = "# Brokers\n\nThe first costs 3 EUR and Halyard 5 EUR. The one costs 7 EUR, the other 9 EUR.\n\n\
        | Broker | Price |\n|---|---|\n| Halyard | 11 EUR |\n| The new one | 13 EUR |\n";
    let all = ["s1", "s2", "s3", "s4"];
    let (report, failed) =
        ask_of(text, &model(&all, &["s1", "s2"]), &json!(["Tidewire", "Halyard"]));
    assert!(failed.is_empty(), "{failed:?}");
    let values = |place: usize| -> Vec<String> {
        let pieces = report["alternatives"][place]["criteria"].as_array().unwrap();
        pieces.iter().filter_map(|p| p["value"]["text"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(values(0), ["13 EUR"], "{report}");
    let halyard = values(1);
    assert!(halyard.contains(&"11 EUR".into()) && halyard.contains(&"5 EUR".into()), "{halyard:?}");
    assert!(
        !halyard.contains(&"9 EUR".into()) && !halyard.contains(&"7 EUR".into()),
        "{halyard:?}"
    );
}

#[test]
fn an_argument_keeps_its_side_only_where_rules_and_the_model_agree_on_its_option() {
    let text = "# Brokers\n\n## Tidewire\n\nPros:\n\n- it restarts within two seconds\n- the other one does not lose messages\n";
    let (report, _) = ask_of(text, &model(&["s2"], &["s3"]), &json!(["Tidewire", "Halyard"]));
    let sides = |place: usize| report["alternatives"][place]["criteria"][0]["side"].clone();
    assert_eq!((sides(0), sides(1)), (json!("for"), Value::Null), "{report}");
}
