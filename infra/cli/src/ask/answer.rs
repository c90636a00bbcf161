//! Answers from one knowledge base, claim by claim with what each rests on.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::records::{RecordsRequest, Select};

use super::{Terms, post};
use crate::address::part;
use crate::api::{Api, Knowledge};
use crate::{page, records};

mod footer;
mod kept;
mod shown;

/// A question to one knowledge base.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// Whose documents answer: `global`, `user`, `case:ID` or `team:ID`.
    knowledge: Knowledge,
    /// What you want to know.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// What may be done for the answer; otherwise what the knowledge base does.
    #[arg(long, value_enum)]
    mode: Option<AnswerMode>,
    /// A question that was asked before, so that this one may lean on it; may be given several times, the last one last.
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

/// What may be done for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnswerMode {
    /// Sentences of the documents, verbatim; no model is asked.
    Extractive,
    /// A model writes the answer from the same passages, and it is verified.
    Generative,
}

/// What one side said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// `user` or `assistant`.
    pub role: String,
    /// In its words.
    pub content: String,
}

/// An answer that was given before.
#[derive(Debug, Args)]
pub(crate) struct Stored {
    /// The answer, by the id that it was given with.
    #[arg(value_name = "ANSWER_ID")]
    answer: String,
    /// Fails, with exit code 1, where something that the answer cites stands no more.
    #[arg(long)]
    check: bool,
    /// Prints the API's answer as it is.
    #[arg(long)]
    json: bool,
}

impl AnswerMode {
    /// Its name on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AnswerMode::Extractive => "extractive",
            AnswerMode::Generative => "generative",
        }
    }
}

pub(crate) fn ask(api: &Api, question: &Question, terms: &Terms) -> Result<()> {
    let Question { knowledge, text, mode, .. } = question;
    let said = match &question.conversation {
        Some(file) => {
            let text = std::fs::read_to_string(file).map_err(anyhow::Error::from);
            text.and_then(|text| turns(&text)).with_context(|| file.display().to_string())?
        }
        None => question.follow_up_of.iter().map(|text| asked(text)).collect(),
    };
    let body = body(terms.body(text, None), *mode, &said);
    let answer = post(api, &knowledge.answer(), &body)?;
    let read_as = answer.get("read_as").cloned().filter(|_| question.all);
    terms.print(answer, shown::lines)?;
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
    let answer: Value = api.get(&format!("/v1/answers/{}", part(&stored.answer)))?;
    let now = answer.get("now").and_then(Value::as_str).map(str::to_owned);
    page::print(answer, stored.json, shown::lines)?;
    match now.as_deref() {
        _ if !stored.check => Ok(()),
        Some("current") => Ok(()),
        Some(other) => bail!("the answer is {other}"),
        None => bail!("whether the answer is current could not be told"),
    }
}

fn asked(text: &str) -> Turn {
    Turn { role: "user".into(), content: text.into() }
}

/// What is asked, with the mode and what was said before where they are given.
pub fn body(mut body: Value, mode: Option<AnswerMode>, said: &[Turn]) -> Value {
    if let Some(mode) = mode {
        body["mode"] = json!(mode.name());
    }
    if !said.is_empty() {
        body["conversation"] = json!(said);
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
        let said = json!([{"role": "user", "content": "When did it stop?"}]);
        assert_eq!(whole, json!({"question": "why?", "mode": "generative", "conversation": said}));
    }

    #[test]
    fn what_was_said_before_has_roles_and_contents() {
        let said = turns(r#"[{"role": "assistant", "content": "At noon."}]"#).unwrap();
        assert_eq!(said[0].content, "At noon.");
        let error = turns(r#"[{"role": "user", "text": "When?"}]"#).unwrap_err().to_string();
        assert_eq!(error, "a conversation must be a list of {role, content}");
    }
}
