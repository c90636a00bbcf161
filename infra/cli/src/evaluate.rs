//! How well questions with known answers are answered.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) mod answer;
pub(crate) mod explore;
mod judge;
pub(crate) mod mtrag;
pub(crate) mod plan;
pub(crate) mod rcca;
pub(crate) mod trade;

/// What a document says, in its words.
#[derive(Debug, Deserialize)]
struct Quote {
    doc: String,
    quote: String,
}

/// The questions of a file, one per line.
fn known<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(place, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("{}, line {}", file.display(), place + 1))
        })
        .collect()
}
