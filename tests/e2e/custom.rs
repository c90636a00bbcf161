//! Tests `POST /v1/custom/{name}` and `GET /v1/custom` over the demo corpus.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Stack, root};
use serde_json::{Value, json};

use crate::{Test, score};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("the shipped strategies are listed and answer", shipped),
    ("an unknown strategy is not there", unknown),
    ("a new file is a new workflow without any code", added),
];

fn listed(stack: &Stack) -> Result<Vec<String>> {
    let reply = stack.send("GET", "/v1/custom", Some(&stack.token("sub=ann")?), b"")?;
    ensure!(reply.status == 200, "{}", reply.body);
    let strategies = reply.body["strategies"].as_array().context("no strategies")?;
    Ok(strategies
        .iter()
        .filter_map(|strategy| strategy["name"].as_str().map(str::to_owned))
        .collect())
}

fn shipped(stack: &Stack) -> Result<()> {
    ensure!(listed(stack)? == ["operations_readiness", "requirement_trace", "safety_analysis"]);
    let asked = json!({"question": "What can injure somebody at the intake station, and what protects them?", "top_k": 10});
    let reply = stack.ask("ann", "custom/safety_analysis", &asked)?;
    let body = &reply.body;
    ensure!(reply.status == 200 && body["result_type"] == "safety_analysis", "{body}");
    let results = body["results"].as_array().context("no results")?;
    let has = |field: &str| results.iter().any(|result| result["fields"][field].is_array());
    ensure!(has("hazard_id") && has("severity") && has("mitigation"), "{body}");
    let log = results.iter().find(|result| {
        result["fields"]["hazard_id"][0]["text"].as_str().is_some_and(|id| id.starts_with("HAZ-"))
    });
    let severity = log.context("no hazard with its id")?["fields"]["severity"][0]["text"].as_str();
    ensure!(severity.is_some_and(|text| !text.is_empty() && text.len() < 60), "{severity:?}");
    for result in results {
        let kind = &result["passage"]["document_type"];
        ensure!(kind == "standard" || kind == "handbook", "{result}");
        score::multiplies_out(&result["score_parts"], 2.2 + 5.0 * 0.3)?;
        check_fields(result)?;
    }
    Ok(())
}

/// Checks that the passage of every field is verbatim.
fn check_fields(result: &Value) -> Result<()> {
    let content = result["text"].as_str().context("no content")?;
    for passages in result["fields"].as_object().context("no fields")?.values() {
        for passage in passages.as_array().context("no passages")? {
            let text = passage["text"].as_str().context("no text")?;
            ensure!(content.contains(text), "{passage}");
        }
    }
    Ok(())
}

fn unknown(stack: &Stack) -> Result<()> {
    let reply = stack.ask("ann", "custom/no_such_strategy", &json!({"question": "battery"}))?;
    ensure!(reply.status == 404, "{}", reply.body);
    Ok(())
}

/// Copies a folder of configuration, so that files can be added.
pub(crate) fn copied(stack: &Stack, name: &str) -> Result<PathBuf> {
    let folder = stack.state.join(name);
    std::fs::create_dir_all(&folder)?;
    for entry in std::fs::read_dir(root().join("infra").join(name))? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(folder)
}

fn added(stack: &Stack) -> Result<()> {
    let folder = copied(stack, "strategies")?;
    let file = "description = \"Finds who was called\"\nquery_expansion = [\"on call\"]\noutput_fields = [\"owner\"]\n";
    std::fs::write(folder.join("who_owns.toml"), file)?;
    stack.deploy("--strategies", &folder)?;
    ensure!(listed(stack)?.contains(&"who_owns".into()));
    let reply = stack.ask("ann", "custom/who_owns", &json!({"question": "certificate renewal"}))?;
    ensure!(reply.status == 200 && reply.body["result_type"] == "who_owns", "{}", reply.body);
    ensure!(reply.body["total_results"].as_u64().is_some_and(|total| total > 0), "{}", reply.body);
    stack.deploy("--strategies", &root().join("infra/strategies"))
}
