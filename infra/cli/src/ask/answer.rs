//! Answers from one knowledge base, claim by claim with what each rests on.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use console::{Term, style};
use serde_json::{Value, json};
use views::answer::view;
use wire::WORKFLOWS;
use wire::answer::{AnswerReport, AnswerRequest, Speaker, Turn};
use wire::common::AnswerMode;
use wire::meta::Reply;
use wire::records::{RecordsRequest, Select};

use super::pick::{Pick, pick};
use super::workflow::Asked;
use super::{Options, Terms, like, mode, request, search};
use crate::address::part;
use crate::api::{Api, Knowledge};
use crate::terminal::{self, Detail};
use crate::{page, records};

/// A question to one knowledge base.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// Whose documents answer: `global` (or `answer`), `user`, `case:ID` or `team:ID`. Or the
    /// question alone: its form picks the workflow.
    #[arg(value_name = "KNOWLEDGE")]
    first: String,
    /// What you want to know.
    #[arg(value_name = "QUESTION")]
    text: Option<String>,
    /// `extractive`, the documents' own sentences, or `generative`, by a language model that is
    /// checked against them; otherwise as the knowledge base is set up.
    #[arg(long, value_parser = mode)]
    mode: Option<AnswerMode>,
    /// A passage or document, by its id, that is like what is sought; may be given several times.
    #[arg(long, value_name = "ID")]
    like: Vec<String>,
    /// A passage or document, by its id, that is not what is sought; may be given several times.
    #[arg(long, value_name = "ID")]
    unlike: Vec<String>,
    /// A question that was asked before, so that this one may lean on it; may be given several
    /// times, the last one last.
    #[arg(long, value_name = "QUESTION", conflicts_with = "conversation")]
    follow_up_of: Vec<String>,
    /// What was said before: a JSON file with `[{"role": "user" or "assistant", "content"}]`.
    #[arg(long, value_name = "FILE")]
    conversation: Option<PathBuf>,
    /// Lists all records that the answer is of below it, at most 1,000.
    #[arg(long)]
    all: bool,
}

/// The most records that a query lists.
const LISTED: u32 = 1_000;

/// An answer that was given before.
#[derive(Debug, Args)]
pub(crate) struct Stored {
    /// The answer, by the id that it was given with.
    #[arg(value_name = "ANSWER_ID")]
    answer: String,
    /// Fails, with exit code 1, where something that the answer cites stands no more.
    #[arg(long)]
    check: bool,
    /// Print the API's answer as it is.
    #[arg(long)]
    json: bool,
}

pub(crate) fn ask(api: &Api, question: &Question, terms: &Terms) -> Result<()> {
    let knowledge = match question.first.as_str() {
        // Everyone's documents answer, as with `ask global`.
        "answer" if question.text.is_some() => Ok(Knowledge::Global),
        first => first.parse::<Knowledge>(),
    };
    match (knowledge, &question.text) {
        (Ok(knowledge), Some(text)) => put(api, &knowledge, text, question, terms),
        (Err(_), Some(_)) if is_workflow(&question.first) => {
            bail!(
                "options come behind the workflow: plumbline ask {0} QUESTION ...",
                question.first
            )
        }
        (Err(reason), Some(_)) => bail!("`{}` {reason}", question.first),
        (Ok(_), None) => {
            bail!("what do you want to know? The question comes after `{}`", question.first)
        }
        (Err(_), None) => picked(api, question, terms),
    }
}

/// Asks the workflow that the form of the question is for, and says which that is.
fn picked(api: &Api, question: &Question, terms: &Terms) -> Result<()> {
    let text = &question.first;
    let Pick { name, reason } = pick(text);
    let message = format!("Asked as `plumbline ask {name}`, because the question {reason}.");
    Term::stderr().write_line(&style(message).dim().to_string())?;
    let options = Options::of(terms, question.mode, question.all);
    if name == "search" {
        return search::ask(api, &search::Question::of(text, options));
    }
    match Asked::of(name, text, options) {
        Some(asked) => asked.run(api),
        None => put(api, &Knowledge::Global, text, question, terms),
    }
}

/// Returns true for a workflow that is asked by its name.
fn is_workflow(name: &str) -> bool {
    WORKFLOWS.contains(&name) || ["search", "custom"].contains(&name)
}

fn put(
    api: &Api,
    knowledge: &Knowledge,
    text: &str,
    question: &Question,
    terms: &Terms,
) -> Result<()> {
    let mode = &question.mode;
    let conversation = match &question.conversation {
        Some(file) => {
            let text = std::fs::read_to_string(file).map_err(anyhow::Error::from);
            text.and_then(|text| turns(&text)).with_context(|| file.display().to_string())?
        }
        None => question.follow_up_of.iter().map(|text| asked(text)).collect(),
    };
    let mut body = body(terms.body(text, None), *mode, &conversation);
    like(&mut body, &question.like, &question.unlike);
    let request: AnswerRequest = request(body)?;
    let answer: Value = api.post(&knowledge.answer(), &request)?.map_err(anyhow::Error::from)?;
    let read_as = answer.get("read_as").cloned().filter(|_| question.all);
    page::print(answer, terms.json, lines)?;
    let Some(read_as) = read_as else { return Ok(()) };
    let query: RecordsRequest = serde_json::from_value(read_as)?;
    let all = RecordsRequest {
        conditions: query.conditions,
        select: Select::List,
        limit: Some(LISTED),
        ..RecordsRequest::default()
    };
    records::print(api, &knowledge.records(), &all, terms.json)
}

/// Shows an answer as it was given, and what became of what it cites.
pub(crate) fn again(api: &Api, stored: &Stored) -> Result<()> {
    let answer: Value =
        api.get(&format!("/v1/answers/{}?max_bytes={}", part(&stored.answer), wire::fit::MOST))?;
    let now = answer.get("now").and_then(Value::as_str).map(str::to_owned);
    page::print(answer, stored.json, lines)?;
    match now.as_deref() {
        _ if !stored.check => Ok(()),
        Some("current") if stored.json => Ok(()),
        Some("current") => {
            Ok(Term::stdout().write_line("current: all that it cites stands as quoted")?)
        }
        Some(other) => bail!("the answer is {other}"),
        None => bail!("whether the answer is current could not be told"),
    }
}

fn lines(reply: &Reply<AnswerReport>, width: usize) -> Vec<String> {
    let view = view(&reply.report, &reply.meta).flagging(&reply.meta.flagged);
    terminal::lines(&view, Detail::All, width)
}

fn asked(text: &str) -> Turn {
    Turn { role: Speaker::User, content: text.into() }
}

/// Returns the body of a question, with the mode and what was said before where they are given.
pub fn body(mut body: Value, mode: Option<AnswerMode>, conversation: &[Turn]) -> Value {
    if let Some(mode) = mode {
        body["mode"] = json!(mode);
    }
    if !conversation.is_empty() {
        body["conversation"] = json!(conversation);
    }
    body
}

fn turns(text: &str) -> Result<Vec<Turn>> {
    serde_json::from_str(text).context("a conversation must be a list of {role, content}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_given_is_sent() {
        let bare = body(json!({"question": "why?"}), None, &[]);
        assert_eq!(bare, json!({"question": "why?"}));
        let whole = body(bare, Some(AnswerMode::Generative), &[asked("When did it stop?")]);
        let conversation = json!([{"role": "user", "content": "When did it stop?"}]);
        let expected =
            json!({"question": "why?", "mode": "generative", "conversation": conversation});
        assert_eq!(whole, expected);
    }

    #[test]
    fn what_was_said_before_has_roles_and_contents() {
        let conversation = turns(r#"[{"role": "assistant", "content": "At noon."}]"#).unwrap();
        assert_eq!(conversation[0].content, "At noon.");
        let error = turns(r#"[{"role": "user", "text": "When?"}]"#).unwrap_err().to_string();
        assert_eq!(error, "a conversation must be a list of {role, content}");
    }
}
