//! Scores that explain themselves.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Whether `score_parts` give the final score; `weights` is the sum of the weights of all legs that were sent.
pub(crate) fn multiplies_out(parts: &Value, weights: f64) -> Result<()> {
    let legs = parts["legs"].as_array().context("no legs")?;
    let share = |leg: &Value| Some(leg["weight"].as_f64()? * leg["score"].as_f64()?);
    let sum: f64 = legs.iter().filter_map(share).sum();
    let fused = parts["fused"].as_f64().context("no fused score")?;
    let given = sum / weights;
    ensure!((fused - given).abs() < 1e-9, "the legs give {given} and not {fused}");
    let boosts = parts["boosts"].as_array().context("no boosts")?;
    let share: f64 = boosts.iter().filter_map(|boost| boost["share"].as_f64()).sum();
    let total = ((fused + (1.0 - fused) * share.min(0.3)) * 1_000.0).round() / 1_000.0;
    let told = parts["final"].as_f64().context("no final score")?;
    ensure!((told - total).abs() < 1e-12, "{parts}");
    Ok(())
}
