//! Tests that a program with an API key does what the key allows, until it is revoked or ends.

use anyhow::{Context, Result, ensure};
use aws_sdk_dynamodb::types::AttributeValue;
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::Test;
use crate::digest::dynamodb;
use crate::fault::runtime;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a program with a key does what the key allows, until it is revoked", allowed),
    ("a key that ended, a wrong one and a token open nothing where keys are asked for", refused),
];

/// Makes a key as an administrator.
fn make(stack: &Stack, wanted: &Value) -> Result<(String, String)> {
    let made = ok(stack.call("ann", "POST /v1/keys", wanted)?)?;
    let text = |field: &str| made[field].as_str().map(str::to_owned).context("no such text");
    Ok((text("key_id")?, text("token")?))
}

/// Calls the API at the address for keys.
fn keyed(stack: &Stack, token: &str, route: &str, body: &Value) -> Result<Reply> {
    stack.call_keyed(Some(token), route, body)
}

fn allowed(stack: &Stack) -> Result<()> {
    let groups = json!(["knowledge-admins"]);
    let (id, writer) =
        make(stack, &json!({"name": "nightly", "scopes": ["write"], "groups": groups}))?;
    let (_, reader) = make(stack, &json!({"name": "monitor"}))?;
    let document = json!({"name": "keyed/pump.md", "content_type": "text/markdown", "bytes": 40});
    let announce = |token: &str| keyed(stack, token, "POST /v1/global/documents", &document);
    ok(announce(&writer)?)?;
    let unscoped = announce(&reader)?;
    ensure!(unscoped.status == 403 && unscoped.text.contains("`write`"), "{}", unscoped.text);

    let health = ok(keyed(stack, &reader, "GET /v1/health", &Value::Null)?)?;
    ensure!(health["caller"]["groups"] == json!([]), "{health}");
    let asked = json!({"question": "Checkout requests time out."});
    let answer = ok(keyed(stack, &reader, "POST /v1/rcca", &asked)?)?;
    ensure!(!answer["results"].as_array().context("no results")?.is_empty(), "{answer}");
    let tools = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let listed = keyed(stack, &reader, "POST /mcp", &tools)?;
    ensure!(listed.status == 200 && listed.text.contains("find_past_failures"));
    let secret = "GET /v1/global/passages?document_id=x&reveal=true";
    ensure!(keyed(stack, &reader, secret, &Value::Null)?.status == 403, "it may not reveal");

    kept(stack, &id, &writer)?;
    ensure!(
        keyed(stack, &writer, "GET /v1/keys", &Value::Null)?.status == 404,
        "a key sees no keys"
    );
    let unseeing =
        stack.token("sub=ann&groups=knowledge-admins&scope=plumbline/read+plumbline/write")?;
    let revealing = json!({"name": "sees more than its maker", "scopes": ["reveal"]});
    ensure!(stack.call_as(&unseeing, "POST /v1/keys", &[], &revealing)?.status == 403);
    let stranger = stack.token("sub=mallory")?;
    let strange = stack.call_as(&stranger, "GET /v1/keys", &[], &Value::Null)?;
    ensure!(strange.status == 403 && strange.text.contains("knowledge-admins"), "{}", strange.text);

    let revoked = stack.plumbline("ann", &["key", "revoke", &id])?;
    ensure!(revoked.contains("revoked"), "{revoked}");
    ensure!(announce(&writer)?.status == 403, "it is revoked");
    ensure!(announce(&reader)?.text.contains("`write`"), "others are not");
    Ok(())
}

/// A key is listed with its last use; its token is nowhere.
fn kept(stack: &Stack, id: &str, token: &str) -> Result<()> {
    let listed = ok(stack.call("ann", "GET /v1/keys", &Value::Null)?)?;
    let key = listed["keys"].as_array().into_iter().flatten().find(|key| key["key_id"] == id);
    let key = key.context("it is not listed")?;
    ensure!(key["last_used_at"].is_string() && key["made_by"] == "ann", "{key}");
    ensure!(key.get("hash").is_none() && key.get("token").is_none(), "{key}");
    let secret = token.rsplit_once(id).context("no id")?.1;
    let table = runtime()?.block_on(async {
        let scan = dynamodb(stack)?.scan().table_name(stack.fact("table")?);
        anyhow::Ok(format!("{:?}", scan.into_paginator().items().send().collect::<Vec<_>>().await))
    })?;
    ensure!(table.contains(id) && !table.contains(secret), "the table has the token of a key");
    for function in ["keys", "authorizer", "documents"] {
        let log = stack.log(function, "")?;
        ensure!(!log.is_empty() && !log.contains(&secret[1..]), "the log of {function} has it");
    }
    let shown = stack.plumbline("ann", &["key", "list"])?;
    ensure!(shown.contains("nightly") && shown.contains("used last"), "{shown}");
    Ok(())
}

fn refused(stack: &Stack) -> Result<()> {
    let (id, token) = make(stack, &json!({"name": "ends soon", "days": 1}))?;
    let health = |token: &str| keyed(stack, token, "GET /v1/health", &Value::Null);
    ok(health(&token)?)?;
    runtime()?.block_on(async {
        let update = dynamodb(stack)?.update_item().table_name(stack.fact("table")?);
        let text = |value: &str| AttributeValue::S(value.into());
        let update = update.key("pk", text("KEY#ALL")).key("sk", text(&format!("KEY#{id}")));
        let update = update.update_expression("SET ends_at = :past");
        let update = update.expression_attribute_values(":past", text("2026-01-01T00:00:00Z"));
        update.send().await.map(drop).map_err(anyhow::Error::from)
    })?;
    for wrong in [&token, &format!("{token}x"), &stack.token("sub=ann&groups=knowledge-admins")?] {
        ensure!(health(wrong)?.status == 403, "{wrong} opens it");
    }
    // A key in use that ended is a fault to `plumbline doctor`.
    ok(stack.call("ann", &format!("DELETE /v1/keys/{id}"), &Value::Null)?)?;
    ensure!(stack.call_keyed(None, "GET /v1/health", &Value::Null)?.status == 401);
    // And a key is no token.
    let (_, good) = make(stack, &json!({"name": "good"}))?;
    ensure!(stack.call_as(&good, "GET /v1/health", &[], &Value::Null)?.status == 401);
    let body = br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
    ensure!(stack.send("POST", "/mcp", Some(&good), body)?.status == 401);
    Ok(())
}
