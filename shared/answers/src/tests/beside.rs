//! Tests which records are quoted beside those that have the question's words.

use serde_json::json;

use super::*;

const SERVER: &str = "\
2026-11-20T18:00:00Z INFO [71] LOG: checkpoint starting
2026-11-20T18:05:00Z WARN [72] LOG: session of the scheduler lost
2026-11-20T18:05:01Z ERROR [72] ERROR: import of the orders stopped
2026-11-20T18:05:01Z ERROR [72] DETAIL: Token \"'\" is invalid.
2026-11-20T18:05:01Z ERROR [72] CONTEXT: import of the orders, line 1
2026-11-20T18:09:00Z INFO [73] LOG: connection received
2026-11-20T18:10:00Z INFO [74] LOG: connection closed
";

fn lines(log: &str, question: &str, filters: &serde_json::Value) -> Vec<(u32, u32)> {
    let site = Site::new(&[(case(), "server.log", log)]);
    let request = json!({"question": question, "filters": filters});
    let report = site.ask_with(&case(), request, None).unwrap().report;
    report.citations.iter().filter_map(|citation| citation.lines).collect()
}

#[test]
fn a_record_between_two_that_are_quoted_is_quoted_too() {
    let question = "What did the server say of the import of the orders?";
    assert_eq!(lines(SERVER, question, &json!({})), [(3, 3), (4, 4), (5, 5)]);
    let only = json!({"line": [3, 5]});
    assert_eq!(lines(SERVER, question, &only), [(3, 3), (5, 5)], "it is not asked for");
}

#[test]
fn a_why_shows_the_record_before() {
    let question = "Why did the import of the orders stop?";
    assert_eq!(lines(SERVER, question, &json!({}))[0], (2, 2));
}

#[test]
fn an_exception_belongs_to_its_record() {
    let log = "\
2026-11-20T18:00:00Z INFO fetcher started
2026-11-20T18:05:00Z WARN error in fetch of broker 2
java.io.IOException: Connection was closed
\tat kafka.Client.send(Client.scala:11)
2026-11-20T18:09:00Z INFO fetcher ended
";
    let quoted = lines(log, "What cut off the fetch of broker 2?", &json!({}));
    assert_eq!(quoted[..2], [(2, 2), (3, 3)], "{quoted:?}");
}

#[test]
fn of_equal_records_the_one_with_the_string_of_the_question_is_read() {
    let request = |path: &str, second: u32| {
        format!(
            "10.0.0.{second} - - [17/May/2015:17:05:{second:02} +0000] \"GET /{path} HTTP/1.1\" 404 289 \"-\" \"-\"\n"
        )
    };
    let paths = ["php-admin.html", "start.php", "admin.php", "end.php", "last.html"];
    let log: String = (1..).zip(paths).map(|(second, path)| request(path, second)).collect();
    assert_eq!(lines(&log, "Who looked for admin.php?", &json!({})), [(3, 3)]);
}

#[test]
fn what_an_item_quotes_is_quoted_once() {
    let rules = "rules:\n  - alert: PumpStopped\n    annotations:\n      summary: The pump stopped.\n    for: 5m\n  - alert: ValveOpen\n    for: 1m\n";
    let site = Site::new(&[(case(), "rules.yaml", rules)]);
    let request = json!({"question": "Which alert says that the pump stopped?"});
    let report = site.ask_with(&case(), request, None).unwrap().report;
    let quoted = report.answer.matches("The pump stopped.").count();
    assert_eq!(quoted, 1, "{}", report.answer);
}

#[test]
fn a_name_that_stands_within_longer_ones_too_is_not_counted() {
    let log = "2026-11-20T18:00:00Z ERROR worker: E1042 pool\n2026-11-20T18:01:00Z ERROR worker: XE1042 disk\n";
    let site = Site::new(&[(case(), "app.log", log)]);
    let counted = |question: &str| {
        let request = json!({"question": question});
        site.ask_with(&case(), request, None).unwrap().report.records
    };
    assert_eq!(counted("How many E1042?"), None);
    assert_eq!(counted("How many XE1042?").unwrap().totals.records, 1);
}
