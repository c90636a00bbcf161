//! The text beside a tool's structured content. Each suffices alone: a client shows its model one
//! of them.

use serde::de::DeserializeOwned;
use serde_json::Value;
use text::question::QuestionTerms;
use views::wording::shortened;
use views::{ReportView, View, tool_text};
use wire::answer::AnswerReport;
use wire::common::Answer;
use wire::fit;
use wire::meta::Reply;
use wire::{WORKFLOWS, for_workflow, request};
use workflows::{Workflow, custom, search};

mod catalog;
mod records;

/// The most characters of a quote.
const QUOTE: usize = 240;

/// The text for what a tool gave, in at most `most` bytes. Of long passages it has what is nearest
/// to `question`.
pub(crate) fn drawn(tool: &str, reply: &Value, question: &str, most: usize) -> String {
    let reply = &fit::restored(reply.clone());
    let asked = &QuestionTerms::of(question);
    let lines = match tool {
        "run_custom_workflow" => report(reply, &custom::VIEW, asked),
        "search_sources" => report(reply, &search::VIEW, asked),
        "answer_question" => read(reply, |reply: &Reply<AnswerReport>| {
            let view = views::answer::view(&reply.report, &reply.meta);
            tool_text::lines(&view.flagging(&reply.meta.flagged), asked)
        }),
        _ => workflow(tool, reply, asked).unwrap_or_else(|| listed(tool, reply)),
    };
    cut(&lines, most)
}

/// The text for what the tool of a workflow gave; `None` for another tool.
fn workflow(tool: &str, reply: &Value, asked: &QuestionTerms) -> Option<Vec<String>> {
    let is_it = |name: &&&str| {
        for_workflow!(name, W => <W as request::Workflow>::TOOL == tool) == Some(true)
    };
    let name = WORKFLOWS.iter().find(is_it)?;
    for_workflow!(name, W => report(reply, &<W as Workflow>::VIEW, asked))
}

/// The text for what is no report.
fn listed(tool: &str, reply: &Value) -> Vec<String> {
    let mut lines = match tool {
        "query_records" => records::rows(reply),
        "list_columns" => records::columns(reply),
        "read_passage" => vec![passage_place(reply), string(reply, "text").into()],
        "list_knowledge" => catalog::knowledge(reply),
        "find_documents" => catalog::documents(reply),
        "list_open_cases" => catalog::cases(reply),
        "list_projects" => items(reply, "projects", "project_id", "name"),
        "create_project" => vec![item(reply, "project_id", "name")],
        "record_decision" => vec![item(reply, "decision_id", "decision")],
        "find_related_decisions" => items(reply, "decisions", "decision_id", "decision"),
        _ => trail(reply),
    };
    if lines.iter().all(String::is_empty) {
        lines.push("There is nothing.".into());
    }
    let missing = array(&reply["meta"], "degraded").iter();
    lines.extend(missing.map(|missing| {
        format!("Without {}: {}", string(missing, "part"), string(missing, "reason"))
    }));
    let orders = array(&reply["meta"], "flagged").iter().filter_map(Value::as_str);
    let orders: Vec<String> = orders.map(str::to_owned).collect();
    let flagged = View { kind: "".into(), blocks: Vec::new() }.flagging(&orders);
    lines.splice(0..0, tool_text::lines(&flagged, &QuestionTerms::of("")));
    lines
}

/// The text for the report of a workflow.
fn report<R: DeserializeOwned>(
    reply: &Value,
    view: &ReportView<R>,
    asked: &QuestionTerms,
) -> Vec<String> {
    read(reply, |reply: &Reply<Answer<R>>| {
        let view = view.view(&reply.report, &reply.meta.degraded);
        tool_text::lines(&view.flagging(&reply.meta.flagged), asked)
    })
}

/// Reads a reply of this type, and draws it.
fn read<T: DeserializeOwned>(reply: &Value, draw: impl Fn(&T) -> Vec<String>) -> Vec<String> {
    match T::deserialize(reply) {
        Ok(reply) => draw(&reply),
        Err(error) => vec![format!("This reply has another form than expected: {error}")],
    }
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

/// The lines that fit; the last line says how many bytes all of them have.
fn cut(lines: &[String], most: usize) -> String {
    let text = lines.join("\n");
    if text.len() <= most {
        return text;
    }
    let more = format!("\n… cut: the whole text with `max_bytes` {}.", text.len());
    let end = text.floor_char_boundary(most.saturating_sub(more.len()));
    let end = text[..end].rfind('\n').filter(|line| *line >= end / 2).unwrap_or(end);
    format!("{}{more}", &text[..end])
}

#[cfg(test)]
mod tests;
