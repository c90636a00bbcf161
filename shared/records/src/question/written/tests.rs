use serde_json::json;

use super::*;
use crate::tests::{loaded, site};

fn with_records<T>(check: impl FnOnce(&Loaded) -> T) -> T {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        check(&loaded(&corpus, &scope).await)
    })
}

fn filled(form: Value) -> Result<Option<Understood>> {
    with_records(|loaded| read(form, loaded))
}

#[test]
fn a_query_that_can_be_carried_out_is_taken() {
    let query = json!({"where": {"code": 404}, "group_by": ["client"], "select": "count"});
    let read =
        filled(json!({"is_of_records": true, "queries": [query], "unread": ["penguins"]})).unwrap();
    let read = read.unwrap();
    assert_eq!(read.queries[0].group_by, ["client"]);
    assert_eq!(
        (read.unread.as_slice(), read.is_specific),
        (["penguins".to_owned()].as_slice(), true)
    );
    let listed = json!({"is_of_records": true, "queries": [{"select": "list"}]});
    assert_eq!(filled(listed).unwrap().unwrap().queries[0].limit, Some(SHOWN));
}

#[test]
fn what_is_not_of_records_is_left_to_the_search() {
    assert_eq!(filled(json!({"is_of_records": false, "queries": [{}]})).unwrap(), None);
    assert_eq!(filled(json!({})).unwrap(), None);
}

#[test]
fn a_query_of_columns_that_there_are_not_is_a_failure_of_the_model() {
    for query in [json!({"where": {"penguin": 1}}), json!({"select": "max"}), json!({"wher": 1})] {
        let error = filled(json!({"is_of_records": true, "queries": [query]})).unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
    }
}

#[test]
fn columns_have_one_name_and_one_condition() {
    let query = json!({"where": {" Status": 404}});
    let read = filled(json!({"is_of_records": true, "queries": [query]})).unwrap().unwrap();
    assert!(read.queries[0].conditions.contains_key("code"));
    let given = [("code".to_owned(), wire::records::Condition::Is("200".into()))].into();
    assert_eq!(read.within(&given), None, "a filter stays");
    let twice = json!({"where": {"file": "a.log", "file ": "b.log"}});
    assert!(filled(json!({"is_of_records": true, "queries": [twice]})).is_err());
}

#[test]
fn two_queries_are_the_first_and_the_last_of_one() {
    let both = |one: &str, other: &str| {
        let queries = json!([{"select": one}, {"select": other}]);
        filled(json!({"is_of_records": true, "queries": queries}))
    };
    assert_eq!(both("first", "last").unwrap().unwrap().queries.len(), 2);
    assert!(both("count", "count").is_err());
}

#[test]
fn the_model_sees_columns_and_templates_and_no_record() {
    let text = with_records(|loaded| user_message("Which seats were sold?", loaded));
    for part in ["app/web2-shop.log: 3", "method (4): GET | POST", "pump.rpm", "Which seats"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let templates = text.split("Templates").nth(1).unwrap();
    assert!(
        templates.lines().nth(1).unwrap().contains("sold out"),
        "the nearest first: {templates}"
    );
    assert!(!text.contains("10.0.0.1 - - ["), "{text}");
}

#[test]
fn the_form_has_no_references() {
    let schema = schema();
    assert_eq!(schema["type"], "object");
    assert!(schema.to_string().contains("percentile") && !schema.to_string().contains("$ref"));
}
