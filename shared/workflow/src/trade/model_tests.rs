//! A language model says which option each statement is about.

use super::*;
use crate::ports::Model;
use crate::strategy::Writer;
use crate::testing::{Corpus, FakeDesk, FakeEmbedder, FakeModel};
use serde_json::{Value, json};
use wire::common::AnswerMode;

const NOTES: &str = "# Brokers\n\nTidewire and Halyard were tried. The first restarts in 2 s. Tidewire was named in 2019.\n\n\
    The other one loses messages.\n";

/// Asks for a comparison of Tidewire and Halyard; what the model says and what failed with it.
fn ask(model: &FakeModel, alternatives: &Value) -> (Value, Vec<String>) {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("notes.md", NOTES)]).await;
        let mut retriever = Retriever::new(&FakeEmbedder, &corpus.index);
        let (named, mode) = (Some((model as &dyn Model, "m")), AnswerMode::Generative);
        retriever.writer = Some(Writer { model: named, kept: &corpus.answers, mode });
        let request = json!({"question": "Tidewire or Halyard?", "alternatives": alternatives});
        let desk = FakeDesk::default();
        let request = serde_json::from_value(request).unwrap();
        let answer = run(&retriever, &desk.desk(), request).await.unwrap();
        let failed =
            answer.degraded.into_iter().map(|degraded| degraded.part.into_owned()).collect();
        (serde_json::to_value(answer.reply).unwrap(), failed)
    })
}

fn pieces(report: &Value, place: usize) -> Vec<&str> {
    let pieces = report["alternatives"][place]["criteria"].as_array().unwrap();
    pieces.iter().map(|piece| piece["evidence"].as_str().unwrap()).collect()
}

fn model() -> FakeModel {
    let listed =
        |option: &str, statement: &str| json!({"option": option, "statements": [statement]});
    let options = [listed("Tidewire", "s2"), listed("Halyard", "s4")];
    FakeModel::of("statements", json!({"options": options}))
        .with("queries", json!({"queries": ["broker"]}))
}

#[test]
fn what_a_model_gives_to_an_option_stands_there_and_nothing_else_does() {
    let listed = json!(["Tidewire", "Halyard"]);
    for alternatives in [listed, Value::Null] {
        let (report, failed) = ask(&model(), &alternatives);
        assert!(failed.is_empty(), "{failed:?}");
        assert_eq!(report["alternatives"][0]["name"], "Tidewire");
        assert_eq!(pieces(&report, 0), ["The first restarts in 2 s."]);
        assert_eq!(pieces(&report, 1), ["The other one loses messages."]);
        let boosts = &report["alternatives"][1]["criteria"][0]["score_parts"]["boosts"];
        assert_eq!(boosts[0]["name"], "a language model gives it to the alternative");
    }
}

#[test]
fn where_the_model_fails_rules_decide_and_the_answer_says_so() {
    let busy = FakeModel::of("queries", json!({"queries": ["broker"]}));
    let (report, failed) = ask(&busy, &json!(["Tidewire", "Halyard"]));
    assert_eq!(failed, ["rerank"]);
    assert!(pieces(&report, 0).contains(&"Tidewire was named in 2019."), "{report}");
}
