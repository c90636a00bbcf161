//! Tests `POST /v1/trade` over the demo corpus.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Stack, root};
use serde_json::{Value, json};

use crate::{Test, score};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("values stand with their alternative and criterion", known_facts),
    ("weights make a matrix with a verdict", matrix),
    ("alternatives are discovered where none are given", discovered),
    ("a bad study is refused by field", refused),
    ("the command line prints what was decided, then the verdict, then the matrix", printed),
];

fn known_facts(stack: &Stack) -> Result<()> {
    let text = std::fs::read_to_string(root().join("tests/eval/trade.jsonl"))?;
    let (mut facts, mut held) = (0, 0);
    for line in text.lines() {
        let known: Value = serde_json::from_str(line)?;
        let mut body =
            json!({"question": known["question"], "alternatives": known["alternatives"]});
        if known["criteria"].is_array() {
            body["criteria"] = known["criteria"].clone();
        }
        let reply = stack.ask("ann", "trade", &body)?;
        ensure!(
            reply.status == 200 && reply.body["result_type"] == "trade_study",
            "{}",
            reply.body
        );
        let given = known["criteria"].as_array().map_or(0, Vec::len);
        let probes = known["alternatives"].as_array().map_or(0, Vec::len) + given;
        check_pieces(&reply.body, 2.5 + 0.4 * u32::try_from(probes).map(f64::from)?)?;
        for fact in known["facts"].as_array().context("no facts")? {
            facts += 1;
            held += usize::from(has(&reply.body, fact));
        }
    }
    ensure!(held * 10 >= facts * 8, "{held} of {facts} facts stand with their alternative");
    Ok(())
}

fn pieces(alternative: &Value) -> &[Value] {
    alternative["criteria"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns true if a piece of evidence with the fact's alternative and document has its value, or
/// quotes it if it is not a quantity.
fn has(body: &Value, fact: &Value) -> bool {
    let (Some(value), Some(alternatives)) =
        (fact["value"].as_str(), body["alternatives"].as_array())
    else {
        return false;
    };
    let named = alternatives.iter().filter(|listed| listed["name"] == fact["alternative"]);
    named.flat_map(pieces).filter(|piece| piece["passage"]["file"] == fact["doc"]).any(|piece| {
        match piece["value"]["text"].as_str() {
            Some(text) => text.contains(value) || value.contains(text),
            None => piece["evidence"].as_str().is_some_and(|evidence| evidence.contains(value)),
        }
    })
}

fn check_pieces(body: &Value, weights: f64) -> Result<()> {
    let weights = weights + score::exact_weight(body);
    for alternative in body["alternatives"].as_array().context("no alternatives")? {
        for piece in pieces(alternative) {
            let evidence = piece["evidence"].as_str().context("no evidence")?;
            ensure!(evidence.chars().count() <= 400, "{evidence}");
            if let Some(value) = piece["value"]["text"].as_str() {
                ensure!(evidence.contains(value), "{value} is not in {evidence}");
            }
            score::multiplies_out(&piece["score_parts"], weights)?;
            let named =
                pieces(alternative).iter().filter(|other| other["name"] == piece["name"]).count();
            let most = if piece["name"] == "General" { 10 } else { 5 };
            ensure!(named <= most, "{named} pieces for {}", piece["name"]);
        }
    }
    Ok(())
}

fn broker() -> Result<Value> {
    let event: Value =
        serde_json::from_str(&std::fs::read_to_string(root().join("tests/events/trade.json"))?)?;
    Ok(serde_json::from_str(event["body"].as_str().context("no body")?)?)
}

fn matrix(stack: &Stack) -> Result<()> {
    let reply = stack.ask("ann", "trade", &broker()?)?;
    let matrix = &reply.body["matrix"];
    ensure!(matrix["verdict"].is_string(), "{}", reply.body);
    let weights = matrix["weights"].as_array().context("no weights")?;
    let sum: f64 = weights.iter().filter_map(|weight| weight["weight"].as_f64()).sum();
    ensure!((sum - 1.0).abs() < 1e-9, "{weights:?}");
    let cells = matrix["cells"].as_array().context("no cells")?;
    ensure!(cells.iter().any(|cell| cell["low"].is_number()), "{cells:?}");
    ensure!(
        cells.iter().all(|cell| cell["low"].is_number() || cell["unknown"].is_string()),
        "{cells:?}"
    );
    let p99 = cells
        .iter()
        .find(|cell| cell["alternative"] == "Tidewire" && cell["criterion"] == "delivery p99");
    ensure!(p99.is_some_and(|cell| cell["unknown"].is_string()), "nobody measured it: {p99:?}");
    let again = stack.ask("bob", "trade", &broker()?)?;
    ensure!(again.body["matrix"] == *matrix, "the same question gives another matrix");
    Ok(())
}

fn discovered(stack: &Stack) -> Result<()> {
    let question = json!({"question": "Which database should hold the event store?"});
    let reply = stack.ask("ann", "trade", &question)?;
    let alternatives = reply.body["alternatives"].as_array().context("no alternatives")?;
    ensure!(alternatives.len() >= 2, "{}", reply.body);
    ensure!(
        alternatives.iter().all(|alternative| !pieces(alternative).is_empty()),
        "{}",
        reply.body["alternatives"]
    );
    Ok(())
}

fn refused(stack: &Stack) -> Result<()> {
    let many: Vec<String> = (0..51).map(|number| format!("option {number}")).collect();
    for (more, field) in [
        (json!({"alternatives": []}), "alternatives"),
        (json!({"alternatives": many}), "alternatives"),
        (json!({"alternatives": ["Kafka", "kafka"]}), "alternatives[1]"),
        (json!({"criteria": [" "]}), "criteria[0]"),
        (json!({"criteria": [{"name": "cost", "weight": -0.5}]}), "criteria[0].weight"),
        (json!({"criteria": [{"name": "cost", "weight": 0}]}), "criteria"),
        (json!({"criteria": [{"name": "cost", "unit": "bananas"}]}), "criteria[0].unit"),
    ] {
        let mut body = json!({"question": "which?"});
        body.as_object_mut()
            .context("no object")?
            .extend(more.as_object().cloned().unwrap_or_default());
        let reply = stack.ask("ann", "trade", &body)?;
        ensure!(
            reply.status == 422 && reply.body["errors"][0]["field"] == field,
            "{more}: {}",
            reply.body
        );
    }
    let token = stack.token("sub=ann")?;
    let nan = br#"{"question": "which?", "criteria": [{"name": "cost", "weight": NaN}]}"#;
    ensure!(stack.send("POST", "/v1/trade", Some(&token), nan)?.status == 400);
    Ok(())
}

fn printed(stack: &Stack) -> Result<()> {
    let arguments = [
        "ask",
        "trade",
        "Which message broker?",
        "--alternative",
        "Tidewire",
        "--alternative",
        "Halyard",
        "--criterion",
        "latency:0.6:min:ms",
        "--criterion",
        "cost:0.4:min",
    ];
    let text = stack.plumbline("ann", &arguments)?;
    let mut lines = text.lines();
    ensure!(lines.next().is_some_and(|first| first.starts_with("Decided before")), "{text}");
    ensure!(lines.nth(1).is_some_and(|decided| decided.contains("Halyard, accepted")), "{text}");
    let verdict = text.find("leads").context("no verdict")?;
    ensure!(text.find("latency, weight 60 %") > Some(verdict), "{text}");
    ensure!(text.contains("decisions/0027-message-broker"), "{text}");
    Ok(())
}
