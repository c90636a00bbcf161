//! Tests a bucket that fails: while a document is read, deleted and restored.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Service, Stack};
use serde_json::{Value, json};

use super::{USER_PATH, bring, failing, points, shows, struck};
use crate::Test;
use crate::case::{accepted, until};
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("uploads outlast a bucket that fails", unread),
    ("a deletion and a restoration outlast a bucket that fails", unhidden),
];

fn away() -> Value {
    json!({"answer": {"status": 503, "body": "<Error><Code>SlowDown</Code></Error>"}})
}

fn unread(stack: &Stack) -> Result<()> {
    let bucket = stack.fact("bucket")?;
    // More than the client itself repeats, so that tries of the message fail.
    let faults = failing(stack, Service::Aws, "ingest", (bucket, 7), &away())?;
    bring(stack, "fay", "its bucket was slow")?;
    struck(&faults, 7)?;
    drop(faults);
    shows(stack, "fay", "its bucket was slow")
}

fn unhidden(stack: &Stack) -> Result<()> {
    let bucket = stack.fact("bucket")?;
    let id = bring(stack, "flo", "its bucket failed")?;
    let document = format!("{USER_PATH}/documents/{id}");
    let faults = failing(stack, Service::Aws, "removal", (bucket, 7), &away())?;
    accepted(stack.call("flo", &format!("DELETE {document}"), &Value::Null)?)?;
    struck(&faults, 7)?;
    drop(faults);
    until(stack, "flo", &format!("GET {document}"), |reply| reply.status == 404)?;
    ensure!(points(stack, "user:flo")? == 0, "points are left");

    let restore = format!("POST {document}/restore");
    let faults = failing(stack, Service::Aws, "documents", (bucket, 1_000), &away())?;
    let down = stack.call("flo", &restore, &Value::Null)?;
    ensure!(down.status == 503, "{}: {}", down.status, down.text);
    let detail = down.body["detail"].as_str().context("no detail")?;
    ensure!(detail.ends_with("did not answer") && !down.text.contains("SlowDown"), "{detail}");
    drop(faults);
    accepted(stack.call("flo", &restore, &Value::Null)?)?;
    let is_back = |list: &Value| list["documents"][0]["status"] == "indexed";
    let list = format!("GET {USER_PATH}/documents");
    until(stack, "flo", &list, |reply| reply.status == 200 && is_back(&reply.body))?;
    ok(stack.call("flo", &list, &Value::Null)?)?;
    shows(stack, "flo", "its bucket failed")
}
