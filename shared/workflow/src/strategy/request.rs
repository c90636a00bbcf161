//! What every workflow is asked with.

use uuid::Uuid;

use super::examples::Examples;
use super::{Desk, queries};
use crate::Result;
use crate::filter::Filters;
use crate::mode::AnswerMode;
use crate::question::{Question, TopK};
use crate::scope::{self, Grant};

/// What every workflow is asked with.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The question.
    pub question: Question,
    /// The caller's queries.
    pub queries: Vec<Question>,
    /// How much is spent on it, where the caller says so.
    pub mode: Option<AnswerMode>,
    /// What is like what is sought, and what is not.
    pub examples: Examples,
    /// How many results are wanted.
    pub top_k: TopK,
    /// What a passage must satisfy.
    pub filters: Filters,
    /// What may be read.
    pub grant: Grant,
    /// For which project it is asked.
    pub project: Option<String>,
}

/// The part of a request's wire form that all workflows share.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The question.
    pub question: &'a str,
    /// Other words for it.
    pub queries: &'a [String],
    /// How much is spent on it.
    pub mode: Option<AnswerMode>,
    /// What is like what is sought.
    pub like: &'a [Uuid],
    /// What is not.
    pub unlike: &'a [Uuid],
    /// For which project it is asked.
    pub project_id: Option<&'a str>,
    /// How many results are wanted.
    pub top_k: Option<u32>,
    /// What a passage must satisfy.
    pub filters: &'a serde_json::Map<String, serde_json::Value>,
    /// Where to look.
    pub knowledge: &'a [String],
}

impl Request {
    /// Takes what every workflow is asked with, and checks what may be read before anything is.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] names what the caller can repair; see also [`scope::grant`].
    pub async fn parse(asked: &Asked<'_>, desk: &Desk<'_>) -> Result<Request> {
        let question = Question::parse(asked.question)?;
        Ok(Request {
            queries: queries::parse(&question, asked.queries)?,
            mode: asked.mode,
            examples: Examples::parse(asked.like, asked.unlike)?,
            question,
            top_k: TopK::parse(asked.top_k)?,
            filters: Filters::parse(asked.filters)?,
            grant: scope::grant(desk.caller, asked.knowledge, desk.members).await?,
            project: asked.project_id.map(str::to_owned),
        })
    }
}
