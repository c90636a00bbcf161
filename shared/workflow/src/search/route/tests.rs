use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

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

/// Prints how often sources and intent are right that a language model chose; `cargo test --workspace --lib -- a_model_routes
/// --include-ignored --nocapture`. tests/bench/README.md says what its figures are.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "it prints its figures")]
fn a_model_routes() {
    let lines = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let labels = lines(include_str!("../../../../../tests/eval/search/router.jsonl"));
    let forms = lines(include_str!("../../../../../tests/eval/search/forms.jsonl"));
    let names =
        |value: &Value| -> BTreeSet<String> { serde_json::from_value(value.clone()).unwrap() };
    for half in ["seen", "unseen"] {
        let (mut all, mut right, mut intents) = (0, 0, 0);
        for row in labels.iter().filter(|row| row["half"] == half) {
            let form = forms.iter().find(|form| form["id"] == row["id"]).unwrap();
            let is_vague = Cues::of(row["question"].as_str().unwrap()).is_vague;
            let vague = ["code", "docs", "textbook"].map(str::to_owned).into();
            let chosen = if is_vague { vague } else { names(&form["sources"]) };
            all += 1;
            right += i32::from(
                names(&row["expected"]).is_subset(&chosen)
                    && chosen.is_subset(&names(&row["allowed"])),
            );
            intents += i32::from(form["intent"] == row["intent"]);
        }
        println!("{half}: sources {right} and intent {intents} of {all}");
    }
}
