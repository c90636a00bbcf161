//! The text beside a tool's structured content. Each suffices alone: a client shows its model one of them.

use serde_json::Value;

mod answer;
mod failures;
mod records;

/// The most characters of a quote.
const QUOTE: usize = 240;

/// The text for what a tool gave, in at most `most` bytes.
pub(crate) fn of(tool: &str, reply: &Value, most: usize) -> String {
    let mut lines = match tool {
        "find_past_failures" => failures::lines(reply),
        "compare_options" => trade(reply),
        "explore_topic" | "plan_work" => facets(reply),
        "run_custom_workflow" => results(reply, "results"),
        "search_sources" => search(reply),
        "answer_question" => answer::lines(reply),
        "query_records" => records::rows(reply),
        "list_columns" => records::columns(reply),
        "read_passage" => vec![passage_place(reply), string(reply, "text").into()],
        "list_cases" => items(reply, "cases", "case_id", "title"),
        "list_projects" => items(reply, "projects", "project_id", "name"),
        "create_project" => vec![item(reply, "project_id", "name")],
        "record_decision" => vec![item(reply, "decision_id", "decision")],
        "find_related_decisions" => items(reply, "decisions", "decision_id", "decision"),
        _ => trail(reply),
    };
    let abstained = abstained(reply);
    if abstained.is_none() && lines.iter().all(String::is_empty) {
        lines.push("There is nothing.".into());
    }
    lines.splice(0..0, abstained);
    lines.extend(degraded(reply));
    lines.extend(left_out(reply));
    cut(&lines, most)
}

/// What the budget had no room for.
fn left_out(reply: &Value) -> Option<String> {
    let left_out = reply.get("left_out")?;
    let counts = left_out["counts"].as_object().into_iter().flatten();
    let counts: Vec<String> = counts.map(|(name, count)| format!("{count} {name}")).collect();
    let texts = left_out["cut"].as_u64().map(|count| format!("{count} texts cut"));
    let what: Vec<String> = counts.into_iter().chain(texts).collect();
    Some(format!("Left out: {}. For all of it {}.", what.join(", "), string(left_out, "how")))
}

fn abstained(reply: &Value) -> Option<String> {
    let abstained = reply.get("abstained").filter(|r| !r.is_null())?;
    let unknown: Vec<&str> = array(abstained, "unknown").iter().filter_map(Value::as_str).collect();
    let mut text =
        format!("Nothing in the documents answers this ({})", string(abstained, "reason"));
    if !unknown.is_empty() {
        text = format!("{text}; they have nothing on: {}", unknown.join(", "));
    }
    let nearest: Vec<String> = array(abstained, "nearest").iter().map(place).collect();
    if !nearest.is_empty() {
        text = format!("{text}. Nearest, and no answer: {}", nearest.join(", "));
    }
    Some(format!("{text}."))
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
        lines.extend(array(alternative, "criteria").iter().map(|a| evidence(name, a)));
    }
    lines.extend(array(reply, "general").iter().map(|a| evidence("any", a)));
    let missing = array(reply, "missing").iter();
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
            let found = list.iter().filter(|l| l.get("source").is_some());
            lines.extend(found.map(|found| format!("{name}: {}", finding(found))));
        }
    }
    lines
}

fn results(reply: &Value, name: &str) -> Vec<String> {
    let all = array(reply, name).iter().enumerate();
    all.map(|(place, listed)| format!("{}. {}", place + 1, finding(listed))).collect()
}

/// A passage that was found: its document, its place, its id and its first words.
fn finding(finding: &Value) -> String {
    format!("{} {}", headed(finding), quote(string(finding, "content")))
}

/// The document of a passage that was found, its place and its id.
fn headed(finding: &Value) -> String {
    let source = &finding["source"];
    let strength = string(finding, "strength");
    let strength = if strength.is_empty() { String::new() } else { format!(", {strength}") };
    let (title, id) = (string(source, "document_title"), string(source, "chunk_id"));
    format!("{title} ({}{strength}) [{id}]", place(source))
}

fn items(reply: &Value, list: &str, id: &str, name: &str) -> Vec<String> {
    let all = array(reply, list);
    let mut lines: Vec<String> = all.iter().map(|a| item(a, id, name)).collect();
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
    let review = array(reply, "needs_review").iter();
    lines.extend(
        review.map(|review| format!("Needs review: {}", item(review, "decision_id", "decision"))),
    );
    for entry in array(reply, "entries") {
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

/// A passage that was read whole: its place and title, and where its document goes on.
fn passage_place(reply: &Value) -> String {
    let id = string(reply, "chunk_id");
    format!("{} ({}) [{id}]", place(reply), string(reply, "title"))
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

/// The lines that fit; the last line says how many do not.
fn cut(lines: &[String], most: usize) -> String {
    let text = lines.join("\n");
    if text.len() <= most {
        return text;
    }
    let end = text.floor_char_boundary(most.saturating_sub(MORE.len()));
    let end = text[..end].rfind('\n').filter(|line| *line >= end / 2).unwrap_or(end);
    format!("{}{MORE}", &text[..end])
}

/// Ends a text that is cut.
const MORE: &str = "\n… more with a larger `max_bytes`.";

#[cfg(test)]
mod tests;
