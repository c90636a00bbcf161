use super::*;

fn kind_of(question: &str) -> Kind {
    Intent::read(question, true).kind
}

#[test]
fn lines_are_read_in_every_form() {
    for (question, range) in [
        ("What is on line 42 of app.log?", (42, 42)),
        ("show lines 7-9 of app.log", (7, 9)),
        ("what happened at server.log:1045?", (1045, 1045)),
        ("lines 20 to 18", (18, 20)),
    ] {
        let read = Intent::read(question, true);
        assert_eq!(read.kind, Kind::Lines, "{question}");
        assert_eq!(read.conditions[0].0, Condition::Lines(vec![range]), "{question}");
    }
}

#[test]
fn counting_is_told_from_asking_for_a_number() {
    assert_eq!(kind_of("How many ERROR entries are in the gateway log?"), Kind::Count);
    assert_eq!(kind_of("how many times was the cache flushed"), Kind::Count);
    assert_eq!(kind_of("How many replicas has the frontend?"), Kind::Plain);
    assert_eq!(kind_of("Which client failed most often?"), Kind::Most);
    assert_eq!(kind_of("When did the first timeout occur?"), Kind::First);
    assert_eq!(kind_of("List all warnings of the scheduler"), Kind::List);
    assert_eq!(Intent::read("How many ERROR entries?", false).kind, Kind::Plain);
}

#[test]
fn severities_hold_where_they_are_named_as_such() {
    let read = Intent::read("How many ERROR entries are there?", true);
    let own = Condition::AnyOf(Field::Severity, vec!["ERROR".into()]);
    assert_eq!(read.conditions, [(own, "ERROR entries".into())]);
    let read = Intent::read("Why did the error page appear?", true);
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
        let read = Intent::read(question, true);
        let own = Condition::AnyOf(Field::Code, vec![code.into()]);
        assert!(read.conditions.iter().any(|(one, _)| *one == own), "{question}");
    }
}
