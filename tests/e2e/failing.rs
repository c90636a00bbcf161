//! Tests the replies to a caller when a service fails.

use std::time::Duration;

use anyhow::{Result, bail, ensure};
use plumbline_tests::{Stack, for_all};
use serde_json::{Value, json};

use crate::Test;
use crate::project::{ok, passage, project};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a throttled embedding is tried again, and then words are searched", throttled),
    ("a malformed embedding is told, and words are searched", malformed),
    ("a missing index is told, and found again when it is back", index_down),
    ("a decision is saved without the embedding model, and found later", decided_unembedded),
    ("a decision is saved without the index from what an answer cites", decided_unindexed),
];

fn ask(stack: &Stack) -> Result<(u16, Value)> {
    let reply = stack.rcca("ann", &json!({"question": "the certificate expired", "top_k": 1}))?;
    Ok((reply.status, reply.body))
}

fn throttling(times: usize) -> Value {
    json!({"invoke": [{"status": 429, "type": "ThrottlingException", "message": "slow down", "times": times}]})
}

fn throttled(stack: &Stack) -> Result<()> {
    stack.script(&throttling(1))?;
    let (status, body) = ask(stack)?;
    let whole = json!([]);
    ensure!(
        status == 200 && body["meta"]["degraded"] == whole,
        "one refusal is not the end: {body}"
    );
    stack.script(&throttling(50))?;
    let (status, body) = ask(stack)?;
    stack.script(&Value::Null)?;
    by_words(status, &body)?;
    ensure!(!body.to_string().contains("slow down"), "the cause reached the caller: {body}");
    Ok(())
}

fn malformed(stack: &Stack) -> Result<()> {
    stack.script(&json!({"invoke": [{"body": {"embeddings": {"float": [[0.1, 0.2]]}}}]}))?;
    let (status, body) = ask(stack)?;
    stack.script(&Value::Null)?;
    by_words(status, &body)?;
    ensure!(ask(stack)?.1["meta"]["degraded"] == json!([]));
    Ok(())
}

/// Checks that a reply says that words alone were searched, and why.
fn by_words(status: u16, body: &Value) -> Result<()> {
    let degraded =
        json!([{"part": "search by meaning", "reason": "the embedding model did not answer"}]);
    ensure!(status == 200 && body["meta"]["degraded"] == degraded, "{body}");
    Ok(())
}

fn index_down(stack: &Stack) -> Result<()> {
    if stack.has_server() {
        eprintln!("SKIPPED: the Qdrant server of QDRANT_URL is not ours to stop");
        return Ok(());
    }
    let (_, before) = ask(stack)?;
    stack.part("stop", "qdrant")?;
    let down = ask(stack);
    stack.part("start", "qdrant")?;
    let (status, body) = down?;
    ensure!(
        status == 503
            && body["detail"] == "the index did not answer"
            && body["title"] == "Service Unavailable",
        "{body}"
    );
    let (status, after) = ask(stack)?;
    ensure!(
        status == 200 && after["results"][0]["report"] == before["results"][0]["report"],
        "the index forgot: {after}"
    );
    Ok(())
}

/// Waits until the project's earlier decision can be found.
fn found_later(stack: &Stack, path: &str, decision: &str) -> Result<()> {
    let wanted = json!({ "decision": decision });
    for _ in 0..120 {
        let found = ok(stack.call("ann", &format!("POST {path}/decisions/related"), &wanted)?)?;
        if found["decisions"][0]["decision"] == decision {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    bail!("`{decision}` is not found within a minute")
}

fn decided_unembedded(stack: &Stack) -> Result<()> {
    let path = project(stack, "ann", &json!({"name": "Without a model"}))?;
    let passage = passage(stack, "the certificate expired")?["passage_id"].clone();
    let decision = "Renew certificates a month before they expire";
    let new = json!({"decision": decision, "rationale": "Nobody looked.", "sources": [{"passage_id": passage, "relevance": 1}]});
    // The request tries three times. The task that it leaves gets two refusals and an answer.
    stack.script(&throttling(5))?;
    let reply = stack.call("ann", &format!("POST {path}/decisions"), &new);
    let found = reply.and_then(ok).and_then(|saved| {
        let degraded =
            json!([{"part": "related decisions", "reason": "the embedding model did not answer"}]);
        ensure!(saved["meta"]["degraded"] == degraded && saved["status"] == "accepted", "{saved}");
        found_later(stack, &path, decision)
    });
    stack.script(&Value::Null)?;
    found
}

fn decided_unindexed(stack: &Stack) -> Result<()> {
    if stack.has_server() {
        eprintln!("SKIPPED: the Qdrant server of QDRANT_URL is not ours to stop");
        return Ok(());
    }
    let path = project(stack, "ann", &json!({"name": "Without an index"}))?;
    let asked = json!({"question": "What should a retry policy say?"});
    let answer = ok(stack.call("ann", "POST /v1/global/answer", &for_all(&asked))?)?;
    let cited = &answer["citations"][0];
    let decision = "Retry three times and then give up";
    let new = |answers: Value| json!({"decision": decision, "rationale": "It is enough.", "sources": [{"passage_id": cited["passage"]["passage_id"], "relevance": 1}], "answers": answers});
    let decide = |new: &Value| stack.call("ann", &format!("POST {path}/decisions"), new);
    // With a shorter pause, all tries would be used before the index is back.
    stack.deploy_with(&["--set", "RetrySeconds=2"])?;
    stack.part("stop", "qdrant")?;
    let refused = decide(&new(json!([])));
    let saved = decide(&new(json!([answer["meta"]["answer_id"]])));
    stack.part("start", "qdrant")?;
    let (refused, saved) = (refused?, ok(saved?)?);
    ensure!(
        refused.status == 503 && refused.text.contains("no answer in `answers` cites"),
        "{}",
        refused.text
    );
    ensure!(saved["sources"][0]["hash"] == cited["hash"], "{saved}");
    let found = found_later(stack, &path, decision);
    stack.deploy_with(&["--set", "RetrySeconds=0"])?;
    found
}
