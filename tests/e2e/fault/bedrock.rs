//! Tests a Bedrock that is too busy, broken, silent, or answers nonsense.

use anyhow::{Result, ensure};
use plumbline_tests::{Service, Stack};
use serde_json::{Value, json};

use super::{NAME, USER_PATH, bring, dead_letter, failing, note, shows, struck};
use crate::Test;
use crate::case::{indexed, until, upload};
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("uploads outlast a Bedrock that is away", away_for_uploads),
    ("an old version is found while Bedrock is silent about the new one", silent_for_an_upload),
    ("an upload that Bedrock is away for too long for can be sent again", away_for_good),
    ("a question is searched by words while Bedrock is away, however it is", away_for_questions),
];

const INVOKE: &str = "/invoke";

fn busy() -> Value {
    json!({"answer": {"status": 429, "type": "ThrottlingException", "body": {"message": "slow down"}}})
}

fn broken() -> Value {
    json!({"answer": {"status": 500, "type": "InternalServerException", "body": {"message": "slow down"}}})
}

/// Returns an answer with incomplete JSON.
fn garbage() -> Value {
    json!({"answer": {"status": 200, "body": "{\"embeddings\": {\"float\": [[0.1, "}})
}

/// Returns an answer with a vector of another model.
fn odd() -> Value {
    json!({"answer": {"status": 200, "body": {"embeddings": {"float": [[0.1, 0.2]]}}}})
}

fn away_for_uploads(stack: &Stack) -> Result<()> {
    // Each try makes three calls if that may help, else one. Three tries fail.
    for (state, strike, times) in
        [("busy", busy(), 9), ("broken", broken(), 9), ("mad", garbage(), 3), ("odd", odd(), 3)]
    {
        let faults = failing(stack, Service::Aws, "ingest", (INVOKE, times), &strike)?;
        let cause = format!("its model was {state}");
        bring(stack, "faye", &cause)?;
        ensure!(faults.struck()? == times, "{state}: {}", faults.struck()?);
        drop(faults);
        shows(stack, "faye", &cause)?;
    }
    Ok(())
}

fn silent_for_an_upload(stack: &Stack) -> Result<()> {
    let (old, new) = ("a cable blocked its blades", "its bearing had run dry");
    bring(stack, "fern", old)?;
    let faults = failing(stack, Service::Aws, "ingest", (INVOKE, 1), &json!("hold"))?;
    let id = upload(stack, "fern", USER_PATH, (NAME, &note(new)))?;
    struck(&faults, 1)?;
    shows(stack, "fern", old)?;
    let document =
        ok(stack.call("fern", &format!("GET {USER_PATH}/documents/{id}"), &Value::Null)?)?;
    ensure!(
        document["status"] == "indexing" && document["live_version"] != document["version"],
        "{document}"
    );
    drop(faults);
    indexed(stack, "fern", USER_PATH, &id)?;
    shows(stack, "fern", new)
}

fn away_for_good(stack: &Stack) -> Result<()> {
    let (old, new) = ("a cable blocked its blades", "its bearing had run dry");
    bring(stack, "fitz", old)?;
    let faults = failing(stack, Service::Aws, "ingest", (INVOKE, 1_000), &garbage())?;
    let id = upload(stack, "fitz", USER_PATH, (NAME, &note(new)))?;
    let route = format!("GET {USER_PATH}/documents/{id}");
    let failed = until(stack, "fitz", &route, |reply| reply.body["status"] == "failed")?.body;
    let reason = failed["reason"].as_str().unwrap_or_default();
    ensure!(reason.contains("the embedding model did not answer; upload"), "{failed}");
    ensure!(faults.struck()? == 8, "eight tries: {}", faults.struck()?);
    drop(faults);
    dead_letter(stack, &id)?;
    shows(stack, "fitz", old)?;
    bring(stack, "fitz", new)?;
    shows(stack, "fitz", new)
}

fn away_for_questions(stack: &Stack) -> Result<()> {
    let asked = json!({"question": "the certificate expired", "top_k": 1});
    let whole = ok(stack.rcca("ann", &asked)?)?;
    for strike in [busy(), broken(), garbage(), odd(), json!("hold")] {
        let faults = failing(stack, Service::Aws, "rcca", (INVOKE, 1_000), &strike)?;
        let reply = stack.rcca("ann", &asked)?;
        let listed = stack.call("ann", "GET /v1/global/documents?limit=1", &Value::Null)?;
        ensure!(faults.struck()? > 0, "{strike} struck nothing");
        drop(faults);
        let degraded = &reply.body["meta"]["degraded"][0]["part"];
        ensure!(
            reply.status == 200 && degraded == "search by meaning",
            "{strike}: {} {}",
            reply.status,
            reply.text
        );
        let same = |body: &Value| body["results"][0]["passage"]["file"].clone();
        ensure!(same(&reply.body) == same(&whole), "words alone find another: {}", reply.text);
        ensure!(!reply.text.contains("slow down"), "the cause reached the caller: {}", reply.text);
        ensure!(listed.status == 200, "what needs no model goes on: {}", listed.text);
        ok(stack.rcca("ann", &asked)?)?;
    }
    Ok(())
}
