//! Tests that a count is either exact or absent.

use serde_json::json;

use super::*;

const ACCESS: &str = "10.0.0.1 - - [20/Nov/2026:07:00:00 +0000] \"GET /head.png HTTP/1.1\" 200 12\n\
    10.0.0.2 - - [20/Nov/2026:07:00:01 +0000] \"HEAD /files/pump.log HTTP/1.1\" 200 0\n\
    10.0.0.2 - - [20/Nov/2026:07:00:02 +0000] \"GET /files/pump.log HTTP/1.1\" 404 7\n";

/// Returns a broker's log with `errors` errors and two longer records.
fn broker(number: u8, errors: u8) -> String {
    let mut log = format!(
        "2026-11-20T18:00:00Z INFO [KafkaServer id={number}] payment topic declined no lease\n"
    );
    for second in 0..errors {
        let line = format!("2026-11-20T18:01:{second:02}Z ERROR replica fetcher stopped\n");
        log.push_str(&line);
    }
    log.push_str("2026-11-20T18:02:00Z INFO task 7 finished\n");
    log
}

fn brokers() -> Site {
    let [zero, one] = [broker(0, 0), broker(1, 3)];
    Site::new(&[(case(), "kafka0-server.log", &zero), (case(), "kafka1-server.log", &one)])
}

fn counted(site: &Site, question: &str) -> Option<u64> {
    let report = site.ask(&case(), question);
    report.records.filter(|_| report.abstained.is_none()).map(|record| record.totals.records)
}

#[test]
fn records_of_one_template_are_cited_each_at_its_own_line() {
    let log = "2026-11-20T18:10:00Z ERROR pump 7 stuck\n2026-11-20T18:10:01Z ERROR pump 8 stuck\n";
    let site = Site::new(&[(case(), "pump.log", log)]);
    let report = site.ask(&case(), "How many ERROR entries are there?");
    let lines: Vec<_> = report.citations.iter().map(|citation| citation.lines.unwrap()).collect();
    assert_eq!(lines, [(1, 1), (2, 2)]);
    assert!(report.citations.iter().zip(log.lines()).all(|(r, line)| r.quote == line));
}

#[test]
fn a_question_with_words_that_are_not_read_shows_records_and_counts_nothing() {
    let access = Site::new(&[(case(), "access.log", ACCESS)]);
    for (site, question, unread) in [
        (&access, "How many POST requests did we get?", vec!["POST", "requests"]),
        (
            &access,
            "How many requests did not return a 200?",
            vec!["requests", "not", "return", "200"],
        ),
        (&brokers(), "How many errors were there at the bakery?", vec!["bakery"]),
        (
            &brokers(),
            "How many replica fetchers stopped per broker?",
            vec!["replica", "fetchers", "stopped"],
        ),
    ] {
        let report = site.ask(&case(), question);
        assert_eq!(report.unread, unread, "{question}");
        assert!(report.records.is_none(), "{question}");
        let mut claims = report.claims.iter().flat_map(|claim| claim.text.lines());
        assert!(claims.all(|line| line.contains("2026")), "{question}: {}", report.answer);
    }
    let why = access.ask(&case(), "Why did 10.0.0.2 get no pump.log?");
    assert_eq!(why.unread, [""; 0], "it asks for no number");
}

#[test]
fn a_file_that_the_records_tell_of_is_no_unknown_document() {
    let site = Site::new(&[(case(), "access.log", ACCESS), (case(), "app.log", LOG)]);
    let report = site.ask(&case(), "Who fetched /files/pump.log?");
    assert!(report.answer.contains("/files/pump.log"), "{}", report.answer);
    let other = site.ask(&case(), "Who fetched seal.log?");
    assert_eq!(other.abstained.unwrap().reason, AbstentionReason::NoEvidence);
}

#[test]
fn of_the_file_that_is_named_and_of_no_other() {
    assert_eq!(counted(&brokers(), "How many errors are in kafka1-server.log?"), Some(3));
    assert_eq!(counted(&brokers(), "How many errors are in kafka0-server.log?"), None);
}

#[test]
fn groups_by_hour_are_told_though_no_record_has_the_hour() {
    let site = Site::new(&[(case(), "app.log", LOG)]);
    let answer = site.ask(&case(), "How many errors per hour?").answer;
    assert!(answer.contains("18:00"), "{answer}");
}

#[test]
fn a_list_is_of_what_the_callers_filters_allow() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    let question = "List the records with status 404.";
    let report = site.ask(&case(), question);
    assert_eq!(report.records.map(|record| record.totals.records), Some(1));
    assert_eq!(report.citations[0].lines, Some((3, 3)));
    let request = json!({"question": question, "filters": {"line": {"lte": 2}}});
    let report = site.ask_with(&case(), request, None).unwrap().report;
    assert!(
        report.citations.iter().all(|citation| citation.lines != Some((3, 3))),
        "{}",
        report.answer
    );
}
