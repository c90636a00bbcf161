//! Properties of every query over records, whoever wrote it.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::question::{Conditions, Stated, carry_out, understand, written};
use testing::quarter;

static SITE: LazyLock<(Loaded, Scope)> = LazyLock::new(|| {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        (loaded(&corpus, &scope).await, scope)
    })
});

const COLUMNS: [&str; 16] = [
    "file",
    "instance",
    "line",
    "time",
    "clock",
    "template",
    "text",
    "level",
    "code",
    "took",
    "client",
    "status",
    "minute",
    "time:month",
    "took:day",
    "penguin",
];
const SELECTS: [&str; 9] =
    ["count", "list", "first", "last", "min", "max", "sum", "mean", "percentile"];

fn column() -> impl Strategy<Value = String> {
    prop::sample::select(&COLUMNS[..]).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    let known = [
        "404",
        "ERROR",
        "*",
        "a*b",
        "3s",
        "90us",
        "web1*",
        "2026-11-20",
        "2026-11-20T17:10:00Z",
        "18:10",
        "23:59:59",
        "",
        "-009999-01-02",
        "9999-12-30",
        "1e400",
    ];
    prop_oneof![
        4 => prop::sample::select(known.to_vec()).prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => (0_u64..500).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
    ]
}

fn condition() -> impl Strategy<Value = Value> {
    let bound = prop::sample::select(&["gte", "gt", "lte", "lt"][..]).prop_map(str::to_owned);
    let bounds = prop::collection::vec((bound, scalar()), 0..3);
    let lists = (prop::collection::vec(scalar(), 0..2), prop::collection::vec(scalar(), 0..2));
    let form = (bounds, lists).prop_map(|(bounds, (not, all))| {
        let mut form: serde_json::Map<String, Value> = bounds.into_iter().collect();
        form.insert("not".into(), not.into());
        form.insert("all".into(), all.into());
        Value::Object(form)
    });
    prop_oneof![scalar(), prop::collection::vec(scalar(), 0..4).prop_map(Value::from), form]
}

fn request() -> impl Strategy<Value = Value> {
    let conditions = prop::collection::vec((column(), condition()), 0..3);
    let groups = prop::collection::vec(column(), 0..6);
    let select = prop::sample::select(&SELECTS[..]);
    let order = prop_oneof![
        column(),
        Just("-value".to_owned()),
        column().prop_map(|name| format!("-{name}"))
    ];
    let numbers = (prop::option::of(column()), prop::option::of(-10.0..110.0_f64));
    let rows = (prop::option::weighted(0.3, order), prop::option::of(0..1_100_u32));
    (conditions, groups, select, numbers, rows).prop_map(
        |(conditions, group_by, select, (of, percentile), (order, limit))| {
            let conditions: serde_json::Map<String, Value> = conditions.into_iter().collect();
            json!({
                "where": conditions, "group_by": group_by, "select": select, "of": of, "percentile": percentile,
                "order": order, "limit": limit,
            })
        },
    )
}

fn check(request: &RecordsRequest, reply: &RecordsReply) -> Result<(), TestCaseError> {
    let RecordsReply { rows, totals, all_records_read, query, .. } = reply;
    prop_assert!(*all_records_read && query == request);
    prop_assert!(rows.len() <= request.limit.unwrap_or(20) as usize);
    prop_assert!(totals.records <= totals.of && totals.scanned <= totals.of);
    prop_assert!(rows.iter().map(|row| row.count).sum::<u64>() <= totals.records);
    for record in rows.iter().flat_map(|row| &row.records) {
        prop_assert!(record.quote.len() <= 2_000 && record.lines.0 <= record.lines.1);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_query_is_the_same_after_a_journey(request in request()) {
        if let Ok(request) = serde_json::from_value::<RecordsRequest>(request) {
            let sent = serde_json::to_value(&request).unwrap();
            prop_assert_eq!(serde_json::from_value::<RecordsRequest>(sent).unwrap(), request);
        }
    }

    #[test]
    fn any_query_is_answered_within_its_bounds_or_refused(request in request()) {
        let Ok(request) = serde_json::from_value::<RecordsRequest>(request) else { return Ok(()) };
        let (loaded, scope) = &*SITE;
        match query(loaded, scope, request.clone(), &|| true) {
            Ok(reply) => check(&request, &reply)?,
            Err(error) => prop_assert!(matches!(error, Error::Invalid { .. }), "{}", error),
        }
    }

    #[test]
    fn what_a_model_writes_is_carried_out_or_refused(queries in prop::collection::vec(request(), 0..3)) {
        let (loaded, scope) = &*SITE;
        let form = json!({"is_of_records": true, "queries": queries, "unread": []});
        if let Ok(Some(read)) = written::read(form, loaded) {
            prop_assert!(carry_out(read, loaded, scope, &|| true).is_ok());
        }
    }
}

/// Words of questions over these records.
const WORDS: [&str; 34] = [
    "how many",
    "which",
    "the",
    "first",
    "last",
    "largest",
    "per",
    "by",
    "and",
    "or",
    "not",
    "between",
    "after",
    "on",
    "errors",
    "ERROR",
    "404",
    "5xx",
    "GET",
    "POST",
    "10.0.0.1",
    "client",
    "took",
    "Pay",
    "order",
    "refused",
    "rpm",
    "after 2026-11-20",
    "at 18:10",
    "line 3",
    "web2-shop.log",
    "\"sold out\"",
    "minute",
    "?",
];

proptest! {
    #![proptest_config(quarter())]

    #[test]
    fn any_question_over_records_is_read_and_answered_or_refused(
        words in prop::collection::vec(prop_oneof![
            9 => prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
            1 => "\\PC{0,6}",
        ], 1..9),
    ) {
        let (loaded, scope) = &*SITE;
        let question = words.join(" ");
        let read = understand(&Stated::read(&question, loaded, &|| true), &Conditions::new());
        let Some(read) = read else { return Ok(()) };
        if let Err(error) = carry_out(read, loaded, scope, &|| true) {
            prop_assert!(matches!(error, Error::Invalid { .. }), "{}: {}", question, error);
        }
    }
}
