//! Tests answers as pages for people, and the evidence pack of a decision.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::{Test, clients};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("every workflow answers as a page where one is accepted", pages),
    ("a decision leaves as a pack that is checked offline", pack),
    ("a question without a workflow is asked by its form", picked),
    ("axe finds nothing on pages in a browser", accessible),
];

/// The `accept` header of a browser.
const BROWSER: [(&str, &str); 1] = [("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")];

fn page(stack: &Stack, route: &str, body: &Value) -> Result<Reply> {
    let page = stack.call_with("ann", route, &BROWSER, body)?;
    let is_page = page.status == 200 && page.content_type.starts_with("text/html");
    ensure!(is_page, "{route}: {} {}", page.status, page.text);
    ensure!(page.text.contains("default-src 'none'"), "{route} has no policy");
    Ok(page)
}

fn pages(stack: &Stack) -> Result<()> {
    let project = stack.call("ann", "POST /v1/projects", &json!({"name": "Pages"}))?.body;
    let question = json!({"question": "Which <b>certificate</b> expired before?", "project_id": project["project_id"]});
    let documented = stack.send("GET", "/openapi.json", None, b"")?.body;
    for workflow in ["rcca", "trade", "explore", "plan", "custom/safety_analysis", "global/answer"]
    {
        let mut question = question.clone();
        if workflow == "global/answer" {
            question.as_object_mut().context("no fields")?.remove("project_id");
        }
        let route = format!("POST /v1/{workflow}");
        // The OpenAPI document names the forms.
        let path = route.trim_start_matches("POST ").replace("safety_analysis", "{name}");
        let media = &documented["paths"][path]["post"]["responses"]["200"]["content"];
        ensure!(media["text/html"].is_object() && media["text/markdown"].is_object(), "{media}");
        let page = page(stack, &route, &question)?.text;
        ensure!(page.contains("Which &lt;b&gt;certificate&lt;/b&gt;"), "{workflow}: {page}");
        ensure!(!page.contains("<b>certificate") && !page.contains("<script"), "{workflow}");
        let markdown = stack.call_with("ann", &route, &[("accept", "text/markdown")], &question)?;
        ensure!(
            markdown.content_type.starts_with("text/markdown"),
            "{workflow}: {}",
            markdown.text
        );
        ensure!(markdown.text.starts_with("# Which \\<b>certificate"), "{}", markdown.text);
    }
    let asked = json!({"question": "checkout requests time out", "top_k": 3});
    let json = stack.call("ann", "POST /v1/rcca", &asked)?.body;
    let page = page(stack, "POST /v1/rcca", &asked)?.text;
    for result in json["results"].as_array().context("no results")? {
        let name = result["passage"]["file"].as_str().context("no name")?;
        ensure!(page.contains(name), "{name}: {page}");
    }
    let refused = stack.call_with("ann", "POST /v1/rcca", &BROWSER, &json!({"question": ""}))?;
    ensure!(refused.status == 422 && refused.content_type == "application/problem+json");
    Ok(())
}

fn pack(stack: &Stack) -> Result<()> {
    let project = stack.call("ann", "POST /v1/projects", &json!({"name": "Packs"}))?.body;
    let base =
        format!("/v1/projects/{}/decisions", project["project_id"].as_str().context("no id")?);
    let found =
        stack.call("ann", "POST /v1/rcca", &json!({"question": "the certificate expired"}))?;
    let passage = crate::found(&found.body).first().context("nothing found")?["passage_id"].clone();
    let new = json!({"decision": "Watch certificates", "rationale": "One expired.", "sources": [{"passage_id": passage, "relevance": 0.9}]});
    let decided = stack.call("ann", &format!("POST {base}"), &new)?.body;
    let one = format!("GET {base}/{}", decided["decision_id"].as_str().context("no decision")?);
    let pack = page(stack, &format!("{one}?format=pack"), &Value::Null)?.text;
    let file = stack.state.join("pack.html");
    std::fs::write(&file, &pack)?;
    let checked = stack.plumbline("ann", &["verify", &file.to_string_lossy()])?;
    for line in ["intact", "1 source checked", "The page shows its data."] {
        ensure!(checked.contains(line), "{checked}");
    }
    let quote = decided["sources"][0]["quote"].as_str().context("no quote")?;
    let word = quote.split_whitespace().find(|word| word.len() > 6).context("no word")?;
    std::fs::write(&file, pack.replace(word, "altered"))?;
    let refused = stack.plumbline("ann", &["verify", &file.to_string_lossy()]);
    ensure!(refused.is_err(), "an altered quote passes");
    let other = stack.call("ann", &format!("{one}?format=zip"), &Value::Null)?;
    ensure!(other.status == 422 && other.body["errors"][0]["field"] == "format", "{}", other.text);
    let stranger = stack.call("eve", &format!("{one}?format=pack"), &Value::Null)?;
    ensure!(stranger.status == 404, "{}", stranger.text);
    Ok(())
}

fn picked(stack: &Stack) -> Result<()> {
    let asked = |question: &str| stack.plumbline("ann", &["ask", question, "--json"]);
    let rcca: Value =
        serde_json::from_str(&asked("Checkout requests time out and the pool is full")?)?;
    ensure!(rcca["result_type"] == "rcca_analysis", "{rcca}");
    let trade: Value = serde_json::from_str(&asked("Halyard or Tidewire for order events?")?)?;
    ensure!(trade["result_type"] == "trade_study", "{trade}");
    Ok(())
}

/// Checks pages of all kinds, long ones and one that abstains, in a browser.
fn accessible(stack: &Stack) -> Result<()> {
    let project = stack.call("ann", "POST /v1/projects", &json!({"name": "In a browser"}))?.body;
    let id = project["project_id"].as_str().context("no id")?;
    let broker = json!({"question": "Halyard or Tidewire for order events?", "project_id": id});
    let mut weighed = broker.clone();
    weighed["criteria"] =
        json!([{"name": "latency", "weight": 0.6, "unit": "ms"}, {"name": "cost", "weight": 0.4}]);
    let asked = |question: &str| json!({"question": question});
    let replacing = json!({"question": "We replace the bearings of a pump", "project_id": id});
    let (sought, unknown) = ("How is a retry delay chosen?", "Why does Keycloak loop?");
    let pages = [
        ("rcca", "POST /v1/rcca", asked("Checkout requests time out")),
        ("abstains", "POST /v1/rcca", asked(unknown)),
        ("trade", "POST /v1/trade", broker),
        ("weighed", "POST /v1/trade", weighed),
        ("explore", "POST /v1/explore", asked("retry and backoff")),
        ("plan", "POST /v1/plan", replacing),
        ("search", "POST /v1/search", asked(sought)),
        ("custom", "POST /v1/custom/safety_analysis", asked("Which hazards does a pump have?")),
        ("answer", "POST /v1/global/answer", asked("What do I do when a pump vibrates?")),
    ];
    let folder = stack.state.join("pages");
    std::fs::create_dir_all(&folder)?;
    for (name, route, body) in pages {
        std::fs::write(folder.join(format!("{name}.html")), page(stack, route, &body)?.text)?;
    }
    let trail = page(stack, &format!("GET /v1/projects/{id}/trail"), &Value::Null)?.text;
    std::fs::write(folder.join("trail.html"), trail)?;
    clients::in_a_browser(&folder)
}
