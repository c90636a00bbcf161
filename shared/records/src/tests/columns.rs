//! The list of columns.

use wire::records::{ColumnsReply, ColumnsRequest, Kind};

use super::super::columns::{asked, shown};
use super::*;

fn listed(files: &[(&str, &str)], request: &ColumnsRequest) -> ColumnsReply {
    pollster::block_on(async {
        let (corpus, scope) = (Corpus::default(), Scope::User("ann".into()));
        for (name, text) in files {
            let upload = corpus.announce_in(&scope, name, "01A", text.as_bytes()).await;
            corpus.ingest(&upload).await.unwrap();
        }
        shown(&loaded(&corpus, &scope).await, request)
    })
}

fn names(reply: &ColumnsReply) -> Vec<&str> {
    reply.columns.iter().map(|column| column.name.as_str()).collect()
}

#[test]
fn columns_are_listed_with_kinds_and_examples() {
    let reply = listed(&[("web1-access.log", ACCESS)], &ColumnsRequest::default());
    let code = reply.columns.iter().find(|column| column.name == "code").unwrap();
    assert_eq!((code.records, code.examples[0].as_str()), (4, "404"));
    assert_eq!(code.kinds, [Kind::Number]);
    assert_eq!((reply.columns_left, reply.templates_left), (0, 0));
}

#[test]
fn a_pattern_and_a_limit_cut_the_list_and_the_rest_is_counted() {
    let of = |pattern: Option<&str>, limit: Option<&str>| {
        listed(&[("web1-access.log", ACCESS)], &asked(pattern, limit).unwrap())
    };
    assert_eq!(names(&of(Some("LIEN"), None)), ["client"]);
    assert_eq!(names(&of(Some("c*"), None)), ["client", "code"]);
    let all = of(None, None).columns.len() as u64;
    let one = of(None, Some("1"));
    assert_eq!((one.columns.len(), one.columns_left), (1, all - 1));
    for limit in ["0", "1001", "many", ""] {
        let refused = asked(None, Some(limit)).unwrap_err().to_string();
        assert_eq!(refused, "invalid `limit`: must be from 1 to 1000");
    }
}

#[test]
fn a_column_of_few_records_comes_last() {
    use std::fmt::Write;
    let mut log = String::from("2026-11-20T17:00:00Z INFO a=1 aaa\n");
    for number in 0..250 {
        let _ = writeln!(log, "2026-11-20T17:10:{:02}Z INFO zone=1 fine", number % 60);
    }
    let reply = listed(&[("a.log", &log)], &ColumnsRequest::default());
    assert_eq!(names(&reply).last(), Some(&"a"));
    assert_eq!(names(&reply)[0], "level");
}
