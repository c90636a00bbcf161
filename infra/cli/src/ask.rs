//! Questions, and their answers for a person to read.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use console::{Term, style};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use wire::common::AnswerMode;
use wire::decisions::Related;
use wire::fit;
use wire::meta::MissingPart;

use crate::api::Api;
use crate::page;
use crate::project::related;
use crate::wording::{flat, heading, printable, wrapped};

mod abstained;
pub mod answer;
pub(crate) mod citation;
pub(crate) mod custom;
mod decided;
pub(crate) mod explore;
mod pick;
pub(crate) mod plan;
pub(crate) mod rcca;
pub(crate) mod result;
pub(crate) mod search;
mod table;
pub(crate) mod trade;

/// Where to look, and how the answer is shown.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to look: `global`, `user`, `case:ID`, `team:ID`; may be given several times.
    #[arg(long, default_value = "global")]
    knowledge: Vec<String>,
    /// A passage or document, by its id, that is like what is sought; may be given several times.
    #[arg(long, value_name = "ID")]
    like: Vec<String>,
    /// A passage or document, by its id, that is not what is sought; may be given several times.
    #[arg(long, value_name = "ID")]
    unlike: Vec<String>,
    /// In mode `generative` a language model writes queries where none are given, and grades what
    /// is found; otherwise as the service is set up.
    #[arg(long, value_parser = mode)]
    mode: Option<AnswerMode>,
    /// Shows all that documents tell, and the ids of passages; otherwise a report has six lines,
    /// and a quote three.
    #[arg(long)]
    all: bool,
    /// Writes the answer as a page for a browser, to standard output or into --out.
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Writes the answer as a page into this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "open"])]
    out: Option<PathBuf>,
    /// Opens the answer as a page in the browser.
    #[arg(long, conflicts_with_all = ["json", "html"])]
    open: bool,
    #[command(flatten)]
    terms: Terms,
}

/// The share of an answer that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// As much as one reads on call.
    Short,
    /// All of it.
    All,
}

impl Detail {
    /// Returns `short`, or no bound where all is wanted.
    fn most(self, short: usize) -> usize {
        match self {
            Detail::Short => short,
            Detail::All => usize::MAX,
        }
    }
}

/// On which terms a question is asked, wherever the answer is sought.
#[derive(Debug, Clone, Args)]
pub(crate) struct Terms {
    /// How many results, 1 to 50; otherwise 5, for trade and search 10, for explore 3 per facet (up
    /// to 10 where a language model sorts).
    #[arg(long)]
    top_k: Option<u32>,
    /// Other words for the question, searched beside it, such as likely terms or a sentence that a
    /// document may contain; may be given several times.
    #[arg(long = "query", value_name = "TEXT")]
    queries: Vec<String>,
    /// What a passage must satisfy, as FIELD=VALUE; may be given several times.
    #[arg(long = "filter", value_name = "FIELD=VALUE", value_parser = filter)]
    filters: Vec<(String, String)>,
    /// The project that it is asked for: its trail keeps the question, and tells what was decided
    /// on this before.
    #[arg(long, value_name = "ID")]
    project: Option<String>,
    /// Prints the API's answer as it is.
    #[arg(long)]
    json: bool,
    /// With --json: how each score comes about, and the ids that only programs need.
    #[arg(long, requires = "json")]
    explain: bool,
}

/// The number of results that are asked for where the caller does not say, unless the workflow
/// knows better.
const RESULTS: u32 = 5;

/// The mode by its name on the wire.
pub fn mode(text: &str) -> Result<AnswerMode, String> {
    serde_json::from_value(json!(text)).map_err(|_| "must be extractive or generative".into())
}

fn filter(text: &str) -> Result<(String, String), String> {
    let (field, value) = text.split_once('=').ok_or("must be FIELD=VALUE")?;
    Ok((field.into(), value.into()))
}

/// Puts examples into the body of a request.
fn like(body: &mut Value, like: &[String], unlike: &[String]) {
    for (field, ids) in [("like", like), ("unlike", unlike)] {
        if !ids.is_empty() {
            body[field] = json!(ids);
        }
    }
}

impl Options {
    /// Returns the options of a question that names no workflow.
    fn of(terms: &Terms, mode: Option<AnswerMode>, all: bool) -> Options {
        Options {
            knowledge: vec!["global".into()],
            like: Vec::new(),
            unlike: Vec::new(),
            mode,
            all,
            html: false,
            out: None,
            open: false,
            terms: terms.clone(),
        }
    }

    /// Returns the body that every workflow is asked with.
    fn body(&self, question: &str, top_k: Option<u32>) -> Value {
        let mut body = self.terms.body(question, top_k);
        body["knowledge"] = json!(self.knowledge);
        like(&mut body, &self.like, &self.unlike);
        if let Some(mode) = self.mode {
            body["mode"] = json!(mode.name());
        }
        body
    }

    /// Asks with what is given, read as the request `R` that it is to be, and shows the answer in
    /// the form that is wanted.
    fn ask<R: Serialize + DeserializeOwned, T: DeserializeOwned>(
        &self,
        api: &Api,
        path: &str,
        given: Value,
        lines: impl Fn(&T, Detail, usize) -> Vec<String>,
    ) -> Result<()> {
        let request: R = request(given)?;
        if !self.html && !self.open && self.out.is_none() {
            let answer = api.post(path, &request)?.map_err(anyhow::Error::from)?;
            let detail = if self.all { Detail::All } else { Detail::Short };
            return self.terms.print(answer, |report, width| lines(report, detail, width));
        }
        let page = api.post_text(path, &request, "text/html")?;
        match &self.out {
            Some(file) => page::write(file, &page),
            None if self.open => page::open(&page),
            None => Ok(Term::stdout().write_line(&printable(&page))?),
        }
    }
}

impl Terms {
    /// Returns the body that every question is asked with.
    fn body(&self, question: &str, top_k: Option<u32>) -> Value {
        let mut filters: Map<String, Value> = Map::new();
        for (field, value) in &self.filters {
            let line = value.parse::<u32>().ok().filter(|_| field == "line");
            let value = line.map_or_else(|| json!(value), |line| json!(line));
            match filters.get_mut(field) {
                None => drop(filters.insert(field.clone(), value)),
                Some(Value::Array(values)) => values.push(value),
                Some(one) => *one = json!([one.take(), value]),
            }
        }
        let mut body = json!({"question": question, "filters": filters, "max_bytes": fit::MOST});
        if self.explain {
            body["explain"] = json!(true);
        }
        if !self.queries.is_empty() {
            body["queries"] = json!(self.queries);
        }
        if let Some(top_k) = self.top_k.or(top_k) {
            body["top_k"] = json!(top_k);
        }
        if let Some(project) = &self.project {
            body["project_id"] = json!(project);
        }
        body
    }

    /// Prints the answer as it is, or with `render` for a reader, and what the project decided on
    /// this before.
    fn print<T: DeserializeOwned>(
        &self,
        answer: Value,
        render: impl Fn(&T, usize) -> Vec<String>,
    ) -> Result<()> {
        if self.json {
            return page::print(answer, true, render);
        }
        let answer = fit::restored(answer);
        let decisions = earlier(&answer)?;
        let abstained = abstained::of(&answer)?;
        let written = written(&answer);
        let missing: Vec<MissingPart> = page::read(answer["meta"]["degraded"].clone())?;
        // These two list what is missing.
        let has_gaps =
            ["trade_study", "plan_analysis"].iter().any(|it| answer["result_type"] == **it);
        page::print(answer, false, |answer, width| {
            let mut lines: Vec<String> =
                abstained.iter().flat_map(|it| abstained::lines(it, width)).collect();
            if abstained.is_none() || has_gaps {
                lines.extend(abstained.iter().map(|_| String::new()));
                lines.extend(render(answer, width));
            }
            if !written.is_empty() {
                let text = format!("A language model also searched for: {}", written.join("; "));
                lines.push(String::new());
                lines.extend(wrapped(&text, "", "  ", width));
            }
            lines.extend(missing.iter().flat_map(|m| missing_lines(m, width)));
            lines.extend(related::lines("Decided earlier in this project", &decisions, width));
            lines
        })
    }
}

/// Tells the part that the answer had to do without, and why.
fn missing_lines(missing: &MissingPart, width: usize) -> Vec<String> {
    let part = heading(&missing.part).to_lowercase();
    let text = format!("! Without {part}: {}", flat(&missing.reason));
    wrapped(&style(text).yellow().to_string(), "", "  ", width)
}

/// The queries that a language model wrote for the question.
fn written(answer: &Value) -> Vec<String> {
    let queries = answer["queries_written"].as_array().into_iter().flatten();
    queries.filter_map(Value::as_str).map(printable).collect()
}

/// The decisions that come with the answer; none where it was asked for no project.
fn earlier(answer: &Value) -> Result<Vec<Related>> {
    match answer.get("decisions") {
        Some(decisions) if decisions.is_array() => page::read(decisions.clone()),
        _ => Ok(Vec::new()),
    }
}

/// Reads what is given as the request that it is to be.
fn request<R: DeserializeOwned>(given: Value) -> Result<R> {
    serde_path_to_error::deserialize(given)
        .map_err(|error| anyhow!("invalid `{}`: {}", error.path(), error.inner()))
}

#[cfg(test)]
mod tests;
