//! The text beside a tool's structured content: short enough for a person to read, with places and ids.

use serde_json::Value;

mod records;

/// The most bytes of a text.
const MOST: usize = 2_000;

/// The most bytes of a passage, which is shown whole.
const PASSAGE: usize = 20_000;

/// The most characters of a quote.
const QUOTE: usize = 240;

/// The most results that are listed; the structured content has all.
const LISTED: usize = 5;

/// The text for what a tool gave.
pub(crate) fn of(tool: &str, reply: &Value) -> String {
    let mut lines = match tool {
        "rcca" => failures(reply),
        "trade" => trade(reply),
        "explore" | "plan" => facets(reply),
        "knowledge_custom" => results(reply, "results"),
        "search" => search(reply),
        "answer" => answer(reply),
        "query_records" => records::rows(reply),
        "list_columns" => records::columns(reply),
        "read_passage" => vec![place(reply), string(reply, "text").into()],
        "list_cases" => items(reply, "cases", "case_id", "title"),
        "list_projects" => items(reply, "projects", "project_id", "name"),
        "create_project" => vec![item(reply, "project_id", "name")],
        "record_decision" => vec![item(reply, "decision_id", "decision")],
        "find_related_decisions" => items(reply, "decisions", "decision_id", "decision"),
        _ => trail(reply),
    };
    if lines.iter().all(String::is_empty) {
        lines.push("There is nothing.".into());
    }
    lines.splice(0..0, abstained(reply));
    lines.extend(degraded(reply));
    let most = if tool == "read_passage" { PASSAGE } else { MOST };
    cut(&lines.join("\n"), most)
}

fn abstained(reply: &Value) -> Option<String> {
    let abstained = reply.get("abstained").filter(|r| !r.is_null())?;
    let why = string(abstained, "reason");
    Some(format!("Nothing in the documents answers this ({why})."))
}

fn degraded(reply: &Value) -> Vec<String> {
    let missing = array(&reply["meta"], "degraded").iter();
    missing
        .map(|missing| {
            format!("Missing: {} ({})", string(missing, "part"), string(missing, "reason"))
        })
        .collect()
}

fn search(reply: &Value) -> Vec<String> {
    let conflicts = array(reply, "conflicts").iter().take(3).map(|conflict| {
        let sides = array(conflict, "sides")
            .iter()
            .map(|side| format!("{} ({})", string(side, "value"), string(&side["source"], "name")));
        format!(
            "Conflict on {}: {}",
            string(conflict, "subject"),
            sides.collect::<Vec<_>>().join(" / ")
        )
    });
    let mut lines = vec![string(&reply["routing"], "reason").to_owned()];
    lines.extend(results(reply, "results"));
    lines.extend(conflicts);
    lines
}

fn failures(reply: &Value) -> Vec<String> {
    let causes = array(reply, "causes").iter().take(3).map(|cause| {
        format!("Cause ({} reports): {}", cause["support"], quote(string(&cause["cause"], "text")))
    });
    let reports = array(reply, "results").iter().take(LISTED).enumerate().map(|(place, report)| {
        let metadata = &report["rcca_metadata"];
        let symptom = array(metadata, "symptoms").first().map(|symptom| string(symptom, "text"));
        let cause = metadata["root_cause"]["text"].as_str();
        let lines = [("symptom", symptom), ("root cause", cause)];
        let lines = lines
            .iter()
            .filter_map(|(name, text)| Some(format!("\n   {name}: {}", quote((*text)?))));
        format!("{}. {}{}", place + 1, headed(report), lines.collect::<String>())
    });
    causes.chain(reports).collect()
}

fn trade(reply: &Value) -> Vec<String> {
    let mut lines = decided(reply);
    let matrix = &reply["matrix"];
    if let Some(verdict) = matrix.get("verdict").and_then(Value::as_str) {
        let totals = array(matrix, "totals").iter();
        let totals =
            totals.map(|total| format!("{} {}", string(total, "alternative"), total["total"]));
        lines.push(format!("Verdict: {verdict}. {}", totals.collect::<Vec<_>>().join(", ")));
    }
    for alternative in array(reply, "alternatives") {
        let name = string(alternative, "name");
        lines.extend(array(alternative, "criteria").iter().take(LISTED).map(|a| evidence(name, a)));
    }
    lines.extend(array(reply, "general").iter().take(2).map(|a| evidence("any", a)));
    let missing = array(reply, "missing").iter().take(LISTED);
    lines.extend(missing.map(|missing| {
        format!(
            "{}, {}: {}",
            string(missing, "alternative"),
            string(missing, "criterion"),
            string(missing, "reason")
        )
    }));
    lines.extend(array(reply, "notes").iter().filter_map(Value::as_str).map(str::to_owned));
    lines
}

/// What a document says of an option by a criterion.
fn evidence(name: &str, evidence: &Value) -> String {
    let source = &evidence["source"];
    let (criterion, words) = (string(evidence, "name"), quote(string(evidence, "evidence")));
    format!("{name}, {criterion}: {words} ({}) [{}]", place(source), string(source, "chunk_id"))
}

/// Decisions in documents that settle what is asked.
fn decided(reply: &Value) -> Vec<String> {
    let all = array(reply, "decided").iter().map(|fact| {
        let source = &fact["source"];
        format!(
            "Decided already: {} ({}) [{}]",
            quote(string(fact, "text")),
            place(source),
            string(source, "chunk_id")
        )
    });
    all.collect()
}

/// Lists of findings under names, whatever the workflow calls them.
fn facets(reply: &Value) -> Vec<String> {
    let mut lines = decided(reply);
    let fields = reply.as_object().into_iter().flatten().filter(|(name, _)| *name != "decided");
    for (name, value) in fields {
        let lists = match value {
            Value::Array(list) if name == "facets" => {
                list.iter().map(|facet| (string(facet, "facet"), array(facet, "results"))).collect()
            }
            Value::Array(list) => vec![(name.as_str(), list.as_slice())],
            _ => Vec::new(),
        };
        for (name, list) in lists {
            let found = list.iter().filter(|l| l.get("source").is_some()).take(2);
            lines.extend(found.map(|found| format!("{name}: {}", finding(found))));
        }
    }
    lines
}

fn results(reply: &Value, name: &str) -> Vec<String> {
    let all = array(reply, name);
    let listed = all.iter().take(LISTED).enumerate();
    let mut lines: Vec<String> =
        listed.map(|(place, listed)| format!("{}. {}", place + 1, finding(listed))).collect();
    if all.len() > LISTED {
        lines.push(format!("{} more in the structured content.", all.len() - LISTED));
    }
    lines
}

/// A passage that was found: its document, its place, its id and its first words.
fn finding(finding: &Value) -> String {
    format!("{} {}", headed(finding), quote(string(finding, "content")))
}

/// The document of a passage that was found, its place and its id.
fn headed(finding: &Value) -> String {
    let source = &finding["source"];
    let strength = string(&finding["score_parts"], "strength");
    let strength = if strength.is_empty() { String::new() } else { format!(", {strength}") };
    let (title, id) = (string(source, "document_title"), string(finding, "chunk_id"));
    format!("{title} ({}{strength}) [{id}]", place(source))
}

fn answer(reply: &Value) -> Vec<String> {
    let mut lines =
        vec![string(reply, "answer").to_owned(), string(reply, "sources_line").to_owned()];
    let cited = array(reply, "citations").iter().take(LISTED);
    lines.extend(cited.map(|cited| {
        format!(
            "{} {} [{}]",
            string(cited, "id"),
            string(cited, "display"),
            string(cited, "chunk_id")
        )
    }));
    lines.extend(unread(reply));
    lines.retain(|line| !line.is_empty());
    lines
}

fn unread(reply: &Value) -> Option<String> {
    let words: Vec<&str> = array(reply, "unread").iter().filter_map(Value::as_str).collect();
    let message = || format!("Not understood, and no condition: {}", words.join(", "));
    (!words.is_empty()).then(message)
}

fn items(reply: &Value, list: &str, id: &str, name: &str) -> Vec<String> {
    let all = array(reply, list);
    let mut lines: Vec<String> = all.iter().take(20).map(|a| item(a, id, name)).collect();
    if all.len() > lines.len() {
        lines.push(format!("{} more in the structured content.", all.len() - lines.len()));
    }
    if let Some(cursor) = reply.get("cursor").and_then(Value::as_str) {
        lines.push(format!("There are more behind the cursor {cursor}"));
    }
    lines
}

fn item(item: &Value, id: &str, name: &str) -> String {
    let status = string(item, "status");
    let review = if item["needs_review"] == true { ", needs review" } else { "" };
    format!("{} ({status}{review}) [{}]", quote(string(item, name)), string(item, id))
}

fn trail(reply: &Value) -> Vec<String> {
    let mut lines = vec![item(&reply["project"], "project_id", "name")];
    let review = array(reply, "needs_review").iter().take(LISTED);
    lines.extend(
        review.map(|review| format!("Needs review: {}", item(review, "decision_id", "decision"))),
    );
    for entry in array(reply, "entries").iter().take(10) {
        let decision = item(entry, "decision_id", "decision");
        let question = string(entry, "question");
        lines.push(if question.is_empty() {
            decision
        } else {
            format!("Asked: {}", quote(question))
        });
    }
    lines
}

/// `pumps/pump-7.md:3-9`.
fn place(source: &Value) -> String {
    let lines = source["lines"].as_array().map(|lines| format!(":{}-{}", lines[0], lines[1]));
    format!("{}{}", string(source, "name"), lines.unwrap_or_default())
}

fn string<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn array<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A value as people write it: whole numbers without a point, texts without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => {
            number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string())
        }
        other => other.to_string(),
    }
}

/// The beginning of a quote, in one line.
fn quote(text: &str) -> String {
    shortened(text, QUOTE)
}

/// The first characters of a text, in one line.
fn shortened(text: &str, most: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}\n… see the structured content", &text[..text.floor_char_boundary(most)])
}
