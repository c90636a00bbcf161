//! Tests how many lines an answer to a case quotes and counts.

use serde_json::json;

use super::*;

/// Two records of one template, each of several lines that say the same.
const TRACES: &str = "\
2026-11-20T18:10:01Z ERROR pump 1 stall
pump stall at a
pump stall at b
2026-11-20T18:10:02Z ERROR pump 2 stall
pump stall at a
pump stall at b
";

#[test]
fn lines_that_say_as_much_as_those_quoted_are_counted_and_shown_on_demand() {
    let rule = |name: &str, severity: &str| {
        format!("  - alert: {name}\n    expr: up == 0\n    labels:\n      severity: {severity}\n")
    };
    let critical: Vec<String> =
        (1..=8).map(|number| rule(&format!("Rule{number}"), "critical")).collect();
    let rules = format!("groups:\n{}{}", critical.concat(), rule("Calm", "warning"));
    let record =
        |second: u8| format!("2026-11-20T18:10:0{second}Z INFO mailer: {second} bounced\n");
    let log: Vec<String> = (1..=7).map(record).collect();
    let log = log.concat();
    let site = Site::new(&[(case(), "rules.yaml", &rules), (case(), "mail.log", &log)]);
    let ask = |question: &str, top_k: usize| {
        let request = json!({"question": question, "top_k": top_k});
        let report = site.ask_with(&case(), request, None).unwrap().report;
        (report.claims.len(), report.further)
    };
    let question = "Which severity is critical?";
    assert_eq!([ask(question, 5), ask(question, 20)], [(5, 3), (8, 0)]);
    let traces = Site::new(&[(case(), "app.log", TRACES)]);
    let report = traces.ask(&case(), "Which pump did stall?");
    assert_eq!((report.claims.len(), report.further), (3, 1), "{}", report.answer);
    let record = "What did the mailer say that bounced?";
    assert_eq!(ask(record, 5), (1, 6), "a record stands for those of its template");
}

#[test]
fn a_setting_is_cited_once_without_the_keys_above_it() {
    let site = Site::new(&[(case(), "hub.yaml", "limits:\n  prod:\n    pod_quota: 0\n")]);
    let report = site.ask(&case(), "Which pod quota has prod in the limits of hub.yaml?");
    assert_eq!(report.claims[0].text, "limits: › prod: › pod_quota: 0");
    let cited: Vec<_> = report.citations.iter().map(|citation| citation.quote.as_str()).collect();
    assert_eq!(cited, ["pod_quota: 0"]);
}
