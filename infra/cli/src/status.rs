//! How far the documents have come.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Deserialize;

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::{count, printable};

/// A document as the API tells of it.
#[derive(Debug, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are those of the wire")]
pub(crate) struct Document {
    pub(crate) document_id: String,
    pub(crate) name: String,
    pub(crate) status: String,
    #[serde(default)]
    pub(crate) version: String,
    pub(crate) live_version: Option<String>,
    pub(crate) chunks: Option<usize>,
    pub(crate) reason: Option<String>,
    pub(crate) model_reading: Option<ModelReading>,
}

/// The reading of a document by a language model.
#[derive(Debug, Deserialize)]
pub(crate) struct ModelReading {
    #[serde(default)]
    tokens_in: u64,
    #[serde(default)]
    tokens_out: u64,
    failure: Option<String>,
}

#[derive(Debug, Deserialize)]
struct List {
    documents: Vec<Document>,
    cursor: Option<String>,
}

/// All documents of a knowledge base.
pub(crate) fn all(api: &Api, knowledge: &Knowledge) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    let mut path = knowledge.documents();
    loop {
        let list: List = api.get(&path)?;
        documents.extend(list.documents);
        match list.cursor {
            Some(cursor) => {
                path = with_query(&knowledge.documents(), &[("cursor", Some(&cursor))]);
            }
            None => return Ok(documents),
        }
    }
}

pub(crate) fn run(api: &Api, knowledge: &Knowledge) -> Result<()> {
    let documents = all(api, knowledge)?;
    let out = console::Term::stdout();
    let chunks: usize = documents.iter().filter_map(|document| document.chunks).sum();
    out.write_line(&format!(
        "{}, {} to be found",
        count(documents.len(), "document"),
        count(chunks, "passage")
    ))?;
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &documents {
        *by_status.entry(&document.status).or_default() += 1;
    }
    for (status, number) in by_status {
        out.write_line(&format!("  {}: {number}", printable(status)))?;
    }
    let readings = documents.iter().filter_map(|own| Some((own, own.model_reading.as_ref()?)));
    let readings: Vec<(&Document, &ModelReading)> = readings.collect();
    if !readings.is_empty() {
        let sum =
            |of: fn(&ModelReading) -> u64| readings.iter().map(|(_, own)| of(own)).sum::<u64>();
        let (tokens_in, tokens_out) = (sum(|own| own.tokens_in), sum(|own| own.tokens_out));
        let read = count(readings.len(), "document");
        out.write_line(&format!(
            "  {read} for a model: {tokens_in} tokens read, {tokens_out} written"
        ))?;
    }
    for (document, reading) in readings {
        if let Some(failure) = &reading.failure {
            let name = printable(&document.name);
            out.write_line(&format!("  {name}: read by rules alone: {}", printable(failure)))?;
        }
    }
    for document in documents.iter().filter(|document| document.status == "failed") {
        let reason = document.reason.as_deref().unwrap_or_default();
        out.write_line(&format!("  {}: {}", printable(&document.name), printable(reason)))?;
    }
    Ok(())
}
