//! Tests cases from their creation to their end, and deleted documents.

use anyhow::{Context, Result, bail, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::digest::dynamodb;
use crate::life::{folder, s3};
use crate::project::{ok, project};
use crate::{Test, found};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a case lives with its members and leaves nothing behind", case_life),
    ("a deleted document is gone, and what rests on it is marked", deletion),
    ("a document that is deleted before its ingest stays gone", deleted_before_its_upload),
    ("an upload of another size or type than announced is refused", other_upload),
    ("an old file that nobody announced is hidden, and what lost its item stays for now", orphans),
];

const LOG: &str =
    "# Broker log\n\nThe broker lost its quorum at the second partition of the shard.\n";

pub(crate) fn accepted(reply: Reply) -> Result<Value> {
    ensure!(reply.status == 202, "{}: {}", reply.status, reply.text);
    Ok(reply.body)
}

pub(crate) fn refused(reply: &Reply, status: u16, part: &str) -> Result<()> {
    ensure!(reply.status == status && reply.text.contains(part), "{status}: {}", reply.text);
    Ok(())
}

/// Repeats a request until the reply is as wanted. Each attempt waits for the one before.
pub(crate) fn until(
    stack: &Stack,
    sub: &str,
    route: &str,
    is_done: impl Fn(&Reply) -> bool,
) -> Result<Reply> {
    let mut last = None;
    for _ in 0..600 {
        let reply = stack.call(sub, route, &Value::Null)?;
        if is_done(&reply) {
            return Ok(reply);
        }
        last = Some(reply.text);
        std::thread::park_timeout(std::time::Duration::from_millis(100));
    }
    bail!("{route} stays {last:?}")
}

/// Announces a document below `base`, uploads it and returns its id.
pub(crate) fn upload(
    stack: &Stack,
    sub: &str,
    base: &str,
    (name, text): (&str, &str),
) -> Result<String> {
    let (announced, id) = announce(stack, sub, base, name, text.len())?;
    let sent = put(&announced["upload"], text.as_bytes())?;
    ensure!(sent == 200, "{sent}");
    Ok(id)
}

pub(crate) fn announce(
    stack: &Stack,
    sub: &str,
    base: &str,
    name: &str,
    bytes: usize,
) -> Result<(Value, String)> {
    let announcement = json!({"name": name, "content_type": "text/markdown", "bytes": bytes});
    let announced = ok(stack.call(sub, &format!("POST {base}/documents"), &announcement)?)?;
    let id = announced["document_id"].as_str().context("no id")?.to_owned();
    Ok((announced, id))
}

/// Sends bytes to the ticket's address and returns the status.
pub(crate) fn put(ticket: &Value, bytes: &[u8]) -> Result<u16> {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut request = agent.put(ticket["url"].as_str().context("no address")?);
    for (name, value) in ticket["headers"].as_object().context("no headers")? {
        // The length is that of the bytes, whatever was announced.
        if name != "content-length" {
            request = request.header(name, value.as_str().unwrap_or_default());
        }
    }
    Ok(request.send(bytes)?.status().as_u16())
}

/// Counts the versions of the files below `prefix`.
pub(crate) fn files(stack: &Stack, prefix: &str) -> Result<usize> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let list = s3(stack)?.list_object_versions().bucket(stack.fact("bucket")?).prefix(prefix);
        let page = list.send().await?;
        Ok(page.versions().len() + page.delete_markers().len())
    })
}

pub(crate) fn indexed(stack: &Stack, sub: &str, base: &str, id: &str) -> Result<()> {
    let route = format!("GET {base}/documents/{id}");
    until(stack, sub, &route, |reply| reply.body["status"] == "indexed").map(drop)
}

fn case_life(stack: &Stack) -> Result<()> {
    let created = stack.call("cleo", "POST /v1/cases", &json!({"title": "Broker down"}))?;
    let created = ok(created)?;
    let id = created["case_id"].as_str().context("no id")?;
    ensure!(created["status"] == "open" && created["created_by"] == "cleo", "{created}");
    let path = format!("/v1/cases/{id}");
    let member = ok(stack.call("cleo", &format!("PUT {path}/members/cato"), &Value::Null)?)?;
    ensure!(member["members"][1] == json!({"user": "cato", "role": "invited"}), "{member}");
    refused(&stack.call("cato", &format!("GET {path}"), &Value::Null)?, 404, "no case")?;
    let member = ok(stack.call("cato", &format!("POST {path}/members/me"), &Value::Null)?)?;
    ensure!(member["members"][0] == json!({"user": "cato", "role": "member"}), "{member}");
    let denied = stack.call("cato", &format!("PUT {path}/members/eve"), &Value::Null)?;
    refused(&denied, 403, "owners")?;
    let last = stack.call("cleo", &format!("DELETE {path}/members/cleo"), &Value::Null)?;
    refused(&last, 409, "owner")?;
    let mine = ok(stack.call("cato", "GET /v1/cases", &Value::Null)?)?;
    ensure!(mine["cases"][0]["case_id"] == id, "{mine}");

    let document = upload(stack, "cato", &path, ("broker.md", LOG))?;
    indexed(stack, "cato", &path, &document)?;
    let knowledge = format!("case:{id}");
    let asked = json!({"question": "broker lost its quorum", "knowledge": [knowledge]});
    let answer = ok(stack.ask("cleo", "rcca", &asked)?)?;
    ensure!(found(&answer).len() == 1, "{answer}");
    for route in ["GET", "POST"].map(|method| format!("{method} {path}/documents")) {
        let foreign = stack.call(
            "eve",
            &route,
            &json!({"name": "a.md", "content_type": "text/markdown", "bytes": 1}),
        )?;
        let unknown = route.replace(id, "01J00000000000000000000000");
        let unknown = stack.call(
            "eve",
            &unknown,
            &json!({"name": "a.md", "content_type": "text/markdown", "bytes": 1}),
        )?;
        refused(&foreign, 404, "no case named")?;
        ensure!(foreign.body["title"] == unknown.body["title"] && unknown.status == 404);
    }
    refused(&stack.ask("eve", "rcca", &asked)?, 404, "no case named")?;
    closing(stack, id, &path, &asked)
}

fn closing(stack: &Stack, id: &str, path: &str, asked: &Value) -> Result<()> {
    let prefix = format!("documents/case:{id}/");
    ensure!(files(stack, &prefix)? == 1);
    let denied = stack.call("cato", &format!("POST {path}/close"), &Value::Null)?;
    refused(&denied, 403, "owners")?;
    let close = format!("POST {path}/close");
    let closing = accepted(stack.call("cleo", &close, &Value::Null)?)?;
    ensure!(closing["closed_by"] == "cleo" && closing["status"] != "open", "{closing}");
    refused(&stack.ask("cato", "rcca", asked)?, 409, "is closed")?;
    let announcement = json!({"name": "b.md", "content_type": "text/markdown", "bytes": 1});
    let late = stack.call("cato", &format!("POST {path}/documents"), &announcement)?;
    refused(&late, 409, "is closed")?;
    accepted(stack.call("cleo", &close, &Value::Null)?)?;
    let route = format!("GET {path}");
    let closed = until(stack, "cato", &route, |reply| reply.body["status"] == "closed")?.body;
    // The case was closed twice. If one message removes an item while the other one counts, neither
    // counts it.
    let counted = |what: &str| closed["removed"][what].as_u64().unwrap_or(u64::MAX);
    let counts = ["documents", "points", "files", "cached"].map(counted);
    ensure!(counts.into_iter().zip([1, 2, 1, 0]).all(|(count, most)| count <= most), "{closed}");
    ensure!(files(stack, &prefix)? == 0);
    refused(&stack.ask("cleo", "rcca", asked)?, 409, "is closed")?;
    refused(&stack.ask("eve", "rcca", asked)?, 404, "no case named")
}

fn deletion(stack: &Stack) -> Result<()> {
    let text = "# Crane sheet\n\n## Load\n\nThe crane lifts at most 12 tonnes at full reach.\n";
    let base = "/v1/global";
    let document = upload(stack, "dora", base, ("crane sheet.md", text))?;
    indexed(stack, "dora", base, &document)?;
    let asked =
        json!({"question": "crane lifts how many tonnes", "filters": {"name": "crane sheet.md"}});
    let found = ok(stack.ask("dora", "rcca", &asked)?)?["also_read"][0].clone();
    let path = project(stack, "dora", &json!({"name": "Cranes"}))?;
    let new = json!({"decision": "Lift in two parts", "rationale": "The crane's limit.", "sources": [{"passage_id": found["passage"]["passage_id"], "relevance": 1}]});
    ok(stack.call("dora", &format!("POST {path}/decisions"), &new)?)?;
    let route = format!("DELETE {base}/documents/{document}");
    let reply = accepted(stack.call("dora", &route, &Value::Null)?)?;
    ensure!(reply["status"] == "deleting" && reply["document_id"] == document, "{reply}");
    let route = format!("GET {base}/documents/{document}");
    until(stack, "dora", &route, |reply| reply.status == 404)?;
    let left = ok(stack.ask("dora", "rcca", &asked)?)?;
    ensure!(crate::found(&left).is_empty(), "{left}");
    let left = files(stack, &format!("documents/global/{document}/"))?;
    ensure!(left == 2, "a version and its delete marker, not {left}");
    let trail = ok(stack.call("dora", &format!("GET {path}/trail"), &Value::Null)?)?;
    let review = &trail["needs_review"][0]["needs_review"][0];
    ensure!(
        review["document_id"] == document && review.get("nearest").is_none_or(Value::is_null),
        "{trail}"
    );
    let again = stack.call("dora", &format!("DELETE {base}/documents/{document}"), &Value::Null)?;
    refused(&again, 404, "no document named")
}

fn deleted_before_its_upload(stack: &Stack) -> Result<()> {
    let base = "/v1/users/me";
    let (announced, id) = announce(stack, "dirk", base, "late.md", LOG.len())?;
    let route = format!("{base}/documents/{id}");
    accepted(stack.call("dirk", &format!("DELETE {route}"), &Value::Null)?)?;
    until(stack, "dirk", &format!("GET {route}"), |reply| reply.status == 404)?;
    let sent = put(&announced["upload"], LOG.as_bytes())?;
    ensure!(sent == 200, "{sent}");
    let asked = json!({"question": "broker lost its quorum", "knowledge": ["user"]});
    ensure!(found(&ok(stack.ask("dirk", "rcca", &asked)?)?).is_empty());
    let again = upload(stack, "dirk", base, ("late.md", LOG))?;
    ensure!(again == id, "the same name is the same document");
    indexed(stack, "dirk", base, &id)?;
    ensure!(found(&ok(stack.ask("dirk", "rcca", &asked)?)?).len() == 1, "a new life");
    let left = files(stack, &format!("documents/user:dirk/{id}/"))?;
    ensure!((1..=3).contains(&left), "the late file is hidden in a moment: {left}");
    Ok(())
}

fn other_upload(stack: &Stack) -> Result<()> {
    let base = "/v1/users/me";
    let (announced, id) = announce(stack, "otto", base, "larger.md", LOG.len())?;
    let ticket = &announced["upload"];
    ensure!(put(ticket, format!("{LOG}.").as_bytes())? == 403, "one byte more");
    ensure!(put(ticket, &LOG.as_bytes()[1..])? == 403, "one byte less");
    let mut other = ticket.clone();
    other["headers"]["content-type"] = json!("text/html");
    ensure!(put(&other, LOG.as_bytes())? == 403, "another type");
    ensure!(put(ticket, LOG.as_bytes())? == 200, "as it was announced");
    let other = "x".repeat(LOG.len());
    ensure!(put(ticket, other.as_bytes())? == 412, "another file of the same size and type");
    indexed(stack, "otto", base, &id)?;
    let key = [("idempotency-key", "announce-once")];
    let once = |name: &str| {
        let announcement = json!({"name": name, "content_type": "text/markdown", "bytes": 7});
        stack.call_with("otto", &format!("POST {base}/documents"), &key, &announcement)
    };
    let (first, again) = (ok(once("once.md")?)?, ok(once("once.md")?)?);
    ensure!(first["version"] == again["version"], "{first} {again}");
    refused(&once("twice.md")?, 409, "Idempotency-Key")?;
    let large = json!({"name": "large.md", "content_type": "text/markdown", "bytes": 26_214_401});
    let large = stack.call("otto", &format!("POST {base}/documents"), &large)?;
    refused(&large, 413, "must be at most 26214400 bytes")
}

fn orphans(stack: &Stack) -> Result<()> {
    let text = "# Kept\n\nThe mast was painted in spring.\n";
    let folder = folder(stack, "kept", &[("kept.md", text.as_bytes().to_vec())])?;
    stack.plumbline("olga", &["ingest", &folder.to_string_lossy(), "--knowledge", "user"])?;
    let base = "/v1/users/me";
    let lost = upload(stack, "olga", base, ("lost.md", "# Lost\n\nThe keel was painted, too.\n"))?;
    indexed(stack, "olga", base, &lost)?;
    let count = |word: &str| -> Result<usize> {
        let asked =
            json!({"question": format!("{word} painted"), "knowledge": ["user"], "top_k": 5});
        Ok(found(&ok(stack.ask("olga", "rcca", &asked)?)?).len())
    };
    ensure!(count("keel")? == 2, "both are found");
    // The item is lost, as after a restore of the table. A missing item alone hides no file within
    // 30 days.
    delete_item(stack, "SCOPE#user:olga", &format!("DOCUMENT#{lost}"))?;
    // The ULID is from 2016.
    let old = "documents/user:olga/00000000-0000-0000-0000-000000000007/01ARZ3NDEKTSV4RRFFQ69G5FAV";
    leave(stack, old)?;
    stack.invoke("removal", "tests/events/removal.json")?;
    for _ in 0..600 {
        // There are two versions: the file, and the deletion mark above it.
        if files(stack, old)? == 2 {
            ensure!(files(stack, &format!("documents/user:olga/{lost}/"))? == 1);
            ensure!(count("keel")? == 2, "both are found");
            return Ok(());
        }
        std::thread::park_timeout(std::time::Duration::from_millis(100));
    }
    bail!("{old} is not hidden")
}

/// Stores a file that nobody announced.
fn leave(stack: &Stack, key: &str) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let put = s3(stack)?.put_object().bucket(stack.fact("bucket")?).key(key);
        put.body(b"# Left\n".to_vec().into()).send().await?;
        Ok(())
    })
}

fn delete_item(stack: &Stack, pk: &str, sk: &str) -> Result<()> {
    let text = |value: &str| aws_sdk_dynamodb::types::AttributeValue::S(value.into());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let delete = dynamodb(stack)?.delete_item().table_name(stack.fact("table")?);
        delete.key("pk", text(pk)).key("sk", text(sk)).send().await?;
        Ok(())
    })
}
