//! Tests which callers and which inputs are accepted.

use anyhow::{Result, bail, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("only a good token comes in", tokens),
    ("a token does what its scopes say", scopes),
    ("a change leaves an audit line, whichever way it comes in", audited),
    ("bad input is refused by field and reason", bad_input),
    ("documents are refused by field and reason", bad_documents),
    ("what is foreign looks like what does not exist", foreign),
];

const QUESTION: &[u8] = br#"{"question": "pump failure"}"#;

/// Lists the tools, which needs a good token.
const TOOLS: &[u8] = br#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;

/// The gateway checks the tokens of the HTTP API, and our own code those of `/mcp`.
fn tokens(stack: &Stack) -> Result<()> {
    let good = stack.token("sub=ann")?;
    let refused = [
        stack.token("sub=ann&expires_in=-120")?,
        stack.token("sub=ann&not_before=600")?,
        stack.token("sub=ann&aud=another")?,
        stack.token("sub=ann&iss=https%3A%2F%2Fother.example")?,
        stack.token("sub=ann&signed_by=stranger")?,
        stack.token("sub=ann&signed_by=forger")?,
        stack.token("sub=ann&token_use=id")?,
        format!("{good}x"),
        good.rsplit_once('.').map_or_else(String::new, |(head, _)| format!("{head}.")),
        String::new(),
    ];
    for (path, body) in [("/v1/rcca", QUESTION), ("/mcp", TOOLS)] {
        let status =
            |token: Option<&str>| stack.send("POST", path, token, body).map(|reply| reply.status);
        ensure!(status(Some(&good))? == 200, "{path}");
        ensure!(status(None)? == 401, "{path}");
        for (number, token) in refused.iter().enumerate() {
            let status = status(Some(token))?;
            ensure!(status == 401, "{path} replied {status} to the token number {number}");
        }
    }
    Ok(())
}

/// A token does what its scopes say: over HTTP, and by the tools of an assistant.
fn scopes(stack: &Stack) -> Result<()> {
    let token = |scopes: &str| stack.token(&format!("sub=ann&scope={scopes}"));
    let reader = token("openid%20plumbline%2Fread")?;
    let writer = token("plumbline%2Fread%20plumbline%2Fwrite")?;
    let lacking = |token: &str, method: &str, path: &str, body: &[u8]| -> Result<Option<String>> {
        let reply = stack.send(method, path, Some(token), body)?;
        let detail = reply.body["detail"].as_str().unwrap_or_default();
        let scope = detail.split("the scope `").nth(1).and_then(|rest| rest.split('`').next());
        ensure!(scope.is_none() || reply.status == 403, "{path}: {} {}", reply.status, reply.body);
        Ok(scope.map(str::to_owned))
    };
    let needs = |scope: &str| Some(format!("plumbline/{scope}"));
    let nobody = token("openid")?;
    ensure!(lacking(&nobody, "POST", "/v1/rcca", QUESTION)? == needs("read"));
    ensure!(lacking(&reader, "POST", "/v1/rcca", QUESTION)?.is_none());
    let gone = "/v1/users/me/documents/00000000-0000-5000-8000-000000000000";
    ensure!(lacking(&reader, "DELETE", gone, b"")? == needs("write"));
    ensure!(lacking(&writer, "DELETE", gone, b"")?.is_none());
    let secret =
        "/v1/users/me/passages?passage_id=00000000-0000-5000-8000-000000000000&reveal=true";
    ensure!(lacking(&writer, "GET", secret, b"")? == needs("reveal"));
    ensure!(lacking(&stack.token("sub=ann")?, "GET", secret, b"")?.is_none());

    let tool = |token: &str, name: &str, arguments: Value| {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        stack.send("POST", "/mcp", Some(token), call.to_string().as_bytes())
    };
    ensure!(stack.send("POST", "/mcp", Some(&nobody), TOOLS)?.status == 403);
    ensure!(stack.send("POST", "/mcp", Some(&reader), TOOLS)?.status == 200);
    let made = tool(&reader, "create_project", json!({"name": "Not made"}))?;
    ensure!(made.status == 403 && made.body.to_string().contains("scope"), "{}", made.body);
    ensure!(tool(&reader, "list_projects", json!({}))?.status == 200);
    Ok(())
}

/// The gateway hands both ways in to functions of their own, and each writes its line.
fn audited(stack: &Stack) -> Result<()> {
    let (name, token) = (json!({"name": "Wanda's"}), stack.token("sub=wanda")?);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_project", "arguments": name}});
    ok(stack.send("POST", "/mcp", Some(&token), call.to_string().as_bytes())?)?;
    ok(stack.call("wanda", "POST /v1/projects", &name)?)?;
    ok(stack.call("wanda", "GET /v1/projects", &Value::Null)?)?;
    for function in ["mcp", "projects"] {
        let log = stack.log(function, "AUDIT")?;
        let lines = log.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        let of_wanda: Vec<_> = lines.iter().filter(|line| line["caller"] == "wanda").collect();
        let [line] = of_wanda[..] else { bail!("{function}: {of_wanda:?}") };
        ensure!(line["message"] == "create_project" && line["ids"]["project_id"].is_string());
        ensure!(!line.to_string().contains("Wanda's"), "a name stands in {line}");
    }
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
