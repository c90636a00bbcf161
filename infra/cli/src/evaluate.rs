//! Questions whose passages are known: how many are found, and whether that was better before.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use console::Term;
use serde::de::DeserializeOwned;
use serde_json::json;
use views::{ReportView, View, places};
use wire::answer::AnswerReport;
use wire::common::Answer;
use wire::for_workflow;
use wire::meta::Reply;
use workflows::{Workflow, search};

use crate::api::{Api, Knowledge};
use crate::ask::pick::pick;
use crate::page::report;
use crate::wording::{pretty, printable};

mod judge;
mod lines;
mod question;
mod score;

pub use judge::{names_document, share};
pub use lines::read_lines;
pub use question::Outcome;
use question::Question;
use score::changes;
pub use score::{Run, Score};

/// The path at which `plumbline serve` has the questions that were marked on its pages.
pub const MARKED: &str = "/marks.jsonl";

/// Which questions are asked, and what they are compared with.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// The questions, one a line: `{"question": "Who is on call?", "expected":
    /// ["runbooks/on-call.md:3-9", "rota.md"], "workflow": "global"}`. Any of `expected` is right;
    /// where it is empty nothing answers the question, and saying so is right. The workflow (rcca,
    /// trade, explore, search, global) may be left out: the question's form picks it. Without a
    /// file, the questions that you marked on the page of `plumbline serve`.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Writes what came of each question into this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// An earlier run, as --out wrote it: tells what changed, and fails where fewer are right.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Asks all questions, and tells how many were answered right.
pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let questions = match &wanted.file {
        Some(file) => read_lines(file)?,
        None => marked(api)?,
    };
    if questions.is_empty() {
        bail!("there are no questions");
    }
    let before: Option<Run> = wanted.against.as_deref().map(read).transpose()?;
    let bar = crate::progress::bar(questions.len(), "asking");
    let mut outcomes = Vec::new();
    for question in questions {
        outcomes.push(asked(api, question)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let run = Run { outcomes };
    if let Some(out) = &wanted.out {
        let text = pretty(&serde_json::to_value(&run)?)?;
        std::fs::write(out, text).with_context(|| format!("{} is not written", out.display()))?;
    }
    let score = run.score();
    let terminal = Term::stdout();
    if wanted.json {
        terminal.write_line(&pretty(&serde_json::to_value(score)?)?)?;
    } else {
        score.lines().iter().try_for_each(|line| terminal.write_line(line))?;
    }
    let Some(before) = before else { return Ok(()) };
    for line in changes(&before, &run).iter().filter(|_| !wanted.json) {
        terminal.write_line(&printable(line))?;
    }
    match score.worse_than(&before.score()) {
        None => Ok(()),
        Some(reason) => bail!("{reason}"),
    }
}

/// The questions that were marked on the pages of the program that answers.
fn marked(api: &Api) -> Result<Vec<Question>> {
    let text = api.text(MARKED, "application/x-ndjson");
    let text = text.context("name a file, or ask `plumbline serve`, which keeps what is marked")?;
    lines::parsed(&text, "what was marked")
}

fn read(file: &Path) -> Result<Run> {
    let shown = file.display();
    let text = std::fs::read(file).with_context(|| format!("{shown} cannot be read"))?;
    serde_json::from_slice(&text).with_context(|| format!("{shown} is no run"))
}

/// Asks a question, and looks for its passages among what is shown.
fn asked(api: &Api, question: Question) -> Result<Outcome> {
    let name = question.workflow.clone();
    let name = name.unwrap_or_else(|| pick(&question.text).name.to_owned());
    let body = json!({"question": question.text});
    match name.as_str() {
        "global" => {
            let path = Knowledge::Global.answer();
            let reply: Reply<AnswerReport> = report(api, &path, &body)?;
            let view = views::answer::view(&reply.report, &reply.meta);
            Ok(outcome(question, &view, reply.report.abstained.is_some()))
        }
        "search" => of_view(api, question, "search", &body, &search::VIEW),
        name => for_workflow!(name, W => of_view(api, question.clone(), name, &body, &<W as Workflow>::VIEW))
            .unwrap_or_else(|| bail!("`{}` is asked of no workflow named `{name}`", question.text)),
    }
}

fn of_view<R: DeserializeOwned>(
    api: &Api,
    question: Question,
    name: &str,
    body: &serde_json::Value,
    view: &ReportView<R>,
) -> Result<Outcome> {
    let reply: Reply<Answer<R>> = report(api, &format!("/v1/{name}"), body)?;
    let shown = view.view(&reply.report, &reply.meta.degraded);
    Ok(outcome(question, &shown, reply.report.abstained.is_some()))
}

fn outcome(question: Question, view: &View<'_>, abstains: bool) -> Outcome {
    question.outcome(&places(view), abstains)
}
