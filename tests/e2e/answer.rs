//! Tests the rcca answer on the demo corpus.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Stack, root};
use serde_json::{Value, json};

use crate::project::ok;
use crate::{Test, found, score};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("known questions find their report first and quote it in the right field", known_questions),
    ("an answer has the contract's form, whole scores and verbatim passages", form),
    ("failures with one cause share it", shared_causes),
    ("filters hold in every result", filters),
    ("the command line prints causes before failures", printed),
    ("queries of the caller find what the question does not say", queries),
];

fn known_questions(stack: &Stack) -> Result<()> {
    let file = root().join("tests/eval/demo.jsonl");
    let (mut first, mut asked, mut held, mut quotes) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(file)?.lines() {
        let known: Value = serde_json::from_str(line)?;
        let reply = stack.rcca("ann", &json!({"question": known["question"], "top_k": 5}))?;
        ensure!(reply.status == 200, "{}", reply.body);
        let results = reply.body["results"].as_array().context("no results")?;
        asked += 1;
        first += usize::from(
            results.first().is_some_and(|result| result["passage"]["file"] == known["document"]),
        );
        let Some(result) =
            results.iter().find(|result| result["passage"]["file"] == known["document"])
        else {
            continue;
        };
        let metadata = &result["report"];
        for (field, quote) in
            [("symptoms", "symptom"), ("root_cause", "root_cause"), ("resolution", "resolution")]
        {
            quotes += 1;
            let quote = known[quote].as_str().context("no quote")?;
            held += usize::from(holds(&metadata[field], quote));
        }
    }
    ensure!(first * 10 >= asked * 8, "{first} of {asked} reports come first");
    ensure!(held * 10 >= quotes * 7, "{held} of {quotes} quotes stand in their field");
    Ok(())
}

/// Returns true if a passage of the field contains the quote.
fn holds(field: &Value, quote: &str) -> bool {
    let holds = |passage: &Value| {
        passage["text"].as_str().is_some_and(|text| text.contains(quote) || quote.contains(text))
    };
    field.as_array().map_or_else(|| holds(field), |passages| passages.iter().any(holds))
}

fn form(stack: &Stack) -> Result<()> {
    let reply = stack
        .rcca("ann", &json!({"question": "bearing vibration after pump overhaul", "top_k": 3, "filters": {"document_type": "postmortem"}}))?;
    let body = &reply.body;
    ensure!(reply.status == 200 && reply.content_type.starts_with("application/json"), "{body}");
    ensure!(body["result_type"] == "rcca_analysis" && body["total_results"] == 3, "{body}");
    for part in ["request_id", "models", "timings_ms", "cache", "degraded"] {
        ensure!(!body["meta"][part].is_null(), "meta has no {part}");
    }
    let results = body["results"].as_array().context("no results")?;
    let scores: Vec<f64> = results.iter().filter_map(|result| result["score"].as_f64()).collect();
    ensure!(
        scores.len() == 3 && scores.is_sorted_by(|a, b| a >= b) && scores[0] <= 1.0,
        "{scores:?}"
    );
    let mut told = 0;
    for result in results {
        let most = 0.7 + 0.3 + 1.0 + 0.5 + 0.5;
        score::multiplies_out(&result["score_parts"], most)?;
        let symptoms = result["report"]["symptoms"].as_array().map_or(&[][..], Vec::as_slice);
        ensure!(symptoms.is_empty() || result.get("text").is_none(), "its fields say it: {result}");
        for symptom in symptoms {
            let file = result["passage"]["file"].as_str().context("no file")?;
            let line = &symptom["line"];
            let route = format!("GET /v1/global/passages?file={file}&line={line}");
            let passage = ok(stack.call("ann", &route, &Value::Null)?)?;
            let quote = symptom["text"].as_str().context("no text")?;
            let is_verbatim = passage["text"].as_str().is_some_and(|text| text.contains(quote));
            ensure!(is_verbatim, "{symptom} is not verbatim");
            told += 1;
        }
    }
    ensure!(told > 0, "no report tells a symptom: {body}");
    Ok(())
}

fn shared_causes(stack: &Stack) -> Result<()> {
    let question = "certificate expired and clients could not connect";
    let reply = stack
        .rcca("ann", &json!({"question": question, "filters": {"document_type": "postmortem"}}))?;
    let causes = reply.body["causes"].as_array().context("no causes")?;
    let shared = causes.first().context("no cause")?;
    let results = shared["results"].as_array().context("no results")?;
    let names: Vec<&str> = reply.body["results"]
        .as_array()
        .context("no results")?
        .iter()
        .filter(|result| results.contains(&result["passage"]))
        .filter_map(|result| result["passage"]["file"].as_str())
        .collect();
    ensure!(names.len() >= 2 && shared["support"] == names.len(), "{shared}");
    ensure!(names.contains(&"postmortems/turbine-telemetry-certificate.md"), "{names:?}");
    ensure!(names.contains(&"postmortems/badge-readers-expired-certificate.md"), "{names:?}");
    Ok(())
}

fn filters(stack: &Stack) -> Result<()> {
    let ask = |filters: Value| {
        stack.rcca("ann", &json!({"question": "connection timeout", "filters": filters}))
    };
    let runbooks = ask(json!({"document_type": ["runbook"]}))?;
    let results = found(&runbooks.body);
    ensure!(
        !results.is_empty()
            && results.iter().all(|result| result["passage"]["document_type"] == "runbook"),
        "{}",
        runbooks.body
    );
    let errors = ask(
        json!({"code": "E1042", "severity": "error", "time": {"gte": "2020-01-01T00:00:00Z"}}),
    )?;
    let results = found(&errors.body);
    ensure!(
        !results.is_empty()
            && results.iter().all(|result| result["passage"]["file"] == "logs/checkout-api.log"),
        "{}",
        errors.body
    );
    ensure!(found(&ask(json!({"tags": "no-such-tag"}))?.body).is_empty());
    Ok(())
}

fn printed(stack: &Stack) -> Result<()> {
    let text = stack.plumbline(
        "ann",
        &["ask", "rcca", "Nobody could log in because tokens were rejected as not yet valid"],
    )?;
    let (causes, failures) =
        (text.find("Causes").context("no causes")?, text.find("\n[1] ").context("no failures")?);
    ensure!(
        causes < failures && text.contains("postmortems/clock-skew-rejected-tokens.md"),
        "{text}"
    );
    ensure!(!text.contains('\u{1b}'), "colors outside a terminal");
    let json: Value = serde_json::from_str(
        &stack.plumbline("ann", &["ask", "rcca", "--json", "tokens rejected"])?,
    )?;
    ensure!(json["result_type"] == "rcca_analysis");
    let unknown = "Why does Keycloak loop after the login?";
    let json: Value =
        serde_json::from_str(&stack.plumbline("ann", &["ask", "rcca", "--json", unknown])?)?;
    let nearest = json["abstained"]["nearest"].as_array().context("it abstains from nothing")?;
    ensure!(nearest.first() == Some(&json["passages"][0]["number"]), "{json}");
    Ok(())
}

/// Checks that a report given as an example finds similar ones but not itself, and that unknown
/// examples are refused.
fn examples(stack: &Stack, held: &Value) -> Result<()> {
    let id = held["passage"]["document_id"].as_str().context("no id")?;
    let asked = json!({"question": "What failed like this?", "like": [id]});
    let answer = stack.rcca("ann", &asked)?.body;
    let results = answer["results"].as_array().context("no results")?;
    ensure!(
        !results.is_empty() && results.iter().all(|result| result["passage"]["document_id"] != id),
        "{answer}"
    );
    let printed =
        stack.plumbline("ann", &["ask", "rcca", "What failed like this?", "--like", id])?;
    let title = results[0]["passage"]["title"].as_str().context("no title")?;
    ensure!(printed.contains(title), "{printed}");
    let unknown =
        json!({"question": "What failed?", "like": ["00000000-0000-0000-0000-000000000000"]});
    let refused = stack.rcca("ann", &unknown)?;
    ensure!(
        refused.status == 422 && refused.text.contains("like[0]"),
        "{} {}",
        refused.status,
        refused.text
    );
    Ok(())
}

fn queries(stack: &Stack) -> Result<()> {
    let question = "A setting was wrong after the update.";
    let texts =
        ["infusion pump drug library limit", "The limit was stored in another unit than the dose."];
    let name = |body: &Value| body["results"][0]["passage"]["file"].clone();
    let report = "postmortems/vela4-drug-library-units.md";
    let alone = stack.rcca("ann", &json!({"question": question}))?.body;
    ensure!(name(&alone) != report, "the question alone finds it: {alone}");
    let asked = json!({"question": question, "queries": texts});
    let answer = stack.rcca("ann", &asked)?.body;
    ensure!(name(&answer) == report, "{answer}");
    let rankings =
        answer["results"][0]["score_parts"]["rankings"].as_array().context("no rankings")?;
    let by = |query: Value| {
        rankings.iter().any(|ranking| {
            ranking["probe"] == 0 && ranking["query"] == query && ranking["rank"].is_number()
        })
    };
    ensure!(by(json!(0)) && by(json!(1)) && !by(json!(2)), "{answer}");
    let stated = ["--query", texts[0], "--query", texts[1]];
    let printed = stack.plumbline("ann", &[&["ask", "rcca", question][..], &stated].concat())?;
    ensure!(printed.contains("vela4-drug-library-units.md"), "{printed}");
    for workflow in ["trade", "explore"] {
        let answer = stack.ask("ann", workflow, &asked)?;
        ensure!(answer.status == 200, "{workflow}: {}", answer.text);
    }
    examples(stack, &answer["results"][0])?;
    let bad = stack.rcca("ann", &json!({"question": question, "queries": ["a", " "]}))?;
    ensure!(
        bad.status / 100 == 4 && bad.text.contains("queries[1]"),
        "{} {}",
        bad.status,
        bad.text
    );
    let many = stack.rcca("ann", &json!({"question": question, "queries": vec!["a"; 9]}))?;
    ensure!(many.status / 100 == 4, "{}", many.text);
    Ok(())
}
