//! Alerts on the deployed system: who may send, and what a team finds then.

use std::time::Duration;

use ::alerts::Vendors;
use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::mode::form;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, crate::Test)] = &[
    ("an alert opens a case of its team with what helps", opened),
    ("a model writes a paragraph that the team reads as an answer", written),
    ("who does not sign opens nothing, and other teams see nothing", refused),
];

const PATH: &str = "/v1/alerts/demo";

fn payload(group: &str) -> Vec<u8> {
    let alert = json!({
        "name": "CheckoutPoolExhausted", "severity": "critical", "service": "checkout-api",
        "summary": "Checkout requests time out and the database refuses new connections",
        "starts_at": "2026-11-20T18:00:00Z", "labels": {"pod": "checkout-1"},
    });
    json!({"group": group, "alerts": [alert]}).to_string().into_bytes()
}

/// Sends a body with the headers that the key makes of `signed`.
fn send(stack: &Stack, key: &str, signed: &[u8], body: &[u8]) -> Result<Reply> {
    let vendors = Vendors::parse(&Vendors::carried())?;
    let headers = ::alerts::signed(&vendors, "generic", key, "m1", signed, Timestamp::now())
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    stack.send_with("POST", PATH, None, &headers, body)
}

fn opened(stack: &Stack) -> Result<()> {
    let body = payload("opened");
    let reply = ok(send(stack, "demo", &body, &body)?)?;
    let id = reply["cases"][0]["case_id"].as_str().context("no case")?.to_owned();
    ensure!(reply["cases"][0]["is_new"] == true, "{reply}");
    let again = ok(send(stack, "demo", &body, &body)?)?;
    ensure!(again["cases"][0]["case_id"] == *id && again["cases"][0]["repeated"] == 1, "{again}");
    let dan = stack.token("sub=dan&groups=demo")?;
    let get = |path: &str| stack.call_as(&dan, &format!("GET {path}"), &[], &Value::Null);
    let found = ok(get(&format!("/v1/cases/{id}/alerts"))?)?;
    ensure!(found["team"] == "demo" && found["created_by"] == "alerts/demo", "{found}");
    let past = &found["brief"]["past"]["results"][0]["passage"]["file"];
    ensure!(past == "postmortems/checkout-pool-exhaustion.md", "{found}");
    let runbook = &found["brief"]["runbooks"][0]["passage"]["file"];
    ensure!(runbook == "runbooks/database-timeout-runbook.md", "{found}");
    let list = ok(get("/v1/teams/demo/cases")?)?;
    ensure!(list["cases"][0]["case_id"] == *id, "{list}");
    let page = stack.call_as(
        &dan,
        &format!("GET /v1/cases/{id}/alerts"),
        &[("accept", "text/html")],
        &Value::Null,
    )?;
    ensure!(
        page.text.contains("Database Timeout Runbook") && page.text.contains("<svg"),
        "{}",
        page.text
    );
    let query = json!({"where": {"service": "checkout-api"}, "select": "count"});
    let mut counted = Value::Null;
    for _ in 0..600 {
        let reply = stack.call_as(&dan, &format!("POST /v1/cases/{id}/records"), &[], &query)?;
        counted = reply.body;
        if counted["totals"]["records"] == 1 {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(100));
    }
    ensure!(counted["totals"]["records"] == 1, "its alerts are records: {counted}");
    let closed = stack.call_as(&dan, &format!("POST /v1/cases/{id}/close"), &[], &json!({}))?;
    ensure!(closed.status == 202, "{}", closed.text);
    Ok(())
}

fn written(stack: &Stack) -> Result<()> {
    let all: Vec<String> = (1..=10).map(|number| format!("p{number}")).collect();
    let cause = "The connection pool was exhausted because every request held a database connection while it waited for a slow remote call.";
    let claims = json!([
        {"text": "It is over after 45 minutes.", "citations": ["p1"]},
        {"text": cause, "citations": all},
    ]);
    stack.deploy_with(&["--set", "AnswerMode=generative"])?;
    let grades: serde_json::Map<String, Value> =
        all.iter().map(|id| (id.clone(), json!(3))).collect();
    let (judged, written) =
        (form("grades", &grades.into()), form("answer", &json!({ "claims": claims })));
    stack.script(&json!({"converse": [judged, written]}))?;
    let body = payload("written");
    let found = written_of(stack, &body);
    stack.script(&Value::Null)?;
    stack.deploy_with(&[])?;
    let found = found?;
    let brief = &found["brief"];
    ensure!(brief["is_judged"] == true, "{brief}");
    let support = &brief["answer"]["support"];
    ensure!(support["supported"] == 1 && support["dropped"] == 1, "{brief}");
    ensure!(brief["answer"]["claims"][0]["text"] == cause, "{brief}");
    let path = format!("GET /v1/answers/{}", brief["answer_id"].as_str().context("no answer")?);
    let get = |token: &str| stack.call_as(token, &path, &[], &Value::Null);
    let answer = ok(get(&stack.token("sub=dan&groups=demo")?)?)?;
    ensure!(
        answer["claims"] == brief["answer"]["claims"] && answer["now"] == "current",
        "{answer}"
    );
    let eve = stack.token("sub=eve&groups=sales")?;
    ensure!(get(&eve)?.status == 404, "another team reads it");
    Ok(())
}

/// Sends an alert, and waits until a paragraph is written on its case.
fn written_of(stack: &Stack, body: &[u8]) -> Result<Value> {
    let reply = ok(send(stack, "demo", body, body)?)?;
    let id = reply["cases"][0]["case_id"].as_str().context("no case")?;
    let dan = stack.token("sub=dan&groups=demo")?;
    let mut found = Value::Null;
    for _ in 0..600 {
        let path = format!("GET /v1/cases/{id}/alerts");
        found = ok(stack.call_as(&dan, &path, &[], &Value::Null)?)?;
        if found["brief"]["answer"].is_object() {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(100));
    }
    Ok(found)
}

fn refused(stack: &Stack) -> Result<()> {
    let body = payload("refused");
    for (key, signed, body) in
        [("other", body.as_slice(), body.as_slice()), ("demo", b"{}".as_slice(), body.as_slice())]
    {
        let reply = send(stack, key, signed, body)?;
        ensure!(reply.status == 401, "{}", reply.text);
    }
    let token = stack.token("sub=dan&groups=demo")?;
    let reply = stack.send("POST", PATH, Some(&token), &body)?;
    ensure!(reply.status == 401, "a person's token is no signature: {}", reply.text);
    ensure!(stack.send("POST", "/v1/alerts/none", None, &body)?.status == 404);
    let malformed = send(stack, "demo", b"[]", b"[]")?;
    ensure!(malformed.status == 400, "{}", malformed.text);
    let reply = ok(send(stack, "demo", &body, &body)?)?;
    let id = reply["cases"][0]["case_id"].as_str().context("no case")?;
    let eve = stack.token("sub=eve&groups=sales")?;
    let get = |path: &str| stack.call_as(&eve, &format!("GET {path}"), &[], &Value::Null);
    ensure!(get(&format!("/v1/cases/{id}/alerts"))?.status == 404);
    ensure!(get(&format!("/v1/cases/{id}"))?.status == 404);
    ensure!(get("/v1/teams/demo/cases")?.status == 403);
    Ok(())
}
