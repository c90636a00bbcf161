//! Tests questions for which all records are examined.

use serde_json::{Value, json};

use super::*;

fn ask(site: &Site, question: &str, filters: &Value) -> AnswerReport {
    let request = json!({"question": question, "filters": filters});
    site.ask_with(&case(), request, None).unwrap().report
}

#[test]
fn the_callers_filters_hold_for_each_record_and_not_only_for_its_passage() {
    let count = |filters: Value| {
        ask(&evidence(), "How many records are there?", &filters).records.unwrap().totals.records
    };
    assert_eq!(count(json!({})), 5);
    assert_eq!(count(json!({"severity": "ERROR"})), 3);
    assert_eq!(count(json!({"line": {"gte": 2, "lte": 3}})), 2);
    assert_eq!(count(json!({"time": {"gte": "2026-11-20T18:31:00Z"}})), 1);
    let report = ask(&evidence(), "What did the gateway say?", &json!({"severity": "WARN"}));
    assert!(
        report.citations.iter().all(|citation| citation.lines == Some((3, 3))),
        "{}",
        report.answer
    );
}

#[test]
fn a_line_is_of_the_document_that_is_named_or_of_the_only_one() {
    let site = Site::new(&[(case(), "app.log", LOG), (case(), "other.log", LOG)]);
    let names = |question: &str| -> Vec<String> {
        let report = ask(&site, question, &json!({}));
        report.citations.into_iter().map(|citation| citation.display).collect()
    };
    assert_eq!(names("What is on line 3 of app.log?"), ["app.log:3 (18:10:09Z)"]);
    assert_eq!(names("app.log:5 says what?"), ["app.log:5 (18:31:00Z)"]);
    let both = ["app.log:1 (18:09:58Z)", "app.log:5 (18:31:00Z)"];
    assert_eq!(names("Show lines 1 and 5 of app.log"), both);
    assert_eq!(names("What is on line 3 of missing.log?"), [""; 0]);
    let report = ask(&site, "What is on line 3 of missing.log?", &json!({}));
    assert_eq!(report.abstained.unwrap().reason, AbstentionReason::NoEvidence);
}

#[test]
fn a_record_whose_year_was_guessed_says_so_where_it_is_cited() {
    // The version of an upload at 2026-11-20T18:10:00Z.
    let version = "01M7X2DA600000000000000000";
    let log =
        "Nov 19 10:00:00 mx-1 postfix[7]: queue full\nNov 19 10:00:05 mx-1 postfix[7]: disk full\n";
    let site = Site::new(&[]);
    site.add_version(version, (&case(), "mail.log", log), &Status::Indexed);
    let report = ask(&site, "What is on line 2 of mail.log?", &json!({}));
    assert_eq!(report.citations[0].assumed.as_deref(), Some("UTC, 2026"), "{}", report.answer);
    let told = ask(&evidence(), "What is on line 3 of app.log?", &json!({}));
    assert_eq!(told.citations[0].assumed, None);
}

#[test]
fn what_happened_at_a_time_is_the_records_of_that_time() {
    let report = ask(&evidence(), "What happened between 18:10 and 18:12?", &json!({}));
    let lines: Vec<_> = report.citations.iter().filter_map(|citation| citation.lines).collect();
    assert_eq!(lines, [(2, 2), (3, 3)], "{}", report.answer);
    let none = ask(&evidence(), "What happened between 20:54 and 20:55?", &json!({}));
    assert_eq!(none.abstained.unwrap().reason, AbstentionReason::NoEvidence);
    assert!(none.read_as.is_some(), "it tells which records were looked for");
    let told = "# Timeline\n\nAt 20:54 it happened that the pump was stopped by hand.\n";
    let log = format!("{LOG}2026-11-20T18:40:00Z INFO cleaner: it happened too recently\n");
    let site = Site::new(&[(case(), "app.log", &log), (case(), "timeline.md", told)]);
    let report = ask(&site, "What happened at 20:54?", &json!({}));
    assert!(report.citations.iter().all(|citation| citation.passage.file == "timeline.md"));
    assert!(report.answer.contains("stopped by hand"), "{}", report.answer);
}

#[test]
fn a_rotated_log_is_no_unknown_file() {
    let site = Site::new(&[(case(), "app.log.2026-11-20-18", LOG), (case(), "b.log", LOG)]);
    for question in
        ["What is on line 3 of app.log.2026-11-20-18?", "How many ERROR entries are in app.log?"]
    {
        let report = ask(&site, question, &json!({}));
        assert!(
            report.citations.iter().all(|citation| citation.passage.file.starts_with("app.log")),
            "{question}"
        );
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
    let report = ask(&site, "What is the last record with \"timeout\"?", &json!({}));
    assert_eq!(report.citations[0].display, "pool.log:62 (18:05:00Z)");
    let report = ask(&site, "How many records in pool.log are with \"timeout\"?", &json!({}));
    assert_eq!(report.records.unwrap().totals.records, 2);
}

#[test]
fn severities_that_no_record_has_are_counted_as_none() {
    let log = "2026-11-20T18:00:00Z INFO start failed\n2026-11-20T18:01:00Z WARN start failed\n";
    let site = Site::new(&[(case(), "app.log", log)]);
    let report = ask(&site, "How many ERROR entries are there?", &json!({}));
    assert_eq!(report.abstained.unwrap().reason, AbstentionReason::NoEvidence);
    let report = ask(&site, "How many INFO and WARN entries are there?", &json!({}));
    assert_eq!(report.records.unwrap().totals.records, 2);
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
    let section = |number: usize| {
        let sentence =
            format!("The valve of hall {number} is stuck because its spring broke early. ");
        format!("## Hall {number}\n\n{}\n\n", sentence.repeat(15))
    };
    let notes: String = (0..80).map(section).collect();
    let site = Site::new(&[(case(), "valve.md", &notes)]);
    assert!(site.index.held().iter().any(|s| s.passage.is_summary()), "there is one");
    let report = ask(&site, "Why is the valve stuck?", &json!({}));
    assert!(!report.citations.is_empty());
    assert!(report.citations.iter().all(|citation| citation.lines.is_some()), "{}", report.answer);
}

const WEB: &str = "10.0.0.1 - - [20/Nov/2026:18:10:00 +0000] \"GET /a HTTP/1.1\" 404 7\n\
    10.0.0.2 - - [20/Nov/2026:18:10:01 +0000] \"POST /b HTTP/1.1\" 503 7\n\
    10.0.0.3 - - [20/Nov/2026:18:10:02 +0000] \"HEAD /c HTTP/1.1\" 200 7\n";

#[test]
fn what_a_question_names_does_not_lift_a_filter() {
    let site = Site::new(&[(case(), "web.log", WEB)]);
    let report = ask(&site, "How many records with code 503 were there?", &json!({"code": "404"}));
    assert!(
        report.citations.iter().all(|citation| citation.lines == Some((1, 1))),
        "{}",
        report.answer
    );
}

#[test]
fn a_name_in_a_filter_is_one_document() {
    let site = Site::new(&[(case(), "app.log", WEB), (case(), "old/app.log", WEB)]);
    let report =
        ask(&site, "How many records with code 404 were there?", &json!({"name": "app.log"}));
    assert_eq!(report.records.unwrap().totals.records, 1);
}

#[test]
fn a_severity_that_no_record_has_is_no_error() {
    let site = Site::new(&[(case(), "pump.yaml", "pump:\n  rpm: 30\n")]);
    let report = ask(&site, "Why did the pump fail?", &json!({"severity": "ERROR"}));
    assert!(report.abstained.is_some());
}

#[test]
fn either_of_two_values_is_counted() {
    let site = Site::new(&[(case(), "web.log", WEB)]);
    let report = ask(&site, "How many records with method GET or POST were there?", &json!({}));
    assert_eq!(report.records.unwrap().totals.records, 2);
}

#[test]
fn a_line_within_a_record_is_quoted_itself() {
    let frame = |at: u32| format!("\tat a.b.C(C.java:{at})\n");
    let trace: String = (1..40).map(frame).collect();
    let log = format!("2026-11-20T18:10:00Z ERROR gone\n{trace}2026-11-20T18:11:00Z INFO end\n");
    let site = Site::new(&[(case(), "app.log", &log)]);
    let report = ask(&site, "What is on line 12 of app.log?", &json!({}));
    assert_eq!(report.citations[0].lines, Some((12, 12)));
    assert_eq!(report.claims[0].text, "at a.b.C(C.java:11)");
}

/// A pod as `kubectl describe` prints it.
const POD: &str = "\
Name:         exporter-5d9
Namespace:    prod
Status:       Running
Containers:
  exporter:
    Image:        exporter:1.0
    State:        Waiting
      Reason:     CrashLoopBackOff
    Last State:   Terminated
      Reason:     OOMKilled
      Exit Code:  137
    Limits:
      memory:  100Mi
Volumes:
  token:
    Type:  Projected
Events:
  Type     Reason   Age  From     Message
  Normal   Pulled   6m   kubelet  Successfully pulled image
  Warning  BackOff  87s  kubelet  Back-off restarting failed container
";

#[test]
fn a_why_shows_the_reasons_that_an_object_states() {
    let site = Site::new(&[(case(), "pod.txt", POD)]);
    let report = ask(&site, "Why does the exporter keep restarting?", &json!({}));
    for reason in ["OOMKilled", "137", "Back-off restarting"] {
        assert!(report.answer.contains(reason), "{reason}: {}", report.answer);
    }
    let report = ask(&site, "Which image does the exporter have?", &json!({}));
    assert!(!report.answer.contains("OOMKilled"), "{}", report.answer);
}

#[test]
fn a_question_in_chinese_is_answered_by_the_line_with_its_words() {
    let notes = "# 运维手册\n\n水泵每天检查一次。\n\n## 日志\n\n所有日志的保存期限为90天。报警发送到值班邮箱。\n";
    let site = Site::new(&[(case(), "手册.md", notes)]);
    let report = ask(&site, "日志保存期限是多久？", &json!({}));
    assert!(report.answer.contains("90天"), "{}", report.answer);
    assert!(!report.answer.contains("水泵"), "{}", report.answer);
}
