//! Tests answers from each knowledge base, and a knowledge base that is defined by a file alone.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack, for_all, root};
use serde_json::{Value, json};

use crate::Test;
use crate::access::{check, json_case};
use crate::case::{accepted, refused, until};
use crate::custom::copied;
use crate::life::folder;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a case is answered to the line, and counted over all records", case),
    ("an answer is given again, read again by its id, and not after its case closed", again),
    ("users with a runbook of the same name are told the steps of their own", user),
    ("the global documents answer everyone, and administrators alone bring them in", global),
    ("a team's documents answer its members by each door, as the file for teams says", team),
    ("a question that is badly put is refused by its field", bad_input),
];

const LOG: &str = "\
2026-11-20T18:09:58Z INFO gateway: listening on port 8080
2026-11-20T18:10:05Z ERROR gateway: E1042 pool db-main exhausted after 30000 ms
2026-11-20T18:10:09Z WARN gateway: retry 1 for order 77
2026-11-20T18:12:40Z ERROR worker: E1042 pool db-main exhausted after 30000 ms
2026-11-20T18:31:00Z ERROR worker: E2001 certificate of mailer expired
";

const TEAM: &str = r#"scope = "team"
style = "procedural"
prompt = "Answer from the team's own sheets."
citation = 'sheet "{title}"'
passage = "Sheet: {title}"
source = "{title}"
sources = 2
cache_hours = 1
lifecycle = "until the team deletes them"

[weights]
dense = 1.0
bm25 = 1.0
document_dense = 0.0
document_bm25 = 0.0
"#;

pub(crate) const RESTART: &str = "How do I restart the intake pump?";

pub(crate) fn runbook(valve: &str, pump: &str) -> String {
    format!(
        "# Pump Restart Runbook\n\n## Meaning\n\nThe intake pump has stopped and its queue of orders grows.\n\n\
         ## Mitigation\n\n1. Close the valve: `valvectl close {valve}`.\n2. Restart the pump: `pumpctl restart {pump}`.\n\n\
         ## Notes\n\nWritten in spring.\n"
    )
}

/// Ingests one document with this token and waits until it is indexed.
pub(crate) fn bring(
    stack: &Stack,
    token: &str,
    knowledge: &str,
    (name, text): (&str, &str),
) -> Result<()> {
    let folder = folder(stack, "brought", &[(name, text.into())])?;
    let arguments = ["ingest", &folder.to_string_lossy(), "--knowledge", knowledge];
    let report = stack.plumbline_as(token, &arguments)?;
    ensure!(report.contains("1 document indexed"), "{report}");
    Ok(())
}

/// Opens a case of `sub` and returns its id.
pub(crate) fn open(stack: &Stack, sub: &str) -> Result<String> {
    let created = ok(stack.call(sub, "POST /v1/cases", &json!({"title": "Pool exhausted"}))?)?;
    Ok(created["case_id"].as_str().context("no id")?.into())
}

/// Opens a case of `sub` with a log and returns its path.
fn evidence(stack: &Stack, sub: &str) -> Result<String> {
    let id = open(stack, sub)?;
    let token = stack.token(&format!("sub={sub}"))?;
    bring(stack, &token, &format!("case:{id}"), ("app.log", LOG))?;
    Ok(format!("/v1/cases/{id}"))
}

pub(crate) fn ask(stack: &Stack, sub: &str, path: &str, body: &Value) -> Result<Reply> {
    let token = stack.token(&format!("sub={sub}"))?;
    stack.call_as(&token, &format!("POST {path}/answer"), &[], &for_all(body))
}

/// Returns the values of this field in all citations.
fn cited<'a>(answer: &'a Value, field: &str) -> Vec<&'a Value> {
    answer["citations"].as_array().into_iter().flatten().map(|citation| &citation[field]).collect()
}

/// Returns the answer without its `meta`.
pub(crate) fn without_meta(answer: &Value) -> Value {
    let mut answer = answer.clone();
    answer["meta"] = Value::Null;
    answer
}

fn case(stack: &Stack) -> Result<()> {
    let path = evidence(stack, "kim")?;
    let asked = |question: &str| ok(ask(stack, "kim", &path, &json!({"question": question}))?);
    let line = asked("What is on line 3 of app.log?")?;
    ensure!(cited(&line, "lines") == [&json!([3, 3])], "{line}");
    ensure!(line["claims"][0]["text"] == LOG.lines().nth(2).unwrap_or_default(), "{line}");
    ensure!(line["read_as"]["where"] == json!({"file": ["app.log"], "line": [3]}), "{line}");
    let count = asked("How many ERROR entries are in app.log?")?;
    ensure!(count["records"]["totals"]["records"] == 3, "{count}");
    ensure!(count["records"]["all_records_read"] == true, "{count}");
    let text = count["answer"].as_str().unwrap_or_default();
    ensure!(text.starts_with("3 records with level ERROR in app.log\n"), "{count}");
    ensure!(cited(&count, "lines").len() == 3, "{count}");
    let between = asked("Which errors were logged between 18:10 and 18:20?")?;
    let displays = ["app.log:2 (18:10:05Z)", "app.log:4 (18:12:40Z)"];
    ensure!(cited(&between, "display") == displays, "{between}");
    for (quote, claim) in LOG.lines().skip(1).step_by(2).zip(0_usize..) {
        ensure!(between["claims"][claim]["text"] == quote, "{between}");
        ensure!(between["citations"][claim]["quote"] == quote, "{between}");
    }
    let clock = json!({"gte": "18:10", "lt": "18:20"});
    let read = json!({"level": {"gte": "ERROR"}, "clock": clock});
    ensure!(between["read_as"]["where"] == read, "{between}");
    let beyond = asked("What is on line 99 of app.log?")?;
    ensure!(
        beyond["abstained"]["reason"] == "no_evidence" && beyond["claims"] == json!([]),
        "{beyond}"
    );
    Ok(())
}

fn again(stack: &Stack) -> Result<()> {
    let path = evidence(stack, "kai")?;
    let asked = json!({"question": "When did the certificate of the mailer expire?"});
    let first = ok(ask(stack, "kai", &path, &asked)?)?;
    ensure!(cited(&first, "display") == ["app.log:5 (18:31:00Z)"], "{first}");
    ensure!(first["meta"]["cache"] == "miss", "{first}");
    let second = ok(ask(stack, "kai", &path, &asked)?)?;
    let meta = &second["meta"];
    ensure!(meta["cache"] == "hit" && without_meta(&second) == without_meta(&first), "{second}");
    let (age, left) = (meta["cache_age_s"].as_u64(), meta["cache_left_s"].as_u64());
    ensure!(age.zip(left).is_some_and(|(age, left)| age + left <= 3_600), "{meta}");
    let route = format!("GET /v1/answers/{}", meta["answer_id"].as_str().context("no id")?);
    let whole = format!("{route}?explain=true&max_bytes=6000000");
    let stored = ok(stack.call("kai", &whole, &Value::Null)?)?;
    let is_same =
        ["answer", "claims", "sources_line"].iter().all(|field| stored[*field] == first[*field]);
    ensure!(stored["meta"]["cache"] == "off" && is_same && stored["now"] == "current", "{stored}");
    refused(&stack.call("eve", &route, &Value::Null)?, 404, "no answer named")?;
    accepted(stack.call("kai", &format!("POST {path}/close"), &Value::Null)?)?;
    refused(&ask(stack, "kai", &path, &asked)?, 409, "is closed")?;
    refused(&ask(stack, "eve", &path, &asked)?, 404, "no case named")?;
    // The stored answer is removed with its case.
    let gone = until(stack, "kai", &route, |reply| reply.status == 404)?;
    refused(&gone, 404, "no answer named")
}

fn user(stack: &Stack) -> Result<()> {
    let people = [("una", "V-17", "north-3"), ("uli", "V-42", "south-9")];
    for (sub, valve, pump) in people {
        let token = stack.token(&format!("sub={sub}"))?;
        bring(stack, &token, "user", ("pump.md", &runbook(valve, pump)))?;
    }
    let asked = json!({ "question": RESTART });
    for ((sub, valve, pump), (_, other, _)) in people.into_iter().zip([people[1], people[0]]) {
        let answer = ok(ask(stack, sub, "/v1/users/me", &asked)?)?;
        let steps = format!(
            "1. Close the valve: `valvectl close {valve}`.\n2. Restart the pump: `pumpctl restart {pump}`."
        );
        ensure!(answer["answer"].as_str().is_some_and(|text| text.contains(&steps)), "{answer}");
        ensure!(!answer.to_string().contains(other), "{answer}");
        let display = json!("\"Pump Restart Runbook\" section 2");
        ensure!(cited(&answer, "display").contains(&&display), "{answer}");
        ensure!(answer["knowledge"] == format!("user:{sub}"), "{answer}");
    }
    let nothing = ok(ask(stack, "ulf", "/v1/users/me", &asked)?)?;
    ensure!(nothing["abstained"]["reason"] == "no_evidence", "{nothing}");
    Ok(())
}

fn global(stack: &Stack) -> Result<()> {
    let text = "---\narticle_id: KB-4711\n---\n# Ladder Safety Guide\n\n## Overview\n\n\
                A ladder is fixed at its top before anybody climbs it above three metres.\n";
    let token = stack.token("sub=gil&groups=platform")?;
    let denied =
        bring(stack, &token, "global", ("ladder.md", text)).map_err(|error| error.to_string());
    ensure!(denied.is_err_and(|error| error.contains("needs the group `knowledge-admins`")));
    let admin = stack.token("sub=gus&groups=knowledge-admins")?;
    bring(stack, &admin, "global", ("ladder.md", text))?;
    let asked = json!({"question": "When is a ladder fixed at its top?"});
    let answer = ok(ask(stack, "gil", "/v1/global", &asked)?)?;
    ensure!(cited(&answer, "display") == ["KB-4711 \"Ladder Safety Guide\", Overview"], "{answer}");
    let line = answer["sources_line"].as_str().unwrap_or_default();
    ensure!(line.starts_with("Sources: KB-4711 Ladder Safety Guide (1 passage, "), "{line}");
    freshness(stack, &admin, (&answer, text))?;
    let wanted = ["passage", "global", "handbook/glossary.md:13", "--around", "1"];
    let shown = stack.plumbline("gil", &wanted)?;
    let at = |text: &str| shown.find(text).with_context(|| format!("no {text}: {shown}"));
    let (before, after) = (at("lines 9 to 11")?, at("lines 27 to 35")?);
    ensure!((before..after).contains(&at("lines 13 to 25")?), "{shown}");
    ensure!(at("The passage after it")? > after, "{shown}");
    stack.plumbline("gus", &["delete", "ladder.md", "--knowledge", "global"])?;
    let id = answer["citations"][0]["passage"]["document_id"].as_str().context("no id")?;
    until(stack, "gus", &format!("GET /v1/global/documents/{id}"), |reply| reply.status == 404)?;
    let after = ok(ask(stack, "gil", "/v1/global", &asked)?)?;
    ensure!(!after.to_string().contains("KB-4711"), "what is deleted is given again: {after}");
    Ok(())
}

/// Checks that an answer, read by its id, states whether its citations are still valid.
fn freshness(stack: &Stack, admin: &str, (answer, text): (&Value, &str)) -> Result<()> {
    let id = answer["meta"]["answer_id"].as_str().context("no id")?;
    let route = format!("GET /v1/answers/{id}");
    let expect = |now: &str, standing: &str| -> Result<()> {
        let again = ok(stack.call("gil", &route, &Value::Null)?)?;
        ensure!(
            again["now"] == now && again["citations"][0]["now"]["standing"] == standing,
            "{again}"
        );
        Ok(())
    };
    expect("current", "as_quoted")?;
    stack.plumbline("gil", &["answer", id, "--check"])?;
    bring(stack, admin, "global", ("ladder.md", &text.replace("three metres", "two metres")))?;
    expect("contradicted", "changed")?;
    let refused =
        stack.plumbline("gil", &["answer", id, "--check"]).map_err(|error| error.to_string());
    ensure!(
        refused.is_err_and(|error| error.contains("the answer is contradicted")),
        "it is not current"
    );
    bring(stack, admin, "global", ("ladder.md", &format!("# Notes\n\nNothing.\n\n{text}")))?;
    expect("current", "moved")
}

fn team(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=tess&groups=turbines")?;
    bring(stack, &token, "team:turbines", ("pump.md", &runbook("V-63", "east-5")))?;
    let asked = json!({ "question": RESTART });
    let ask = |token: &str| {
        let asked = for_all(&asked);
        stack.call_as(token, "POST /v1/teams/turbines/answer", &[], &asked)
    };
    let display = || -> Result<Value> {
        let answer = ok(ask(&token)?)?;
        ensure!(answer["answer"].as_str().is_some_and(|text| text.contains("V-63")), "{answer}");
        ensure!(answer["knowledge"] == "team:turbines", "{answer}");
        let steps = answer["citations"].as_array().and_then(|all| all.last());
        Ok(steps.context("no citation")?["display"].clone())
    };
    ensure!(display()? == "\"Pump Restart Runbook\" section 2");
    let told = stack.plumbline_as(&token, &["ask", "team:turbines", RESTART])?;
    ensure!(told.contains("V-63"), "{told}");
    let stranger = stack.token("sub=tom&groups=fitters")?;
    refused(&ask(&stranger)?, 403, "`turbines`")?;
    // A file defines how it answers, without any code.
    let folder = copied(stack, "knowledge")?;
    std::fs::write(folder.join("team.toml"), TEAM)?;
    stack.deploy("--knowledge", &folder)?;
    let changed = display();
    stack.deploy("--knowledge", &root().join("infra/knowledge"))?;
    ensure!(changed? == "sheet \"Pump Restart Runbook\"");
    Ok(())
}

fn bad_input(stack: &Stack) -> Result<()> {
    let turn = |role: &str, content: &str| json!({"role": role, "content": content});
    let after = |turns: Vec<Value>| json!({"question": "a", "conversation": turns});
    let with = |field: &str, value: Value| json!({"question": "a", field: value});
    let cases = vec![
        json_case(&after(vec![turn("user", "a"); 21]), 422, "conversation"),
        json_case(&after(vec![turn("system", "a")]), 400, "conversation[0].role"),
        json_case(&after(vec![turn("user", " ")]), 422, "conversation[0].content"),
        json_case(&with("conversation", json!("a")), 400, "conversation"),
        json_case(&with("colour", json!("red")), 400, "colour"),
        json_case(&with("knowledge", json!(["global"])), 400, "knowledge"),
        json_case(&with("top_k", json!(51)), 422, "top_k"),
        json_case(&with("top_k", json!(0)), 422, "top_k"),
        json_case(&with("mode", json!("high")), 400, "mode"),
        json_case(&with("filters", json!({"colour": "red"})), 422, "filters.colour"),
        json_case(&json!({"question": " "}), 422, "question"),
        json_case(&json!({"question": "a".repeat(2_001)}), 422, "question"),
        json_case(&json!({}), 400, "body"),
    ];
    check(stack, "/v1/global/answer", cases)
}
