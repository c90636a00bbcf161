//! The outcome of an ingest, for a person or a program to read.

use std::fmt::Write;

use anyhow::Result;

use super::Outcome;
use crate::wording::{count, pretty, printable};

pub(super) fn json(outcome: &mut Outcome) -> Result<String> {
    outcome.refused.sort();
    let refused: Vec<_> = outcome
        .refused
        .iter()
        .map(|(name, reason)| serde_json::json!({"name": name, "reason": reason}))
        .collect();
    let Outcome { indexed, unchanged, .. } = outcome;
    let value = serde_json::json!({"indexed": indexed, "unchanged": unchanged, "refused": refused});
    Ok(pretty(&value)?)
}

pub(super) fn report(outcome: &mut Outcome) -> String {
    outcome.refused.sort();
    let mut text = format!(
        "{} indexed, {} unchanged, {} refused\n",
        count(outcome.indexed, "document"),
        outcome.unchanged,
        outcome.refused.len()
    );
    for (name, reason) in &outcome.refused {
        let _ = writeln!(text, "  {}: {}", printable(name), printable(reason));
    }
    text
}
