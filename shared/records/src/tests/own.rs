//! Columns of the query's own: words in the texts, and a record's values in two columns.

use super::*;

const LOG: (&str, &str) = (
    "build.log",
    "2026-11-20T17:00:00Z INFO Took 19.84 seconds to build on host c-7\n\
     2026-11-20T17:01:00Z INFO took 100 seconds to build on host c-9\n\
     2026-11-20T17:02:00Z INFO Took 20 seconds to build on host c-7\n\
     2026-11-20T17:03:00Z INFO Nothing to build\n",
);

fn numbers(request: &Value) -> Vec<f64> {
    let rows = ask_of(&[LOG], request).unwrap().rows;
    rows.into_iter().map(|row| row.value.unwrap()).collect()
}

#[test]
fn the_word_in_a_text_is_a_column() {
    assert_eq!(numbers(&json!({"select": "max", "of": "Took {} seconds"})), [100.0]);
    assert_eq!(numbers(&json!({"where": {"Took {} seconds": {"gte": 20}}})), [2.0]);
    assert_eq!(numbers(&json!({"where": {"on host {}": "C-*"}})), [3.0]);
    let by_host = json!({"group_by": ["on host {}"], "select": "sum", "of": "took {} seconds"});
    let reply = ask_of(&[LOG], &by_host).unwrap();
    let rows = reply.rows.iter().map(|row| (row.group["on host {}"].as_deref(), row.value));
    let expected = [(Some("c-9"), Some(100.0)), (Some("c-7"), Some(39.84)), (None, None)];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    let longest = json!({"select": "list", "order": "-Took {} seconds", "limit": 1});
    let reply = ask_of(&[LOG], &longest).unwrap();
    assert_eq!(reply.rows[0].records[0].lines, (2, 2));
    for name in ["{}", "Took {} of {}"] {
        let refused = ask_of(&[LOG], &json!({"where": {name: 1}})).unwrap_err().to_string();
        assert!(refused.contains("must have one {}"), "{refused}");
    }
}

const DUE: (&str, &str) = (
    "due.csv",
    "id,added,due,planned,used\n1,2026-05-01,2026-04-30,10,9.5\n2,2026-05-01,2026-05-01,9,10\n\
     3,2026-05-01,,9,9.0\n",
);

#[test]
fn texts_are_equal_as_texts_and_numbers_whatever_their_mark() {
    let versions = ("v.csv", "from,to\n1.10,1.1\n2.0.1,2.0.1\nx,X\n");
    let count = |condition: Value| {
        ask_of(&[versions], &json!({"where": {"to": condition}})).unwrap().totals.records
    };
    assert_eq!((count(json!("{from}")), count(json!({"not": ["{from}"]}))), (2, 1));
    let marks = ("m.csv", "a;b\n1.234,5;1.234,50\n7,1;8,1\n");
    let below = json!({"where": {"a": {"lt": "{b}"}}});
    assert_eq!(ask_of(&[marks], &below).unwrap().totals.records, 1);
    let two_marks = ("t.csv", "a;b\n1,5;1.25\n2,25;3.75\n");
    assert_eq!(ask_of(&[two_marks], &below).unwrap().totals.records, 1);
}

#[test]
fn two_columns_of_a_record_are_compared_by_their_kind() {
    let count =
        |conditions: Value| ask_of(&[DUE], &json!({"where": conditions})).unwrap().totals.records;
    assert_eq!(count(json!({"due": {"lt": "{added}"}})), 1);
    assert_eq!(count(json!({"due": {"lte": "{added}"}})), 2);
    assert_eq!(count(json!({"due": "{Added}"})), 1);
    assert_eq!(count(json!({})), 3);
    assert_eq!(count(json!({"due": {"not": ["{added}"]}})), 2, "one has none");
    assert_eq!(count(json!({"used": {"gt": "{planned}"}})), 1, "10 is more than 9");
    assert_eq!(count(json!({"used": "{planned}"})), 1, "9.0 is 9");
    assert_eq!(count(json!({"used": {"gt": "{planned}", "lt": 5}})), 0);
    assert_eq!(count(json!({"text": "{added}"})), 0, "words of a text, and no column");
    assert_eq!(count(json!({"id": "{3f25}"})), 0, "braces without a column are a text");
    let refused =
        |conditions: Value| ask_of(&[DUE], &json!({"where": conditions})).unwrap_err().to_string();
    assert!(refused(json!({"due": {"lt": "{aded}"}})).contains("`{aded}` is none of its dates"));
    assert!(refused(json!({"due": {"lt": "added"}})).contains("is `{added}`"));
    assert!(
        refused(json!({"due": {"lt": "{planned}"}})).contains("both must have numbers, or dates")
    );
    assert!(refused(json!({"due": ["{added}"]})).contains("not in a list"));
}
