//! What a caller is told when a service fails.

use anyhow::{Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a throttled embedding is tried again, and then told", throttled),
    ("a malformed embedding is told and not guessed around", malformed),
    ("a missing index is told, and found again when it is back", index_down),
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
    ensure!(status == 200, "one refusal is not the end: {body}");
    stack.script(&throttling(50))?;
    let (status, body) = ask(stack)?;
    stack.script(&Value::Null)?;
    ensure!(status == 503 && body["detail"] == "the embedding model did not answer", "{body}");
    ensure!(!body.to_string().contains("slow down"), "the cause crossed the door: {body}");
    Ok(())
}

fn malformed(stack: &Stack) -> Result<()> {
    stack.script(&json!({"invoke": [{"body": {"embeddings": {"float": [[0.1, 0.2]]}}}]}))?;
    let (status, body) = ask(stack)?;
    stack.script(&Value::Null)?;
    ensure!(status == 503, "{body}");
    ensure!(ask(stack)?.0 == 200);
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
        status == 200 && after["results"][0]["content"] == before["results"][0]["content"],
        "the index forgot: {after}"
    );
    Ok(())
}
