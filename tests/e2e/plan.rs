//! Tests questions with a project: they are recorded, weighed by its profile, and answered together
//! with its decisions.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::project::{ok, project};
use crate::{Test, score};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("every workflow notes the question and shows what was decided", noted),
    ("a profile raises what speaks of it, and says so", weighed),
    ("a plan gathers templates, risks, lessons and precedents with their places", planned),
];

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn noted(stack: &Stack) -> Result<()> {
    let path = project(stack, "ann", &json!({"name": "Noted"}))?;
    let decision = json!({"decision": "Watch certificates with an alarm", "rationale": "Expired certificates went unseen."});
    let decision = ok(stack.call("ann", &format!("POST {path}/decisions"), &decision)?)?;
    let question = "the certificate expired";
    for workflow in ["rcca", "trade", "explore", "custom/safety_analysis", "plan"] {
        let asked = json!({"question": question, "project_id": id(&path)});
        let answer = ok(stack.ask("ann", workflow, &asked)?)?;
        // The workflow plan lists whole decisions under another name.
        let name = if workflow == "plan" { "project_decisions" } else { "decisions" };
        let first = &answer[name][0];
        ensure!(first["decision_id"] == decision["decision_id"], "{workflow}: {}", answer[name]);
        ensure!(answer["meta"]["degraded"] == json!([]), "{}", answer["meta"]);
    }
    let plain = ok(stack.ask("ann", "rcca", &json!({ "question": question }))?)?;
    ensure!(plain.get("decisions").is_none(), "no project, no decisions");
    let queries = ok(stack.call("ann", &format!("GET {path}/queries"), &Value::Null)?)?;
    let queries = queries["queries"].as_array().context("no queries")?;
    let workflows: Vec<&str> =
        queries.iter().filter_map(|query| query["workflow"].as_str()).collect();
    ensure!(workflows == ["plan", "safety_analysis", "explore", "trade", "rcca"], "{workflows:?}");
    let rcca = &queries[4];
    ensure!(rcca["question"] == question && rcca["by"] == "ann", "{rcca}");
    ensure!(
        rcca["results"][0]["passage_id"] == plain["results"][0]["passage"]["passage_id"],
        "{rcca}"
    );
    ensure!(rcca["results"][0]["score"].as_f64().is_some_and(|score| score > 0.0), "{rcca}");
    Ok(())
}

fn weighed(stack: &Stack) -> Result<()> {
    let profile = json!({"name": "Weighed", "standards": ["TLS"], "domain": "certificate", "constraints": ["a"]});
    let path = project(stack, "ann", &profile)?;
    let asked = json!({"question": "the certificate expired", "project_id": id(&path)});
    let answer = ok(stack.ask("ann", "rcca", &asked)?)?;
    let boosted = |answer: &Value| -> Vec<String> {
        let results = answer["results"].as_array().into_iter().flatten();
        let boosts = results
            .flat_map(|result| result["score_parts"]["boosts"].as_array().into_iter().flatten());
        boosts.filter_map(|boost| boost["name"].as_str()).map(str::to_owned).collect()
    };
    let names = boosted(&answer);
    ensure!(names.iter().any(|name| name == "project domain: certificate"), "{names:?}");
    for result in answer["results"].as_array().context("no results")? {
        score::multiplies_out(&result["score_parts"], 3.0)?;
    }
    let plain = ok(stack.ask("ann", "rcca", &json!({"question": "the certificate expired"}))?)?;
    ensure!(boosted(&plain).is_empty());
    Ok(())
}

fn planned(stack: &Stack) -> Result<()> {
    let path = project(stack, "ann", &json!({"name": "Planned"}))?;
    let asked = json!({"question": "We plan to raise the limit of database connections", "project_id": id(&path), "top_k": 3});
    let answer = ok(stack.ask("ann", "plan", &asked)?)?;
    ensure!(answer["result_type"] == "plan_analysis", "{answer}");
    let headings = ["templates", "risks", "lessons_learned", "precedents"];
    let mut seen = 0;
    let weights = 3.0 + score::exact_weight(&answer);
    for heading in headings {
        let items = answer[heading].as_array().context("no list")?;
        ensure!(items.len() <= 3, "{heading}");
        for item in items {
            seen += 1;
            ensure!(item["passage"]["document_id"].is_string() && item["text"].is_string());
            score::multiplies_out(&item["score_parts"], weights)?;
        }
        let gaps = answer["gaps"].as_array().context("no gaps")?;
        let is_gap = gaps.iter().any(|gap| gap["facet"] == heading);
        // A heading without a gap may be empty: its passages are listed where they fit better.
        ensure!(!is_gap || items.is_empty(), "{heading}: {gaps:?}");
    }
    ensure!(seen >= 3, "{answer}");
    ensure!(
        stack.ask("ann", "plan", &json!({"question": "x"}))?.status == 400,
        "a plan has a project"
    );
    Ok(())
}
