//! Tests rcca with a model that ranks the first results again.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] =
    &[("a reranker adds a ranking, and is missed where it does not answer", reranked)];

const MODEL: &str = "cohere.rerank-v3-5:0";

fn reranked(stack: &Stack) -> Result<()> {
    let asked = json!({"question": "Devices are refused by the broker with a TLS alert. What could it be?"});
    let model = format!("RerankModel={MODEL}");
    stack.deploy_with(&["--set", &model, "--set", "RerankTimeout=8000"])?;
    let with = stack.rcca("ann", &asked);
    let failing = json!([{"delay_ms": 1}, {"status": 500, "type": "InternalServerException", "message": "no", "times": 9}]);
    stack.script(&json!({ "invoke": failing }))?;
    let without = stack.rcca("ann", &asked);
    stack.script(&Value::Null)?;
    stack.deploy_with(&["--set", "RerankModel=", "--set", "RerankTimeout=1000"])?;
    let (with, without) = (with?.body, without?.body);
    let rankings =
        with["results"][0]["score_parts"]["rankings"].as_array().context("no rankings")?;
    let judged: Vec<&Value> =
        rankings.iter().filter(|ranking| ranking["retriever"] == "rerank").collect();
    ensure!(
        judged.len() == 1 && judged[0]["score"].as_f64().is_some_and(|score| score > 0.0),
        "{with}"
    );
    let share = |ranking: &Value| Some(ranking["weight"].as_f64()? * ranking["score"].as_f64()?);
    let sum: f64 = rankings.iter().filter_map(share).sum();
    let weight = judged[0]["weight"].as_f64().context("no weight")?;
    let fusion = with["results"][0]["score_parts"]["fusion"].as_f64().context("no score")?;
    ensure!(
        (fusion - sum / (2.0 * weight)).abs() < 1e-9,
        "it counts as much as all others: {with}"
    );
    let models = with["meta"]["models"].as_array().context("no models")?;
    ensure!(models.contains(&json!(MODEL)) && with["meta"]["degraded"] == json!([]), "{with}");
    let degraded = json!([{"part": "rerank", "reason": "the reranker did not answer"}]);
    ensure!(without["meta"]["degraded"] == degraded, "{without}");
    ensure!(without["results"].as_array().is_some_and(|results| !results.is_empty()), "{without}");
    Ok(())
}
