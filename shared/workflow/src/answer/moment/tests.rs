use super::*;

/// The first instant and the first one after the last, as they are told; `-` where there is none.
fn ends(question: &str) -> [String; 2] {
    read(question).unwrap().0.ends(2015).map(|end| end.unwrap_or("-".into()))
}

fn first(question: &str) -> String {
    ends(question)[0].clone()
}

#[test]
fn spans_of_the_day_hold_on_every_day() {
    let span = ends("What happened between 18:10 and 18:20?");
    assert_eq!(span, ["18:10:00", "18:20:00"]);
    assert_eq!(ends("between 18:10:05 and 18:10:07?"), ["18:10:05", "18:10:08"]);
    assert_eq!(ends("errors after 07:30?"), ["07:30:00", "-"]);
    assert_eq!(ends("errors before 07:30?"), ["-", "07:30:00"]);
    assert_eq!(first("what failed at about 20:45?"), "20:40:00");
    assert_eq!(first("what failed at 20:45?"), "20:45:00");
    let night = ends("what ran between 23:50 and 00:10?");
    assert_eq!(night, ["23:50:00", "00:10:00"]);
    assert_eq!(read("the log of 08:53"), None);
    assert_eq!(read("how do I drain a node"), None);
    assert_eq!(read("may 3 nodes be drained at once"), None);
}

#[test]
fn days_are_read_with_and_without_a_year() {
    assert_eq!(first("errors on 19 December"), "2015-12-19T00:00:00Z");
    assert_eq!(first("errors on December 19th, 2017"), "2017-12-19T00:00:00Z");
    let question = "What failed on 2026-11-20 between 10:00 and 10:05?";
    assert_eq!(ends(question), ["2026-11-20T10:00:00Z", "2026-11-20T10:05:00Z"]);
    assert_eq!(read(question).unwrap().1, ["2026-11-20", "between 10:00 and 10:05"]);
    let question = "On 19 December 2016, what failed at about 20:45?";
    assert_eq!(first(question), "2016-12-19T20:40:00Z");
    assert!(read("on 2026-13-40").is_none());
    let day = ["2026-12-19T00:00:00Z", "2026-12-20T00:00:00Z"];
    let early = ends("On 2026-12-19, which errors came before 06:00?");
    assert_eq!(early, [day[0], "2026-12-19T06:00:00Z"]);
    let late = ends("On 2026-12-19, which errors came after 20:45?");
    assert_eq!(late, ["2026-12-19T20:45:00Z", day[1]]);
    let last = ends("On 2026-12-19, what failed at 23:59?");
    assert_eq!(last, ["2026-12-19T23:59:00Z", day[1]]);
    for question in ["on 2026-12-19 between 23:50 and 00:10", "from 2026-12-19 23:50 to 00:10"] {
        assert_eq!(ends(question), ["2026-12-19T23:50:00Z", "2026-12-20T00:10:00Z"]);
    }
    assert_eq!(ends("on 28 February"), ["2015-02-28T00:00:00Z", "2015-03-01T00:00:00Z"]);
}

#[test]
fn the_side_of_a_day_or_an_instant_is_read() {
    assert_eq!(ends("errors after 2026-11-20 07:00"), ["2026-11-20T07:00:00Z", "-"]);
    assert_eq!(first("errors since 2026-11-20"), "2026-11-20T00:00:00Z");
    assert_eq!(ends("errors before 2026-11-20"), ["-", "2026-11-20T00:00:00Z"]);
    assert_eq!(ends("errors after 2026-11-20"), ["2026-11-21T00:00:00Z", "-"]);
    assert_eq!(ends("errors on 31 December"), ["2015-12-31T00:00:00Z", "2016-01-01T00:00:00Z"]);
    let days = ends("between 2026-11-19 and 2026-11-21");
    assert_eq!(days, ["2026-11-19T00:00:00Z", "2026-11-22T00:00:00Z"]);
    let hours = ends("from 2026-11-20 07:00 to 2026-11-20 09:00");
    assert_eq!(hours, ["2026-11-20T07:00:00Z", "2026-11-20T09:00:00Z"]);
    assert_eq!(ends("from 2026-11-20 07:00 to 09:00"), hours);
}

#[test]
fn halves_of_the_day_and_zones_are_read() {
    assert_eq!(first("what failed at 6:10 pm?"), "18:10:00");
    assert_eq!(first("what failed at 12:05 a.m.?"), "00:05:00");
    assert_eq!(first("what failed at 18:10 CET?"), "17:10:00");
    assert_eq!(first("at 2026-11-20T00:10:00+02:00"), "2026-11-19T22:10:00Z");
    assert_eq!(first("which were at 18:10 WARN entries?"), "18:10:00", "no zone");
}
