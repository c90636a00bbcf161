//! What every workflow is asked with.

use wire::common::AnswerMode;
use wire::request::CommonFields;

use super::examples::Examples;
use super::{Desk, queries};
use model::Result;
use ports::filter::Filters;
use ports::question::{Question, TopK};
use ports::scope;
use ports::scope::Grant;

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
    /// Whether the reply shows how scores come about.
    pub explain: bool,
    /// Whether the project's trail notes the question.
    pub is_noted: bool,
}

impl Request {
    /// Takes what every workflow is asked with, and checks what may be read before anything is.
    ///
    /// # Errors
    /// [`model::Error::Invalid`] names what the caller can repair; see also [`scope::grant`].
    pub async fn parse(asked: CommonFields<'_>, desk: &Desk<'_>) -> Result<Request> {
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
            explain: asked.explain,
            is_noted: asked.is_noted,
        })
    }
}
