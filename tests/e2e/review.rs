//! Tests decisions whose evidence changes.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::Test;
use crate::case::until;
use crate::life::folder;
use crate::project::{ok, project};

pub(crate) const TESTS: &[(&str, Test)] =
    &[("a decision is marked when its evidence changes, until somebody has looked", changed)];

fn upload(stack: &Stack, limit: &str) -> Result<()> {
    let text = format!(
        "# Valve sheet\n\n## Pressure\n\nThe relief valve opens at {limit} bar and closes slowly.\n\n## Paint\n\nIt is painted blue.\n"
    );
    let folder = folder(stack, "valve", &[("valve sheet.md", text.into_bytes())])?;
    let report = stack.plumbline("vera", &["ingest", &folder.to_string_lossy()])?;
    ensure!(report.contains("1 document indexed"), "{report}");
    Ok(())
}

fn changed(stack: &Stack) -> Result<()> {
    upload(stack, "7")?;
    let asked = json!({"question": "relief valve opens at which pressure", "filters": {"name": "valve sheet.md"}});
    let found = ok(stack.ask("vera", "rcca", &asked)?)?["also_read"][0].clone();
    let path = project(stack, "vera", &json!({"name": "Valves"}))?;
    let new = json!({"decision": "Set the pump to 6 bar", "rationale": "Below the relief valve.", "sources": [{"passage_id": found["passage"]["passage_id"], "relevance": 1}]});
    let decision = ok(stack.call("vera", &format!("POST {path}/decisions"), &new)?)?;
    let trail =
        || -> Result<Value> { ok(stack.call("vera", &format!("GET {path}/trail"), &Value::Null)?) };
    ensure!(trail()?["needs_review"] == json!([]));
    upload(stack, "5")?;
    // The mark is made behind the ingest.
    let route = format!("GET {path}/trail");
    let is_marked = |reply: &Reply| reply.body["needs_review"] != json!([]);
    let reviewed = until(stack, "vera", &route, is_marked)?.body;
    let marked = &reviewed["needs_review"][0];
    ensure!(marked["decision_id"] == decision["decision_id"], "{reviewed}");
    let review = &marked["needs_review"][0];
    let has = |text: &Value, part: &str| text.as_str().is_some_and(|text| text.contains(part));
    ensure!(has(&review["was"], "7 bar") && has(&review["nearest"]["text"], "5 bar"), "{review}");
    ensure!(has(&marked["sources"][0]["quote"], "7 bar"), "the quote stays as it was: {marked}");
    let document = found["passage"]["document_id"].as_str().context("no document")?;
    let route = format!("GET /v1/documents/{document}/decisions");
    let resting = ok(stack.call("vera", &route, &Value::Null)?)?;
    ensure!(resting["decisions"][0]["needs_review"][0]["was"] == review["was"], "{resting}");
    let one = format!("{path}/decisions/{}", decision["decision_id"].as_str().unwrap_or_default());
    let confirmed = json!({"to": "accepted", "version": marked["version"], "reason": "6 bar is too much now: see the next one"});
    ok(stack.call("vera", &format!("POST {one}/status"), &confirmed)?)?;
    ensure!(trail()?["needs_review"] == json!([]), "somebody has looked");
    let read = ok(stack.call("vera", &format!("GET {one}"), &Value::Null)?)?;
    ensure!(read["reviewed"][0]["nearest_hash"] == review["nearest"]["hash"], "{read}");
    Ok(())
}
