//! The progress of the documents.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use model::document::Lifecycle;
use serde_json::Value;
use views::wording;
use wire::documents::{DocumentList, DocumentState, DocumentStatus};

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::delete::meant;
use crate::page;
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

/// The documents that are wanted.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// The document: its name, the end of its name, or its id.
    document: Option<String>,
    /// Show how the document was read: format, sections, tables, records, facts, and what was left
    /// out.
    #[arg(long, requires = "document")]
    explain: bool,
    /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
    #[arg(long, default_value = "global")]
    knowledge: Knowledge,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Shows how far the documents have come, or one of them.
pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let Wanted { document, explain, knowledge, json } = wanted;
    let documents = all(api, knowledge)?;
    let Some(called) = document else { return of_all(documents, *json) };
    let id = meant(&documents, called)?.document_id;
    let document: Value = api.get(&format!("{}/{id}", knowledge.documents()))?;
    page::print(document, *json, |document: &DocumentStatus, _| lines(document, *explain))
}

fn lines(document: &DocumentStatus, explain: bool) -> Vec<String> {
    let DocumentStatus { name, title, status, passages, reason, assumed, read_as, .. } = document;
    let mut lines = vec![format!("{}: {}", printable(name), status.name())];
    lines.extend(passages.map(|number| count(number, "passage")));
    lines.extend(reason.iter().map(|reason| printable(reason)));
    lines.extend(title.iter().map(|title| format!("Title: {}", printable(title))));
    let lifecycle = document.lifecycle.map(Lifecycle::name);
    lines.extend(lifecycle.map(|lifecycle| format!("State: {lifecycle}")));
    let fields =
        [("Version", &document.edition), ("Language", &document.language), ("Read as", assumed)];
    let fields = fields.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    lines.extend(fields.map(|(name, value)| format!("{name}: {}", printable(value))));
    lines.extend(document.time.as_ref().map(|(first, last)| {
        if first == last { format!("Of {first}") } else { format!("From {first} to {last}") }
    }));
    if explain {
        let read = read_as.iter().flat_map(wording::read_as);
        lines.extend(read.map(|line| printable(&line)));
    }
    lines
}

fn of_all(documents: Vec<DocumentStatus>, is_json: bool) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_is_told_and_explained_where_that_is_wanted() {
        let reply = json!({
            "document_id": wire::testing::id("plan"), "name": "plan.xlsx", "title": "Plan", "edition": "3.4",
            "lifecycle": "draft", "time": ["2026-01-05T00:00:00Z", "2026-01-05T00:00:00Z"], "passages": 2,
            "read_as": {"format": "office document", "sections": 1, "tables": 1, "records": 7, "facts": {}},
            "status": "indexed", "version": "01J", "bytes": 7, "updated_at": "2026-01-05T00:00:00Z",
        });
        let document: DocumentStatus = page::read(reply).unwrap();
        let told = [
            "plan.xlsx: indexed",
            "2 passages",
            "Title: Plan",
            "State: draft",
            "Version: 3.4",
            "Of 2026-01-05T00:00:00Z",
        ];
        assert_eq!(lines(&document, false), told);
        let explained = lines(&document, true);
        assert_eq!(explained[6..], ["Read as office document: 1 section, 1 table, 7 records"]);
    }
}
