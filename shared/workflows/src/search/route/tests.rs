use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::search::tests::sources;

/// Returns three counts for a half of the labels: the questions for which a language model chose
/// the right sources, those for which it stated the right intent, and all questions.
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
        let route =
            Route::by_model(&serde_json::from_value(form.clone()).unwrap(), &sources).unwrap();
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
fn a_language_model_routes_more_than_eight_in_ten_questions_rightly() {
    for half in ["seen", "unseen"] {
        let (right, intents, all) = routed_by_model(half);
        eprintln!("\nsources by a model, {half}: {right} of {all}");
        eprintln!("intent by a model, {half}: {intents} of {all}");
        assert!(right * 10 > all * 8 && intents * 10 > all * 8);
    }
}
