//! Tests the limits on the requests of one caller, and on the size of a knowledge base.

use anyhow::{Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] =
    &[("a caller who asks too much waits, and a full knowledge base takes no more", bounds)];

fn bounds(stack: &Stack) -> Result<()> {
    let bounds = ["CallerRate=1", "CallerBurst=3", "ScopeDocuments=1"];
    let options: Vec<&str> = bounds.iter().flat_map(|bound| ["--set", bound]).collect();
    stack.deploy_with(&options)?;
    let result = bounded(stack);
    stack.deploy_with(&[])?;
    result?;
    ok(stack.call("greta", "GET /v1/cases", &Value::Null)?).map(drop)
}

fn bounded(stack: &Stack) -> Result<()> {
    for _ in 0..3 {
        ok(stack.call("greta", "GET /v1/cases", &Value::Null)?)?;
    }
    let refused = stack.call("greta", "GET /v1/cases", &Value::Null)?;
    let is_problem = refused.status == 429 && refused.content_type == "application/problem+json";
    ensure!(is_problem && refused.text.contains("at most 1 requests a minute"), "{}", refused.text);
    ok(stack.call("hans", "GET /v1/cases", &Value::Null)?)?;

    let announce = |name: &str| {
        let document = json!({"name": name, "content_type": "text/markdown", "bytes": 12});
        stack.call("inge", "POST /v1/users/me/documents", &document)
    };
    ok(announce("a.md")?)?;
    let full = announce("b.md")?;
    ensure!(full.status == 429 && full.text.contains("at most 1 documents"), "{}", full.text);
    ok(announce("a.md")?).map(drop)
}
