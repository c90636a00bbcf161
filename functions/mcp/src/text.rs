//! The text beside a tool's structured content. Each suffices alone: a client shows its model one of them.

use serde_json::Value;
use wire::fit;

use excerpt::excerpt;
use text::question::QuestionTerms;

mod answer;
mod catalog;
mod excerpt;
mod failures;
mod records;

/// The most characters of a quote.
const QUOTE: usize = 240;

/// The most characters of a passage that was found.
const EXCERPT: usize = 320;

/// The text for what a tool gave, in at most `most` bytes. Of long passages it has what is nearest to `question`.
pub(crate) fn of(tool: &str, reply: &Value, question: &str, most: usize) -> String {
    let reply = &fit::restored(reply.clone());
    let asked = QuestionTerms::of(question);
    let asked = &asked;
    let mut lines = match tool {
        "find_past_failures" => failures::lines(reply),
        "compare_options" => trade(reply),
        "explore_topic" | "plan_work" => facets(reply, asked),
        "run_custom_workflow" => results(reply, asked),
        "search_sources" => search(reply, asked),
        "answer_question" => answer::lines(reply),
        "query_records" => records::rows(reply),
        "list_columns" => records::columns(reply),
        "read_passage" => vec![passage_place(reply), string(reply, "text").into()],
        "list_knowledge" => catalog::knowledge(reply),
        "find_documents" => catalog::documents(reply),
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
    cut(&lines, most)
}

fn abstained(reply: &Value) -> Option<String> {
    let abstained = reply.get("abstained").filter(|r| !r.is_null())?;
    let unknown: Vec<&str> = array(abstained, "unknown").iter().filter_map(Value::as_str).collect();
    let mut text = format!("Nothing in the documents answers this{}", why(abstained));
    if !unknown.is_empty() {
        text = format!("{text}; they have nothing on: {}", unknown.join(", "));
    }
    let nearest: Vec<String> = array(abstained, "nearest").iter().map(place).collect();
    if !nearest.is_empty() {
        text = format!("{text}. Nearest, and no answer: {}", nearest.join(", "));
    }
    Some(format!("{text}."))
}

/// The reason of an abstention that is more than that there is nothing.
fn why(abstained: &Value) -> &'static str {
    match string(abstained, "reason") {
        "no_evidence" => ": no document passes the filters, or there is none",
        "not_indexed_yet" => ", and some documents are still being read",
        "indexing_failed" => ", and some documents could not be read",
        "conflicting" => " with certainty: documents disagree",
        _ => "",
    }
}

fn degraded(reply: &Value) -> Vec<String> {
    let missing = array(&reply["meta"], "degraded").iter();
    missing
        .map(|missing| {
            format!("Missing: {} ({})", string(missing, "part"), string(missing, "reason"))
        })
        .collect()
}

fn search(reply: &Value, asked: &QuestionTerms) -> Vec<String> {
    let conflicts = array(reply, "conflicts").iter().take(3).map(|conflict| {
        let sides = array(conflict, "sides")
            .iter()
            .map(|side| format!("{} ({})", string(side, "value"), place(&side["passage"])));
        format!(
            "Conflict on {}: {}",
            string(conflict, "subject"),
            sides.collect::<Vec<_>>().join(" / ")
        )
    });
    results(reply, asked).into_iter().chain(conflicts).collect()
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
    let source = &evidence["passage"];
    let (criterion, words) = (string(evidence, "name"), quote(string(evidence, "evidence")));
    format!("{name}, {criterion}: {words} ({})", place(source))
}

/// Decisions in documents that settle what is asked.
fn decided(reply: &Value) -> Vec<String> {
    let all = array(reply, "decided").iter().map(|fact| {
        let source = &fact["passage"];
        format!("Decided already: {} ({})", quote(string(fact, "text")), place(source))
    });
    all.collect()
}

/// Lists of findings under names, whatever the workflow calls them.
fn facets(reply: &Value, asked: &QuestionTerms) -> Vec<String> {
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
            let found = list.iter().filter(|l| l.get("passage").is_some());
            lines.extend(found.map(|found| format!("{name}: {}", finding(found, asked))));
        }
    }
    lines
}

fn results(reply: &Value, asked: &QuestionTerms) -> Vec<String> {
    let all = array(reply, "results").iter().enumerate();
    all.map(|(place, listed)| format!("{}. {}", place + 1, finding(listed, asked))).collect()
}

/// A passage that was found: its document, its place, and the words that are nearest to the question.
fn finding(finding: &Value, asked: &QuestionTerms) -> String {
    format!("{} {}", headed(finding), excerpt(string(finding, "text"), asked, EXCERPT))
}

/// The document of a passage that was found, and its place.
fn headed(finding: &Value) -> String {
    let source = &finding["passage"];
    let strength = string(finding, "strength");
    let strength = if strength.is_empty() { String::new() } else { format!(", {strength}") };
    format!("{} ({}{strength})", string(source, "title"), place(source))
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
    let id = string(reply, "passage_id");
    format!("{} ({}) [{id}]", place(reply), string(reply, "title"))
}

/// `pumps/pump-7.md:3-9`, with the knowledge base before it where it is not everyone's.
fn place(source: &Value) -> String {
    let lines = source["lines"].as_array().map(|lines| format!(":{}-{}", lines[0], lines[1]));
    let base = source["knowledge"].as_str().filter(|base| *base != "global");
    let base = base.map(|base| format!("{base} ")).unwrap_or_default();
    format!("{base}{}{}", string(source, "file"), lines.unwrap_or_default())
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
    let Some((end, _)) = flat.char_indices().nth(most) else { return flat };
    let end = flat[..end].rfind(' ').filter(|word| *word >= end / 2).unwrap_or(end);
    format!("{}…", &flat[..end])
}

/// The lines that fit; the last line says how many bytes all of them have.
fn cut(lines: &[String], most: usize) -> String {
    let text = lines.join("\n");
    if text.len() <= most {
        return text;
    }
    let more = format!("\n… cut: all of it with `max_bytes` {}.", text.len());
    let end = text.floor_char_boundary(most.saturating_sub(more.len()));
    let end = text[..end].rfind('\n').filter(|line| *line >= end / 2).unwrap_or(end);
    format!("{}{more}", &text[..end])
}

#[cfg(test)]
mod tests;
