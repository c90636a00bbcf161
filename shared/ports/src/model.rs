//! A language model that fills in forms.

use async_trait::async_trait;
use serde_json::Value;

use wire::trial::ModelPart;

pub(crate) use model::Result;

/// The instructions for a model, and the form of its answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prompt<'a> {
    /// The part of the work; `None` for work that has no trial.
    pub part: Option<ModelPart>,
    /// The instructions for every question.
    pub system: &'a str,
    /// The question, and the passages that may answer it.
    pub user: &'a str,
    /// The form; without one the model writes free text.
    pub tool: Option<Tool<'a>>,
    /// Upper bound for the tokens of the answer. An answer that is cut off is an error.
    pub max_tokens: u32,
    /// The temperature: 0 selects the most probable words; 1 is the maximum.
    pub temperature: f32,
}

/// A form that the model fills in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tool<'a> {
    /// Its name: letters, digits, `_` and `-`, at most 64.
    pub name: &'a str,
    /// The description of the form for the model.
    pub description: &'a str,
    /// The JSON schema of the form, an object. The model may violate it, because nobody has checked
    /// its answer.
    pub schema: &'a Value,
}

/// The answer of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// The filled-in form; without a form, the text as a string.
    pub content: Value,
    /// The number of tokens read.
    pub tokens_in: u32,
    /// The number of tokens written.
    pub tokens_out: u32,
}

/// Writes according to a prompt.
#[async_trait]
pub trait Model: Send + Sync {
    /// Answers once. A model that is slow or busy, is cut off, or does not follow the form counts
    /// as unavailable.
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion>;
}
