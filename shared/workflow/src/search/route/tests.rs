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
