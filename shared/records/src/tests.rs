use serde_json::{Value, json};
use wire::records::RecordsRow;

use super::*;
use ports::scope::Grant;
use testing::{Corpus, FakeCases};

mod columns;
mod exact;
mod foreign;
mod gaps;
mod own;
mod question;
mod refused;
mod small;

const ACCESS: &str = r#"10.0.0.1 - - [20/Nov/2026:18:10:00 +0100] "GET /a HTTP/1.1" 404 304 "-" "Moz"
10.0.0.2 - - [20/Nov/2026:18:10:30 +0100] "GET /b HTTP/1.1" 200 404 "-" "Curl"
10.0.0.1 - - [20/Nov/2026:18:11:00 +0100] "POST /a?x=404 HTTP/1.1" 404 20 "-" "Moz"
10.0.0.3 - - [20/Nov/2026:18:11:59 +0100] "GET /c HTTP/1.1" 304 - "-" "Moz"
"#;
const APP: &str = "2026-11-20T17:10:00Z INFO shop.Pay took=3001ms order paid\n\
    2026-11-20T17:10:05Z ERROR shop.Pay took=2s order refused\n  at Pay.run(Pay.java:7)\n\
    2026-11-20T17:12:00Z WARN shop.Seat took=90us seat sold out\n";
const SETTINGS: &str = "pump:\n  rpm: 30 # slow\n  host: web-1\n";

/// Returns a user's documents, already ingested.
pub(super) async fn site() -> (Corpus, Scope) {
    let corpus = Corpus::default();
    let scope = Scope::User("ann".into());
    for (name, text) in
        [("web1-access.log", ACCESS), ("app/web2-shop.log", APP), ("pump.yaml", SETTINGS)]
    {
        let upload = corpus.announce_in(&scope, name, "01A", text.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
    }
    (corpus, scope)
}

pub(super) async fn loaded(corpus: &Corpus, scope: &Scope) -> Loaded {
    let services = Services {
        documents: &corpus.documents,
        files: &corpus.files,
        members: &FakeCases::default(),
        chat: None,
        may_go_on: &|| true,
    };
    load(&services, &Grant::unchecked(std::slice::from_ref(scope))).await.unwrap()
}

fn ask(request: Value) -> Result<RecordsReply> {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let loaded = loaded(&corpus, &scope).await;
        query(&loaded, &scope, serde_json::from_value(request).unwrap(), &|| true)
    })
}

/// Answers a query over the given documents, as a caller sees the answer.
fn ask_of(files: &[(&str, &str)], request: &Value) -> Result<RecordsReply> {
    pollster::block_on(async {
        let (corpus, scope) = (Corpus::default(), Scope::User("ann".into()));
        for (name, text) in files {
            let upload = corpus.announce_in(&scope, name, "01A", text.as_bytes()).await;
            corpus.ingest(&upload).await.unwrap();
        }
        let loaded = loaded(&corpus, &scope).await;
        let request: RecordsRequest = serde_json::from_value(request.clone()).unwrap();
        query_as(Shape::asked(&request)?, &loaded, &scope, request, &|| true)
    })
}

fn count(conditions: &Value) -> u64 {
    let request = json!({"where": conditions});
    ask(request).unwrap().totals.records
}

/// Returns the first line of each shown record.
fn lines(request: Value) -> Vec<u32> {
    let rows = ask(request).unwrap().rows;
    rows.iter().flat_map(|row| &row.records).map(|record| record.lines.0).collect()
}

/// Returns each row's group and number.
fn groups(request: Value) -> Vec<(String, f64)> {
    let group = |row: RecordsRow| {
        let values: Vec<String> =
            row.group.into_values().map(|value| value.unwrap_or("-".into())).collect();
        (values.join(" "), row.value.unwrap())
    };
    ask(request).unwrap().rows.into_iter().map(group).collect()
}

#[test]
fn a_code_is_counted_in_its_column_and_nowhere_else() {
    assert_eq!(count(&json!({"code": 404})), 2);
    assert_eq!(count(&json!({"code": "304"})), 1);
    assert_eq!(count(&json!({"code": ["404", 304]})), 3);
    assert_eq!(count(&json!({"code": {"gte": 300, "lt": 400}})), 1);
    assert_eq!(count(&json!({"code": 404, "method": "post"})), 1);
    assert_eq!(count(&json!({"code": {"not": [404]}, "file": "web1*"})), 2);
}

#[test]
fn texts_levels_files_and_lines_are_conditions_too() {
    assert_eq!(count(&json!({"level": {"gte": "warning"}})), 2);
    assert_eq!(count(&json!({"text": "ORDER*ref"})), 1);
    assert_eq!(count(&json!({"text": "Pay.java"})), 1, "a stack trace is part of its record");
    assert_eq!(count(&json!({"text": {"all": ["order", "REFUSED"]}})), 1);
    assert_eq!(count(&json!({"file": "web2-shop.log"})), 3);
    assert_eq!(count(&json!({"instance": "web2"})), 3);
    assert_eq!(lines(json!({"where": {"file": "web2*", "line": 3}, "select": "list"})), [2]);
    assert_eq!(count(&json!({"key": "*.rpm"})), 1);
    assert_eq!(count(&json!({"comment": "slow"})), 1);
}

#[test]
fn times_are_moments_and_clocks_are_the_records_own() {
    let span = json!({"time": {"gte": "2026-11-20T17:10:00Z", "lt": "2026-11-20T17:11:00Z"}});
    assert_eq!(count(&span), 4);
    assert_eq!(count(&json!({"time": "2026-11-20"})), 7);
    assert_eq!(count(&json!({"time": "2026-11-20T17:12"})), 1);
    assert_eq!(count(&json!({"clock": "18:10"})), 2);
    assert_eq!(count(&json!({"clock": {"gte": "17:10", "lte": "17:10"}})), 2);
    assert_eq!(count(&json!({"clock": {"gte": "18:11:59", "lt": "17:00"}})), 1, "over midnight");
}

#[test]
fn records_are_grouped_by_columns_and_parts_of_time() {
    let by = |by: Value| groups(json!({"where": {"file": "web1*"}, "group_by": by}));
    assert_eq!(by(json!(["client"]))[0], ("10.0.0.1".into(), 2.0));
    assert_eq!(by(json!(["status"])).len(), 3);
    assert_eq!(
        by(json!(["minute"])),
        [("2026-11-20T17:10Z".into(), 2.0), ("2026-11-20T17:11Z".into(), 2.0)]
    );
    assert_eq!(by(json!(["client", "code"]))[0], ("10.0.0.1 404".into(), 2.0));
    let reply = ask(json!({"group_by": ["client"]})).unwrap();
    assert_eq!(reply.totals.groups, Some(3), "records without a client are no group");
    assert_eq!(reply.rows.last().unwrap().group["client"], None);
    let all = groups(json!({"group_by": ["instance"], "order": "-value", "limit": 1}));
    assert_eq!(all, [("web1".into(), 4.0)]);
}

#[test]
fn numbers_are_compared_and_added_in_their_base_unit() {
    let one = |select: &str| {
        let reply = ask(json!({"select": select, "of": "took", "percentile": 50})).unwrap();
        let row = reply.rows.into_iter().next().unwrap();
        (row.value.unwrap(), row.unit.unwrap(), row.records[0].lines.0)
    };
    assert_eq!(one("max"), (3001.0, "ms".into(), 1));
    assert_eq!(one("min"), (0.09, "ms".into(), 4));
    assert!((one("percentile").0 - 2000.0).abs() < 1e-9);
    assert!((one("sum").0 - 5001.09).abs() < 1e-9);
    assert_eq!(count(&json!({"took": {"gt": "1s"}})), 2);
    let slowest = json!({"where": {"file": "web2*"}, "select": "list", "order": "-took"});
    assert_eq!(lines(slowest), [1, 2, 4]);
}

#[test]
fn the_first_and_the_last_are_so_in_time() {
    assert_eq!(lines(json!({"where": {"file": "web1*"}, "select": "first"})), [1]);
    assert_eq!(lines(json!({"where": {"file": "web1*"}, "select": "last"})), [4]);
    let reply = ask(json!({"where": {"level": "error"}, "select": "last"})).unwrap();
    let record = &reply.rows[0].records[0];
    assert_eq!(record.quote.lines().count(), 2);
    assert_eq!((record.lines, record.file.as_str()), ((2, 3), "app/web2-shop.log"));
    let setting = json!({"where": {"file": "pump.yaml"}, "select": "last"});
    assert_eq!(lines(setting), [3], "what has no time is in the order of its lines");
}

#[test]
fn what_cannot_be_finished_says_how_far_it_came_and_tells_no_percentile() {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let loaded = loaded(&corpus, &scope).await;
        let left = std::sync::atomic::AtomicUsize::new(2);
        let may_go_on = || {
            let calls = left.load(std::sync::atomic::Ordering::Relaxed);
            left.store(calls.saturating_sub(1), std::sync::atomic::Ordering::Relaxed);
            calls > 0
        };
        let request = json!({"select": "percentile", "of": "took", "percentile": 95});
        let reply =
            query(&loaded, &scope, serde_json::from_value(request).unwrap(), &may_go_on).unwrap();
        assert!(!reply.all_records_read && reply.rows.is_empty());
        assert!(reply.totals.scanned > 0 && reply.totals.scanned < reply.totals.of);
    });
}

#[test]
fn a_new_version_replaces_the_records_of_the_last_one_and_a_deleted_document_has_none() {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let upload = corpus.announce_in(&scope, "web1-access.log", "01B", APP.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
        let now = loaded(&corpus, &scope).await;
        assert_eq!(now.totals().of, 3 + 3 + 2);
        let keys = corpus.files.keys().into_iter().filter(|key| key.starts_with("records/"));
        let keys: Vec<String> =
            keys.filter(|key| key.contains(&upload.document_id.to_string())).collect();
        assert_eq!(keys, [upload.records_key()], "the old version's records are gone");
        corpus::file_deletion::uploads(&corpus.files, &upload).await.unwrap();
        assert!(!corpus.files.keys().contains(&upload.records_key()));
        assert_eq!(loaded(&corpus, &scope).await.totals().of, 3 + 2, "what is gone is left out");
    });
}
