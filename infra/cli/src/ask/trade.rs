//! The options of trade: alternatives, and what they are judged by.

use clap::Args;
use serde_json::{Map, Value, json};

/// Alternatives and what they are judged by.
#[derive(Debug, Args)]
pub(super) struct Own {
    /// An alternative and its other names; may be given several times. Without any they are read
    /// from the documents.
    #[arg(long = "alternative", value_name = "NAME[=ALIAS,ALIAS]", value_parser = alternative)]
    alternatives: Vec<Value>,
    /// A criterion, how much it counts, whether more (max) or less (min) is better, and its unit;
    /// may be given several times. With weights the alternatives are compared.
    #[arg(long = "criterion", value_name = "NAME[:WEIGHT[:max|min[:UNIT]]]", value_parser = criterion)]
    criteria: Vec<Value>,
}

/// The number of passages that are asked for where the caller does not say: several alternatives
/// share it.
pub(super) const RESULTS: u32 = 10;

/// Reads `NAME`, or `NAME=ALIAS,ALIAS`, as the API takes it.
fn alternative(text: &str) -> Result<Value, String> {
    let (name, aliases) = text.split_once('=').unwrap_or((text, ""));
    let aliases: Vec<&str> =
        aliases.split(',').map(str::trim).filter(|alias| !alias.is_empty()).collect();
    match name.trim() {
        "" => Err("must be NAME or NAME=ALIAS,ALIAS".into()),
        name if aliases.is_empty() => Ok(json!(name)),
        name => Ok(json!({"name": name, "aliases": aliases})),
    }
}

/// Reads `NAME[:WEIGHT[:max|min[:UNIT]]]` as the API takes it; a part may be left empty.
fn criterion(text: &str) -> Result<Value, String> {
    let mut parts = text.splitn(4, ':').map(str::trim);
    let mut part = || parts.next().filter(|part| !part.is_empty());
    let name = part().ok_or("must begin with a name")?;
    let mut known = Map::from_iter([("name".to_owned(), json!(name))]);
    if let Some(weight) = part() {
        let weight: Option<f64> = weight.parse().ok();
        let weight = weight.filter(|weight| weight.is_finite() && *weight >= 0.0);
        known.insert("weight".into(), json!(weight.ok_or("the weight must be a number from 0")?));
    }
    match part() {
        Some(direction @ ("max" | "min")) => known.insert("direction".into(), json!(direction)),
        Some(_) => return Err("the direction must be max or min".into()),
        None => None,
    };
    if let Some(unit) = part() {
        known.insert("unit".into(), json!(unit));
    }
    Ok(if known.len() == 1 { json!(name) } else { Value::Object(known) })
}

impl Own {
    /// Puts the options into the body of a request.
    pub(super) fn put(&self, body: &mut Value) {
        let Own { alternatives, criteria } = self;
        if !alternatives.is_empty() {
            body["alternatives"] = json!(alternatives);
        }
        if !criteria.is_empty() {
            body["criteria"] = json!(criteria);
        }
    }
}

#[cfg(test)]
mod tests;
