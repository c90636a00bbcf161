//! Refused queries, and the advice in the refusal.

use super::*;

fn refusal(request: Value) -> String {
    ask(request).unwrap_err().to_string()
}

#[test]
fn an_unknown_column_is_refused_with_the_nearest_and_not_all() {
    let reason = refusal(json!({"where": {"clinet": 1}}));
    assert_eq!(
        reason,
        "invalid `where`: there is no column `clinet`; the nearest are `line`, `client`, `agent`, `clock`, `code`; \
         list_columns shows all"
    );
    let reason = refusal(json!({"where": {"took_ms": 1}}));
    assert!(reason.contains("the nearest are `took`, "), "{reason}");
    assert!(refusal(json!({"group_by": ["flavor"]})).starts_with("invalid `group_by`"));
}

#[test]
fn a_query_that_cannot_be_carried_out_says_what_is_wrong_with_it() {
    let many: Vec<u32> = (0..300).collect();
    for (request, reason) in [
        (json!({"group_by": ["time"]}), "by minute, hour, day, month or year they can"),
        (
            json!({"group_by": ["took:month"]}),
            "`took` has no dates: its values are numbers, such as `",
        ),
        (json!({"group_by": ["time:week"]}), "`week` is no part of time"),
        (json!({"select": "max"}), "invalid `of`: must name"),
        (
            json!({"select": "max", "of": "client"}),
            "`client` has no numbers or dates: its values are texts, such as `10.0.0.1`",
        ),
        (json!({"select": "sum", "of": "method"}), "`method` has no numbers"),
        (json!({"select": "max", "of": "time"}), "`time` is for `first` and `last`"),
        (json!({"select": "percentile", "of": "took"}), "from 0 to 100"),
        (json!({"limit": 0}), "invalid `limit`"),
        (json!({"where": {"code": many}}), "at most 200"),
        (json!({"group_by": ["client"], "order": "code"}), "invalid `order`"),
        (json!({"order": "took"}), "only a list is ordered by a column"),
        (
            json!({"select": "list", "order": "method"}),
            "invalid `order`: `method` has no numbers or dates",
        ),
        (json!({"where": {"time": "noon"}}), "invalid `where.time`"),
        (json!({"where": {"time": {"all": ["2026-11-20"]}}}), "takes no `all`"),
        (json!({"where": {"text": {"gte": "x"}}}), "takes no bounds"),
    ] {
        let refusal = refusal(request.clone());
        assert!(refusal.contains(reason), "{request}: {refusal}");
    }
}

#[test]
fn what_would_be_taken_for_everything_is_refused() {
    for (column, condition) in [
        ("code", json!([])),
        ("code", json!({})),
        ("code", json!({"gte": null})),
        ("code", json!({"not": []})),
        ("text", json!("")),
        ("text", json!({"all": ["order", ""]})),
        ("path", json!({"all": [""]})),
    ] {
        let refusal = refusal(json!({"where": {column: condition}}));
        assert!(refusal.starts_with(&format!("invalid `where.{column}`")), "{refusal}");
    }
}

#[test]
fn a_bound_that_is_no_value_of_its_column_is_refused_with_one_that_is() {
    for (column, bound, reason) in [
        ("took", json!("zebra"), "`zebra` is none of its numbers, such as `"),
        (
            "bytes",
            json!("code"),
            "`code` is none of its numbers, such as `20`; the record's value in that column is `{code}`",
        ),
        ("client", json!("10.0.0.2"), "has texts, such as `10.0.0.1`, which have no order"),
        ("client", json!(3), "has texts, such as `10.0.0.1`, which have no order"),
        ("file", json!("web1"), "has texts, which have no order"),
        ("line", json!("zebra"), "`zebra` is none of its numbers"),
        ("level", json!("zebra"), "`zebra` is no level, such as `WARN`"),
    ] {
        for side in ["gte", "gt", "lte", "lt"] {
            let refusal = refusal(json!({"where": {column: {side: bound}}}));
            let expected = format!("invalid `where.{column}`: {reason}");
            assert!(refusal.starts_with(&expected), "{refusal}\n{expected}");
        }
    }
}

#[test]
fn a_number_that_json_has_rounded_is_refused() {
    let request = r#"{"where": {"code": 123456789012345678912}}"#;
    let reason = refusal(serde_json::from_str(request).unwrap());
    assert!(reason.contains("send it as a text"), "{reason}");
}

#[test]
fn examples_are_from_one_to_five() {
    for examples in [0, 6] {
        let refusal = ask_of(&[], &json!({"examples": examples})).unwrap_err().to_string();
        assert_eq!(refusal, "invalid `examples`: must be from 1 to 5");
    }
}
