//! Tests replies within a budget of bytes, over HTTP and for assistants.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a reply has at most the bytes that are asked for, and says what it leaves out", over_http),
    ("an assistant gets 4,000 bytes of each form of a reply, and each suffices", over_mcp),
    ("a reply that was cut is read whole by its id, by its caller alone", kept),
    ("a budget that is none is refused with the reason", refused),
];

/// Returns each workflow, by its route and its tool, with a question of the demo corpus.
fn questions() -> [(&'static str, &'static str, Value); 5] {
    [
        (
            "POST /v1/rcca",
            "find_past_failures",
            json!({"question": "Checkout requests time out and the database refuses new connections.", "top_k": 10}),
        ),
        (
            "POST /v1/trade",
            "compare_options",
            json!({"question": "Halyard or Tidewire for order events?", "alternatives": ["Halyard", "Tidewire"]}),
        ),
        (
            "POST /v1/explore",
            "explore_topic",
            json!({"question": "retry and backoff", "top_k": 10}),
        ),
        (
            "POST /v1/search",
            "search_sources",
            json!({"question": "retry and backoff", "top_k": 20}),
        ),
        (
            "POST /v1/global/answer",
            "answer_question",
            json!({"question": "What do I do when the vibration alarm of a pump goes off?"}),
        ),
    ]
}

fn over_http(stack: &Stack) -> Result<()> {
    for (route, _, question) in questions() {
        let whole = asked(stack, route, &question, 6_000_000)?;
        ensure!(whole.body.get("left_out").is_none(), "{route}: {}", whole.text);
        ensure!(!whole.text.contains("score_parts"), "{route}: {}", whole.text);
        let usual = stack.call("bea", route, &question)?;
        ensure!(usual.status == 200 && usual.text.len() <= 30_000, "{route}: {}", usual.text.len());
        for most in [500, 2_000, 5_000] {
            let reply = asked(stack, route, &question, most)?;
            ensure!(reply.text.len() <= most, "{route}: {} of {most}", reply.text.len());
            let is_whole = whole.text.len() <= most;
            ensure!(
                is_whole || reply.body["left_out"]["how"].is_string(),
                "{route}: {}",
                reply.text
            );
        }
    }
    let answer = asked(stack, "POST /v1/global/answer", &questions()[4].2, 1_500)?;
    let id = answer.body["meta"]["answer_id"].as_str().context("no id")?;
    let rest = format!("GET /v1/answers/{id}?max_bytes=6000000");
    let rest = stack.call("bea", &rest, &Value::Null)?;
    ensure!(rest.body.get("left_out").is_none(), "{}", rest.text);
    let count = |reply: &Reply| reply.body["claims"].as_array().map_or(0, Vec::len);
    ensure!(count(&rest) > count(&answer), "{}", answer.text);
    Ok(())
}

/// Checks that the whole reply, after it was cut, can be read by its id: by the caller that it was
/// made for, and by nobody else.
fn kept(stack: &Stack) -> Result<()> {
    let (route, _, question) = &questions()[0];
    let cut = asked(stack, route, question, 1_500)?;
    let id = cut.body["meta"]["answer_id"].as_str().with_context(|| cut.text.clone())?;
    let path = format!("GET /v1/answers/{id}?max_bytes=6000000");
    let whole = stack.call("bea", &path, &Value::Null)?;
    let direct = asked(stack, route, question, 6_000_000)?;
    ensure!(whole.body["results"] == direct.body["results"], "{}", whole.text);
    ensure!(whole.body.get("left_out").is_none(), "{}", whole.text);
    ensure!(stack.call("ann", &path, &Value::Null)?.status == 404, "ann reads bea's");
    Ok(())
}

fn asked(stack: &Stack, route: &str, question: &Value, max_bytes: usize) -> Result<Reply> {
    let mut body = question.clone();
    body["max_bytes"] = json!(max_bytes);
    let reply = stack.call("bea", route, &body)?;
    ensure!(reply.status == 200, "{route}: {}", reply.text);
    Ok(reply)
}

fn over_mcp(stack: &Stack) -> Result<()> {
    for (_, tool, question) in questions() {
        let result = called(stack, tool, &question)?;
        let text = result["content"][0]["text"].as_str().context("no text")?;
        let structured = result["structuredContent"].to_string();
        ensure!(result["isError"] != true, "{tool}: {text}");
        ensure!(
            text.len() <= 4_000 && structured.len() <= 4_000,
            "{tool}: {} {}",
            text.len(),
            structured.len()
        );
        // Both name the same first document, with its lines.
        let name = structured.split("\"file\":\"").nth(1).and_then(|rest| rest.split('"').next());
        let name = name.with_context(|| format!("{tool}: {structured}"))?;
        ensure!(text.contains(&format!("{name}:")), "{tool}: {name} in {text}");
    }
    let both =
        json!({"question": "What should a retry policy say?", "knowledge": ["user", "global"]});
    let result = called(stack, "answer_question", &both)?;
    let replies = &result["structuredContent"]["replies"];
    let id = |place: usize| replies[place]["meta"]["answer_id"].as_str();
    ensure!(replies[0]["knowledge"] == "global", "what answers comes first: {replies}");
    ensure!(id(0).is_some() && id(0) != id(1), "each answer is kept under its own id: {replies}");
    let few = json!({"question": "retry and backoff", "max_bytes": 700});
    let result = called(stack, "explore_topic", &few)?;
    let text = result["content"][0]["text"].as_str().context("no text")?;
    ensure!(text.len() <= 700 && result["structuredContent"].to_string().len() <= 700, "{result}");
    let passage = json!({"knowledge": "global", "file": "no/such/file.md", "line": 3});
    let missing = called(stack, "read_passage", &passage)?;
    ensure!(
        missing["isError"] == true && missing.to_string().contains("no/such/file.md"),
        "{missing}"
    );
    Ok(())
}

fn called(stack: &Stack, tool: &str, arguments: &Value) -> Result<Value> {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments},
    });
    let token = stack.token("sub=bea")?;
    let reply = stack.send("POST", "/mcp", Some(&token), call.to_string().as_bytes())?;
    ensure!(reply.status == 200 && reply.body["result"].is_object(), "{}", reply.text);
    Ok(reply.body["result"].clone())
}

fn refused(stack: &Stack) -> Result<()> {
    for wrong in
        [json!(0), json!(1), json!(499), json!(10_000_000_000_u64), json!("all"), json!(1.5)]
    {
        let body = json!({"question": "why?", "max_bytes": wrong});
        for route in ["POST /v1/rcca", "POST /v1/global/answer"] {
            let reply = stack.call("bea", route, &body)?;
            ensure!(matches!(reply.status, 400 | 422), "{wrong}: {}", reply.text);
            ensure!(reply.text.contains("max_bytes"), "{wrong}: {}", reply.text);
        }
    }
    Ok(())
}
