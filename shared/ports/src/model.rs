//! What writes answers: a language model that fills in forms.

use async_trait::async_trait;
use serde_json::Value;

use wire::trial::ModelPart;

pub(crate) use model::Result;

/// What a model is told, and the form in which it must answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prompt<'a> {
    /// The part of the work that it is for; `None` of one that has no trial.
    pub part: Option<ModelPart>,
    /// What holds for every question.
    pub system: &'a str,
    /// The question, and the passages to answer it from.
    pub user: &'a str,
    /// The form; `None` leaves it free to write text.
    pub tool: Option<Tool<'a>>,
    /// The most it may write. An answer that is cut off there is none.
    pub max_tokens: u32,
    /// How freely it chooses its words: 0 takes the likeliest, 1 is the most.
    pub temperature: f32,
}

/// A form that the model fills in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tool<'a> {
    /// Its name: letters, digits, `_` and `-`, at most 64.
    pub name: &'a str,
    /// What the model should know of it.
    pub description: &'a str,
    /// The JSON schema of what is filled in, an object. The model may break it; nobody has checked its answer.
    pub schema: &'a Value,
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// The form as it was filled in; the text as a string where there was none.
    pub content: Value,
    /// How many tokens it read.
    pub tokens_in: u32,
    /// How many tokens it wrote.
    pub tokens_out: u32,
}

/// Writes what it is told to.
#[async_trait]
pub trait Model: Send + Sync {
    /// Answers once. A model that is slow, busy, cut off or off the form is unavailable.
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion>;
}
