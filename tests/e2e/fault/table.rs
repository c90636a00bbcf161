//! Tests a table that throttles, has conflicting writes, or loses answers.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Service, Stack};
use serde_json::{Value, json};

use super::{bring, failing, rule, shows, struck};
use crate::Test;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a table that throttles is asked again, and then told", throttled),
    ("uploads outlast a table that throttles, crosses writes or loses answers", uploads),
    ("a project is made once, though writes cross and answers are lost", once),
];

const TABLE: &str = "DynamoDB";
const TRANSACTION: &str = "TransactWriteItems";

fn error(status: u16, kind: &str, reasons: &Value) -> Value {
    let kind = format!("com.amazonaws.dynamodb.v20120810#{kind}");
    let body = json!({"__type": kind, "message": "told to fail", "CancellationReasons": reasons});
    json!({"answer": {"status": status, "body": body}})
}

fn throttle() -> Value {
    error(400, "ProvisionedThroughputExceededException", &json!([]))
}

/// Returns the error for a write that conflicts with another one.
fn crossing() -> Value {
    let reasons =
        json!([{"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}]);
    error(400, "TransactionCanceledException", &reasons)
}

fn broken() -> Value {
    error(500, "InternalServerError", &json!([]))
}

fn throttled(stack: &Stack) -> Result<()> {
    let list = || stack.call("ike", "GET /v1/users/me/documents", &Value::Null);
    // The first of these calls lists the documents. The second counts the caller's requests;
    // callers are admitted without it.
    for (call, times) in [("DynamoDB_20120810.Query", 2), ("DynamoDB_20120810.UpdateItem", 1_000)] {
        let faults = failing(stack, Service::Aws, "documents", (call, times), &throttle())?;
        ok(list()?)?;
        ensure!(faults.struck()? >= 2, "{call}: {}", faults.struck()?);
    }
    let faults = failing(stack, Service::Aws, "documents", (TABLE, 1_000), &throttle())?;
    let down = list()?;
    drop(faults);
    let is_problem = down.status == 503 && down.content_type == "application/problem+json";
    let detail = down.body["detail"].as_str().context("no detail")?;
    ensure!(is_problem && detail.ends_with("did not answer"), "{}", down.text);
    ensure!(!down.text.contains("told to fail"), "the cause reached the caller: {}", down.text);
    ok(list()?).map(drop)
}

fn uploads(stack: &Stack) -> Result<()> {
    // Six conflicting writes exceed one try, twelve refusals two tries, and three lost answers one
    // try.
    for (state, call, strike, times) in [
        ("slow", TABLE, throttle(), 12),
        ("crowded", TRANSACTION, crossing(), 6),
        ("deaf", TRANSACTION, broken(), 3),
    ] {
        let mut rule = rule(stack, "ingest", (call, times), &strike)?;
        rule["carried_out"] = json!(state == "deaf");
        let faults = stack.faults(Service::Aws, &json!([rule]))?;
        let cause = format!("its table was {state}");
        bring(stack, "ines", &cause)?;
        // A write whose answer is lost is visible before it is sent again.
        struck(&faults, times)?;
        drop(faults);
        shows(stack, "ines", &cause)?;
    }
    Ok(())
}

fn once(stack: &Stack) -> Result<()> {
    let create = |name: &str| -> Result<Reply> {
        let key = [("idempotency-key", name)];
        stack.call_with("ida", "POST /v1/projects", &key, &json!({ "name": name }))
    };
    let named = |name: &str| -> Result<usize> {
        let mine = ok(stack.call("ida", "GET /v1/projects", &Value::Null)?)?;
        let mine = mine["projects"].as_array().context("no list")?;
        Ok(mine.iter().filter(|project| project["name"] == name).count())
    };
    // A transaction is tried six times.
    let faults = failing(stack, Service::Aws, "projects", (TRANSACTION, 5), &crossing())?;
    ok(create("crossed")?)?;
    ensure!(faults.struck()? == 5, "{}", faults.struck()?);
    drop(faults);
    ensure!(named("crossed")? == 1);
    let faults = failing(stack, Service::Aws, "projects", (TRANSACTION, 1_000), &crossing())?;
    let refused = create("refused")?;
    drop(faults);
    ensure!(refused.status == 503 && named("refused")? == 0, "{}", refused.text);
    ok(create("refused")?)?;
    ensure!(named("refused")? == 1);
    for (name, times) in [("lost-once", 1), ("lost-for-good", 3)] {
        let mut rule = rule(stack, "projects", (TRANSACTION, times), &broken())?;
        rule["carried_out"] = json!(true);
        let faults = stack.faults(Service::Aws, &json!([rule]))?;
        let first = create(name)?;
        ensure!(faults.struck()? == times, "{name}: {}", faults.struck()?);
        drop(faults);
        let is_expected = first.status == if times == 1 { 200 } else { 503 };
        ensure!(is_expected, "{name}: {} {}", first.status, first.text);
        let again = ok(create(name)?)?;
        let is_same = times > 1 || first.body["project_id"] == again["project_id"];
        ensure!(is_same && named(name)? == 1, "{name}: {} {again}", first.text);
    }
    Ok(())
}
