//! Tests functions that are killed after each of their writes to the table, the bucket, the queues
//! and the index. A kill after a read leaves what a kill after the write before it leaves.
//!
//! The emulator that received the call kills the calling process before it gets the answer. The
//! queue then delivers the message again. The writes of a function are not listed here: it is
//! killed one write later each time, until it finishes before that.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Service, Stack};
use serde_json::{Value, json};

use super::{NAME, USER_PATH, bring, drained, ingested, note, points, shows};
use crate::Test;
use crate::case::{accepted, files, indexed, refused, until, upload};
use crate::knowledge;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("an ingest that is killed after any step is done when it is tried again", ingest),
    ("a deletion that is killed after any step is done when it is tried again", removal),
    ("a case that is closed goes, wherever the function is killed", close),
];

/// Upper bound for the steps of a function.
const MOST: u64 = 80;
/// Lower bound for the steps of each function at a service. Without any, the test would watch the
/// wrong function.
const FEWEST: u64 = 1;

/// Runs `work` with the function killed after its first step, then after its second, and so on.
/// `work` gets a name and waits for its own end.
fn after_each_step(
    stack: &Stack,
    function: &'static str,
    work: impl Fn(&str) -> Result<()>,
) -> Result<()> {
    let _alone = stack.alone(function)?;
    for service in [Service::Aws, Service::Index] {
        let steps = steps(stack, function, service, &work)?;
        ensure!((FEWEST..MOST).contains(&steps), "{function} has {steps} steps at {service:?}");
    }
    Ok(())
}

/// Counts the steps of the function at a service.
fn steps(
    stack: &Stack,
    function: &str,
    service: Service,
    work: impl Fn(&str) -> Result<()>,
) -> Result<u64> {
    let name = stack.function(function)?;
    for step in 0..MOST {
        let rule = json!({"function": name, "writes": true, "skip": step, "carried_out": true, "strike": "kill"});
        let faults = stack.faults(service, &json!([rule]))?;
        work(&format!("{service:?}{step}")).with_context(|| {
            format!("{function} killed at {service:?} after {step} steps and one")
        })?;
        if faults.struck()? == 0 {
            return Ok(step);
        }
    }
    Ok(MOST)
}

fn ingest(stack: &Stack) -> Result<()> {
    after_each_step(stack, "ingest", |name| {
        let cause = format!("step {name} broke it");
        bring(stack, "lena", &cause)?;
        ingested(stack)?;
        shows(stack, "lena", &cause)
    })
}

fn removal(stack: &Stack) -> Result<()> {
    after_each_step(stack, "removal", |name| {
        let id = bring(stack, "mona", &format!("step {name} broke it"))?;
        ensure!(points(stack, "user:mona")? > 0);
        let route = format!("{USER_PATH}/documents/{id}");
        let delete = format!("DELETE {route}?forever=true");
        accepted(stack.call("mona", &delete, &Value::Null)?)?;
        until(stack, "mona", &format!("GET {route}"), |reply| reply.status == 404)?;
        drained(stack, "removal_queue_url")?;
        let left = files(stack, &format!("documents/user:mona/{id}/"))?;
        ensure!(left == 0 && points(stack, "user:mona")? == 0, "{left} files are left");
        refused(&stack.call("mona", &format!("GET {route}"), &Value::Null)?, 404, "no document")
    })
}

fn close(stack: &Stack) -> Result<()> {
    after_each_step(stack, "removal", |name| {
        let created = ok(stack.call("nils", "POST /v1/cases", &json!({ "title": name }))?)?;
        let id = created["case_id"].as_str().context("no id")?;
        let path = format!("/v1/cases/{id}");
        let document = upload(stack, "nils", &path, (NAME, &note("a cable blocked its blades")))?;
        indexed(stack, "nils", &path, &document)?;
        // The stored answer must be removed, too.
        let asked = json!({"question": "Why did the cabinet overheat?"});
        ok(knowledge::ask(stack, "nils", &path, &asked)?)?;
        accepted(stack.call("nils", &format!("POST {path}/close"), &Value::Null)?)?;
        let route = format!("GET {path}");
        until(stack, "nils", &route, |reply| reply.body["status"] == "closed")?;
        drained(stack, "removal_queue_url")?;
        let scope = format!("case:{id}");
        let left = files(stack, &format!("documents/{scope}/"))?;
        ensure!(left == 0 && points(stack, &scope)? == 0, "{left} files are left");
        let asked = json!({"question": "cabinet overheated", "knowledge": [scope]});
        refused(&stack.rcca("nils", &asked)?, 409, "is closed")
    })
}
