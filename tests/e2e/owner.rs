//! Tests cases and projects whose owner changes.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;
use crate::case::until;
use crate::knowledge::{bring, open};
use crate::project::{ok, project};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("cases and projects are handed over to a member, who may then let the owner go", hand_over),
    ("a user who left is forgotten, and what others belong to is theirs", forget),
];

fn hand_over(stack: &Stack) -> Result<()> {
    let case = ok(stack.call("olga", "POST /v1/cases", &json!({"title": "Lost keys"}))?)?;
    let case = case["case_id"].as_str().context("no id")?.to_owned();
    let project = ok(stack.call("olga", "POST /v1/projects", &json!({"name": "Keys"}))?)?;
    let project = project["project_id"].as_str().context("no id")?.to_owned();
    for (path, kind) in
        [(format!("/v1/cases/{case}"), "case"), (format!("/v1/projects/{project}"), "project")]
    {
        let put =
            |sub: &str, rest: &str| stack.call(sub, &format!("PUT {path}/{rest}"), &Value::Null);
        let stranger = put("olga", "owner/pavel")?;
        ensure!(stranger.status == 404, "{}", stranger.text);
        ok(put("olga", "members/pavel")?)?;
        ok(stack.call("pavel", &format!("POST {path}/members/me"), &Value::Null)?)?;
        let early = put("pavel", "owner/pavel")?;
        ensure!(early.status == 403, "a member takes it over: {}", early.text);

        let id = if kind == "case" { &case } else { &project };
        let handed = stack.plumbline("olga", &[kind, "member", id, "owner", "pavel", "--json"])?;
        let members: Value = serde_json::from_str(&handed)?;
        let role = |user: &str| {
            let all = members["members"].as_array()?;
            all.iter().find(|member| member["user"] == user)?["role"].as_str()
        };
        ensure!((role("pavel"), role("olga")) == (Some("owner"), Some("member")), "{handed}");
        let late = put("olga", "members/quinn")?;
        ensure!(late.status == 403, "who handed it over still lets people in: {}", late.text);
        ok(stack.call("pavel", &format!("DELETE {path}/members/olga"), &Value::Null)?)?;
        let gone = stack.call("olga", &format!("GET {path}"), &Value::Null)?;
        ensure!(gone.status == 404, "{}", gone.text);
    }
    Ok(())
}

fn forget(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=lew")?;
    let note = "# Kiln note\n\nThe kiln of lew cracked because it cooled too fast.\n";
    bring(stack, &token, "user", ("kiln.md", note))?;
    let (alone, shared) = (
        project(stack, "lew", &json!({"name": "Alone"}))?,
        project(stack, "lew", &json!({"name": "Shared"}))?,
    );
    let decision = json!({"decision": "Cool the kiln slowly", "rationale": "It cracked."});
    ok(stack.call("lew", &format!("POST {alone}/decisions"), &decision)?)?;
    ok(stack.call("lew", &format!("PUT {shared}/members/liv"), &Value::Null)?)?;
    ok(stack.call("liv", &format!("POST {shared}/members/me"), &Value::Null)?)?;
    let case = open(stack, "lew")?;

    let stranger = stack.call_as(&token, "DELETE /v1/users/liv", &[], &Value::Null)?;
    ensure!(stranger.status == 403, "anybody may have others forgotten: {}", stranger.text);
    let told = stack.plumbline("ann", &["forget-user", "lew", "--yes"])?;
    ensure!(told.contains("lew: being forgotten"), "{told}");
    let gone = |reply: &plumbline_tests::Reply| reply.status == 404;
    until(stack, "lew", &format!("GET {alone}"), gone)?;
    until(stack, "lew", &format!("GET {shared}"), gone)?;
    let is_empty = |reply: &plumbline_tests::Reply| reply.body["documents"] == json!([]);
    until(stack, "lew", "GET /v1/users/me/documents", is_empty)?;
    let is_closed = |reply: &plumbline_tests::Reply| reply.body["status"] == "closed";
    until(stack, "lew", &format!("GET /v1/cases/{case}"), is_closed)?;
    let left = ok(stack.call("liv", &format!("GET {shared}"), &Value::Null)?)?;
    ensure!(left["members"] == json!([{"user": "liv", "role": "owner"}]), "{left}");
    let asked = json!({"question": "Why did the kiln crack?", "knowledge": ["user"]});
    let found = ok(stack.ask("lew", "search", &asked)?)?;
    ensure!(found["results"] == json!([]), "{found}");
    Ok(())
}
