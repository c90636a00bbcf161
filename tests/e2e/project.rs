//! Tests projects over the API: profiles, status changes, members, decisions, the trail, and
//! refusals.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a project lives from planning to its end, and no further", life),
    ("members read and write, the owner manages, a stranger sees nothing", members),
    ("decisions quote, supersede and are told to people", decisions),
    ("what must not be written is refused and not written", refused),
    ("a cursor is good for its own list and its own project", cursors),
];

/// Creates a project of `sub` and returns its path.
pub(crate) fn project(stack: &Stack, sub: &str, profile: &Value) -> Result<String> {
    let reply = ok(stack.call(sub, "POST /v1/projects", profile)?)?;
    Ok(format!("/v1/projects/{}", reply["project_id"].as_str().context("no id")?))
}

pub(crate) fn ok(reply: Reply) -> Result<Value> {
    ensure!(reply.status == 200, "{}: {}", reply.status, reply.text);
    Ok(reply.body)
}

/// Checks that the reply refuses this field with this status.
fn check_refusal(reply: &Reply, status: u16, field: &str) -> Result<()> {
    let named = reply.body["errors"][0]["field"].as_str().unwrap_or_default();
    ensure!(reply.status == status && named == field, "{status} {field}: {}", reply.text);
    Ok(())
}

/// Returns the passage of the demo corpus that rcca ranks first.
pub(crate) fn passage(stack: &Stack, question: &str) -> Result<Value> {
    let reply = ok(stack.ask("ann", "rcca", &json!({"question": question, "top_k": 1}))?)?;
    crate::found(&reply).into_iter().next().context("nothing was found")
}

fn life(stack: &Stack) -> Result<()> {
    let profile = json!({"name": "Intake 🚰 محطة", "domain": "water supply", "standards": ["ISO 9906"], "constraints": ["no downtime"]});
    let path = project(stack, "ann", &profile)?;
    let step = |to: &str, version: u64| {
        let wanted = json!({"to": to, "version": version, "reason": format!("go to {to}")});
        stack.call("ann", &format!("POST {path}/status"), &wanted)
    };
    check_refusal(&step("completed", 1)?, 409, "to")?;
    check_refusal(&step("active", 7)?, 409, "version")?;
    let active = ok(step("active", 1)?)?;
    ensure!(active["status"] == "active" && active["version"] == 2, "{active}");
    let edited = json!({"version": 2, "constraints": ["no downtime", "one crane"], "domain": ""});
    let edited = ok(stack.call("ann", &format!("PATCH {path}"), &edited)?)?;
    ensure!(edited.get("domain").is_none() && edited["standards"][0] == "ISO 9906", "{edited}");
    ok(step("completed", 3)?)?;
    let reply = step("active", 4)?;
    ensure!(reply.text.contains("cannot go from completed to active"), "{}", reply.text);
    let read = ok(stack.call("ann", &format!("GET {path}"), &Value::Null)?)?;
    ensure!(read["name"] == "Intake 🚰 محطة", "{read}");
    let moves: Vec<_> = read["history"].as_array().context("no history")?.iter().collect();
    ensure!(moves.len() == 2 && moves[1]["by"] == "ann" && moves[1]["reason"] == "go to completed");
    let key = [("idempotency-key", "create-once")];
    let again =
        |name: &str| stack.call_with("ann", "POST /v1/projects", &key, &json!({ "name": name }));
    let (one, two) = (ok(again("Once")?)?, ok(again("Once")?)?);
    ensure!(one["project_id"] == two["project_id"], "{one} {two}");
    check_refusal(&again("Twice")?, 409, "Idempotency-Key")
}

fn members(stack: &Stack) -> Result<()> {
    let path = project(stack, "ann", &json!({"name": "Shared"}))?;
    let get = |sub: &str, rest: &str| stack.call(sub, &format!("GET {path}{rest}"), &Value::Null);
    for rest in ["", "/queries", "/decisions", "/trail", "/digests"] {
        let reply = get("eve", rest)?;
        ensure!(reply.status == 404 && reply.text.contains("no project named"), "{}", reply.text);
        ensure!(get("ann", rest)?.status == 200, "{rest}");
    }
    let asked = json!({"question": "pump", "project_id": path.rsplit('/').next()});
    for workflow in ["rcca", "trade", "explore", "custom/safety_analysis", "plan"] {
        let reply = stack.ask("eve", workflow, &asked)?;
        ensure!(reply.status == 404, "{workflow}: {}", reply.text);
    }
    let member = |sub: &str, method: &str, user: &str| {
        stack.call(sub, &format!("{method} {path}/members/{user}"), &Value::Null)
    };
    ensure!(member("eve", "PUT", "eve")?.status == 404);
    let listed = ok(member("ann", "PUT", "bob")?)?;
    ensure!(listed["members"][1] == json!({"user": "bob", "role": "invited"}), "{listed}");
    // Until he joins nothing of it reaches him, whatever its name says.
    ensure!(get("bob", "/trail")?.status == 404);
    ensure!(stack.ask("bob", "rcca", &asked)?.status == 404);
    let own = ok(stack.call("bob", "GET /v1/projects", &Value::Null)?)?;
    ensure!(!own.to_string().contains("Shared"), "{own}");
    let told = stack.plumbline("bob", &["invitations"])?;
    ensure!(told.contains("Shared (invited by ann"), "{told}");
    let id = path.rsplit('/').next().context("no id")?;
    stack.plumbline("bob", &["project", "join", id])?;
    ensure!(get("bob", "/trail")?.status == 200);
    ensure!(member("bob", "PUT", "eve")?.status == 403, "only the owner manages");
    ensure!(member("ann", "DELETE", "ann")?.status == 409, "a project keeps its owner");
    ok(member("ann", "PUT", "carl")?)?;
    ensure!(member("carl", "DELETE", "me")?.status == 200, "he declines");
    ensure!(stack.call("carl", &format!("POST {path}/members/me"), &Value::Null)?.status == 404);
    ok(member("ann", "DELETE", "bob")?)?;
    ensure!(get("bob", "")?.status == 404 && member("ann", "DELETE", "bob")?.status == 404);
    Ok(())
}

/// Checks that a decision's source quotes its whole passage.
fn is_quoted(stack: &Stack, source: &Value) -> Result<()> {
    let passage = source["passage_id"].as_str().context("no id")?;
    let passage = format!("GET /v1/global/passages?passage_id={passage}");
    let passage = ok(stack.call("ann", &passage, &Value::Null)?)?;
    ensure!(source["quote"] == passage["text"], "{source}");
    Ok(())
}

fn decisions(stack: &Stack) -> Result<()> {
    let path = project(stack, "ann", &json!({"name": "Seals"}))?;
    let decide = |new: &Value| stack.call("ann", &format!("POST {path}/decisions"), new);
    let found = passage(stack, "the certificate expired")?;
    let passage = found["passage_id"].clone();
    let old = json!({"decision": "Renew certificates by hand", "rationale": "There are few of them.", "alternatives": ["by hand", "by a job"], "sources": [{"passage_id": passage, "relevance": 0.9}], "decided_at": "2024-03-01T00:00:00Z"});
    let old = ok(decide(&old)?)?;
    is_quoted(stack, &old["sources"][0])?;
    let related = json!({"decision": "Renew certificates by a nightly job"});
    let related = ok(stack.call("ann", &format!("POST {path}/decisions/related"), &related)?)?;
    ensure!(related["decisions"][0]["decision_id"] == old["decision_id"], "{related}");
    let new = json!({"decision": "Renew certificates by a nightly job", "rationale": "One <b>expired</b> unseen.", "supersedes": old["decision_id"]});
    let new = ok(decide(&new)?)?;
    let one = format!("{path}/decisions/{}", old["decision_id"].as_str().unwrap_or_default());
    let read = ok(stack.call("ann", &format!("GET {one}"), &Value::Null)?)?;
    ensure!(
        read["status"] == "superseded" && read["line"][1]["decision_id"] == new["decision_id"],
        "{read}"
    );
    let accept = |media: &str, path: &str| {
        stack.call_with("ann", &format!("GET {path}"), &[("accept", media)], &Value::Null)
    };
    let madr = accept("text/markdown", &one)?;
    ensure!(
        madr.content_type.starts_with("text/markdown") && madr.text.contains("superseded by"),
        "{}",
        madr.text
    );
    let page = accept("text/html,application/xhtml+xml;q=0.9", &format!("{path}/trail"))?;
    ensure!(page.content_type.starts_with("text/html"), "{}", page.content_type);
    ensure!(page.text.contains("&lt;b&gt;expired") && !page.text.contains("<b>expired"));
    ensure!(page.text.contains("Renew certificates by hand"));
    let text = accept("text/markdown", &format!("{path}/trail"))?;
    ensure!(text.text.contains("# ") && text.text.contains("nightly job"), "{}", text.text);
    let then = old["recorded_at"].as_str().context("no time")?.replace('+', "%2B");
    let was = ok(stack.call("ann", &format!("GET {path}/trail?as_of={then}"), &Value::Null)?)?;
    let entries = was["entries"].as_array().context("no entries")?;
    ensure!(entries.len() == 1 && entries[0]["status"] == "accepted", "{was}");
    let document = found["passage"]["document_id"].as_str().context("no document")?;
    let resting = |sub: &str| {
        stack.call(sub, &format!("GET /v1/documents/{document}/decisions"), &Value::Null)
    };
    let ids = |body: Value| {
        body["decisions"]
            .as_array()
            .map(|all| all.iter().map(|item| item["decision_id"].clone()).collect::<Vec<_>>())
    };
    ensure!(ids(ok(resting("ann")?)?).context("no list")?.contains(&old["decision_id"]));
    ensure!(ids(ok(resting("eve")?)?) == Some(Vec::new()), "a stranger's list is empty");
    Ok(())
}

fn refused(stack: &Stack) -> Result<()> {
    let path = project(stack, "ann", &json!({"name": "Bad input"}))?;
    let good = json!({"decision": "Use it", "rationale": "Because."});
    let mut cases = Vec::new();
    for (field, value, status, named) in [
        ("rationale", Value::Null, 400, "rationale"),
        ("rationale", json!(" "), 422, "rationale"),
        ("rationale", json!("x".repeat(300 * 1024)), 422, "rationale"),
        ("alternatives", json!(vec!["a"; 101]), 422, "alternatives"),
        (
            "sources",
            json!([{"passage_id": "00000000-0000-0000-0000-000000000007", "relevance": 1}]),
            422,
            "sources[0].passage_id",
        ),
        ("sources", json!([{"passage_id": "x", "relevance": 1}]), 400, "sources[0].passage_id"),
        ("decided_at", json!("2126-01-01T00:00:00Z"), 422, "decided_at"),
        ("status", json!("done"), 400, "status"),
        ("colour", json!("red"), 400, "colour"),
    ] {
        let mut new = good.clone();
        new[field] = value;
        cases.push((new, status, named));
    }
    let decide = |new: &Value| stack.call("ann", &format!("POST {path}/decisions"), new);
    for (new, status, field) in &cases {
        check_refusal(&decide(new)?, *status, field)?;
    }
    let mut foreign = good.clone();
    foreign["supersedes"] = json!("01J00000000000000000000000");
    ensure!(decide(&foreign)?.status == 404, "what is not there is not superseded");
    let get = |rest: &str| stack.call("ann", &format!("GET {path}{rest}"), &Value::Null);
    check_refusal(&get("/trail?as_of=2126-01-01T00:00:00Z")?, 422, "as_of")?;
    check_refusal(&get("/trail?limit=101")?, 422, "limit")?;
    ensure!(get("/decisions/x")?.status == 404);
    ensure!(stack.call("ann", "GET /v1/projects/x", &Value::Null)?.status == 404);
    ensure!(stack.call("ann", "GET /v1/documents/x/decisions", &Value::Null)?.status == 404);
    let trail = ok(get("/trail")?)?;
    ensure!(trail["entries"] == json!([]), "nothing is written: {trail}");
    Ok(())
}

fn cursors(stack: &Stack) -> Result<()> {
    let (mine, other) = (
        project(stack, "ann", &json!({"name": "One"}))?,
        project(stack, "ann", &json!({"name": "Two"}))?,
    );
    for number in 0..5 {
        let new = json!({"decision": format!("Decision {number}"), "rationale": "Because."});
        ok(stack.call("ann", &format!("POST {mine}/decisions"), &new)?)?;
    }
    let get = |rest: &str| stack.call("ann", &format!("GET {rest}"), &Value::Null);
    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        let page = ok(get(&format!("{mine}/trail?limit=2{next}"))?)?;
        let entries = page["entries"].as_array().context("no entries")?;
        seen.extend(entries.iter().map(|entry| entry["decision"].clone()));
        let Some(cursor) = page["cursor"].as_str() else { break };
        for path in [format!("{other}/trail"), format!("{mine}/queries"), "/v1/projects".into()] {
            check_refusal(&get(&format!("{path}?cursor={cursor}"))?, 400, "cursor")?;
        }
        check_refusal(&get(&format!("{mine}/trail?cursor={}", &cursor[2..]))?, 400, "cursor")?;
        next = format!("&cursor={cursor}");
    }
    let expected: Vec<Value> =
        (0..5).rev().map(|number| json!(format!("Decision {number}"))).collect();
    ensure!(seen == expected, "{seen:?}");
    Ok(())
}
