use serde_json::{Value, json};

use ask::Ask;
use testing::{Corpus, FakeContext, FakeEmbedder};

/// Returns the decisions that a trade study of two brokers shows, as text, option and status.
fn decided(documents: &[(&str, &str)]) -> Vec<(String, Value, Value)> {
    let alternatives = json!(["Tidewire", "Halyard"]);
    shown(
        documents,
        json!({"question": "Tidewire or Halyard as broker?", "alternatives": alternatives}),
    )
}

fn shown(documents: &[(&str, &str)], request: Value) -> Vec<(String, Value, Value)> {
    let corpus = pollster::block_on(Corpus::of(documents));
    let context = FakeContext::default();
    let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
    let request = serde_json::from_value(request).unwrap();
    let answer = pollster::block_on(super::super::run(&ask, request)).unwrap().reply;
    let answer = serde_json::to_value(answer).unwrap();
    let all = answer["decided"].as_array().unwrap().iter();
    all.map(|decision| {
        assert!(decision["passage"]["passage_id"].is_string());
        let text = decision["text"].as_str().unwrap().to_owned();
        (text, decision["option"].clone(), decision["status"].clone())
    })
    .collect()
}

const CHOICE: &str = "# 7. Broker\n\n## Status\n\nAccepted\n\n## Considered options\n\n- Tidewire\n- Halyard\n\n## Decision\n\n\
    We will use Halyard instead of Tidewire.\n";
const OLD: &str = "# 3. Broker\n\n## Status\n\nSuperseded by 7\n\n## Decision\n\nWe will use Tidewire and not Halyard as broker.\n";
const OTHER: &str =
    "# 9. Paint\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will paint the station blue.\n";

#[test]
fn the_decision_that_stands_comes_before_the_one_it_replaced_and_others_are_left_out() {
    let found = decided(&[("adr/3.md", OLD), ("adr/7.md", CHOICE), ("adr/9.md", OTHER)]);
    let expected = [
        (
            "We will use Halyard instead of Tidewire.".to_owned(),
            json!("Halyard"),
            json!("accepted"),
        ),
        (
            "We will use Tidewire and not Halyard as broker.".to_owned(),
            json!("Tidewire"),
            json!("superseded"),
        ),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_document_that_only_mentions_an_option_settles_nothing() {
    let note = "# 4. Logs\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will keep logs for a year.\n\n## Context\n\nTidewire writes them.\n";
    assert_eq!(decided(&[("adr/4.md", note)]), []);
}

#[test]
fn without_alternatives_the_decision_on_the_subject_is_shown() {
    let asked = |question: &str| {
        shown(&[("adr/7.md", CHOICE), ("adr/9.md", OTHER)], json!({"question": question}))
    };
    let texts: Vec<String> =
        asked("Which broker do we use?").into_iter().map(|found| found.0).collect();
    assert_eq!(texts, ["We will use Halyard instead of Tidewire."]);
    assert_eq!(asked("Which bearing was picked?"), []);
}
