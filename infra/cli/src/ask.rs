//! Questions, and their answers for a person to read.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use console::{Term, style};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use views::ReportView;
use wire::common::{Answer, AnswerMode};
use wire::fit;
use wire::meta::Reply;

use crate::api::Api;
use crate::page;
use crate::terminal::{self, Detail};
use crate::wording::printable;

pub mod answer;
pub(crate) mod custom;
mod explore;
pub mod pick;
pub(crate) mod search;
mod trade;
pub(crate) mod workflow;

pub use workflow::needs_project;

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
    /// Shows all that documents tell, and the ids of passages; otherwise the first of each kind,
    /// and of a quote two or three lines.
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
    /// Print the API's answer as it is.
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
        view: &ReportView<T>,
    ) -> Result<()> {
        let request: R = request(given)?;
        if !self.html && !self.open && self.out.is_none() {
            let answer = api.post(path, &request)?.map_err(anyhow::Error::from)?;
            return page::print(answer, self.terms.json, |reply, width| {
                self.lines(view, reply, width)
            });
        }
        let page = api.post_text(path, &request, "text/html")?;
        match &self.out {
            Some(file) => page::write(file, &page),
            None if self.open => page::open(&page),
            None => Ok(Term::stdout().write_line(&printable(&page))?),
        }
    }

    /// Draws a reply, and tells where there is more of it.
    fn lines<T>(
        &self,
        view: &ReportView<T>,
        reply: &Reply<Answer<T>>,
        width: usize,
    ) -> Vec<String> {
        let view = view.view(&reply.report, &reply.meta.degraded).flagging(&reply.meta.flagged);
        let all = terminal::lines(&view, Detail::All, width);
        if self.all {
            return all;
        }
        let mut lines = terminal::lines(&view, Detail::Short, width);
        if lines != all {
            let hint = "--all shows all that was found, with the ids of passages.";
            lines.extend([String::new(), style(hint).dim().to_string()]);
        }
        lines
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
}

/// Reads what is given as the request that it is to be.
fn request<R: DeserializeOwned>(given: Value) -> Result<R> {
    serde_path_to_error::deserialize(given)
        .map_err(|error| anyhow!("invalid `{}`: {}", error.path(), error.inner()))
}

#[cfg(test)]
mod tests;
