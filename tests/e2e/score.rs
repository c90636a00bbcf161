//! Checks that scores are consistent with their parts.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Checks that `score_parts` result in the final score; `weights` is the sum of the weights of all
/// rankings of the request.
pub(crate) fn multiplies_out(parts: &Value, weights: f64) -> Result<()> {
    let rankings = parts["rankings"].as_array().context("no rankings")?;
    let share = |ranking: &Value| Some(ranking["weight"].as_f64()? * ranking["score"].as_f64()?);
    let sum: f64 = rankings.iter().filter_map(share).sum();
    let fusion = parts["fusion"].as_f64().context("no fused score")?;
    let given = sum / weights;
    ensure!((fusion - given).abs() < 1e-9, "the rankings give {given} and not {fusion}");
    let boosts = parts["boosts"].as_array().context("no boosts")?;
    let share: f64 = boosts.iter().filter_map(|boost| boost["share"].as_f64()).sum();
    let total = ((fusion + (1.0 - fusion) * share.min(0.3)) * 1_000.0).round() / 1_000.0;
    let stated = parts["final"].as_f64().context("no final score")?;
    ensure!((stated - total).abs() < 1e-12, "{parts}");
    Ok(())
}

/// Returns the weight of the ranking for exact strings in an answer; 0 if there is none. It counts
/// in addition to all other rankings, also for passages that it does not list.
pub(crate) fn exact_weight(answer: &Value) -> f64 {
    match answer {
        Value::Object(fields) if fields.get("retriever").is_some_and(|kind| kind == "exact") => {
            fields["weight"].as_f64().unwrap_or_default()
        }
        Value::Object(fields) => fields.values().map(exact_weight).fold(0.0, f64::max),
        Value::Array(items) => items.iter().map(exact_weight).fold(0.0, f64::max),
        _ => 0.0,
    }
}
