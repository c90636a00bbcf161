//! Tests that programs sign in by a secret, and do what their scopes say.

use std::process::Command;

use anyhow::{Result, ensure};
use aws_sdk_dynamodb::types::PointInTimeRecoverySpecification;
use plumbline_tests::{Stack, root};
use serde_json::{Value, json};

use crate::Test;
use crate::digest::dynamodb;
use crate::fault::runtime;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] =
    &[("a program signs in by its secret, and fills what its scopes name", machine)];

/// Returns whether `plumbline token` gives a token, and what it prints.
fn token(stack: &Stack, secret: &str, scope: &str) -> Result<(bool, String)> {
    let mut command = Command::new(root().join("target/debug/plumbline"));
    command.args([
        "token",
        "--issuer",
        stack.fact("issuer")?,
        "--client-id",
        "ci",
        "--scope",
        scope,
    ]);
    let output = command.env("PLUMBLINE_CLIENT_SECRET", secret).output()?;
    let printed = [output.stdout, output.stderr].concat();
    Ok((output.status.success(), String::from_utf8_lossy(&printed).trim().to_owned()))
}

fn machine(stack: &Stack) -> Result<()> {
    let (given, printed) = token(stack, "something", "plumbline/read")?;
    ensure!(!given && printed.contains("invalid_client"), "{printed}");

    let (given, printed) = token(stack, "", "plumbline/read")?;
    ensure!(!given && printed.contains("PLUMBLINE_CLIENT_SECRET is not set"), "{printed}");

    let both = "plumbline/read plumbline/write";
    let (given, plain) = token(stack, "secret of ci", both)?;
    ensure!(given, "{plain}");
    let (_, keeper) =
        token(stack, "secret of ci", &format!("{both} plumbline/group-knowledge-admins"))?;
    let bytes = "A breaker of feeder 7 tripped in the storm.";
    let document =
        json!({"name": "ci/feeder-7.md", "content_type": "text/markdown", "bytes": bytes.len()});
    let announce = |token: &str| stack.call_as(token, "POST /v1/global/documents", &[], &document);
    ensure!(announce(&plain)?.status == 403, "no scope of it names the group");
    ok(announce(&keeper)?)?;
    let health = ok(stack.call_as(&keeper, "GET /v1/health", &[], &Value::Null)?)?;
    ensure!(health["caller"]["sub"] == "ci", "{health}");
    kept(stack, &keeper)?;
    ensure!(
        health["upkeep"]["is_alarmed"] == false,
        "who keeps it learns how it is kept: {health}"
    );
    let ping = br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
    ensure!(stack.send("POST", "/mcp", Some(&keeper), ping)?.status == 200);
    ensure!(stack.plumbline_as(&keeper, &["doctor"])?.contains("nothing is overdue"));
    Ok(())
}

/// Who keeps it learns what the table lacks. `MiniStack` takes no `AlarmTopic`: it knows no alarms
/// of several metrics.
fn kept(stack: &Stack, keeper: &str) -> Result<()> {
    let health = || ok(stack.call_as(keeper, "GET /v1/health", &[], &Value::Null)?);
    let recovery = |is_on: bool| {
        runtime()?.block_on(async {
            let change = dynamodb(stack)?.update_continuous_backups();
            let wanted = PointInTimeRecoverySpecification::builder();
            let wanted = wanted.point_in_time_recovery_enabled(is_on).build()?;
            let change = change.table_name(stack.fact("table")?);
            change.point_in_time_recovery_specification(wanted).send().await?;
            anyhow::Ok(())
        })
    };
    recovery(false)?;
    let lacking = health()?;
    recovery(true)?;
    let told = json!(["it cannot be restored to an earlier time"]);
    ensure!(lacking["table"]["differs"] == told, "{lacking}");
    let whole = health()?;
    ensure!(whole["table"]["differs"].is_null(), "{whole}");
    Ok(())
}
