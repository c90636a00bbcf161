//! What is counted is what is asked, or nothing is counted.

use serde_json::json;

use super::*;

const ACCESS: &str = "10.0.0.1 - - [20/Nov/2026:07:00:00 +0000] \"GET /head.png HTTP/1.1\" 200 12\n\
    10.0.0.2 - - [20/Nov/2026:07:00:01 +0000] \"HEAD /files/pump.log HTTP/1.1\" 200 0\n\
    10.0.0.2 - - [20/Nov/2026:07:00:02 +0000] \"GET /files/pump.log HTTP/1.1\" 404 7\n";

/// A broker's log: `second` errors, and two that say more.
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

/// The claims, one below the other.
fn claims_text(site: &Site, question: &str) -> String {
    let claims = site.ask(&case(), question).claims.into_iter();
    claims.map(|claim| claim.text).collect::<Vec<_>>().join("\n")
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
fn a_method_is_not_the_word_it_is_written_like() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    assert_eq!(counted(&site, "How many HEAD requests came in?"), Some(1));
    assert_eq!(counted(&site, "How many POST requests did we get?"), None);
    let report = site.ask(&case(), "How many POST requests did we get?");
    assert_eq!(report.abstained.unwrap().reason, AbstentionReason::NoEvidence);
}

#[test]
fn a_file_that_the_records_tell_of_is_no_unknown_document() {
    let site = Site::new(&[(case(), "access.log", ACCESS), (case(), "app.log", LOG)]);
    assert_eq!(counted(&site, "Who fetched /files/pump.log? List all the requests."), Some(2));
    assert_eq!(counted(&site, "List all requests in seal.log"), None);
}

#[test]
fn what_was_done_is_counted_whatever_it_is() {
    assert_eq!(counted(&brokers(), "How many tasks did the broker finish?"), Some(2));
    let log = ACCESS.replace("/head.png", "/2?of=10.0.0");
    let site = Site::new(&[(case(), "access.log", &log)]);
    let answer = claims_text(&site, "How many visits came from 10.0.0.2?");
    assert!(answer.starts_with("2 records with client 10.0.0.2\n"), "{answer}");
}

#[test]
fn of_the_broker_that_is_named_and_of_no_other() {
    assert_eq!(counted(&brokers(), "How many errors did broker 1 log?"), Some(3));
    assert_eq!(counted(&brokers(), "How many errors did broker 0 write?"), None);
}

#[test]
fn what_stands_in_no_record_is_told_and_no_condition() {
    let ask = |question: &str| claims_text(&brokers(), question);
    let errors = ask("How many errors were there at the bakery?");
    assert!(
        errors.starts_with("3 records with level ERROR or CRITICAL or FATAL; not read: bakery\n"),
        "{errors}"
    );
    let whole = ask("How many errors were there?");
    assert!(whole.starts_with("3 records with level ERROR or CRITICAL or FATAL\n"), "{whole}");
    let payments = ask("How many payments were settled at the bakery?");
    assert!(payments.contains("; not read: settled, bakery\n"), "{payments}");
}

#[test]
fn what_is_left_out_is_not_what_is_counted() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    let one = claims_text(&site, "How many requests did not return a 200?");
    assert!(one.starts_with("1 record with code other than 200\n"), "{one}");
    let most = claims_text(&site, "Apart from 200, which status comes most often?");
    assert_eq!(most, "1 record with code other than 200, by code: 1\n404: 1");
}

#[test]
fn a_name_with_a_mark_in_it_is_that_name_alone() {
    let log = "2026-11-20T18:00:00Z ERROR pump-service down\n2026-11-20T18:00:01Z ERROR pump2-service down\n\
               2026-11-20T18:00:02Z INFO login of ana\n2026-11-20T18:00:03Z INFO in time\n";
    let site = Site::new(&[(case(), "app.log", log)]);
    assert_eq!(counted(&site, "How many errors did pump-service have?"), Some(1));
    assert_eq!(counted(&site, "How many times did somebody log in?"), Some(1));
}

#[test]
fn how_it_is_may_stand_in_a_setting_and_how_often_it_was_may_not() {
    let settings = "index:\n  refresh_interval: 5s\n";
    let site = Site::new(&[(case(), "app.log", LOG), (case(), "index.yaml", settings)]);
    let report = site.ask(&case(), "How often is the index refreshed at an interval?");
    assert_eq!(report.citations[0].passage.file, "index.yaml", "{}", report.answer);
    let report = site.ask(&case(), "How often was the index refreshed at dawn?");
    assert_eq!(report.unread, ["dawn"], "{}", report.answer);
}

#[test]
fn most_often_is_told_by_whose_log_it_is_and_by_clients_behind_a_syslogs_host() {
    let [one, two] = [broker(1, 3), broker(2, 1)];
    let site = Site::new(&[(case(), "kafka1.log", &one), (case(), "kafka2.log", &two)]);
    let most = claims_text(&site, "Which broker logged the most errors?");
    assert!(most.ends_with("\nkafka1: 3\nkafka2: 1"), "{most}");
    let line = |second: u32, client: &str| {
        let at = format!("20/Nov/2026:07:00:0{second}.000");
        format!(
            "Nov 20 07:00:0{second} 10.0.0.9 haproxy[7]: {client}:80 [{at}] web be/s 0/0/0/5/5 200 12 - -\n"
        )
    };
    let log = [line(0, "10.1.1.1"), line(1, "10.1.1.2"), line(2, "10.1.1.2")].concat();
    let site = Site::new(&[(case(), "proxy.log", &log)]);
    let most = claims_text(&site, "Which client IP comes most often?");
    assert!(most.contains("\n10.1.1.2: 2"), "{most}");
}

#[test]
fn groups_by_hour_are_told_though_no_record_has_the_hour() {
    let site = Site::new(&[(case(), "app.log", LOG)]);
    let answer = claims_text(&site, "How many errors per hour?");
    assert!(answer.contains("18:00"), "{answer}");
}

#[test]
fn a_list_may_be_asked_for_at_the_end() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    let question = "Which requests ended with a 404? List them.";
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
