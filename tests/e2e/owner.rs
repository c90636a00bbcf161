//! Tests cases and projects whose owner changes.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] =
    &[("cases and projects are handed over to a member, who may then let the owner go", hand_over)];

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
