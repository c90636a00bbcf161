//! Asks several sources, or where they disagree.

use anyhow::{Result, anyhow};
use clap::Args;
use serde_json::json;
use views::{Block, View};
use wire::search::{ConflictReport, SearchRequest};
use workflows::search::{VIEW, view};

use super::Options;
use crate::address::with_query;
use crate::api::Api;
use crate::page;
use crate::terminal::{self, Detail};
use crate::wording::{count, minute};

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
    /// Print JSON.
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
    options.ask::<SearchRequest, _>(api, "/v1/search", body, &VIEW)
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
    let mut blocks = vec![Block::remark(head)];
    if !changed_since.is_empty() {
        blocks.push(Block::remark(format!("Changed since: {}", changed_since.join(", "))));
    }
    blocks.push(Block::Cards(conflicts.iter().map(view::disagreement).collect()));
    terminal::lines(&View { kind: "Conflicts".into(), blocks }, Detail::All, width)
}
