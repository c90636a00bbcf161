//! Values are compared and grouped by the kind of their column: texts, numbers, dates, levels.

use super::*;

fn count_of(file: (&str, &str), conditions: &Value) -> u64 {
    ask_of(&[file], &json!({"where": conditions})).unwrap().totals.records
}

/// Returns each row's group and number.
fn groups_of(file: (&str, &str), request: &Value) -> Vec<(String, f64)> {
    let rows = ask_of(&[file], request).unwrap().rows.into_iter();
    let group = |row: RecordsRow| {
        let values = row.group.into_values().map(|value| value.unwrap_or("-".into()));
        (values.collect::<Vec<_>>().join(" "), row.value.unwrap())
    };
    rows.map(group).collect()
}

const PARTS: (&str, &str) = ("parts.csv", "part,place\n00123,a\n123,b\n00123,c\n");

#[test]
fn a_number_with_zeros_in_front_is_a_text_for_conditions_and_groups_alike() {
    assert_eq!(count_of(PARTS, &json!({"part": "00123"})), 2);
    assert_eq!(count_of(PARTS, &json!({"part": "123"})), 1);
    assert_eq!(count_of(PARTS, &json!({"part": 123})), 1);
    let groups = groups_of(PARTS, &json!({"group_by": ["part"]}));
    assert_eq!(groups, [("00123".into(), 2.0), ("123".into(), 1.0)]);
}

const IDS: (&str, &str) = (
    "ids.csv",
    "id,place\n12345678901234567890,a\n12345678901234567891,b\n1234567890123456789012,c\n",
);

#[test]
fn large_numbers_are_compared_digit_by_digit() {
    assert_eq!(count_of(IDS, &json!({"id": 12_345_678_901_234_567_891_u64})), 1);
    assert_eq!(count_of(IDS, &json!({"id": "12345678901234567890"})), 1);
    assert_eq!(count_of(IDS, &json!({"id": {"gt": 12_345_678_901_234_567_890_u64}})), 2);
    assert_eq!(count_of(IDS, &json!({"id": {"gte": "1234567890123456789012"}})), 1);
    assert_eq!(groups_of(IDS, &json!({"group_by": ["id"]})).len(), 3);
    let smallest = ask_of(&[IDS], &json!({"select": "min", "of": "id"})).unwrap();
    assert_eq!(smallest.rows[0].text.as_deref(), Some("12345678901234567890"));
    assert_eq!(smallest.rows[0].records.len(), 1, "the next is another");
}

#[test]
fn equal_numbers_are_one_group_as_the_file_writes_the_first() {
    let file = ("a.csv", "amount,place\n1.50,a\n1.5,b\n10,c\n2,d\n");
    assert_eq!(count_of(file, &json!({"amount": 1.5})), 2);
    let by_amount = groups_of(file, &json!({"group_by": ["amount"], "order": "amount"}));
    let expected = [("1.50".into(), 2.0), ("2".into(), 1.0), ("10".into(), 1.0)];
    assert_eq!(by_amount, expected, "in the order of numbers");
}

#[test]
fn a_number_of_a_query_has_a_point_whatever_mark_the_file_has() {
    let file = ("a.csv", "amount,place\n\"1,7\",a\n\"2,5\",b\n");
    assert_eq!(count_of(file, &json!({"amount": 1.7})), 1);
    assert_eq!(count_of(file, &json!({"amount": "1,7"})), 1);
    assert_eq!(count_of(file, &json!({"amount": {"gt": 1.8}})), 1);
}

#[test]
fn numbers_among_texts_have_an_order() {
    assert_eq!(count(&json!({"key": "pump.*", "value": {"gte": 30}})), 1);
    assert_eq!(count(&json!({"key": "pump.*", "value": {"gt": 30}})), 0);
}

#[test]
fn a_level_is_found_by_the_files_own_word_and_by_any_other_for_it() {
    let file = ("a.log", "2026-11-20T17:10:00Z WARNING slow\n2026-11-20T17:10:01Z INFO fine\n");
    for word in ["WARNING", "warn", "WRN"] {
        assert_eq!(count_of(file, &json!({"level": word})), 1, "{word}");
    }
    assert_eq!(count_of(file, &json!({"level": {"gt": "INFO"}})), 1);
    let both = ("a.log", "2026-11-20T17:10:00Z WARNING slow\n2026-11-20T17:10:01Z WARN slower\n");
    assert_eq!(groups_of(both, &json!({"group_by": ["level"]})).len(), 1, "as a condition has it");
}

const TASKS: (&str, &str) =
    ("tasks.csv", "task,due\na,11/20/2026\nb,12/01/2026\nc,12/15/2026\nd,01/15/2027\n");

#[test]
fn a_date_is_compared_as_one_in_any_usual_form() {
    for (condition, records) in [
        (json!("2026-12-01"), 1),
        (json!("12/01/2026"), 1),
        (json!("2026-12"), 2),
        (json!(2026), 3),
        (json!({"gte": "2026-12-01"}), 3),
        (json!({"gt": "12/01/2026"}), 2),
        (json!({"lte": "2026-12"}), 3),
        (json!({"lt": "2026-12-01T00:00:00Z"}), 1),
        (json!({"not": ["2026-12"]}), 2),
    ] {
        assert_eq!(count_of(TASKS, &json!({"due": condition})), records, "{condition}");
    }
    let request = json!({"where": {"due": {"gte": "zebra"}}});
    let refusal = ask_of(&[TASKS], &request).unwrap_err().to_string();
    let reason = "invalid `where.due`: `zebra` is none of its dates, such as `01/15/2027`";
    assert_eq!(refusal, reason);
}

#[test]
fn dates_are_grouped_by_day_month_and_year() {
    let by = |name: &str| groups_of(TASKS, &json!({"group_by": [name]}));
    let months = [("2026-11".into(), 1.0), ("2026-12".into(), 2.0), ("2027-01".into(), 1.0)];
    assert_eq!(by("due:month"), months);
    assert_eq!(by("due:year"), [("2026".into(), 3.0), ("2027".into(), 1.0)]);
    assert_eq!(by("due:day")[0].0, "2026-11-20");
    let ordered = json!({"group_by": ["due"], "order": "-due"});
    assert_eq!(groups_of(TASKS, &ordered)[0].0, "01/15/2027", "by date and not by letters");
}

#[test]
fn the_times_of_records_are_grouped_by_month_and_year_too() {
    for name in ["month", "time:month"] {
        assert_eq!(
            groups(json!({"where": {"file": "web*"}, "group_by": [name]})),
            [("2026-11".into(), 7.0)]
        );
    }
    let file = ("a.csv", "year,sales\n2024,1\n2025,2\n");
    let by_year = groups_of(file, &json!({"group_by": ["year"], "order": "year"}));
    assert_eq!(by_year[0].0, "2024", "a column of this name is meant");
}

#[test]
fn the_first_and_the_last_date_are_told_as_the_file_writes_them() {
    let of = |select: &str| {
        let reply = ask_of(&[TASKS], &json!({"select": select, "of": "due"})).unwrap();
        let row = &reply.rows[0];
        (row.text.clone().unwrap(), row.value, row.records[0].lines.0)
    };
    assert_eq!(of("min"), ("11/20/2026".into(), None, 2));
    assert_eq!(of("max"), ("01/15/2027".into(), None, 5));
    let refused = ask_of(&[TASKS], &json!({"select": "sum", "of": "due"})).unwrap_err();
    assert!(refused.to_string().contains("its values are dates"), "{refused}");
    let last = json!({"select": "list", "order": "-due", "limit": 1});
    assert_eq!(ask_of(&[TASKS], &last).unwrap().rows[0].records[0].lines.0, 5);
}
