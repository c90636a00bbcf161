//! The text for what may be searched.

use serde_json::Value;

use super::{array, quote, string};

/// The knowledge bases with what they hold, a line each.
pub(super) fn knowledge(reply: &Value) -> Vec<String> {
    array(reply, "knowledge").iter().map(base).collect()
}

fn base(base: &Value) -> String {
    let title = base["title"].as_str().map(|title| format!(" ({title})")).unwrap_or_default();
    let mut parts = vec![format!("{} documents", base["documents"])];
    let counts = ["records", "reading", "failed"];
    let counts = counts.iter().filter(|name| base[**name].as_u64().is_some_and(|n| n > 0));
    parts.extend(counts.map(|name| format!("{} {name}", base[*name])));
    for name in ["document_types", "sources", "languages"] {
        let all = base[name].as_object().into_iter().flatten();
        let all: Vec<String> = all.map(|(name, count)| format!("{name} {count}")).collect();
        if !all.is_empty() {
            parts.push(format!("{}: {}", name.replace('_', " "), all.join(", ")));
        }
    }
    parts.extend(span(base));
    format!("{}{title}: {}", string(base, "knowledge"), parts.join("; "))
}

/// The open cases of a team with what was found, a line for each and below it one for each finding.
pub(super) fn cases(reply: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for case in array(reply, "cases") {
        let counts = format!("{} alerts, {} on", case["alerts"], case["firing"]);
        lines.push(format!(
            "{} [{}]: {counts}",
            quote(string(case, "title")),
            string(case, "case_id")
        ));
        let runbooks = array(case, "runbooks").iter();
        lines.extend(runbooks.map(|place| format!("  runbook: {}", file_at(place))));
        lines.extend(array(case, "past").iter().map(|past| {
            let told = past["cause"]["text"].as_str().map(|text| format!(": {}", quote(text)));
            format!("  like it: {}{}", file_at(&past["passage"]), told.unwrap_or_default())
        }));
        let owner = case["owner"]["owner"].as_str();
        lines.extend(owner.map(|owner| format!("  owner: {owner}")));
    }
    if let Some(cursor) = reply["cursor"].as_str() {
        lines.push(format!("There are more behind the cursor {cursor}"));
    }
    lines
}

fn file_at(place: &Value) -> String {
    let (first, last) = (&place["lines"][0], &place["lines"][1]);
    let lines = if first.is_null() { String::new() } else { format!(":{first}-{last}") };
    format!("{}{lines}", string(place, "file"))
}

/// The documents, a line each; the last one says where there are more.
pub(super) fn documents(reply: &Value) -> Vec<String> {
    let mut lines: Vec<String> = array(reply, "documents").iter().map(document).collect();
    if let Some(found) = reply["found"].as_u64().filter(|found| *found > lines.len() as u64) {
        lines.push(format!("{found} in all; more words find fewer"));
    }
    if let Some(cursor) = reply["cursor"].as_str() {
        lines.push(format!("There are more behind the cursor {cursor}"));
    }
    lines
}

fn document(document: &Value) -> String {
    let parts = ["title", "document_type", "language"];
    let parts = parts.iter().map(|part| string(document, part).to_owned());
    let status = Some(string(document, "status")).filter(|status| *status != "indexed");
    let parts: Vec<String> = parts
        .chain(status.map(str::to_owned))
        .chain(span(document))
        .filter(|part| !part.is_empty())
        .collect();
    format!("{}: {}", string(document, "name"), parts.join(", "))
}

fn span(of: &Value) -> Option<String> {
    let (first, last) = (of["time"][0].as_str()?, of["time"][1].as_str()?);
    Some(format!("{first} to {last}"))
}
