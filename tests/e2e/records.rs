//! Tests records of logs, tables and settings, queried exactly over the deployed API.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Stack, for_all, root};
use serde_json::{Value, json};

use crate::Test;
use crate::case::{accepted, files, refused, until};
use crate::life::folder;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("known questions on the demo log are answered exactly", known_questions),
    ("records of a case are counted, grouped and cited, by members alone", queries),
    ("records follow their document: replaced, deleted, and gone with the case", life),
    ("the command line queries records", command_line),
];

const ACCESS: &str = r#"10.0.0.1 - - [20/Nov/2026:18:10:00 +0000] "GET /a HTTP/1.1" 404 304 "-" "Moz"
10.0.0.2 - - [20/Nov/2026:18:10:30 +0000] "GET /b HTTP/1.1" 200 404 "-" "Curl"
10.0.0.1 - - [20/Nov/2026:18:11:00 +0000] "POST /a?x=404 HTTP/1.1" 404 20 "-" "Moz"
"#;

/// Opens a case of `sub` with an access log and returns its id.
fn case(stack: &Stack, sub: &str) -> Result<String> {
    let created = ok(stack.call(sub, "POST /v1/cases", &json!({"title": "Lost pages"}))?)?;
    let id = created["case_id"].as_str().context("no id")?.to_owned();
    ingest(stack, sub, &id, ACCESS)?;
    Ok(id)
}

fn ingest(stack: &Stack, sub: &str, case: &str, log: &str) -> Result<()> {
    let folder = folder(stack, "records", &[("web1-access.log", log.as_bytes().to_vec())])?;
    let knowledge = format!("case:{case}");
    let report =
        stack.plumbline(sub, &["ingest", &folder.to_string_lossy(), "--knowledge", &knowledge])?;
    ensure!(report.contains("1 document indexed"), "{report}");
    Ok(())
}

fn query(stack: &Stack, case: &str, body: &Value) -> Result<Value> {
    ok(stack.call("rena", &format!("POST /v1/cases/{case}/records"), body)?)
}

fn queries(stack: &Stack) -> Result<()> {
    let case = case(stack, "rena")?;
    let found =
        query(stack, &case, &json!({"where": {"code": 404}, "examples": 1, "explain": true}))?;
    ensure!(found["totals"]["records"] == 2 && found["all_records_read"] == true, "{found}");
    let record = &found["rows"][0]["records"][0];
    let quote = ACCESS.lines().next().context("no line")?;
    ensure!(record["lines"] == json!([1, 1]) && record["quote"] == quote, "{record}");
    ensure!(record["file"] == "web1-access.log" && record["columns"]["client"] == "10.0.0.1");
    let bare = query(stack, &case, &json!({"where": {"code": 404}}))?;
    ensure!(bare["rows"][0]["value"] == 2.0 && bare["rows"][0].get("records").is_none(), "{bare}");
    let grouped = query(stack, &case, &json!({"group_by": ["client"], "limit": 1}))?;
    ensure!(grouped["rows"][0]["group"]["client"] == "10.0.0.1", "{grouped}");
    ensure!(grouped["rows"][0]["value"] == 2.0 && grouped["totals"]["groups"] == 2, "{grouped}");
    let route = format!("POST /v1/cases/{case}/records");
    let unknown = stack.call("rena", &route, &json!({"where": {"flavor": 1}}))?;
    refused(&unknown, 422, "there is no column `flavor`; the nearest are")?;
    let odd = stack.call("rena", &route, &json!({"where": {"code": {"like": 1}}}))?;
    ensure!(odd.status == 400, "{}", odd.text);
    let columns =
        ok(stack.call("rena", &format!("GET /v1/cases/{case}/records"), &Value::Null)?)?;
    ensure!(columns.to_string().contains(r#""name":"code""#), "{columns}");
    for route in [route, format!("GET /v1/cases/{case}/records")] {
        let foreign = stack.call("eve", &route, &json!({}))?;
        let invented =
            stack.call("eve", &route.replace(&case, "01J00000000000000000000000"), &json!({}))?;
        refused(&foreign, 404, "no case named")?;
        ensure!(invented.status == 404 && invented.body["title"] == foreign.body["title"]);
    }
    Ok(())
}

fn life(stack: &Stack) -> Result<()> {
    let case = case(stack, "rena")?;
    let folder = format!("records/case:{case}/");
    ensure!(files(stack, &folder)? == 1, "a record file is written");
    ingest(stack, "rena", &case, &ACCESS.replace("404 304", "500 304"))?;
    let found = query(stack, &case, &json!({"group_by": ["code"]}))?;
    ensure!(found["totals"]["groups"] == 3 && found["totals"]["of"] == 3, "{found}");
    ensure!(files(stack, &folder)? == 1, "the old version's record file is gone");
    let documents =
        ok(stack.call("rena", &format!("GET /v1/cases/{case}/documents"), &Value::Null)?)?;
    let id = documents["documents"][0]["document_id"].as_str().context("no id")?.to_owned();
    let document = format!("/v1/cases/{case}/documents/{id}");
    accepted(stack.call("rena", &format!("DELETE {document}"), &Value::Null)?)?;
    until(stack, "rena", &format!("GET {document}"), |reply| reply.status == 404)?;
    ensure!(files(stack, &folder)? == 0, "a deleted document leaves no record file");
    let found = query(stack, &case, &json!({}))?;
    ensure!(found["totals"]["of"] == 0 && found["rows"][0]["value"] == 0.0, "{found}");
    ingest(stack, "rena", &case, ACCESS)?;
    accepted(stack.call("rena", &format!("POST /v1/cases/{case}/close"), &Value::Null)?)?;
    let closed = stack.call("rena", &format!("POST /v1/cases/{case}/records"), &json!({}))?;
    ensure!(closed.status == 409, "{}", closed.text);
    until(stack, "rena", &format!("GET /v1/cases/{case}"), |reply| {
        reply.body["status"] == "closed"
    })?;
    ensure!(files(stack, &folder)? == 0, "a closed case leaves no record file");
    Ok(())
}

fn command_line(stack: &Stack) -> Result<()> {
    let case = format!("case:{}", case(stack, "rena")?);
    let text = stack.plumbline("rena", &["records", &case, "--where", "code=404"])?;
    ensure!(
        text.starts_with("2 of 3 records\n  web1-access.log:1  2026-11-20T18:10:00Z"),
        "{text}"
    );
    let grouped = stack.plumbline("rena", &["records", &case, "--group-by", "client"])?;
    ensure!(
        grouped.contains("2  10.0.0.1") && grouped.contains("(2 groups of 3 records)"),
        "{grouped}"
    );
    let largest = ["records", &case, "--select", "max", "--of", "bytes", "--json"];
    let largest: Value = serde_json::from_str(&stack.plumbline("rena", &largest)?)?;
    ensure!(largest["rows"][0]["value"] == 404.0, "{largest}");
    let columns = stack.plumbline("rena", &["records", &case, "--columns"])?;
    ensure!(columns.contains("method") && columns.contains("GET | POST"), "{columns}");
    Ok(())
}

/// Asks questions about the demo log and counts their answers here, line by line.
fn known_questions(stack: &Stack) -> Result<()> {
    let created = ok(stack.call("rena", "POST /v1/cases", &json!({"title": "Checkout"}))?)?;
    let case = created["case_id"].as_str().context("no id")?;
    let log = root().join("tests/corpus/logs/checkout-api.log");
    let knowledge = format!("case:{case}");
    stack.plumbline("rena", &["ingest", &log.to_string_lossy(), "--knowledge", &knowledge])?;
    let text = std::fs::read_to_string(log)?;
    let (mut right, mut asked, mut wrong) = (0, 0, Vec::new());
    for line in std::fs::read_to_string(root().join("tests/eval/demo_case.jsonl"))?.lines() {
        let known: Value = serde_json::from_str(line)?;
        let question = json!({"question": known["question"], "mode": "extractive"});
        let reply = ok(stack.call(
            "rena",
            &format!("POST /v1/cases/{case}/answer"),
            &for_all(&question),
        )?)?;
        let is_right = is_right(&known, &reply, &text).context("not as it should be")?;
        asked += 1;
        right += usize::from(is_right);
        wrong.extend((!is_right).then(|| format!("{}: {}", known["question"], reply["claims"][0])));
    }
    ensure!(right == asked, "{right} of {asked}: {wrong:#?}");
    Ok(())
}

/// Returns true if the first claim states the number of lines with all known words, or cites the
/// first or last of them. For a question that is not understood, returns true if the reply names
/// the unknown words and counts nothing.
fn is_right(known: &Value, reply: &Value, text: &str) -> Option<bool> {
    if known["asks"] == "unread" {
        return Some(reply["records"].is_null() && reply["unread"] == known["unread"]);
    }
    let wanted: Vec<&str> = known["has"].as_array()?.iter().filter_map(Value::as_str).collect();
    let numbered = text.lines().zip(1_u64..);
    let matching = numbered.filter(|(line, _)| wanted.iter().all(|word| line.contains(word)));
    let numbers: Vec<u64> = matching.map(|(_, number)| number).collect();
    let claim = reply["claims"][0]["text"].as_str().unwrap_or_default();
    let line = match known["asks"].as_str()? {
        "count" => {
            let count = numbers.len().to_string();
            return Some(claim.split(|c: char| !c.is_ascii_digit()).any(|digits| digits == count));
        }
        "first" => numbers.first()?,
        _ => numbers.last()?,
    };
    Some(reply["citations"][0]["lines"][0] == json!(line))
}
