//! What a language model writes for a question that comes alone: queries and, where sources may be chosen, those to ask.
//!
//! Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, 2022 (a sentence that the document sought may
//! contain); Wang, Yang, Wei: Query2doc, 2023. What is written is searched for, within what the caller may read, and never
//! shown as something that is known.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};
use wire::common::AnswerMode;
use wire::search::Intent;
use wire::trial::ModelPart;

use crate::queries;
use model::document::hexadecimal;
use model::{Error, Result};
use ports::chat::Chat;
use ports::question::Question;
use ports::scope::{Grant, Scope};
use ports::{Model, Prompt, QueryCache, Tool, WrittenQueries, WrittenRoute};

/// The most queries that are taken of what is written, and the most characters of each.
const MOST: usize = 5;
const LONGEST: usize = 300;

/// The most tokens that are written.
const TOKENS: u32 = 400;

/// How long they are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Changes with the prompt: what was written for another one is not used again.
const EDITION: &str = "2";

/// What the model is told that writes queries.
pub const PROMPT: &str = "\
You help to search the documents of engineers: failure reports, runbooks, guides, decisions, specifications, logs.
Write four searches beside the question, in its language, that would find the documents that answer it:
three of two to eight words each, in the terms that such a document uses where the question uses others (the technical
name of what is described, its likely cause, its remedy), and one whole sentence that such a document may contain.
Do not answer the question. Invent no numbers, names or identifiers.";

/// Measured with the sources in `infra/sources`: tests/bench/README.md.
const ROUTING: &str = "
Say also what the asker wants (`intent`), and which sources to search (`sources`).

Intents, one of them:
locate: to find where something is: a file, function, document or record.
implement: to build or write something.
explain: to understand a concept, or how something works.
compare: to choose between options.
configure: to set something up, or to learn how it is set or what its value is.
use: to call, run or use something that exists: its signature, arguments, steps, good practice.
troubleshoot: to understand or mend a failure, or to find what is known of one.

Name the sources that a well-informed colleague would open, best first: one to three, and one alone only where the answer can be nowhere
else.

Sources:
";

/// A language model that writes queries and grades what they find, and where queries are kept.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    /// The model; `None` where there is none.
    pub chat: Option<Chat<'a>>,
    /// Keeps what it wrote.
    pub kept: &'a dyn QueryCache,
    /// The mode for callers who do not say.
    pub mode: AnswerMode,
}

/// A source that a question may be for: its name, and what stands in it.
pub type Choice<'a> = (&'a str, &'a str);

/// What was written and can be used.
#[derive(Debug, Default)]
pub struct Written {
    /// The queries, at most five.
    pub queries: Vec<Question>,
    /// The sources to ask, and what for.
    pub route: Option<WrittenRoute>,
}

impl Writer<'_> {
    /// Gives what was kept for a question, or writes it. Sources are chosen of `choices`.
    pub(crate) async fn written(
        &self,
        question: &Question,
        choices: &[Choice<'_>],
        grant: &Grant,
        now: Timestamp,
    ) -> Result<Written> {
        let none = || Error::unavailable("the language model", "none is set: ChatModel");
        let Chat { model, name, .. } = self.chat.ok_or_else(none)?;
        let parts = [EDITION, name, question.as_str(), &listed(choices)].join("\n");
        let (scope, key) = (narrowest(grant), hexadecimal(&Sha256::digest(parts)));
        // What cannot be read or kept is written anew.
        if let Ok(Some(kept)) = self.kept.queries(scope, &key, now).await {
            return Ok(usable(question, kept));
        }
        let written = write(model, question, choices).await?;
        let usable = usable(question, written.clone());
        if usable.queries.is_empty() {
            return Err(Error::unavailable("the language model", "it wrote no query"));
        }
        self.kept.keep_queries(scope, &key, &written, now + KEPT).await.ok();
        Ok(usable)
    }
}

/// The queries that `model` writes beside a question.
///
/// # Errors
/// Those of the model.
pub async fn queries_of(model: &dyn Model, question: &Question) -> Result<Vec<Question>> {
    Ok(usable(question, write(model, question, &[]).await?).queries)
}

/// Lists the sources to choose from, a line each.
fn listed(choices: &[Choice<'_>]) -> String {
    let lines = choices.iter().map(|(name, content)| format!("{name}: {content}"));
    lines.collect::<Vec<String>>().join("\n")
}

/// The knowledge base with the fewest readers, with which they are kept and erased: they say what the question says.
pub fn narrowest(grant: &Grant) -> &Scope {
    let readers = |scope: &&Scope| match scope {
        Scope::Case(_) => 0,
        Scope::User(_) | Scope::Project(_) => 1,
        Scope::Team(_) => 2,
        Scope::Global => 3,
    };
    grant.scopes().iter().min_by_key(readers).unwrap_or(&Scope::Global)
}

/// Those of the queries that can be searched for, and the route.
fn usable(question: &Question, written: WrittenQueries) -> Written {
    let WrittenQueries { queries, route } = written;
    let cut = |text: String| text.trim().chars().take(LONGEST).collect::<String>();
    let queries = queries.into_iter().map(cut).filter(|w| Question::parse(w).is_ok());
    let queries: Vec<String> = queries.take(MOST).collect();
    Written { queries: queries::parse(question, &queries).unwrap_or_default(), route }
}

async fn write(
    model: &dyn Model,
    question: &Question,
    choices: &[Choice<'_>],
) -> Result<WrittenQueries> {
    let mut properties = json!({
        "queries": {"type": "array", "items": {"type": "string"}, "maxItems": MOST},
    });
    let mut required = vec!["queries"];
    let mut rules = PROMPT.to_owned();
    if !choices.is_empty() {
        let intents = Intent::ALL.map(|(_, name)| name);
        let sources: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        properties["intent"] = json!({"enum": intents});
        properties["sources"] = json!({"type": "array", "items": {"enum": sources}, "minItems": 1});
        required.extend(["intent", "sources"]);
        rules = [PROMPT, ROUTING, &listed(choices)].concat();
    }
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let prompt = Prompt {
        part: Some(ModelPart::Queries),
        system: &rules,
        user: &format!("Question: {}", question.as_str()),
        tool: Some(Tool { name: "queries", description: "Gives the searches", schema: &schema }),
        max_tokens: TOKENS,
        temperature: 0.0,
    };
    serde_json::from_value(model.complete(&prompt).await?.content)
        .map_err(|error| Error::unavailable("the language model", error))
}

#[cfg(test)]
mod tests;
