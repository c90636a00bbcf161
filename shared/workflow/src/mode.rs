//! Who writes an answer: the documents alone, or a language model too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who writes an answer: the documents alone, or a language model too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerMode {
    /// Answers are the passages' own sentences; no language model is asked.
    Extractive,
    /// A language model writes queries where the caller sends none, and answers from the passages that are found; what it
    /// answers is checked against them.
    Generative,
}

impl AnswerMode {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            AnswerMode::Extractive => "extractive",
            AnswerMode::Generative => "generative",
        }
    }
}
