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

fn counted(site: &Site, question: &str) -> Option<usize> {
    site.ask(&case(), question).counted.map(|counted| counted.number)
}

#[test]
fn a_method_is_not_the_word_it_is_written_like() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    assert_eq!(counted(&site, "How many HEAD requests came in?"), Some(1));
    assert_eq!(counted(&site, "How many POST requests did we get?"), None);
    let report = site.ask(&case(), "How many POST requests did we get?");
    assert_eq!(report.abstained.unwrap().reason, Reason::NoEvidence);
}

#[test]
fn a_file_that_the_records_tell_of_is_no_unknown_document() {
    let site = Site::new(&[(case(), "access.log", ACCESS), (case(), "app.log", LOG)]);
    assert_eq!(counted(&site, "Who fetched /files/pump.log? List all the requests."), Some(2));
    let report = site.ask(&case(), "List all requests in seal.log");
    assert!(report.counted.is_none(), "{}", report.answer);
}

#[test]
fn what_was_done_is_counted_whatever_it_is() {
    assert_eq!(counted(&brokers(), "How many tasks did the broker finish?"), Some(2));
    let log = ACCESS.replace("/head.png", "/2?of=10.0.0");
    let site = Site::new(&[(case(), "access.log", &log)]);
    let report = site.ask(&case(), "How many visits came from 10.0.0.2?");
    let told = "2 records with \"10.0.0.2\" in access.log";
    assert!(report.claims[0].text.starts_with(told), "{}", report.answer);
    assert_eq!(counted(&brokers(), "How many tasks were there in the plan?"), None);
}

#[test]
fn of_the_broker_that_is_named_and_of_no_other() {
    assert_eq!(counted(&brokers(), "How many errors did broker 1 log?"), Some(3));
    assert_eq!(counted(&brokers(), "How many errors did broker 0 write?"), None);
}

#[test]
fn what_no_record_says_is_not_counted_by_the_rest_of_its_words() {
    assert_eq!(counted(&brokers(), "How many payments were settled by the fetcher?"), None);
    assert_eq!(counted(&brokers(), "How many errors did the payment topic have?"), None);
    assert_eq!(counted(&brokers(), "How many errors were there at the bakery?"), None);
    assert_eq!(counted(&brokers(), "How many errors are in the bakery log?"), Some(3), "its name");
}

#[test]
fn what_is_left_out_is_not_what_is_counted() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    let report = site.ask(&case(), "How many requests did not return a 200?");
    assert!(report.claims[0].text.starts_with("1 record without 200 in"), "{}", report.answer);
    let report = site.ask(&case(), "Apart from 200, which status comes most often?");
    assert_eq!(report.counted.unwrap().groups[0].key, "404");
    let read = &report.filters_read[0];
    assert_eq!((read.field.as_str(), read.from.as_str()), ("without", "Apart from 200"));
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
    assert_eq!(report.citations[0].name, "index.yaml", "{}", report.answer);
    let report = site.ask(&case(), "How often was the index refreshed at dawn?");
    assert!(report.claims.is_empty(), "{}", report.answer);
}

#[test]
fn most_often_is_told_by_whose_log_it_is_and_by_clients_behind_a_syslogs_host() {
    let most = |site: &Site, question: &str| -> Vec<(String, usize)> {
        let groups = site.ask(&case(), question).counted.unwrap().groups;
        groups.into_iter().map(|own| (own.key, own.number)).collect()
    };
    let [one, two] = [broker(1, 3), broker(2, 1)];
    let site = Site::new(&[(case(), "kafka1.log", &one), (case(), "kafka2.log", &two)]);
    let groups = most(&site, "Which broker logged the most errors?");
    assert_eq!(groups, [("kafka1".to_owned(), 3), ("kafka2".to_owned(), 1)]);
    let log = "Nov 20 07:00:00 10.0.0.9 haproxy[7]: 10.1.1.1:80 in\n\
               Nov 20 07:00:01 10.0.0.9 haproxy[7]: 10.1.1.2:80 in\n\
               Nov 20 07:00:02 10.0.0.9 haproxy[7]: 10.1.1.2:80 in\n";
    let groups =
        most(&Site::new(&[(case(), "proxy.log", log)]), "Which client IP comes most often?");
    assert_eq!(groups[0], ("10.1.1.2".to_owned(), 2));
}

#[test]
fn a_list_may_be_asked_for_at_the_end() {
    let site = Site::new(&[(case(), "access.log", ACCESS)]);
    let report = site.ask(&case(), "Which requests ended with a 404? List them.");
    assert_eq!(report.counted.map(|own| (own.what, own.number)), Some(("list".into(), 1)));
    assert_eq!(report.citations[0].lines, Some((3, 3)));
    let filters = json!({"line": {"lte": 2}});
    let request =
        json!({"question": "Which requests ended with a 404? List them.", "filters": filters});
    assert!(site.ask_with(&case(), request, None).unwrap().report.counted.is_none());
}
