//! A reply shows no more than the caller asked for.

use super::*;

fn small(request: &Value) -> Value {
    let files = [("web1-access.log", ACCESS), ("app/web2-shop.log", APP), ("pump.yaml", SETTINGS)];
    serde_json::to_value(ask_of(&files, request).unwrap()).unwrap()
}

#[test]
fn a_count_shows_records_only_where_examples_are_asked_for() {
    let count = |request: Value| {
        let rows = small(&request)["rows"].clone();
        rows.as_array()
            .unwrap()
            .iter()
            .map(|row| row["records"].as_array().map_or(0, Vec::len))
            .max()
    };
    assert_eq!(count(json!({"where": {"client": "*"}})), Some(0));
    assert_eq!(count(json!({"where": {"client": "*"}, "examples": 2})), Some(2));
    assert_eq!(count(json!({"group_by": ["client"]})), Some(0));
    assert_eq!(count(json!({"select": "mean", "of": "took"})), Some(0));
    assert_eq!(count(json!({"select": "max", "of": "took"})), Some(1));
    assert_eq!(count(json!({"select": "first"})), Some(1));
}

#[test]
fn a_count_of_eight_groups_is_about_a_kilobyte() {
    use std::fmt::Write;
    let mut log = String::new();
    for number in 0..64 {
        let _ = writeln!(
            log,
            "2026-11-20T17:10:{:02}Z ERROR shop.Pay pod=pay-{} it failed",
            number % 60,
            number % 8
        );
    }
    let reply = ask_of(&[("a.log", &log)], &json!({"group_by": ["pod"]})).unwrap();
    assert_eq!((reply.rows.len(), reply.rows_left), (8, 0));
    let size = serde_json::to_string(&reply).unwrap().len();
    assert!(size < 1_000, "{size}");
}

#[test]
fn a_record_is_its_place_its_time_and_its_text_unless_more_is_asked_for() {
    let record = |explain: bool| {
        let request = json!({"where": {"code": 304}, "select": "list", "explain": explain});
        small(&request)["rows"][0]["records"][0].as_object().unwrap().clone()
    };
    let names: Vec<String> = record(false).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["file", "lines", "passage_id", "quote", "time"]);
    let explained = record(true);
    assert_eq!(explained["columns"]["client"], "10.0.0.3");
    assert_eq!(explained["zone"], "+01");
    assert!(explained.contains_key("document_id") && explained.contains_key("version"));
}

#[test]
fn rows_that_are_not_shown_are_counted() {
    let left = |request: Value| small(&request)["rows_left"].as_u64().unwrap();
    assert_eq!(left(json!({"select": "list", "limit": 2})), 7);
    assert_eq!(left(json!({"where": {"client": "*"}, "group_by": ["client"], "limit": 1})), 2);
    assert_eq!(left(json!({"where": {"client": "*"}})), 0);
    assert_eq!(left(json!({"select": "last"})), 0);
}

#[test]
fn the_text_of_a_setting_has_the_path_of_its_keys() {
    let paths = |text: &str| {
        let reply = small(&json!({"where": {"text": text}, "select": "list"}));
        let rows = reply["rows"].as_array().unwrap().iter();
        rows.map(|row| row["records"][0]["path"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(paths("pump.rpm"), ["pump.rpm"]);
    assert_eq!(paths("pump.*slow"), Vec::<Value>::new(), "no text has both");
    let both = json!({"all": ["pump.rpm", "slow"]});
    let reply = small(&json!({"where": {"text": both}, "select": "count"}));
    assert_eq!(reply["totals"]["records"], 1);
    let others = json!({"where": {"file": "pump.yaml", "text": {"not": ["pump.rpm"]}}});
    assert_eq!(small(&others)["rows"][0]["value"], 1.0);
}

#[test]
fn a_long_record_is_shown_around_what_was_matched_with_its_line() {
    let frames =
        |from: u32| (from..from + 30).map(|n| format!("  at shop.Frame.call{n}(F.java)\n"));
    let trace: String =
        frames(0).chain(["Caused by: the pool is dry\n".into()]).chain(frames(40)).collect();
    let log = format!(
        "2026-11-20T17:10:00Z ERROR shop.Pay failed\n{trace}2026-11-20T17:11:00Z INFO fine\n"
    );
    let shown = |condition: Value| {
        let request = json!({"where": condition, "select": "list"});
        ask_of(&[("a.log", &log)], &request).unwrap().rows[0].records[0].clone()
    };
    let record = shown(json!({"text": "POOL*dry"}));
    assert_eq!((record.lines, record.line), ((1, 62), Some(32)));
    assert!(record.quote.contains("the pool is dry") && record.quote.len() <= 400);
    assert!(record.quote.starts_with('…') && record.quote.ends_with('…'), "{}", record.quote);
    let by_level = shown(json!({"level": "ERROR"}));
    assert_eq!(by_level.line, Some(1));
    assert!(by_level.quote.starts_with("2026-11-20T17:10:00Z ERROR"), "{}", by_level.quote);
}
