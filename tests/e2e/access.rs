//! Tests which callers and which inputs are accepted.

use anyhow::{Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("only a good token comes in", tokens),
    ("bad input is refused by field and reason", bad_input),
    ("documents are refused by field and reason", bad_documents),
    ("what is foreign looks like what does not exist", foreign),
];

fn tokens(stack: &Stack) -> Result<()> {
    let body = br#"{"question": "pump failure"}"#;
    let status =
        |token: Option<&str>| stack.send("POST", "/v1/rcca", token, body).map(|reply| reply.status);
    let good = stack.token("sub=ann")?;
    ensure!(status(Some(&good))? == 200);
    ensure!(status(None)? == 401);
    ensure!(status(Some(&stack.token("sub=ann&expires_in=-60")?))? == 401);
    ensure!(status(Some(&stack.token("sub=ann&aud=another")?))? == 401);
    ensure!(status(Some(&format!("{good}x")))? == 401);
    Ok(())
}

/// The body to send, and the expected status and field.
pub(crate) type Case = (Vec<u8>, u16, &'static str);

/// Checks that each case is refused with its status, and that the problem names the field.
pub(crate) fn check(stack: &Stack, path: &str, cases: Vec<Case>) -> Result<()> {
    let token = stack.token("sub=ann&groups=knowledge-admins")?;
    for (body, status, field) in cases {
        let start = String::from_utf8_lossy(&body[..body.len().min(120)]).into_owned();
        let reply = stack.send("POST", path, Some(&token), &body)?;
        ensure!(reply.status == status, "{start}: {} {}", reply.status, reply.body);
        ensure!(
            reply.content_type == "application/problem+json",
            "{start}: {}",
            reply.content_type
        );
        ensure!(reply.body["errors"][0]["field"] == field, "{start}: {}", reply.body);
        ensure!(reply.body["instance"].as_str().is_some_and(|id| id.len() == 26), "{}", reply.body);
        ensure!(
            reply.body["detail"].as_str().is_some_and(|detail| detail.contains(field)),
            "{}",
            reply.body
        );
    }
    Ok(())
}

pub(crate) fn json_case(body: &Value, status: u16, field: &'static str) -> Case {
    (body.to_string().into_bytes(), status, field)
}

fn bad_input(stack: &Stack) -> Result<()> {
    let mut cases = vec![
        json_case(&json!({"question": ""}), 422, "question"),
        json_case(&json!({"question": " \n "}), 422, "question"),
        json_case(&json!({"question": "a".repeat(2_001)}), 422, "question"),
        json_case(&json!({"question": "a\u{0}b"}), 422, "question"),
        json_case(&json!({"question": "a\u{1b}[2Jb"}), 422, "question"),
        json_case(&json!({"question": 7}), 400, "question"),
        json_case(&json!({}), 400, "body"),
        json_case(&json!([]), 400, "body"),
        json_case(&json!({"question": "a", "project_id": 7}), 400, "project_id"),
        json_case(&json!({"question": "a", "colour": "red"}), 400, "colour"),
        json_case(&json!({"question": "a", "top_k": 0}), 422, "top_k"),
        json_case(&json!({"question": "a", "top_k": 51}), 422, "top_k"),
        json_case(&json!({"question": "a", "top_k": "ten"}), 400, "top_k"),
        json_case(&json!({"question": "a", "filters": {"colour": "red"}}), 422, "filters.colour"),
        json_case(&json!({"question": "a", "filters": {"line": "ten"}}), 422, "filters.line"),
        json_case(&json!({"question": "a", "filters": []}), 400, "filters"),
        json_case(&json!({"question": "a", "knowledge": ["everything"]}), 422, "knowledge"),
        // This gateway replaces such bytes by U+FFFD. AWS's gateway passes them on encoded, see the
        // tests of `lambda::Call`.
        (b"{\"question\": \"\xff\xfe\"}".to_vec(), 422, "question"),
        (b"{\"question\": ".to_vec(), 400, "body"),
        (Vec::new(), 400, "body"),
    ];
    cases.push(json_case(&json!({"question": "a".repeat(2 * 1024 * 1024)}), 413, "body"));
    check(stack, "/v1/rcca", cases)
}

fn bad_documents(stack: &Stack) -> Result<()> {
    let document = |name: &str, bytes: u64| json!({"name": name, "content_type": "text/markdown", "bytes": bytes});
    let cases = vec![
        json_case(&document("", 3), 422, "name"),
        json_case(&document(&"a".repeat(600), 3), 422, "name"),
        json_case(&document("a\u{7}.md", 3), 422, "name"),
        json_case(&document("bundle.zip", 3), 422, "name"),
        json_case(&document("empty.md", 0), 422, "bytes"),
        json_case(&document("big.log", 40 * 1024 * 1024), 413, "bytes"),
        json_case(&json!({"name": "a.md", "content_type": "text/markdown"}), 400, "body"),
        json_case(
            &json!({"name": "a.md", "content_type": "text/markdown", "bytes": -1}),
            400,
            "bytes",
        ),
        json_case(
            &json!({"name": "a.md", "content_type": "text/markdown", "bytes": 3, "document_type": "novel"}),
            400,
            "document_type",
        ),
        json_case(
            &json!({"name": "a.md", "content_type": "text/markdown", "bytes": 3, "time": "yesterday"}),
            422,
            "time",
        ),
    ];
    check(stack, "/v1/global/documents", cases)
}

fn foreign(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=bob&groups=platform")?;
    let get = |path: &str| stack.send("GET", path, Some(&token), b"").map(|reply| reply.status);
    ensure!(get("/v1/global/documents")? == 200, "who reads them may list them");
    let near = stack.token("sub=eve&groups=EU%20knowledge-admins")?;
    let body = json!({"name": "a.md", "content_type": "text/markdown", "bytes": 1}).to_string();
    let denied = stack.send("POST", "/v1/global/documents", Some(&near), body.as_bytes())?;
    ensure!(denied.status == 403, "a group with a blank in its name is one group");
    ensure!(get("/v1/cases/01J0000000000000000000000/documents")? == 404);
    ensure!(get("/v1/teams/finance/documents")? == 403);
    ensure!(get("/v1/teams/platform/documents")? == 200);
    ensure!(get("/v1/users/me/documents/not-an-id")? == 404);
    ensure!(get("/v1/users/me/documents?limit=0")? == 422);
    ensure!(get("/v1/users/me/documents?cursor=%21")? == 400);
    let ask =
        |knowledge: &str| stack.rcca("bob", &json!({"question": "pump", "knowledge": [knowledge]}));
    ensure!(ask("case:01J0000000000000000000000")?.status == 404);
    ensure!(ask("team:finance")?.status == 403);
    ensure!(crate::found(&ask("user")?.body).is_empty());
    Ok(())
}
