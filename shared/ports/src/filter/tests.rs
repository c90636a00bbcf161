use super::*;
use serde_json::json;

fn parse(wire: &Value) -> Result<Filters> {
    Filters::parse(wire.as_object().unwrap())
}

fn refusal(wire: &Value) -> String {
    parse(wire).unwrap_err().to_string()
}

#[test]
fn values_lists_and_ranges_are_read() {
    assert_eq!(
        parse(&json!({"document_type": "postmortem", "severity": ["error", "WARN"], "line": {"gt": 10, "lte": 42}})).unwrap().0,
        [
            Condition::AnyOf(Field::DocumentType, vec!["postmortem".into()]),
            Condition::Lines(vec![(11, 42)]),
            Condition::AnyOf(Field::Severity, vec!["ERROR".into(), "WARN".into()]),
        ]
    );
    let from: Timestamp = "2026-11-20T18:10:00Z".parse().unwrap();
    assert_eq!(
        parse(&json!({"time": {"gte": "2026-11-20T18:10:00Z"}})).unwrap().0,
        [Condition::Times(vec![(from, Timestamp::MAX)])]
    );
    assert_eq!(parse(&json!({"line": 42})).unwrap().0, [Condition::Lines(vec![(42, 42)])]);
}

#[test]
fn what_cannot_be_read_is_refused_by_name_and_reason() {
    assert!(refusal(&json!({"colour": "red"})).starts_with(
        "invalid `filters.colour`: is no field to filter on; known are document_type,"
    ));
    assert!(
        refusal(&json!({"document_type": "novel"}))
            .contains("`novel` must be one of standard, handbook")
    );
    assert_eq!(refusal(&json!({"tags": []})), "invalid `filters.tags`: must not be an empty list");
    assert_eq!(
        refusal(&json!({"tags": 7})),
        "invalid `filters.tags`: must be a string or a list of strings"
    );
    assert!(
        refusal(&json!({"name": "guides/*"})).starts_with("invalid `filters.name`: must be whole"),
        "a pattern would find nothing"
    );
    assert_eq!(
        refusal(&json!({"line": "ten"})),
        "invalid `filters.line`: must be whole line numbers"
    );
    assert_eq!(
        refusal(&json!({"line": {"gte": 9, "lt": 9}})),
        "invalid `filters.line`: leaves no room"
    );
    assert_eq!(
        refusal(&json!({"time": {"since": "2026-11-20T18:10:00Z"}})),
        "invalid `filters.time`: `since` must be one of gte, gt, lte, lt"
    );
    assert!(refusal(&json!({"time": "yesterday"})).contains("RFC 3339"));
}
