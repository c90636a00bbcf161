//! Answers with citations: checks known documents, lines, quotes, counts and abstentions.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use console::Term;
use indicatif::ProgressBar;
use plumbline::api::{Api, Knowledge};
use plumbline::ask::answer::body;
use plumbline::evaluate::read_lines;
use plumbline::wording::{count, flat};
use wire::answer::{AnswerReport, Turn};
use wire::common::AnswerMode;
use wire::meta::Reply;

mod judgement;
mod question;
mod tally;

use judgement::judge;
use question::Known;
pub(super) use question::{FileTurn, turns};
use tally::Table;

/// Questions to case, user, team or global knowledge with known answers, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The files; each line has `question` and `answerable`, and may have `docs`, `expected`,
    /// `steps`, `facts`, `count`, `all_lines`, `answer_contains`, `conversation`,
    /// `resolved_question`, `case_id` and `user_id`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The knowledge base that is asked; otherwise a case where there is a `case_id`, `user` where
    /// there is a `user_id`, else `global`.
    #[arg(long)]
    knowledge: Option<Knowledge>,
    /// The case that a `case_id` stands for, as NAME=ID; may be given several times. Questions of
    /// others are left out.
    #[arg(long = "case", value_name = "NAME=ID", value_parser = case)]
    cases: Vec<(String, String)>,
    /// Asks only the questions of this `user_id`; the token must be that user's.
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// The mode of the answers; otherwise that of the knowledge base.
    #[arg(long, value_parser = plumbline::ask::mode)]
    mode: Option<AnswerMode>,
    /// The number of passages that are read, 1 to 50; otherwise 5.
    #[arg(long)]
    top_k: Option<u32>,
    /// Prints every answer that is not right, and what came instead.
    #[arg(long)]
    details: bool,
}

fn case(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, id)) if !name.is_empty() && !id.is_empty() => Ok((name.into(), id.into())),
        _ => Err("must be NAME=ID".into()),
    }
}

pub(crate) fn run(api: &Api, questions: &Questions) -> Result<()> {
    let out = Term::stdout();
    let mut all: Vec<Known> = Vec::new();
    for file in &questions.files {
        all.extend(read_lines::<Known>(file)?);
    }
    let (asked, left_out) = questions.placed(&all);
    if asked.is_empty() {
        bail!("there is nothing to ask: {}", describe_left_out(&left_out));
    }
    let bar = ProgressBar::new(asked.len() as u64);
    let mut table = Table::default();
    let (mut details, mut failed) = (Vec::new(), Vec::new());
    for (known, knowledge) in asked {
        for form in known.forms() {
            let (question, turns) = known.put(*form);
            let answer = match put(api, &knowledge, question, &turns, questions) {
                Ok(answer) => answer,
                // If the first question fails, all would fail.
                Err(error) if table.is_empty() => return Err(error),
                Err(error) => {
                    failed.push(format!("{}{}: {error:#}", known.id, form.remark()));
                    continue;
                }
            };
            let judged = judge(known, &answer);
            if !judged.wrong.is_empty() {
                details.push(format!("{} {}{}", known.id, flat(&known.question), form.remark()));
                details.extend(judged.wrong.iter().map(|wrong| format!("    {wrong}")));
            }
            table.add(*form, &judged);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if questions.details {
        details.iter().try_for_each(|line| out.write_line(line))?;
    }
    if !left_out.is_empty() {
        out.write_line(&describe_left_out(&left_out))?;
    }
    table.render().iter().try_for_each(|line| out.write_line(line))?;
    failed.iter().try_for_each(|line| out.write_line(line))?;
    match failed.len() {
        0 => Ok(()),
        number => bail!("{} not answered, and counted nowhere", count(number, "question")),
    }
}

fn put(
    api: &Api,
    knowledge: &Knowledge,
    question: &str,
    turns: &[Turn],
    asked: &Questions,
) -> Result<Reply<AnswerReport>> {
    ask(api, knowledge, question, turns, asked.mode, asked.top_k)
}

/// Asks the knowledge base.
pub(super) fn ask(
    api: &Api,
    knowledge: &Knowledge,
    question: &str,
    turns: &[Turn],
    mode: Option<AnswerMode>,
    top_k: Option<u32>,
) -> Result<Reply<AnswerReport>> {
    let mut asked = body(
        serde_json::json!({"question": question, "explain": true, "max_bytes": wire::fit::MOST}),
        mode,
        turns,
    );
    if let Some(top_k) = top_k {
        asked["top_k"] = top_k.into();
    }
    plumbline::page::report(api, &knowledge.answer(), &asked)
}

fn describe_left_out(left_out: &BTreeSet<&str>) -> String {
    let names: Vec<&str> = left_out.iter().copied().collect();
    format!(
        "{} left out, for no --case tells its id: {}",
        count(names.len(), "case"),
        names.join(", ")
    )
}

impl Questions {
    /// Returns the questions to ask, each with its knowledge base, and the cases that are left out.
    fn placed<'a>(&self, all: &'a [Known]) -> (Vec<(&'a Known, Knowledge)>, BTreeSet<&'a str>) {
        let mut placed = Vec::new();
        let mut left_out = BTreeSet::new();
        let is_wanted = |known: &&Known| self.user.is_none() || known.user_id == self.user;
        for known in all.iter().filter(is_wanted) {
            let target = match (&self.knowledge, &known.case_id) {
                (Some(knowledge), _) => Some(knowledge.clone()),
                (None, Some(name)) => {
                    let case = self.cases.iter().find(|(case, _)| case == name);
                    case.map(|(_, id)| Knowledge::Case(id.clone()))
                }
                (None, None) if known.user_id.is_some() => Some(Knowledge::User),
                (None, None) => Some(Knowledge::Global),
            };
            match target {
                Some(target) => placed.push((known, target)),
                None => left_out.extend(known.case_id.as_deref()),
            }
        }
        (placed, left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn questions(knowledge: Option<Knowledge>, user: Option<&str>) -> Questions {
        let cases = vec![case("pumps=01C").unwrap()];
        let user = user.map(str::to_owned);
        let files = Vec::new();
        Questions { files, knowledge, cases, user, mode: None, top_k: None, details: false }
    }

    fn all() -> Vec<Known> {
        let lines = [
            json!({"id": "1", "case_id": "pumps", "question": "q"}),
            json!({"id": "2", "case_id": "fans", "question": "q"}),
            json!({"id": "3", "user_id": "ana", "question": "q"}),
            json!({"id": "4", "question": "q"}),
        ];
        lines.map(|line| serde_json::from_value(line).unwrap()).into()
    }

    #[test]
    fn each_question_is_put_to_whom_it_belongs() {
        let all = all();
        let (placed, left_out) = questions(None, None).placed(&all);
        let lines: Vec<String> =
            placed.iter().map(|(known, target)| format!("{} {target:?}", known.id)).collect();
        assert_eq!(lines, ["1 Case(\"01C\")", "3 User", "4 Global"]);
        assert_eq!(
            describe_left_out(&left_out),
            "1 case left out, for no --case tells its id: fans"
        );
    }

    #[test]
    fn one_user_or_one_knowledge_base_may_be_chosen() {
        let all = all();
        let ids = |questions: Questions| -> Vec<&str> {
            questions.placed(&all).0.iter().map(|(known, _)| known.id.as_str()).collect()
        };
        assert_eq!(ids(questions(None, Some("ana"))), ["3"]);
        assert_eq!(ids(questions(Some(Knowledge::Team("t".into())), None)), ["1", "2", "3", "4"]);
        assert!(case("pumps").is_err());
    }
}
