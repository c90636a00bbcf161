//! Queries that a language model writes for a question that comes alone.
//!
//! Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, 2022 (a sentence that the document sought may
//! contain); Wang, Yang, Wei: Query2doc, 2023. What is written is searched for, within what the caller may read, and never
//! shown as something that is known.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use wire::common::AnswerMode;

use super::{Evidence, Request, queries};
use crate::degraded::Degraded;
use crate::document::hexadecimal;
use crate::evidence::ScoreParts;
use crate::ports::{Model, Prompt, QueryCache, Tool};
use crate::question::Question;
use crate::scope::{Grant, Scope};
use crate::{Error, Result};

/// The most queries that are taken of what is written, and the most characters of each.
const MOST: usize = 5;
const LONGEST: usize = 300;

/// The most tokens that are written.
const TOKENS: u32 = 400;

/// How long they are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Changes with the prompt: what was written for another one is not used again.
const EDITION: &str = "1";

const RULES: &str = "\
You help to search the documents of engineers: failure reports, runbooks, guides, decisions, specifications, logs.
Write four searches beside the question, in its language, that would find the documents that answer it:
three of two to eight words each, in the terms that such a document uses where the question uses others (the technical
name of what is described, its likely cause, its remedy), and one whole sentence that such a document may contain.
Do not answer the question. Invent no numbers, names or identifiers.";

/// A language model that writes queries, and where they are kept.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    /// The model with its name; `None` where there is none.
    pub model: Option<(&'a dyn Model, &'a str)>,
    /// Keeps what it wrote.
    pub kept: &'a dyn QueryCache,
    /// The mode for callers who do not say.
    pub mode: AnswerMode,
}

#[derive(Deserialize)]
struct Form {
    queries: Vec<String>,
}

impl Writer<'_> {
    /// Whether queries are to be written for what is asked.
    pub(crate) fn is_to_write(&self, request: &Request) -> bool {
        request.queries.is_empty() && request.mode.unwrap_or(self.mode) == AnswerMode::Generative
    }

    /// Gives queries for what is asked where they are to be written; what fails is told in `degraded`.
    pub(crate) async fn beside(
        &self,
        request: &Request,
        now: Timestamp,
        degraded: &mut Vec<Degraded>,
    ) -> Vec<Question> {
        if !self.is_to_write(request) {
            return Vec::new();
        }
        let written = self.queries(&request.question, &request.grant, now).await;
        written.unwrap_or_else(|error| {
            degraded.push(Degraded { part: "queries_written".into(), error });
            Vec::new()
        })
    }

    /// Gives the queries that were kept for a question, or new ones.
    async fn queries(
        &self,
        question: &Question,
        grant: &Grant,
        now: Timestamp,
    ) -> Result<Vec<Question>> {
        let none = || Error::unavailable("the language model", "none is set: ChatModel");
        let (model, name) = self.model.ok_or_else(none)?;
        let digest = Sha256::digest([EDITION, name, question.as_str()].join("\n"));
        let (scope, key) = (narrowest(grant), hexadecimal(&digest));
        // What cannot be read or kept is written anew.
        if let Ok(Some(kept)) = self.kept.queries(scope, &key, now).await {
            return Ok(taken(question, kept));
        }
        let written = write(model, question).await?;
        if taken(question, written.clone()).is_empty() {
            return Err(Error::unavailable("the language model", "it wrote no query"));
        }
        self.kept.keep_queries(scope, &key, &written, now + KEPT).await.ok();
        Ok(taken(question, written))
    }
}

/// The knowledge base with the fewest readers, with which they are kept and erased: they say what the question says.
pub(crate) fn narrowest(grant: &Grant) -> &Scope {
    let readers = |scope: &&Scope| match scope {
        Scope::Case(_) => 0,
        Scope::User(_) | Scope::Project(_) => 1,
        Scope::Team(_) => 2,
        Scope::Global => 3,
    };
    grant.scopes().iter().min_by_key(readers).unwrap_or(&Scope::Global)
}

/// Those of them that can be searched for.
fn taken(question: &Question, written: Vec<String>) -> Vec<Question> {
    let cut = |text: String| text.trim().chars().take(LONGEST).collect::<String>();
    let written = written.into_iter().map(cut).filter(|w| Question::parse(w).is_ok());
    let written: Vec<String> = written.take(MOST).collect();
    queries::parse(question, &written).unwrap_or_default()
}

async fn write(model: &dyn Model, question: &Question) -> Result<Vec<String>> {
    let schema = json!({
        "type": "object",
        "properties": {"queries": {"type": "array", "items": {"type": "string"}, "maxItems": MOST}},
        "required": ["queries"],
    });
    let description = "Gives the searches";
    let prompt = Prompt {
        system: RULES,
        user: &format!("Question: {}", question.as_str()),
        tool: Some(Tool { name: "queries", description, schema: &schema }),
        max_tokens: TOKENS,
        temperature: 0.0,
    };
    let form: Form = serde_json::from_value(model.complete(&prompt).await?.content)
        .map_err(|error| Error::unavailable("the language model", error))?;
    Ok(form.queries)
}

/// Leaves evidence found by written queries where it is, and takes away that it is near to them: they may be of something else.
pub(crate) fn without_nearness(evidence: &mut Evidence) {
    let mut rankings = std::mem::take(&mut evidence.parts.rankings);
    for ranking in rankings.iter_mut().filter(|ranking| ranking.query.is_some()) {
        ranking.z_score = None;
    }
    evidence.parts = ScoreParts::new(rankings, evidence.parts.fusion);
}

#[cfg(test)]
mod tests;
