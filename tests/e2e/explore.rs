//! Tests `POST /v1/explore` over the demo corpus.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Stack, root};
use serde_json::{Value, json};

use crate::{Test, score};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("facets have the passages that serve them", known_passages),
    ("a facet of the caller's own works and a gap is said", own_facets),
    ("filters hold in every facet", filters),
    ("a bad facet is refused by its place", refused),
    ("the command line prints facets and what is not covered", printed),
];

fn known_passages(stack: &Stack) -> Result<()> {
    let text = std::fs::read_to_string(root().join("tests/eval/explore.jsonl"))?;
    let (mut quotes, mut held) = (0, 0);
    for line in text.lines() {
        let known: Value = serde_json::from_str(line)?;
        let reply = stack.ask("ann", "explore", &json!({"question": known["question"]}))?;
        let body = &reply.body;
        ensure!(reply.status == 200 && body["result_type"] == "exploratory", "{body}");
        check_form(body)?;
        for (facet, wanted) in known["facets"].as_object().context("no facets")? {
            for wanted in wanted.as_array().context("no quotes")? {
                quotes += 1;
                held += usize::from(has(body, facet, wanted));
            }
        }
    }
    ensure!(held * 10 >= quotes * 7, "{held} of {quotes} quotes are under their facet");
    Ok(())
}

fn facets(body: &Value) -> &[Value] {
    body["facets"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn results(facet: &Value) -> &[Value] {
    facet["results"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns true if a passage with the quote is listed under the facet, or elsewhere with the
/// facet's tag.
fn has(body: &Value, facet: &str, wanted: &Value) -> bool {
    let is_tagged = |listed: &Value, result: &Value| {
        listed["facet"] == facet
            || result["also_in"]
                .as_array()
                .is_some_and(|also| also.iter().any(|name| name == facet))
    };
    let quote = wanted["quote"].as_str().unwrap_or_default();
    facets(body).iter().any(|listed| {
        results(listed).iter().any(|result| {
            is_tagged(listed, result)
                && result["passage"]["file"] == wanted["doc"]
                && result["text"].as_str().is_some_and(|content| content.contains(quote))
        })
    })
}

fn check_form(body: &Value) -> Result<()> {
    let mut seen = HashSet::new();
    ensure!(body["total_facets"] == 4, "{body}");
    let weights = 2.4 + 0.9 + score::exact_weight(body);
    for facet in facets(body) {
        ensure!(results(facet).len() <= 3, "{facet}");
        let covers = facet["coverage"]["passages"].as_u64().context("no coverage")?;
        let is_gap = body["gaps"]
            .as_array()
            .context("no gaps")?
            .iter()
            .any(|gap| gap["facet"] == facet["facet"]);
        ensure!(is_gap == (covers == 0), "{facet}");
        for result in results(facet) {
            let id = result["passage"]["passage_id"].as_str().context("no id")?;
            ensure!(seen.insert(id.to_owned()), "{id} is listed twice");
            score::multiplies_out(&result["score_parts"], weights)?;
        }
    }
    Ok(())
}

fn own_facets(stack: &Stack) -> Result<()> {
    let wanted =
        json!(["definitions", {"name": "time limits", "probe": "timeout seconds"}, "quokkas"]);
    let reply =
        stack.ask("ann", "explore", &json!({"question": "retry and backoff", "facets": wanted}))?;
    let body = &reply.body;
    let names: Vec<&str> =
        facets(body).iter().filter_map(|facet| facet["facet"].as_str()).collect();
    ensure!(names == ["definitions", "time limits", "quokkas"], "{names:?}");
    ensure!(!results(&facets(body)[1]).is_empty(), "{}", facets(body)[1]);
    let gaps = body["gaps"].as_array().context("no gaps")?;
    ensure!(gaps.iter().any(|gap| gap["facet"] == "quokkas"), "{gaps:?}");
    let nothing = stack.ask("ann", "explore", &json!({"question": "zymurgy of quokkas"}))?;
    ensure!(
        nothing.body["gaps"].as_array().is_some_and(|gaps| gaps.len() == 4),
        "{}",
        nothing.body
    );
    Ok(())
}

fn filters(stack: &Stack) -> Result<()> {
    let asked = json!({"question": "retry and backoff", "filters": {"document_type": "standard"}});
    let reply = stack.ask("ann", "explore", &asked)?;
    let mut all = facets(&reply.body).iter().flat_map(results).peekable();
    ensure!(all.peek().is_some(), "{}", reply.body);
    ensure!(all.all(|result| result["passage"]["document_type"] == "standard"), "{}", reply.body);
    Ok(())
}

fn refused(stack: &Stack) -> Result<()> {
    for (facets, field) in [
        (json!([]), "facets"),
        (json!(vec!["x"; 1_000]), "facets"),
        (json!(["costs", "<script>alert(1)</script>"]), "facets[1]"),
    ] {
        let reply = stack.ask("ann", "explore", &json!({"question": "retry", "facets": facets}))?;
        ensure!(reply.status == 422 && reply.body["errors"][0]["field"] == field, "{}", reply.body);
    }
    Ok(())
}

fn printed(stack: &Stack) -> Result<()> {
    let text = stack.plumbline("ann", &["ask", "explore", "idempotency keys"])?;
    ensure!(text.contains("handbook/glossary.md") && !text.contains('\u{1b}'), "{text}");
    Ok(())
}
