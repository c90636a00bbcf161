//! Tests an index that is slow, frozen or lost, or that fails in the middle of an ingest.

use anyhow::{Result, ensure};
use plumbline_tests::{Collection, Service, Stack};
use serde_json::{Value, json};

use super::{USER_PATH, bring, failing, points, rule, shows};
use crate::case::{accepted, until};
use crate::project::ok;
use crate::{Test, found};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("an index that is slow once is asked again", slow),
    ("an index that is frozen is told, and answers when it thaws", frozen),
    (
        "an index that takes another key is told with what to do, and answers when it takes this one",
        locked,
    ),
    ("uploads outlast an index that fails at each step", breaking_off),
    ("an index that says it did what it did not is found out", pretending),
    ("a collection that is lost is made anew by the next upload", lost),
];

fn question() -> Value {
    json!({"question": "the certificate expired", "top_k": 1})
}

fn slow(stack: &Stack) -> Result<()> {
    let before = ok(stack.rcca("ann", &question())?)?;
    let faults = failing(stack, Service::Index, "rcca", ("/QueryBatch", 1), &json!("hold"))?;
    let after = ok(stack.rcca("ann", &question())?)?;
    ensure!(faults.struck()? == 1, "{} calls were held", faults.struck()?);
    ensure!(after["results"] == before["results"], "{after}");
    Ok(())
}

fn frozen(stack: &Stack) -> Result<()> {
    if stack.has_server() {
        eprintln!("SKIPPED: the Qdrant server of QDRANT_URL is not ours to freeze");
        return Ok(());
    }
    let before = ok(stack.rcca("ann", &question())?)?;
    let frozen = stack.freeze("qdrant")?;
    let down = stack.rcca("ann", &question())?;
    drop(frozen);
    let is_unavailable = down.status == 503 && down.body["detail"] == "the index did not answer";
    ensure!(is_unavailable && down.content_type == "application/problem+json", "{}", down.text);
    let after = ok(stack.rcca("ann", &question())?)?;
    ensure!(after["results"] == before["results"], "{after}");
    Ok(())
}

fn locked(stack: &Stack) -> Result<()> {
    if stack.has_server() {
        eprintln!("SKIPPED: the Qdrant server of QDRANT_URL has keys of its own");
        return Ok(());
    }
    let before = ok(stack.rcca("ann", &question())?)?;
    let keys = stack.state.join("keys/qdrant");
    std::fs::write(&keys, "the-key-of-somebody-else")?;
    let asked = stack.rcca("ann", &question());
    let told = stack.plumbline("ann", &["doctor"]);
    std::fs::remove_file(&keys)?;
    let asked = asked?;
    ensure!(
        asked.status == 503 && asked.body["detail"] == "the index did not answer",
        "{}",
        asked.text
    );
    let told = told.err().map(|error| error.to_string()).unwrap_or_default();
    let is_told = told.contains("Invalid API key") && told.contains("QdrantKeyVersion");
    ensure!(is_told, "plumbline doctor: {told}");
    let after = ok(stack.rcca("ann", &question())?)?;
    ensure!(after["results"] == before["results"], "{after}");
    Ok(())
}

fn breaking_off(stack: &Stack) -> Result<()> {
    let refusal = json!({"answer": {"status": 503}});
    for call in ["/Scroll", "/Upsert", "/SetPayload", "/Delete"] {
        for is_done in [false, true] {
            // At least two tries fail, because the client itself makes two calls.
            let mut rule = rule(stack, "ingest", (call, 4), &refusal)?;
            rule["carried_out"] = json!(is_done);
            let faults = stack.faults(Service::Index, &json!([rule]))?;
            let cause = format!("{} broke off, carried out: {is_done}", &call[1..]);
            bring(stack, "gail", &cause)?;
            ensure!(faults.struck()? > 0, "an ingest does not call {call}");
            drop(faults);
            shows(stack, "gail", &cause)?;
        }
    }
    Ok(())
}

fn pretending(stack: &Stack) -> Result<()> {
    let (cause, pretend) = ("a filter clogged", json!("pretend"));
    let faults = failing(stack, Service::Index, "ingest", ("/SetPayload", 2), &pretend)?;
    let id = bring(stack, "iris", cause)?;
    ensure!(faults.struck()? == 2, "{} calls were struck", faults.struck()?);
    drop(faults);
    shows(stack, "iris", cause)?;
    let faults = failing(stack, Service::Index, "removal", ("/Delete", 3), &pretend)?;
    let route = format!("{USER_PATH}/documents/{id}");
    accepted(stack.call("iris", &format!("DELETE {route}"), &Value::Null)?)?;
    until(stack, "iris", &format!("GET {route}"), |reply| reply.status == 404)?;
    ensure!(faults.struck()? == 3, "{} calls were struck", faults.struck()?);
    ensure!(points(stack, "user:iris")? == 0, "points are left of a document that is forgotten");
    Ok(())
}

fn lost(stack: &Stack) -> Result<()> {
    let (url, name) =
        (stack.fact("qdrant_url")?, format!("{}-lost", stack.fact("qdrant_collection")?));
    // The collection is deleted when this value is dropped.
    let _collection = Collection::emptied(url, &name)?;
    stack.deploy_with(&["--set", &format!("QdrantCollection={name}")])?;
    let is_found_again = lost_and_found(stack, url, &name);
    stack.deploy_with(&[])?;
    is_found_again
}

fn lost_and_found(stack: &Stack, url: &str, name: &str) -> Result<()> {
    let cause = "a cable blocked its blades";
    let none = || -> Result<()> {
        let answer = ok(super::ask(stack, "hope")?)?;
        ensure!(found(&answer).is_empty(), "{answer}");
        Ok(())
    };
    none()?;
    bring(stack, "hope", cause)?;
    shows(stack, "hope", cause)?;
    drop(Collection::emptied(url, name)?);
    none()?;
    bring(stack, "hope", cause)?;
    shows(stack, "hope", cause)
}
