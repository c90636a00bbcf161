//! A reply states which records are missing.

use super::*;
use crate::gaps::not_read;
use ports::{Record, Status};

/// Returns the reply to a query over the site and another document whose item is changed.
fn reply(request: Value, file: (&str, &str), change: fn(&mut Record)) -> RecordsReply {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let (name, text) = file;
        let upload = corpus.announce_in(&scope, name, "01A", text.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
        let mut loaded = loaded(&corpus, &scope).await;
        loaded.listed.iter_mut().filter(|document| document.name == name).for_each(change);
        loaded.not_read = not_read(&loaded, Vec::new());
        query(&loaded, &scope, serde_json::from_value(request).unwrap(), &|| true).unwrap()
    })
}

/// Returns the files that a reply lists as not read, with the reasons.
fn told(reply: &RecordsReply) -> Vec<String> {
    assert_eq!(reply.all_records_read, reply.not_read.is_empty());
    reply.not_read.iter().map(|gap| format!("{}: {}", gap.file, gap.reason)).collect()
}

const NOTES: &str = "# Notes\n\nThe pump was slow.\n";

fn fail(document: &mut Record) {
    document.status = Status::Failed { reason: "is not UTF-8 text".into() };
    document.live = None;
}

#[test]
fn a_document_that_failed_or_is_still_being_read_is_told() {
    let failed = reply(json!({}), ("other.log", APP), fail);
    assert_eq!(told(&failed), ["other.log: it failed: is not UTF-8 text"]);
    let waiting =
        reply(json!({}), ("other.log", APP), |document| document.status = Status::Indexing);
    assert_eq!(told(&waiting), ["other.log: its latest version is still being read"]);
    let elsewhere = reply(json!({"where": {"file": "web1*"}}), ("other.log", APP), fail);
    assert_eq!(told(&elsewhere), Vec::<String>::new(), "the query does not mean it");
}

#[test]
fn a_log_or_table_without_records_is_told_and_prose_is_none() {
    let bare = |document: &mut Record| {
        if let Some(live) = &mut document.live {
            live.records = 0;
        }
    };
    for name in ["other.log", "other.csv"] {
        let reply = reply(json!({}), (name, "a,b\n1,2\n3,4\n"), bare);
        assert_eq!(told(&reply), [format!("{name}: it gave no records")]);
    }
    assert_eq!(told(&reply(json!({}), ("notes.md", NOTES), bare)), Vec::<String>::new());
    assert_eq!(told(&reply(json!({}), ("notes.md", NOTES), fail)), Vec::<String>::new());
}

#[test]
fn rows_that_do_not_fit_and_files_that_are_gone_are_told() {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let mut loaded = loaded(&corpus, &scope).await;
        loaded.documents[0].file.header.misfits = 2;
        loaded.not_read = not_read(&loaded, vec!["web9.log".into()]);
        let reply = query(&loaded, &scope, RecordsRequest::default(), &|| true).unwrap();
        let name = &loaded.documents[0].document.name;
        let expected = [
            "web9.log: its records could not be read; index it again".to_owned(),
            format!("{name}: 2 rows do not fit its table"),
        ];
        assert_eq!(told(&reply), expected);
        loaded.not_read = vec![NotRead::default(); 23];
        let reply = query(&loaded, &scope, RecordsRequest::default(), &|| true).unwrap();
        assert_eq!((reply.not_read.len(), reply.not_read_left), (20, 3));
    });
}

#[test]
fn what_was_assumed_of_times_is_told_for_the_files_of_the_records() {
    pollster::block_on(async {
        let (corpus, scope) = site().await;
        let mut loaded = loaded(&corpus, &scope).await;
        for recorded in &mut loaded.documents {
            let is_log = recorded.document.name.contains(".log");
            recorded.file.header.assumed = is_log.then(|| "UTC, 2026".into());
        }
        let assumed = |conditions: Value| {
            let request = serde_json::from_value(json!({"where": conditions})).unwrap();
            query(&loaded, &scope, request, &|| true).unwrap().assumed
        };
        assert_eq!(assumed(json!({"file": "web1*"})).as_deref(), Some("UTC, 2026"));
        assert_eq!(assumed(json!({"file": "pump*"})), None);
        let both = "UTC, 2026 in app/web2-shop.log and 1 more";
        assert_eq!(assumed(json!({"line": {"gte": 1}})).as_deref(), Some(both));
    });
}
