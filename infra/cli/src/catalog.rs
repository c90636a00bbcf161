//! The things that may be searched: knowledge bases with what they hold, and documents by words.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use console::style;
use serde_json::Value;
use wire::documents::{DocumentList, DocumentState, DocumentStatus};
use wire::knowledge::{KnowledgeBase, KnowledgeList};

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::page;
use crate::wording::{count, wrapped};

/// Documents to be found.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Words of their name, title or type, all of them; without any, the first documents by id.
    words: Vec<String>,
    /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
    #[arg(long, default_value = "global")]
    knowledge: Knowledge,
    /// The most documents, 1 to 100.
    #[arg(long, default_value = "20")]
    limit: u32,
    /// Lists documents that were deleted and can be restored.
    #[arg(long)]
    deleted: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Lists the knowledge bases that the caller may search.
pub(crate) fn knowledge(api: &Api, is_json: bool) -> Result<()> {
    let reply: Value = api.get("/v1/knowledge")?;
    page::print(reply, is_json, |list: &KnowledgeList, width| {
        if list.knowledge.is_empty() {
            return vec!["There are no documents yet: plumbline ingest FOLDER".into()];
        }
        list.knowledge.iter().flat_map(|base| base_lines(base, width)).collect()
    })
}

fn base_lines(base: &KnowledgeBase, width: usize) -> Vec<String> {
    let title = base.title.as_ref().map(|title| format!("  {title}")).unwrap_or_default();
    let mut parts = vec![count(base.documents, "document")];
    let records = usize::try_from(base.records).unwrap_or(usize::MAX);
    let counts = [(records, "records"), (base.reading, "being read"), (base.failed, "failed")];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    parts.extend(counts.map(|(count, what)| format!("{count} {what}")));
    parts.extend(base.time.as_ref().map(|(first, last)| format!("{first} to {last}")));
    let mut lines = vec![format!("{}{title}", style(&base.knowledge).bold())];
    lines.extend(wrapped(&parts.join(", "), "  ", "    ", width));
    for (label, counts) in [
        ("types", &base.document_types),
        ("sources", &base.sources),
        ("languages", &base.languages),
    ] {
        if !counts.is_empty() {
            lines.extend(wrapped(&format!("{label}: {}", counted(counts)), "  ", "    ", width));
        }
    }
    lines
}

/// The names with their counts, the most frequent first.
fn counted(counts: &BTreeMap<String, usize>) -> String {
    let mut all: Vec<(&String, &usize)> = counts.iter().collect();
    all.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    let all: Vec<String> = all.iter().map(|(name, count)| format!("{name} {count}")).collect();
    all.join(", ")
}

/// Lists documents, those that have all words where there are some.
pub(crate) fn documents(api: &Api, wanted: &Wanted) -> Result<()> {
    let (words, limit) = (wanted.words.join(" "), wanted.limit.to_string());
    let query = [
        ("words", Some(words.as_str()).filter(|w| !w.is_empty())),
        ("deleted", wanted.deleted.then_some("true")),
        ("limit", Some(&*limit)),
    ];
    let reply: Value = api.get(&with_query(&wanted.knowledge.documents(), &query))?;
    page::print(reply, wanted.json, |list: &DocumentList, width| {
        let mut lines: Vec<String> =
            list.documents.iter().flat_map(|document| document_lines(document, width)).collect();
        if lines.is_empty() {
            lines.push(match (wanted.deleted, words.is_empty()) {
                (true, true) => "No document was deleted that can be restored.".into(),
                (false, true) => "There are no documents.".into(),
                (_, false) => "No document has these words in its name, title or type.".to_owned(),
            });
        }
        if let Some(found) = list.found.filter(|found| *found > list.documents.len()) {
            lines.push(format!("{found} in all"));
        }
        lines
    })
}

fn document_lines(document: &DocumentStatus, width: usize) -> Vec<String> {
    let kind = document.document_type.map(|kind| kind.name().replace('_', " "));
    let status = Some(document.status).filter(|status| *status != DocumentState::Indexed);
    let until = document.restorable_until.as_ref().map(|until| format!("until {until}"));
    let status = status.map(|status| status.name().to_owned());
    let parts = [document.title.clone(), kind, status, until];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut lines = vec![style(&document.name).bold().to_string()];
    if !parts.is_empty() {
        lines.extend(wrapped(&parts.join(", "), "  ", "    ", width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knowledge_base_is_told_with_what_it_holds() {
        console::set_colors_enabled(false);
        let base = KnowledgeBase {
            knowledge: "case:01J".into(),
            title: Some("Pump 7 trips".into()),
            documents: 3,
            records: 12,
            reading: 1,
            document_types: [("log".to_owned(), 2), ("config".into(), 1)].into(),
            ..KnowledgeBase::default()
        };
        assert_eq!(
            base_lines(&base, 80),
            [
                "case:01J  Pump 7 trips",
                "  3 documents, 12 records, 1 being read",
                "  types: log 2, config 1"
            ]
        );
    }
}
