//! The progress of the documents.

use std::collections::BTreeMap;

use anyhow::Result;
use wire::documents::{DocumentList, DocumentState, DocumentStatus};

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::{count, pretty, printable};

/// All documents of a knowledge base.
pub(crate) fn all(api: &Api, knowledge: &Knowledge) -> Result<Vec<DocumentStatus>> {
    list(api, knowledge, None)
}

/// All documents of a knowledge base that were deleted and can be restored.
pub(crate) fn deleted(api: &Api, knowledge: &Knowledge) -> Result<Vec<DocumentStatus>> {
    list(api, knowledge, Some("true"))
}

fn list(api: &Api, knowledge: &Knowledge, deleted: Option<&str>) -> Result<Vec<DocumentStatus>> {
    let mut documents = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let query = [("deleted", deleted), ("cursor", cursor.as_deref())];
        let list: DocumentList = api.get(&with_query(&knowledge.documents(), &query))?;
        documents.extend(list.documents);
        cursor = list.cursor;
        if cursor.is_none() {
            return Ok(documents);
        }
    }
}

pub(crate) fn run(api: &Api, knowledge: &Knowledge, is_json: bool) -> Result<()> {
    let documents = all(api, knowledge)?;
    let out = console::Term::stdout();
    if is_json {
        let list = DocumentList { documents, found: None, cursor: None };
        return Ok(out.write_line(&pretty(&serde_json::to_value(list)?)?)?);
    }
    let passages: u32 = documents.iter().filter_map(|document| document.passages).sum();
    out.write_line(&format!(
        "{}, {} to be found",
        count(documents.len(), "document"),
        count(passages, "passage")
    ))?;
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &documents {
        *by_status.entry(document.status.name()).or_default() += 1;
    }
    for (status, number) in by_status {
        out.write_line(&format!("  {status}: {number}"))?;
    }
    let readings =
        documents.iter().filter_map(|document| Some((document, document.model_reading.as_ref()?)));
    let readings: Vec<_> = readings.collect();
    if !readings.is_empty() {
        let tokens_in: u64 = readings.iter().map(|(_, reading)| u64::from(reading.tokens_in)).sum();
        let tokens_out: u64 =
            readings.iter().map(|(_, reading)| u64::from(reading.tokens_out)).sum();
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
    for document in &documents {
        // A zone is assumed of most logs, and a year or an encoding may be the wrong one.
        if let Some(assumed) = document.assumed.as_deref().filter(|it| *it != "UTC") {
            let name = printable(&document.name);
            out.write_line(&format!("  {name}: read as {}", printable(assumed)))?;
        }
    }
    for document in documents.iter().filter(|document| document.status == DocumentState::Failed) {
        let reason = document.reason.as_deref().unwrap_or_default();
        out.write_line(&format!("  {}: {}", printable(&document.name), printable(reason)))?;
    }
    Ok(())
}
