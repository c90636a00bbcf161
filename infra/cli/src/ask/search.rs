//! Passages of several sources, and where they disagree, for a person to read.

use anyhow::{Result, anyhow};
use clap::Args;
use console::style;
use serde_json::json;
use wire::search::{
    AskedWhen, Conflict, ConflictReport, SearchReport, SearchRequest, SearchResult,
};

use super::{Detail, Options, result};
use crate::address::with_query;
use crate::api::Api;
use crate::ask::citation::CitedPlace;
use crate::page;
use crate::wording::{count, flat, minute, quoted, wrapped};

/// A question, and where to look.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The question, or the terms sought.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// A source to ask, and no others: code, textbook, docs, guide, forum, runtime; may be given
    /// several times.
    #[arg(long = "source", value_name = "NAME")]
    sources: Vec<String>,
    /// A file that you have open; its passages count a little more. May be given several times.
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// An error message as it was shown, searched beside the question; may be given several times.
    #[arg(long = "error", value_name = "MESSAGE")]
    errors: Vec<String>,
    #[command(flatten)]
    options: Options,
}

/// Where documents disagree.
#[derive(Debug, Args)]
pub(crate) struct Conflicts {
    /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
    #[arg(long, default_value = "global")]
    knowledge: String,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Question {
    /// Makes a question of nothing but its text.
    pub(super) fn of(text: &str, options: Options) -> Question {
        let (sources, files, errors) = (Vec::new(), Vec::new(), Vec::new());
        Question { text: text.into(), sources, files, errors, options }
    }
}

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { text, sources, files, errors, options } = question;
    let mut body = options.body(text, None);
    if !sources.is_empty() {
        body["sources"] = json!(sources);
    }
    if !files.is_empty() || !errors.is_empty() {
        body["context"] = json!({"files": files, "errors": errors});
    }
    options.ask::<SearchRequest, _>(api, "/v1/search", body, render)
}

/// Shows what the last job found.
pub(crate) fn conflicts(api: &Api, wanted: &Conflicts) -> Result<()> {
    let path = with_query("/v1/conflicts", &[("knowledge", Some(wanted.knowledge.as_str()))]);
    let found = api.ask(&path)?.map_err(|refusal| match refusal.status {
        404 => anyhow!(
            "{}: the job that compares these documents has not run yet (docs/search.md says when it does)",
            refusal.reason
        ),
        _ => refusal.into(),
    });
    page::print(found?, wanted.json, listed)
}

/// The most lines of a passage in short.
const LINES: usize = 3;

fn render(report: &SearchReport, detail: Detail, width: usize) -> Vec<String> {
    let mut lines = routing(report, width);
    if report.results.is_empty() {
        lines.extend([String::new(), "Nothing like this is in the indexed documents.".into()]);
    }
    for (number, result) in report.results.iter().enumerate() {
        lines.push(String::new());
        lines.extend(result_lines(number + 1, result, detail, width));
    }
    if !report.conflicts.is_empty() {
        lines.extend([String::new(), style("They disagree").bold().to_string()]);
        let all = report.conflicts.iter().take(detail.most(3));
        lines.extend(all.flat_map(|conflict| conflict_lines(conflict, width)));
    }
    lines
}

fn routing(report: &SearchReport, width: usize) -> Vec<String> {
    let mut lines = wrapped(&report.routing.reason, "", "", width);
    let later: Vec<&str> = report
        .routing
        .sources
        .iter()
        .filter(|source| source.asked == AskedWhen::Later)
        .map(|source| source.name.as_str())
        .collect();
    if !later.is_empty() {
        let text = format!("These did not suffice, so {} were asked, too.", later.join(", "));
        lines.extend(wrapped(&text, "", "", width));
    }
    lines.into_iter().map(|line| style(line).dim().to_string()).collect()
}

fn result_lines(number: usize, result: &SearchResult, detail: Detail, width: usize) -> Vec<String> {
    let SearchResult { finding, sources, symbols, also_at, .. } = result;
    let mut lines = result::head(number, &finding.passage, finding.strength, detail);
    let mut about = vec![sources.join(", ")];
    if !symbols.is_empty() {
        let definitions: Vec<String> = symbols
            .iter()
            .take(detail.most(5))
            .map(|symbol| {
                format!("{}:{} {} {}", finding.passage.file, symbol.line, symbol.kind, symbol.name)
            })
            .collect();
        about.push(format!("defines {}", definitions.join("; ")));
    }
    if !also_at.is_empty() {
        let names: Vec<&str> = also_at.iter().map(|source| source.file.as_str()).collect();
        about.push(format!("the same in {}", names.join(", ")));
    }
    let about = about.join("; ");
    lines.extend(
        wrapped(&about, "    ", "    ", width)
            .into_iter()
            .map(|line| style(line).dim().to_string()),
    );
    lines.extend(quoted(&finding.text, "    ", "    ", detail.most(LINES), width));
    lines
}

fn conflict_lines(conflict: &Conflict, width: usize) -> Vec<String> {
    let mut lines = wrapped(&flat(&conflict.subject), "  - ", "    ", width);
    for side in &conflict.sides {
        let mark = match (side.is_newest, side.has_most_authority) {
            (true, true) => " (newest, most authority)",
            (true, false) => " (newest)",
            (false, true) => " (most authority)",
            (false, false) => "",
        };
        let place = CitedPlace::from(&side.passage).short();
        let text =
            format!("{}{mark}: {} [{place}]", style(&side.value).bold(), flat(&side.statement));
        lines.extend(wrapped(&text, "      ", "        ", width));
    }
    lines
}

fn listed(report: &ConflictReport, width: usize) -> Vec<String> {
    let ConflictReport { conflicts, complete, outdated, changed_since, found_at, .. } = report;
    let judge = report.confirmed_by.as_ref().map_or_else(
        || "by rules: look at each, many are none".to_owned(),
        |model| format!("confirmed by {model}"),
    );
    let mut head = format!(
        "{} among {} passages, looked for on {}, {judge}",
        count(conflicts.len(), "conflict"),
        report.passages_compared,
        minute(*found_at)
    );
    if !complete {
        head.push_str("; not all was compared, or there are more than are kept");
    }
    if *outdated > 0 {
        let left_out =
            format!("; {} left out, whose passages changed since", count(*outdated, "other"));
        head.push_str(&left_out);
    }
    let mut lines = wrapped(&head, "", "", width);
    if !changed_since.is_empty() {
        let text = format!("Changed since: {}", changed_since.join(", "));
        lines.extend(wrapped(&text, "", "  ", width));
    }
    lines.extend(conflicts.iter().flat_map(|conflict| conflict_lines(conflict, width)));
    lines
}
