use super::*;

fn kind_of(question: &str) -> Kind {
    Intent::read(question, true, true).kind
}

#[test]
fn lines_are_read_in_every_form() {
    for (question, range) in [
        ("What is on line 42 of app.log?", (42, 42)),
        ("show lines 7-9 of app.log", (7, 9)),
        ("what happened at  line 1045?", (1045, 1045)),
        ("what is on line 1,045", (1045, 1045)),
        ("between lines 7 and 9", (7, 9)),
        ("lines 20 to 18", (18, 20)),
    ] {
        let read = Intent::read(question, true, true);
        assert_eq!(read.kind, Kind::Lines, "{question}");
        assert_eq!(read.conditions[0].0, Condition::Lines(vec![range]), "{question}");
    }
}

#[test]
fn two_lines_are_no_span_and_a_port_is_no_line() {
    let read = Intent::read("lines 3 and 900 of app.log", true, true);
    assert_eq!(read.conditions[0].0, Condition::Lines(vec![(3, 3), (900, 900)]));
    assert_eq!(Intent::read("Why did packaging line 2 stop?", true, false).kind, Kind::Plain);
    let port = Intent::read("Why does db.example.com:5432 refuse connections?", true, true);
    assert_eq!(port.kind, Kind::Plain);
}

#[test]
fn severities_and_codes_that_are_joined_are_all_read() {
    for (question, levels) in [
        ("How many errors and warnings are there?", &["ERROR", "CRITICAL", "FATAL", "WARN"][..]),
        ("How many ERROR and WARN entries are there?", &["ERROR", "WARN"]),
        ("How many ERROR entries mention the trace id?", &["ERROR"]),
    ] {
        let read = Intent::read(question, true, true);
        let levels = levels.iter().map(|level| (*level).to_owned()).collect();
        assert_eq!(read.conditions[0].0, Condition::AnyOf(Field::Severity, levels), "{question}");
    }
    let read = Intent::read("How many requests had status 404 or 500?", true, true);
    let codes = vec!["404".to_owned(), "500".to_owned()];
    assert_eq!(read.conditions[0].0, Condition::AnyOf(Field::Code, codes));
}

#[test]
fn counting_is_told_from_asking_for_a_number() {
    assert_eq!(kind_of("How many ERROR entries are in the gateway log?"), Kind::Count);
    assert_eq!(kind_of("how many times was the cache flushed"), Kind::Count);
    assert_eq!(kind_of("How many replicas has the frontend?"), Kind::Plain);
    assert_eq!(kind_of("Which client failed most often?"), Kind::Most);
    assert_eq!(kind_of("When did the first timeout occur?"), Kind::First);
    assert_eq!(kind_of("List all warnings of the scheduler"), Kind::List);
    assert_eq!(Intent::read("How many ERROR entries?", false, true).kind, Kind::Plain);
}

#[test]
fn severities_hold_where_they_are_named_as_such() {
    let read = Intent::read("How many ERROR entries are there?", true, true);
    let condition = Condition::AnyOf(Field::Severity, vec!["ERROR".into()]);
    assert_eq!(read.conditions, [(condition, "ERROR entries".into())]);
    let read = Intent::read("Why did the error page appear?", true, true);
    assert!(read.conditions.is_empty());
    assert_eq!(read.severities, ["ERROR", "CRITICAL", "FATAL"]);
}

#[test]
fn codes_are_read() {
    for (question, code) in [
        ("Which page gave status 404 most often?", "404"),
        ("when did E1042 appear", "E1042"),
        ("how many 503s were there", "503"),
    ] {
        let read = Intent::read(question, true, true);
        let condition = Condition::AnyOf(Field::Code, vec![code.into()]);
        assert!(read.conditions.iter().any(|(one, _)| *one == condition), "{question}");
    }
}
