use super::*;

fn has(question: &str, time: &str) -> bool {
    read(question).unwrap().0.has(time.parse().unwrap())
}

fn range(question: &str) -> [String; 2] {
    let (from, to) = read(question).unwrap().0.range().unwrap();
    [from, to].map(|own| own.to_string())
}

#[test]
fn spans_of_the_day_hold_on_every_day() {
    let question = "What happened between 18:10 and 18:20?";
    assert!(has(question, "2026-11-20T18:10:00Z") && has(question, "2016-01-02T18:20:59.9Z"));
    assert!(!has(question, "2026-11-20T18:21:00Z"));
    assert!(has("errors after 07:30?", "2026-11-20T23:00:00Z"));
    assert!(!has("errors before 07:30?", "2026-11-20T07:30:01Z"));
    assert!(has("what failed at about 20:45?", "2026-11-20T20:41:00Z"));
    assert!(!has("what failed at 20:45?", "2026-11-20T20:44:59Z"));
    let night = "what ran between 23:50 and 00:10?";
    assert!(has(night, "2026-11-20T23:55:00Z") && has(night, "2026-11-20T00:05:00Z"));
    assert!(!has(night, "2026-11-20T12:00:00Z"));
    assert_eq!(read("the log of 08:53"), None);
    assert_eq!(read("how do I drain a node"), None);
    assert_eq!(read("may 3 nodes be drained at once"), None);
}

#[test]
fn days_are_read_with_and_without_a_year() {
    assert!(has("errors on 19 December", "2016-12-19T05:00:00Z"));
    assert!(!has("errors on December 19th, 2017", "2016-12-19T05:00:00Z"));
    let question = "What failed on 2026-11-20 between 10:00 and 10:05?";
    assert_eq!(range(question), ["2026-11-20T10:00:00Z", "2026-11-20T10:05:59.999999999Z"]);
    assert_eq!(read(question).unwrap().1, ["2026-11-20", "between 10:00 and 10:05"]);
    let question = "On 19 December 2016, what failed at about 20:45?";
    assert_eq!(range(question)[0], "2016-12-19T20:40:00Z");
    assert!(read("on 2026-13-40").is_none());
}

#[test]
fn the_side_of_a_day_or_an_instant_is_read() {
    assert_eq!(range("errors after 2026-11-20 07:00")[0], "2026-11-20T07:00:00Z");
    assert!(has("errors after 2026-11-20 07:00", "2026-11-22T01:00:00Z"));
    assert!(has("errors since 2026-11-20", "2026-11-20T00:00:00Z"));
    assert!(!has("errors before 2026-11-20", "2026-11-20T00:00:01Z"));
    assert!(!has("errors after 2026-11-20", "2026-11-20T12:00:00Z"));
    let days = range("between 2026-11-19 and 2026-11-21");
    assert_eq!(days, ["2026-11-19T00:00:00Z", "2026-11-21T23:59:59.999999999Z"]);
    let hours = range("from 2026-11-20 07:00 to 2026-11-20 09:00");
    assert_eq!(hours, ["2026-11-20T07:00:00Z", "2026-11-20T09:00:59.999999999Z"]);
    assert_eq!(range("from 2026-11-20 07:00 to 09:00"), hours);
}

#[test]
fn halves_of_the_day_and_zones_are_read() {
    assert!(has("what failed at 6:10 pm?", "2026-11-20T18:10:30Z"));
    assert!(has("what failed at 12:05 a.m.?", "2026-11-20T00:05:00Z"));
    assert!(has("what failed at 18:10 CET?", "2026-11-20T17:10:00Z"));
    assert_eq!(range("at 2026-11-20T00:10:00+02:00")[0], "2026-11-19T22:10:00Z");
    assert!(has("which were at 18:10 WARN entries?", "2026-11-20T18:10:30Z"), "no zone");
}
