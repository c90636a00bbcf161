use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::search::tests::sources;

fn cues(question: &str) -> (Vec<Intent>, Vec<String>, bool) {
    let Cues { intents, sources, is_vague, .. } = Cues::of(question);
    (intents, sources, is_vague)
}

#[test]
fn phrases_tell_the_intent_whatever_their_capitals() {
    assert!(cues("WHERE IS the rate limiter IMPLEMENTED?").0.contains(&Intent::Locate));
    let (intents, sources, _) = cues("Explain the method of least squares");
    assert_eq!(intents, [Intent::Explain], "a phrase counts for an intent and for a source");
    assert!(sources.contains(&"textbook".to_owned()));
    assert!(cues("best practices for API versioning").1.contains(&"guide".to_owned()));
    assert!(cues("API for streaming responses").1.contains(&"docs".to_owned()));
    assert!(cues("psycopg2.OperationalError: server closed").1.contains(&"forum".to_owned()));
}

#[test]
fn a_word_that_is_part_of_another_is_no_cue() {
    let (intents, sources, _) = cues("classification of defaulters in vegetables");
    assert!(intents.is_empty() && sources.is_empty(), "{intents:?} {sources:?}");
}

#[test]
fn a_subject_alone_is_for_any_source() {
    assert!(cues("connection pool").2 && !cues("`pool_size`").2 && !cues("explain pools").2);
}

/// Counts, for a half of the labels, questions for which a language model chose the right sources, and those with the right intent.
fn routed_by_model(half: &str) -> (usize, usize, usize) {
    let lines = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let labels = lines(include_str!("../../../../../tests/eval/search/router.jsonl"));
    let forms = lines(include_str!("../../../../../tests/eval/search/forms.jsonl"));
    let sources = sources();
    let names =
        |value: &Value| -> BTreeSet<String> { serde_json::from_value(value.clone()).unwrap() };
    let (mut right, mut intents, mut all) = (0, 0, 0);
    for label in labels.iter().filter(|label| label["half"] == half) {
        let form = forms.iter().find(|form| form["id"] == label["id"]).unwrap();
        let cues = Cues::of(label["question"].as_str().unwrap());
        let by_rules = chosen(&sources, Intent::Explain, vec![0.0; sources.all().len()], &cues);
        let route =
            by_rules.by_model(&serde_json::from_value(form.clone()).unwrap(), &sources).unwrap();
        let asked: BTreeSet<String> =
            route.chosen.iter().map(|place| sources.all()[*place].name.clone()).collect();
        let has_all = names(&label["expected"]).is_subset(&asked);
        right += usize::from(has_all && asked.is_subset(&names(&label["allowed"])));
        intents += usize::from(label["intent"] == json!(route.intent));
        all += 1;
    }
    (right, intents, all)
}

#[test]
fn a_language_model_routes_as_often_right_as_the_figures_say() {
    assert_eq!(routed_by_model("seen"), (70, 68, 74));
    assert_eq!(routed_by_model("unseen"), (78, 76, 86));
}
