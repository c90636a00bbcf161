//! Tests messages that arrive again, late or in vain, and one that kills the function that receives
//! it.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Service, Stack};
use serde_json::{Value, json};

use super::{
    NAME, USER_PATH, bring, dead_letter, failing, ingested, note, points, rule, runtime, shows,
    struck,
};
use crate::Test;
use crate::case::{announce, indexed, put, until, upload};
use crate::life::{s3, sqs};
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("messages that come late and again change nothing", late_and_again),
    ("a message that comes twice at the same time is one", twice_at_once),
    ("a file that is gone before its ingest is told, and can be sent again", gone),
    ("a document of a case waits for no document of others", lanes),
    ("a message of a killed function comes back in a moment", held),
    ("a document that kills the function is given up, and those beside it are indexed", poison),
];

/// Returns the key of an upload to the user's own knowledge base.
fn key(sub: &str, announced: &Value) -> Result<String> {
    let part = |name: &str| announced[name].as_str().with_context(|| format!("no {name}"));
    Ok(format!("documents/user:{sub}/{}/{}", part("document_id")?, part("version")?))
}

/// Sends the message that this file exists once more, as S3 does.
fn tell(stack: &Stack, key: &str) -> Result<()> {
    let object = json!({"key": key.replace(':', "%3A"), "size": 1});
    let s3 = json!({"s3SchemaVersion": "1.0", "bucket": {"name": stack.fact("bucket")?}, "object": object});
    let record = json!({
        "eventVersion": "2.1", "eventSource": "aws:s3", "awsRegion": "us-east-1", "eventTime": "2026-11-20T18:00:00.000Z",
        "eventName": "ObjectCreated:Put", "s3": s3, "userIdentity": {"principalId": "here"},
        "requestParameters": {"sourceIPAddress": "127.0.0.1"},
    });
    let message = json!({"Records": [record]}).to_string();
    runtime()?.block_on(async {
        let send = sqs(stack)?.send_message().queue_url(stack.fact("upload_queue_url")?);
        send.message_body(message).send().await?;
        Ok(())
    })
}

fn status(stack: &Stack, sub: &str, id: &str) -> Result<Value> {
    let mut document =
        ok(stack.call(sub, &format!("GET {USER_PATH}/documents/{id}"), &Value::Null)?)?;
    // The request's own figures do not depend on the document.
    document["meta"].take();
    Ok(document)
}

fn late_and_again(stack: &Stack) -> Result<()> {
    let (old, new) = ("a cable blocked its blades", "its bearing had run dry");
    let (first, id) = announce(stack, "ivy", USER_PATH, NAME, note(old).len())?;
    let (second, _) = announce(stack, "ivy", USER_PATH, NAME, note(new).len())?;
    ensure!(put(&second["upload"], note(new).as_bytes())? == 200);
    indexed(stack, "ivy", USER_PATH, &id)?;
    ingested(stack)?;
    let (before, count) = (status(stack, "ivy", &id)?, points(stack, "user:ivy")?);
    ensure!(before["live_version"] == second["version"] && count > 0, "{before}");
    ensure!(put(&first["upload"], note(old).as_bytes())? == 200, "it may come late");
    for announced in [&first, &second, &first, &second] {
        tell(stack, &key("ivy", announced)?)?;
    }
    ingested(stack)?;
    let after = status(stack, "ivy", &id)?;
    ensure!(after == before, "{before} {after}");
    ensure!(points(stack, "user:ivy")? == count, "{} points", points(stack, "user:ivy")?);
    shows(stack, "ivy", new)
}

fn twice_at_once(stack: &Stack) -> Result<()> {
    let cause = "a cable blocked its blades";
    let faults = failing(stack, Service::Aws, "ingest", ("/invoke", 1), &json!("hold"))?;
    let (announced, id) = announce(stack, "jim", USER_PATH, NAME, note(cause).len())?;
    ensure!(put(&announced["upload"], note(cause).as_bytes())? == 200);
    struck(&faults, 1)?;
    // The first message is being handled until the second one is done.
    tell(stack, &key("jim", &announced)?)?;
    indexed(stack, "jim", USER_PATH, &id)?;
    let count = points(stack, "user:jim")?;
    drop(faults);
    ingested(stack)?;
    ensure!(status(stack, "jim", &id)?["status"] == "indexed");
    ensure!(points(stack, "user:jim")? == count, "{} points", points(stack, "user:jim")?);
    shows(stack, "jim", cause)
}

/// The queue itself would hand the message out again after an hour and a half.
fn held(stack: &Stack) -> Result<()> {
    let cause = "a fuse blew";
    let faults = failing(stack, Service::Index, "ingest", ("/Upsert", 1), &json!("kill"))?;
    bring(stack, "jules", cause)?;
    ensure!(faults.struck()? == 1, "{} calls were struck", faults.struck()?);
    shows(stack, "jules", cause)
}

fn gone(stack: &Stack) -> Result<()> {
    let (old, new) = ("a cable blocked its blades", "its bearing had run dry");
    bring(stack, "joan", old)?;
    let (announced, id) = announce(stack, "joan", USER_PATH, NAME, note(new).len())?;
    // No try gets past this call before the file is gone.
    let mut rule = rule(stack, "ingest", ("DynamoDB", 1_000), &json!("hold"))?;
    rule["has"] = json!(id);
    let faults = stack.faults(Service::Aws, &json!([rule]))?;
    ensure!(put(&announced["upload"], note(new).as_bytes())? == 200);
    struck(&faults, 1)?;
    let file = key("joan", &announced)?;
    runtime()?.block_on(async {
        let delete = s3(stack)?.delete_object().bucket(stack.fact("bucket")?).key(&file);
        delete.send().await.map(drop)?;
        anyhow::Ok(())
    })?;
    drop(faults);
    let route = format!("GET {USER_PATH}/documents/{id}");
    let failed = until(stack, "joan", &route, |reply| reply.body["status"] == "failed")?.body;
    let reason = failed["reason"].as_str().unwrap_or_default();
    ensure!(reason.contains("no file named") && reason.contains("upload the document"), "{failed}");
    dead_letter(stack, &id)?;
    shows(stack, "joan", old)?;
    bring(stack, "joan", new)?;
    shows(stack, "joan", new)
}

/// More documents than are ingested at the same time are held at the embedding model; a document of
/// a case passes them.
fn lanes(stack: &Stack) -> Result<()> {
    let mut rule = rule(stack, "ingest", ("/invoke", 1_000), &json!("hold"))?;
    rule["has"] = json!("gridlock");
    let faults = stack.faults(Service::Aws, &json!([rule]))?;
    let held: Vec<String> = (0..8)
        .map(|number| {
            let text = note(&format!("of gridlock {number}"));
            upload(stack, "lars", USER_PATH, (&format!("{number}.md"), &text))
        })
        .collect::<Result<_>>()?;
    struck(&faults, 3)?;
    let created = ok(stack.call("lars", "POST /v1/cases", &json!({"title": "Fan"}))?)?;
    let path = format!("/v1/cases/{}", created["case_id"].as_str().context("no id")?);
    let evidence = upload(stack, "lars", &path, (NAME, &note("a cable blocked its blades")))?;
    indexed(stack, "lars", &path, &evidence)?;
    for id in &held {
        ensure!(status(stack, "lars", id)?["status"] != "indexed", "{id} passed");
    }
    drop(faults);
    for id in &held {
        indexed(stack, "lars", USER_PATH, id)?;
    }
    Ok(())
}

fn poison(stack: &Stack) -> Result<()> {
    let alone = stack.alone("ingest")?;
    let mut rule = rule(stack, "ingest", ("/invoke", 1_000), &json!("kill"))?;
    rule["has"] = json!("zugzwang");
    let faults = stack.faults(Service::Aws, &json!([rule]))?;
    let poison = upload(stack, "kurt", USER_PATH, ("poison.md", &note("it was in zugzwang")))?;
    let good = ["one.md", "two.md", "three.md"]
        .map(|name| upload(stack, "kurt", USER_PATH, (name, &note(&format!("of {name}")))));
    for id in good {
        indexed(stack, "kurt", USER_PATH, &id?)?;
    }
    let route = format!("GET {USER_PATH}/documents/{poison}");
    let failed = until(stack, "kurt", &route, |reply| reply.body["status"] == "failed")?.body;
    let reason = failed["reason"].as_str().unwrap_or_default();
    ensure!(reason.contains("two tries ended without a word"), "{failed}");
    ingested(stack)?;
    ensure!(faults.struck()? == 2, "two tries are killed, no third: {}", faults.struck()?);
    drop((faults, alone));
    upload(stack, "kurt", USER_PATH, ("poison.md", &note("it was in zugzwang")))?;
    indexed(stack, "kurt", USER_PATH, &poison)
}
