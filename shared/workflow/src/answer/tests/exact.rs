//! What is gone through record by record.

use serde_json::{Value, json};

use super::*;

fn ask(site: &Site, question: &str, filters: &Value) -> Report {
    let request = json!({"question": question, "filters": filters});
    site.ask_with(&case(), request, None).unwrap().report
}

#[test]
fn the_callers_filters_hold_for_each_record_and_not_only_for_its_passage() {
    let count = |filters: Value| {
        ask(&evidence(), "How many records are there?", &filters).counted.unwrap().number
    };
    assert_eq!(count(json!({})), 5);
    assert_eq!(count(json!({"severity": "ERROR"})), 3);
    assert_eq!(count(json!({"line": {"gte": 2, "lte": 3}})), 2);
    assert_eq!(count(json!({"time": {"gte": "2026-11-20T18:31:00Z"}})), 1);
    let report = ask(&evidence(), "What did the gateway say?", &json!({"severity": "WARN"}));
    assert!(report.citations.iter().all(|own| own.lines == Some((3, 3))), "{}", report.answer);
}

#[test]
fn a_count_says_by_which_words_it_counted() {
    let report = ask(&evidence(), "How many times was the pool exhausted?", &json!({}));
    assert!(
        report.claims[0].text.starts_with("2 records with \"pool\" and \"exhausted\" in app.log")
    );
}

#[test]
fn a_line_is_of_the_document_that_is_named_or_of_the_only_one() {
    let site = Site::new(&[(case(), "app.log", LOG), (case(), "other.log", LOG)]);
    let names = |question: &str| -> Vec<String> {
        let report = ask(&site, question, &json!({}));
        report.citations.into_iter().map(|own| own.display).collect()
    };
    assert_eq!(names("What is on line 3 of app.log?"), ["app.log:3 (18:10:09Z)"]);
    assert_eq!(names("app.log:5 says what?"), ["app.log:5 (18:31:00Z)"]);
    let read = &ask(&site, "Show lines 1 and 5 of app.log", &json!({})).filters_read[0];
    assert_eq!((read.field.as_str(), &read.value), ("line", &json!([1, 5])));
    let both = ["app.log:1 (18:09:58Z)", "app.log:5 (18:31:00Z)"];
    assert_eq!(names("Show lines 1 and 5 of app.log"), both);
    assert_eq!(names("What is on line 3 of missing.log?"), [""; 0]);
    let report = ask(&site, "What is on line 3 of missing.log?", &json!({}));
    assert_eq!(report.abstained.unwrap().reason, Reason::NoEvidence);
}

#[test]
fn a_rotated_log_is_no_unknown_file() {
    let site = Site::new(&[(case(), "app.log.2026-11-20-18", LOG), (case(), "b.log", LOG)]);
    for question in
        ["What is on line 3 of app.log.2026-11-20-18?", "How many ERROR entries are in app.log?"]
    {
        let report = ask(&site, question, &json!({}));
        assert!(report.citations.iter().all(|own| own.name.starts_with("app.log")), "{question}");
        assert!(report.abstained.is_none() && !report.claims.is_empty(), "{question}");
    }
}

#[test]
fn names_of_files_are_found_whatever_letters_stand_around_them() {
    let report = ask(&evidence(), "İ app.log– ẞ", &json!({}));
    assert_eq!(report.result_type, "answer");
}

#[test]
fn the_last_is_the_last_in_time_and_a_trace_is_one_record() {
    let trace = "Caused by: pool.Gone: timeout of the pool\n".repeat(60);
    let log = format!(
        "2026-11-20T18:00:00Z ERROR pool timeout\n{trace}2026-11-20T18:05:00Z ERROR pool timeout again\n"
    );
    let site =
        Site::new(&[(case(), "pool.log", &log), (case(), "pool.yaml", "pool:\n  timeout: 30\n")]);
    let report = ask(&site, "What was the last timeout?", &json!({}));
    assert_eq!(report.citations[0].display, "pool.log:62 (18:05:00Z)");
    let report = ask(&site, "How many records in pool.log mention a timeout?", &json!({}));
    assert_eq!(report.counted.unwrap().number, 2);
}

#[test]
fn what_failed_first_is_the_first_failure_and_not_the_first_record_with_that_word() {
    let log = "2026-11-20T18:00:00Z INFO start\n2026-11-20T18:01:00Z ERROR pool exhausted\n\
               2026-11-20T18:02:00Z WARN probe failed\n";
    let site = Site::new(&[(case(), "app.log", log)]);
    let report = ask(&site, "What failed first?", &json!({}));
    assert_eq!(report.citations[0].lines, Some((2, 2)), "{}", report.answer);
}

#[test]
fn severities_that_no_record_has_are_counted_as_none() {
    let log = "2026-11-20T18:00:00Z INFO start failed\n2026-11-20T18:01:00Z WARN start failed\n";
    let site = Site::new(&[(case(), "app.log", log)]);
    let report = ask(&site, "How many ERROR entries are there?", &json!({}));
    assert_eq!(report.abstained.unwrap().reason, Reason::NoEvidence);
    let report = ask(&site, "How many INFO and WARN entries are there?", &json!({}));
    assert_eq!(report.counted.unwrap().number, 2);
}

#[test]
fn most_often_goes_by_what_the_records_reader_knows() {
    let report = ask(&evidence(), "Which error code occurs most often?", &json!({}));
    let groups: Vec<(String, usize)> =
        report.counted.unwrap().groups.into_iter().map(|own| (own.key, own.number)).collect();
    assert_eq!(groups, [("E1042".to_owned(), 2), ("E2001".to_owned(), 1)]);
}

#[test]
fn a_capital_behind_a_greeting_is_no_unknown_name() {
    let report = ask(
        &evidence(),
        "Hello there. Please tell me how many ERROR entries are in app.log",
        &json!({}),
    );
    assert_eq!(report.counted.unwrap().number, 3);
}

#[test]
fn a_follow_up_that_says_what_was_asked_before_is_no_other_question() {
    let request = json!({"question": "How often does it expire?", "conversation": [
        {"role": "user", "content": "How often does it expire?"},
        {"role": "assistant", "content": "it never expires"},
    ]});
    let report = evidence().ask_with(&case(), request, None).unwrap().report;
    assert_eq!(report.rewritten_question, None);
}

#[test]
fn a_summary_is_not_quoted() {
    let log = |minute: usize| {
        let (hour, minute) = (minute / 60, minute % 60);
        format!("2026-11-20T{hour:02}:{minute:02}:00Z ERROR valve stuck at {}\n", "x".repeat(200))
    };
    let log: String = (0..900).map(log).collect();
    let site = Site::new(&[(case(), "valve.log", &log)]);
    assert!(site.index.points().iter().any(|own| own.chunk.is_summary()), "there is one");
    let report = ask(&site, "Why is the valve stuck?", &json!({}));
    assert!(!report.citations.is_empty());
    assert!(report.citations.iter().all(|own| own.lines.is_some()), "{}", report.answer);
}
