use super::*;

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

/// Returns the time, severity and codes of each record, and the number of its lines.
fn read(text: &str) -> Vec<(String, String, String, usize)> {
    let summarize = |record: Record| {
        let time = record.time.map_or("-".into(), |time| time.to_string());
        let lines = text[record.range.clone()].lines().count();
        (time, record.severity.unwrap_or("-").into(), record.code.join(" "), lines)
    };
    entries(text, Near::Unknown).into_iter().map(|entry| summarize(entry.record)).collect()
}

fn row(time: &str, severity: &str, code: &str, lines: usize) -> (String, String, String, usize) {
    (time.into(), severity.into(), code.into(), lines)
}

#[test]
fn a_stack_trace_belongs_to_its_record() {
    let text = "2026-11-20 14:32:15,120 ERROR [pool-1] E1042 timeout\njava.sql.SQLException: gone\n\tat a.b.C\n2026-11-20 14:32:16,000 INFO 0 errors\n";
    assert_eq!(
        read(text),
        [
            row("2026-11-20T14:32:15.12Z", "ERROR", "E1042", 3),
            row("2026-11-20T14:32:16Z", "INFO", "", 1),
        ]
    );
}

#[test]
fn a_line_that_tells_a_level_and_no_time_is_its_own_record() {
    let text = "INFO:     127.0.0.1:52044 - \"GET /pump HTTP/1.1\" 500 Internal Server Error\n\
        ERROR:    Exception in ASGI application\nTraceback (most recent call last):\n  File \"a.py\", line 7\n\
        2026-11-20 14:32:15,120 INFO pump: on\nINFO:     127.0.0.1:52045 - \"GET /seal HTTP/1.1\" 200 OK\n\
        2026-11-20 14:32:16,000 WARN valve: slow\nERROR:  relation \"pump\" does not exist\n";
    assert_eq!(
        read(text),
        [
            row("-", "INFO", "500", 1),
            row("-", "ERROR", "", 3),
            row("2026-11-20T14:32:15.12Z", "INFO", "", 1),
            row("-", "INFO", "200", 1),
            row("2026-11-20T14:32:16Z", "WARN", "", 2),
        ]
    );
}

#[test]
fn services_colors_and_nested_records_are_seen_through() {
    let text = "\u{1b}[2Kpump-1  | 2026-01-02T03:04:05.5Z  * ready\n\
        \u{1b}[2Kpump-1  | 2026-01-02T03:04:06Z \u{1b}[31m\u{1b}[1mWARNING: worn\u{1b}[0m\n\
        valve  | {\"level\":\"error\",\"ts\":1767323047.25,\"status\":503}\n\
        2026-01-02T03:04:08Z pump-6cdbf9b4cc-h7mqk 11:04:08.100 WARN  p.Pump#68 [dry][ERROR count: 3]\n\
        2026-01-02T03:04:09Z pump-6cdbf9b4cc-h7mqk {\"level\":\"fatal\",\"msg\":\"x\"}\n\
        2026-01-02T03:04:10Z pump-6cdbf9b4cc-h7mqk E0102 11:04:10.100 7 main.go:1] x\n\
        \u{1b}[2m2026-01-02T03:04:11Z\u{1b}[0m \u{1b}[32m INFO\u{1b}[0m pump::seal: an ERROR\n";
    let read: Vec<(String, String)> =
        read(text).into_iter().map(|(time, severity, ..)| (time, severity)).collect();
    let severities = ["-", "WARN", "ERROR", "WARN", "FATAL", "ERROR", "INFO"];
    assert_eq!(read.iter().map(|(_, severity)| severity.as_str()).collect::<Vec<_>>(), severities);
    assert!(read.iter().all(|(time, _)| time.starts_with("2026-01-02T03:04:")), "{read:?}");
}

#[test]
fn an_access_log_has_times_and_the_status_as_code() {
    let text = "10.0.0.1 - - [20/Nov/2026:18:10:00 +0100] \"GET /pump?error=1 HTTP/1.1\" 404 12 \"-\" \"curl\"\n";
    assert_eq!(read(text), [row("2026-11-20T17:10:00Z", "-", "404", 1)]);
}

#[test]
fn what_comes_before_the_first_record_is_the_rest_of_one() {
    let text = "  at a.b.C\nCaused by: E1042\n2026-11-20T14:32:15Z WARN slow\n";
    assert_eq!(read(text), [row("-", "-", "E1042", 2), row("2026-11-20T14:32:15Z", "WARN", "", 1)]);
}

#[test]
fn a_log_without_a_time_goes_by_its_levels_and_else_by_its_lines() {
    let levels = "ERROR:root:dry\nTraceback:\n  File a.py\nINFO:root:wet\nWARNING:root:damp\n";
    assert_eq!(
        read(levels),
        [row("-", "ERROR", "", 3), row("-", "INFO", "", 1), row("-", "WARN", "", 1)]
    );
    let lines = "the pump ran dry\n  for an hour\nit stopped\n";
    assert_eq!(read(lines), [row("-", "-", "", 2), row("-", "-", "", 1)]);
}

#[test]
fn a_word_before_its_time_begins_a_record_where_most_lines_are_so() {
    let text = "https 2026-11-20T14:32:15.5Z app/web 404\nh2 2026-11-20T14:32:16Z app/web 200\nhttp 2026-11-20T14:32:17Z app/web 200\n";
    assert_eq!(
        read(text),
        [
            row("2026-11-20T14:32:15.5Z", "-", "", 1),
            row("2026-11-20T14:32:16Z", "-", "", 1),
            row("2026-11-20T14:32:17Z", "-", "", 1),
        ]
    );
    let text = "2026-11-20T14:32:15Z WARN locked\nuntil 2026-11-20T14:32:16Z\n2026-11-20T14:32:17Z INFO open\nsince 2026-11-20T14:32:16Z\n";
    assert_eq!(read(text).iter().map(|row| row.3).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn a_time_with_parts_of_one_digit_begins_a_record() {
    let text =
        "20171223-23:59:59:606|Step|x\n20171224-0:0:0:215|Step|y\n20171224-0:10:9:136|Step|z\n";
    assert_eq!(
        read(text),
        [
            row("2017-12-23T23:59:59.606Z", "-", "", 1),
            row("2017-12-24T00:00:00.215Z", "-", "", 1),
            row("2017-12-24T00:10:09.136Z", "-", "", 1),
        ]
    );
}

#[test]
fn the_level_behind_a_containers_stream_is_the_records() {
    let text = "2026-11-20T14:32:15Z stdout F pump [main] WARN worn\n2026-11-20T14:32:16Z stderr F warn dry\n";
    let levels: Vec<String> = read(text).into_iter().map(|row| row.1).collect();
    assert_eq!(levels, ["WARN", "WARN"]);
}

#[test]
fn a_time_further_inside_counts_where_no_line_begins_with_one() {
    let text = "pump stopped on 2026-11-20 14:32:15 by hand\nand cooled\n";
    assert_eq!(read(text), [row("2026-11-20T14:32:15Z", "-", "", 2)]);
}

#[test]
fn what_is_assumed_of_times_is_told() {
    let assumption = |text: &str, near| assumed(&entries(text, near));
    let first = |text: &str, near| entries(text, near).swap_remove(0).record.time;
    let syslog = "Dec  1 10:00:00 web-1 sshd[12]: error: too many\n";
    let uploaded = Near::Before(at("2026-11-21T00:00:00Z"));
    assert_eq!(assumption(syslog, uploaded).as_deref(), Some("UTC, 2025"));
    assert_eq!(first(syslog, uploaded), Some(at("2025-12-01T10:00:00Z")));
    let about = assumption(syslog, Near::About(at("2026-11-21T00:00:00Z")));
    assert_eq!(about.as_deref(), Some("UTC, 2026"));
    assert_eq!(first(syslog, Near::Unknown), None);
    assert_eq!(assumption("2026-11-20 14:32:15 x\n", uploaded).as_deref(), Some("UTC"));
    assert_eq!(assumption("2026-11-20T14:32:15+01:00 x\n", uploaded), None);
    assert_eq!(assumption("nothing\n", uploaded), None);
}

#[test]
fn a_year_that_is_not_told_is_the_neighbors() {
    let text = "Dec 31 23:59:00 web-1 a: x\nDec 31 23:59:58 web-1 b: [31/Dec/2024:23:59:58.143] y\nJan  1 00:00:01 web-1 c: z\nFeb 29 25:00:00 no time\n";
    let times: Vec<String> =
        read(text).into_iter().map(|(time, ..)| time).filter(|r| r != "-").collect();
    assert_eq!(times, ["2024-12-31T23:59:00Z", "2024-12-31T23:59:58Z", "2025-01-01T00:00:01Z"]);
    let about = Near::About(at("2025-03-01T00:00:00Z"));
    let leap = entries("Feb 29 10:00:00 web-1 a: x\n", about);
    assert_eq!(leap[0].record.time, Some(at("2024-02-29T10:00:00Z")));
}

#[test]
fn lines_and_records_of_a_megabyte_are_records_and_nothing_is_lost() {
    let word = "pumpe".repeat(200_000);
    let traces = "\tat a.b.C(E1042)\n".repeat(60_000);
    let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let codes: Vec<String> = (0..60_000).map(|number| format!(" E{number:05}")).collect();
    let codes = codes.join("\n");
    for long in [word, traces, deep, codes] {
        let text = format!("2026-11-20T14:32:15Z ERROR {long}\n2026-11-20T14:32:16Z INFO end\n");
        let entries = entries(&text, Near::Unknown);
        let all: usize = entries.iter().map(|entry| entry.record.range.len()).sum();
        assert_eq!(all, text.len());
        assert!(entries.iter().all(|entry| entry.record.code.len() <= 32));
    }
}
