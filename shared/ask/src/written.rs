//! Has a language model write queries for a question without any and, if sources may be chosen,
//! choose the sources to search.
//!
//! Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, 2022 (a sentence that
//! the wanted document may contain); Wang, Yang, Wei: Query2doc, 2023. The written queries are
//! searched within the scopes that the caller may read, and never shown as knowledge.

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

/// Upper bounds for the written queries that are used, and for the characters of each.
const MOST: usize = 5;
const LONGEST: usize = 300;

/// Upper bound for the tokens that the model writes.
const TOKENS: u32 = 400;

/// The time for which queries are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The edition of the prompt. It changes with the prompt, so that queries for another prompt are
/// not reused.
const EDITION: &str = "2";

/// The instructions for the model that writes queries.
pub const PROMPT: &str = "\
You help to search the documents of engineers: failure reports, runbooks, guides, decisions, specifications, logs.
Write four searches beside the question, in its language, that would find the documents that answer it:
three of two to eight words each, in the terms that such a document uses where the question uses others (the technical
name of what is described, its likely cause, its remedy), and one whole sentence that such a document may contain.
Do not answer the question. Invent no numbers, names or identifiers.";

/// The instructions for choosing sources, measured with the sources in `infra/sources`:
/// tests/bench/README.md.
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

/// A language model that writes queries and grades results, and the store of its queries.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    /// The model, if there is one.
    pub chat: Option<Chat<'a>>,
    /// The store of written queries.
    pub kept: &'a dyn QueryCache,
    /// The mode for callers who state none.
    pub mode: AnswerMode,
}

/// A source that a question may be about: its name and a description of its content.
pub type Choice<'a> = (&'a str, &'a str);

/// The written queries and sources that can be used.
#[derive(Debug, Default)]
pub struct Written {
    /// The queries, at most five.
    pub queries: Vec<Question>,
    /// The sources to search, and the intent of the question.
    pub route: Option<WrittenRoute>,
}

impl Writer<'_> {
    /// Returns the kept queries of a question, or has the model write them. Sources are chosen
    /// among `choices`.
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
        // Queries that cannot be read or kept are written again.
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

/// Returns the queries that `model` writes for a question.
///
/// # Errors
/// The errors of the model.
pub async fn queries_of(model: &dyn Model, question: &Question) -> Result<Vec<Question>> {
    Ok(usable(question, write(model, question, &[]).await?).queries)
}

/// Lists the sources to choose from, one on each line.
fn listed(choices: &[Choice<'_>]) -> String {
    let lines = choices.iter().map(|(name, content)| format!("{name}: {content}"));
    lines.collect::<Vec<String>>().join("\n")
}

/// Returns the knowledge base with the fewest readers. The queries are kept and erased with it,
/// because they reveal the question.
pub fn narrowest(grant: &Grant) -> &Scope {
    let readers = |scope: &&Scope| match scope {
        Scope::Case(_) => 0,
        Scope::User(_) | Scope::Project(_) => 1,
        Scope::Team(_) => 2,
        Scope::Global => 3,
    };
    grant.scopes().iter().min_by_key(readers).unwrap_or(&Scope::Global)
}

/// Returns the queries that can be searched, and the route.
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
