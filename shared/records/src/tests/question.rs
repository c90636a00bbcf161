//! Questions in words: those that a language model reads, and the unambiguous ones that are read
//! without it.

use wire::records::Condition;
use wire::trial::ModelPart;

use super::*;
use crate::question::{Conditions, Stated, understand};
use ports::Model;
use ports::chat::Chat;
use testing::{FakeModel, caller};

/// Asks a question over the site's records.
fn ask_in_words(question: &str, model: Option<&dyn Model>) -> RecordsReply {
    ask_whole(&json!({"question": question}), model).unwrap()
}

fn ask_whole(request: &Value, model: Option<&dyn Model>) -> Result<RecordsReply> {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let services = Services {
            documents: &corpus.documents,
            files: &corpus.files,
            members: &FakeCases::default(),
            chat: model.map(|model| Chat { model, name: "m", parts: &[ModelPart::Queries] }),
            may_go_on: &|| true,
        };
        let request = serde_json::from_value(request.clone()).unwrap();
        run(&services, &caller("ann"), &scope, request).await
    })
}

#[test]
fn what_is_stated_beyond_doubt_becomes_a_query_that_can_be_seen() {
    let day = |form: Value| json!({"where": {"time": form}, "select": "count"});
    for (question, query, records) in [
        (
            "How many records have status 404?",
            json!({"where": {"code": "404"}, "select": "count"}),
            2,
        ),
        (
            "how many records with method POST or GET are in web1-access.log",
            json!({"where": {"file": ["web1-access.log"], "method": ["post", "get"]}, "select": "count"}),
            4,
        ),
        (
            "errors and warnings per minute",
            json!({"where": {"level": ["ERROR", "CRITICAL", "FATAL", "ALERT", "EMERGENCY", "WARN"]}, "group_by": ["minute"], "select": "count"}),
            2,
        ),
        (
            "How many different clients were there?",
            json!({"group_by": ["client"], "select": "count"}),
            9,
        ),
        ("What was the largest took?", json!({"select": "max", "of": "took"}), 9),
        ("How many records after 2026-11-20 17:10?", day(json!({"gte": "2026-11-20 17:10"})), 7),
        (
            "how many between 2026-11-20 17:10 and 17:11",
            day(json!({"gte": "2026-11-20 17:10", "lt": "2026-11-20 17:11"})),
            4,
        ),
        (
            "Show the ERROR entries with \"order refused\"",
            json!({"where": {"level": ["ERROR"], "text": {"all": ["order refused"]}}, "select": "list", "limit": 5}),
            1,
        ),
        (
            "records with took > 1s",
            json!({"where": {"took": {"gt": "1s"}}, "select": "list", "limit": 5}),
            2,
        ),
        (
            "What is on line 3 of web2-shop.log?",
            json!({"where": {"file": ["web2-shop.log"], "line": [3]}, "select": "list", "limit": 5}),
            1,
        ),
    ] {
        is_read(question, &query, records);
    }
}

fn is_read(question: &str, query: &Value, records: u64) {
    let reply = ask_in_words(question, None);
    assert_eq!(serde_json::to_value(&reply.query).unwrap(), *query, "{question}");
    assert_eq!((reply.totals.records, reply.unread.len()), (records, 0), "{question}");
    assert_eq!(reply.hint, None, "{question}");
}

#[test]
fn codes_instances_and_words_as_programs_write_them_are_conditions() {
    for (question, query, records) in [
        ("How many errors?", json!({"where": {"level": {"gte": "ERROR"}}, "select": "count"}), 1),
        ("How many 404s?", json!({"where": {"code": "404"}, "select": "count"}), 2),
        (
            "How many lines of shop.Pay?",
            json!({"where": {"text": {"all": ["shop.Pay"]}}, "select": "count"}),
            2,
        ),
        ("last record on web2", json!({"where": {"instance": "web2"}, "select": "last"}), 3),
    ] {
        is_read(question, &query, records);
    }
}

#[test]
fn a_question_with_a_word_that_is_not_read_counts_nothing_and_shows_the_columns() {
    for (question, unread) in [
        ("How many errors did the penguins see?", vec!["penguins", "see"]),
        ("How many records do not have status 404?", vec!["not"]),
        ("How many records have status 404 or 500?", vec!["or", "500"]),
        ("which client sent the most requests?", vec!["client", "sent", "most", "requests"]),
        ("Why is status 404?", vec!["Why"]),
        ("How many records have status 404 and status 200?", vec!["status", "200"]),
        ("records with client > method", vec!["client"]),
        ("the first error and the last warning", vec!["error", "warning"]),
        ("How many 404s did we serve?", vec!["serve"]),
        ("How many errors after 6:10 pm?", vec!["after", "6:10", "pm"]),
        ("How many records are in seal.log?", vec!["seal.log"]),
        ("How many lines are in the error log?", vec!["error"]),
        ("How many records are there per penguin?", vec!["per", "penguin"]),
        ("How many records of shop.Payment?", vec!["shop.Payment"]),
        ("How many records of shop.Pa?", vec!["shop.Pa"]),
        ("How many records of hop.Pay?", vec!["hop.Pay"]),
        ("How many records of shop.Pay and shop.Seat?", vec!["shop.Pay", "shop.Seat"]),
        ("Show the last 404 errors", vec!["404"]),
        ("How many records in 24h?", vec!["24h"]),
        ("we had it", vec!["we had it"]),
    ] {
        let reply = ask_in_words(question, None);
        assert_eq!(
            (reply.totals.records, reply.rows.len()),
            (0, 0),
            "{question}: {:?}",
            reply.query
        );
        assert_eq!(reply.unread, unread, "{question}");
        let columns: Vec<&str> = reply.columns.iter().map(|column| column.name.as_str()).collect();
        assert!(columns.contains(&"client") && columns.contains(&"took"), "{columns:?}");
        let hint = reply.hint.unwrap();
        assert!(hint.contains("send a query over these columns"), "{question}");
        let query = hint.split_once("such as ").unwrap().1;
        let shown = ask(serde_json::from_str(query).unwrap()).unwrap();
        assert!(shown.totals.records > 0, "the example is of these records: {query}");
    }
}

#[test]
fn a_model_reads_a_question_and_where_it_fails_rules_do() {
    let query = json!({"where": {"client": "10.0.0.1"}, "select": "count"});
    let form = json!({"is_of_records": true, "queries": [query], "unread": []});
    let model = FakeModel::of("query", form);
    let question = "How often did the first of the clients call on us?";
    let reply = ask_in_words(question, Some(&model));
    assert_eq!(serde_json::to_value(&reply.query).unwrap(), query);
    assert_eq!((reply.totals.records, reply.hint), (2, None));
    let other = FakeModel::of("query", json!({"queries": "all of them"}));
    let failed = ask_in_words("How many records have status 404?", Some(&other));
    assert_eq!(failed.totals.records, 2);
    assert!(failed.hint.unwrap().ends_with(", so rules read the question"));
    let unread = ask_in_words(question, Some(&other));
    assert!(unread.rows.is_empty() && unread.hint.unwrap().starts_with("the language model"));
    let none = FakeModel::of("query", json!({"is_of_records": false, "queries": []}));
    assert!(!ask_in_words(question, Some(&none)).columns.is_empty());
}

#[test]
fn a_question_stands_alone() {
    let refusal = ask_whole(&json!({"question": "how many?", "limit": 3}), None).unwrap_err();
    assert!(refusal.to_string().starts_with("invalid `question`: stands alone"), "{refusal}");
    let shown = |more: Value| {
        let mut request = json!({"question": "How many records have status 404?"});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask_whole(&request, None).unwrap().rows[0].records.len()
    };
    assert_eq!((shown(json!({})), shown(json!({"examples": 1, "explain": true}))), (0, 1));
}

#[test]
fn what_is_given_holds_or_the_question_is_not_read() {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let loaded = loaded(&corpus, &scope).await;
        let given = |level: &str| {
            Conditions::from([("level".to_owned(), Condition::AnyOf(vec![level.into()]))])
        };
        let stated = Stated::read("How many ERROR entries are there?", &loaded, &|| true);
        assert!(understand(&stated, &given("ERROR")).is_some());
        assert_eq!(understand(&stated, &given("WARN")), None);
    });
}
