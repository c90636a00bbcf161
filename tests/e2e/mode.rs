//! Tests answers of mode `generative`: the text of the model is checked, and a missing model is
//! reported.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;
use crate::knowledge::{RESTART, ask, bring, runbook, without_meta};
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("of what a model writes what stands in the documents is kept", written),
    ("a model that is busy or slow leaves the documents' own words", degraded),
    (
        "a question that comes alone gets queries from the model, once, and what is found a grade",
        queried,
    ),
    ("a model confirms where documents disagree", confirmed),
    ("a model chooses the sources of a search", routed),
    ("a model says which option a statement is about", assigned),
    ("a model is tried by administrators, and its trial is told", tried),
    (
        "a model reads a question over records, and what it cannot rules count only where sure",
        recorded,
    ),
];

/// Returns a script's action in which the model fills in a form.
pub(crate) fn form(tool: &str, input: &Value) -> Value {
    let form = json!({"toolUseId": "tooluse_test", "name": tool, "input": input});
    let message = json!({"role": "assistant", "content": [{"toolUse": form}]});
    let usage = json!({"inputTokens": 9, "outputTokens": 5, "totalTokens": 14});
    json!({"body": {"output": {"message": message}, "stopReason": "tool_use", "usage": usage, "metrics": {"latencyMs": 1}}})
}

fn written(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=wim")?;
    bring(stack, &token, "user", ("pump.md", &runbook("V-17", "north-3")))?;
    let asked = json!({"question": RESTART, "mode": "generative"});
    let first = ok(ask(stack, "wim", "/v1/users/me", &asked)?)?;
    let all = first["claims"].as_array().context("no claims")?.len();
    let whole = json!({"claims": all, "supported": all, "dropped": 0, "removed": 0});
    ensure!(all > 0 && first["support"] == whole, "{first}");
    let meta = &first["meta"];
    ensure!(meta["mode"] == "generative" && meta["degraded"] == json!([]), "{meta}");
    // Passages are graded only if the first one does not lead clearly, which depends on all indexed
    // documents.
    let by_model = meta["by_model"].as_array().context("no parts")?;
    let others = by_model.iter().filter(|part| *part != "grade");
    ensure!(others.eq(&[json!("queries"), json!("write"), json!("check")]), "{meta}");
    ensure!(meta["tokens"]["model_out"].as_u64().is_some_and(|tokens| tokens > 0), "{meta}");
    let queries = form("queries", &json!({"queries": ["restart procedure of a pump"]}));
    let claims = json!([
        {"text": "Close the valve V-17 first.", "citations": ["p1", "p2"]},
        {"text": "That takes 45 minutes.", "citations": ["p1", "p2"]},
        {"text": "Close the valve.", "citations": ["p77"]},
    ]);
    let claims = form("answer", &json!({ "claims": claims }));
    stack.script(&json!({"converse": [queries, claims]}))?;
    let asked = json!({"question": "What do I do to restart the pump?", "mode": "generative"});
    let answer = ask(stack, "wim", "/v1/users/me", &asked);
    stack.script(&Value::Null)?;
    let answer = ok(answer?)?;
    let support = json!({"claims": 3, "supported": 1, "dropped": 2, "removed": 1});
    ensure!(answer["support"] == support, "{answer}");
    ensure!(answer["claims"].as_array().is_some_and(|claims| claims.len() == 1), "{answer}");
    ensure!(answer["claims"][0]["text"] == "Close the valve V-17 first.", "{answer}");
    ensure!(!answer.to_string().contains("45 minutes"), "{answer}");
    ensure!(answer["queries_written"] == json!(["restart procedure of a pump"]), "{answer}");
    Ok(())
}

fn recorded(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=wes")?;
    let log = "2026-11-20T18:10:05Z ERROR pool exhausted\n2026-11-20T18:12:40Z WARN pool slow\n";
    bring(stack, &token, "user", ("pool.log", log))?;
    let ask = |question: &str| {
        ok(stack.call("wes", "POST /v1/users/me/records", &json!({ "question": question }))?)
    };
    let (sure, unsure) = ("How many errors were there?", "How often did it run dry?");
    stack.deploy_with(&["--set", "AnswerMode=generative"])?;
    let query = json!({"where": {"text": "exhausted"}, "select": "count"});
    let read = json!({"is_of_records": true, "queries": [query], "unread": []});
    stack.script(&json!({"converse": [form("query", &read)]}))?;
    let by_model = ask(unsure);
    stack.script(&json!({"converse": [{"status": 400, "type": "ValidationException", "message": "no", "times": 9}]}))?;
    let (by_rules, not_read) = (ask(sure), ask(unsure));
    stack.script(&Value::Null)?;
    stack.deploy_with(&[])?;
    let (by_model, by_rules, not_read) = (by_model?, by_rules?, not_read?);
    ensure!(by_model["query"] == query && by_model["totals"]["records"] == 1, "{by_model}");
    ensure!(by_model["meta"]["by_model"] == json!(["queries"]), "{by_model}");
    ensure!(by_rules["totals"]["records"] == 1, "{by_rules}");
    let hint = |reply: &Value| reply["hint"].as_str().unwrap_or_default().to_owned();
    ensure!(hint(&by_rules).ends_with("so rules read the question"), "{by_rules}");
    ensure!(not_read["totals"]["records"] == 0 && not_read["rows"] == json!([]), "{not_read}");
    ensure!(not_read["columns"].to_string().contains("level"), "{not_read}");
    ensure!(hint(&not_read).contains("send a query over these columns"), "{not_read}");
    ensure!(hint(&ask(unsure)?).starts_with("nothing was counted"), "without a model");
    Ok(())
}

fn degraded(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=wes")?;
    bring(stack, &token, "user", ("pump.md", &runbook("V-17", "north-3")))?;
    let asked = json!({"question": RESTART, "mode": "generative"});
    let extractive = json!({"question": RESTART, "mode": "extractive"});
    let busy = json!([{"status": 429, "type": "ThrottlingException", "message": "slow down", "times": 50}]);
    let slow = json!([{"delay_ms": 9_000, "times": 50}]);
    for script in [busy, slow] {
        stack.script(&json!({ "converse": script }))?;
        let (plain, answer) = (
            ask(stack, "wes", "/v1/users/me", &extractive),
            ask(stack, "wes", "/v1/users/me", &asked),
        );
        stack.script(&Value::Null)?;
        let (plain, answer) = (ok(plain?)?, ok(answer?)?);
        ensure!(plain["meta"]["degraded"] == json!([]), "a model was asked: {plain}");
        ensure!(without_meta(&answer) == without_meta(&plain), "{answer}");
        let missing =
            |part: &str| json!({"part": part, "reason": "the language model did not answer"});
        let degraded = json!([missing("language model"), missing("queries_written")]);
        ensure!(
            answer["meta"]["degraded"] == degraded && answer["meta"]["cache"] == "miss",
            "{answer}"
        );
    }
    let whole = ok(ask(stack, "wes", "/v1/users/me", &asked)?)?;
    ensure!(whole["meta"]["cache"] == "miss", "what was less is given again: {whole}");
    Ok(())
}

fn queried(stack: &Stack) -> Result<()> {
    let ask = |mode: &str| {
        let question = "Every morning the first orders hang for a while. Why?";
        stack.ask("ann", "rcca", &json!({"question": question, "mode": mode, "top_k": 3}))
    };
    let queries =
        json!(["connection pool exhausted", "The pool had no free connection after the restart."]);
    let grades = form("grades", &json!({"p2": 3}));
    let searches = form("queries", &json!({"queries": queries}));
    stack.script(&json!({"converse": [searches, grades, grades]}))?;
    let (first, second) = (ask("generative"), ask("generative"));
    stack.script(&json!({"converse": [{"status": 500, "type": "InternalServerException", "message": "no", "times": 9}]}))?;
    let (ungraded, extractive) = (ask("generative"), ask("extractive"));
    stack.script(&Value::Null)?;
    let (first, second, extractive) = (ok(first?)?, ok(second?)?, ok(extractive?)?);
    let ungraded = ok(ungraded?)?;
    let part = json!([{"part": "rerank", "reason": "the language model did not answer"}]);
    ensure!(ungraded["meta"]["degraded"] == part, "{ungraded}");
    ensure!(ungraded["queries_written"] == queries, "they are kept: {ungraded}");
    ensure!(
        first["queries_written"] == queries && second["queries_written"] == queries,
        "{second}"
    );
    ensure!(first["meta"]["tokens"] == json!({"embed": null, "model_in": 18, "model_out": 10}));
    ensure!(second["meta"]["degraded"] == json!([]) && second["results"] == first["results"]);
    let of_queries = |answer: &Value| {
        let rankings = answer["results"][0]["score_parts"]["rankings"].as_array();
        rankings.is_some_and(|rankings| rankings.iter().any(|ranking| ranking["query"].is_u64()))
    };
    let rankings =
        first["results"][0]["score_parts"]["rankings"].as_array().context("no rankings")?;
    let by_model = rankings.iter().find(|ranking| ranking["retriever"] == "rerank");
    ensure!(by_model.is_some_and(|ranking| ranking["score"] == 1.0), "p2 comes first: {first}");
    ensure!(second["results"] != ungraded["results"], "{ungraded}");
    let mut near = rankings
        .iter()
        .filter(|ranking| ranking["query"].is_u64() && !ranking["z_score"].is_null());
    ensure!(near.next().is_none(), "nearness to what a model wrote is told: {first}");
    ensure!(
        of_queries(&first) && !of_queries(&extractive),
        "the parts say which query found what: {first}"
    );
    ensure!(
        extractive.get("queries_written").is_none()
            && extractive["meta"]["models"].as_array().is_some_and(|models| models.len() == 1)
    );
    Ok(())
}

fn confirmed(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=una")?;
    let guide = "# Backups\n\nA snapshot of the billing database is taken every six hours.\n";
    let notes = "# Recovery\n\nThe billing database is snapshotted twice a day, so the newest may be 12 h old.\n";
    for (name, text) in [("backups.md", guide), ("recovery.md", notes)] {
        bring(stack, &token, "user", (name, text))?;
    }
    let event = stack.state.join("una.json");
    std::fs::write(&event, json!({"knowledge": "user:una"}).to_string())?;
    let look = || -> Result<Value> {
        stack.invoke("conflicts", &event.to_string_lossy())?;
        ok(stack.call("una", "GET /v1/conflicts?knowledge=user", &Value::Null)?)
    };
    let by_rules = look()?;
    ensure!(by_rules["conflicts"] == json!([]) && by_rules["confirmed_by"].is_null());
    stack.deploy_with(&["--set", "ConflictModel=amazon.nova-lite-v1:0"])?;
    let grades = json!({"q1": 1});
    stack.script(&json!({"converse": [form("grades", &grades)]}))?;
    let found = look();
    stack.script(&Value::Null)?;
    let again = look();
    stack.deploy_with(&["--set", "ConflictModel="])?;
    let (found, again) = (found?, again?);
    ensure!(found["confirmed_by"] == "amazon.nova-lite-v1:0", "{found}");
    let sides = found["conflicts"][0]["sides"].as_array().context("no conflict")?;
    ensure!(sides.len() == 2 && found["conflicts"][0]["kind"] == "quantity", "{found}");
    ensure!(again["conflicts"] == json!([]), "the model found none: {again}");
    Ok(())
}

fn routed(stack: &Stack) -> Result<()> {
    // Each number of results has its own cached answer, so none of these answers comes from the
    // cache.
    let ask = |mode: &str, top_k: u32| {
        let question = "Which timeout did the gateway have on the day of the outage?";
        stack.ask("ann", "search", &json!({"question": question, "mode": mode, "top_k": top_k}))
    };
    let queries = ["gateway upstream timeout configuration"];
    let chosen = json!({"queries": queries, "intent": "configure", "sources": ["runtime", "docs"]});
    stack.script(&json!({"converse": [form("queries", &chosen)]}))?;
    let answers = (ask("generative", 5), ask("generative", 6), ask("extractive", 5));
    stack.script(&Value::Null)?;
    let (first, again, by_rules) = (ok(answers.0?)?, ok(answers.1?)?, ok(answers.2?)?);
    let routing = &first["routing"];
    let reason = "A language model read the question as one to configure, for runtime, docs.";
    ensure!(routing["reason"] == reason && routing["intent"] == "configure", "{routing}");
    let asked = routing["sources"].as_array().context("no sources")?.iter();
    let asked = asked.filter(|source| source["asked"] == "first").map(|source| &source["name"]);
    ensure!(asked.eq(["runtime", "docs"]), "{routing}");
    ensure!(again["routing"]["reason"] == reason, "the model is asked once: {again}");
    ensure!(again["meta"]["cache"] == "miss", "{again}");
    let reason = by_rules["routing"]["reason"].as_str().context("no reason")?;
    ensure!(!reason.contains("language model"), "{by_rules}");
    Ok(())
}

fn assigned(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=uma")?;
    let notes = "# Brokers\n\nTidewire and Halyard were tried. The first restarts in 2 s.\n\nThe other one loses messages.\n";
    bring(stack, &token, "user", ("brokers.md", notes))?;
    let ask = || {
        let request = json!({
            "question": "Which of the brokers?", "alternatives": ["Tidewire", "Halyard"], "criteria": ["restart"],
            "queries": ["broker restart"], "knowledge": ["user"], "mode": "generative",
        });
        stack.ask("uma", "trade", &request)
    };
    let listed =
        |option: &str, statement: &str| json!({"option": option, "statements": [statement]});
    let options = json!({"options": [listed("o1", "s2"), listed("o2", "s3")]});
    stack.script(&json!({"converse": [form("statements", &options)]}))?;
    let (scripted, by_name) = (ask(), {
        stack.script(&Value::Null)?;
        ask()
    });
    let (scripted, by_name) = (ok(scripted?)?, ok(by_name?)?);
    let evidence = |answer: &Value, place: usize| -> Vec<Value> {
        let pieces = answer["alternatives"][place]["criteria"].as_array().into_iter().flatten();
        pieces.map(|piece| piece["evidence"].clone()).collect()
    };
    ensure!(scripted["meta"]["degraded"] == json!([]), "{scripted}");
    ensure!(evidence(&scripted, 0) == ["The first restarts in 2 s."], "{scripted}");
    ensure!(evidence(&scripted, 1) == ["The other one loses messages."], "{scripted}");
    ensure!(evidence(&by_name, 1) == ["Tidewire and Halyard were tried."], "{by_name}");
    Ok(())
}

fn tried(stack: &Stack) -> Result<()> {
    let stranger = stack.token("sub=ann")?;
    let begun = stack.send("POST", "/v1/health/trial", Some(&stranger), b"{}")?;
    ensure!(begun.status == 403, "{}", begun.text);
    // The emulator follows every form, but gives each passage and each claim the same grade.
    let told = stack.plumbline("ann", &["doctor", "--model"])?;
    let graded = "- grading       by rules: 0 of 20 right, rules 10; 20 of 20 forms kept";
    ensure!(told.contains(graded) && told.contains("untried (ModelTrial)"), "{told}");
    let parts = told.lines().filter(|line| line.contains(" by rules: ")).count();
    ensure!(parts == 6, "{told}");
    Ok(())
}
