//! How much is spent on an answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much is spent on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// The passages' own sentences; no language model is asked.
    Minimal,
    /// A language model writes queries where the caller sends none, and answers from the passages that are found; what it
    /// answers is checked against them.
    Standard,
}

impl Effort {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Minimal => "minimal",
            Effort::Standard => "standard",
        }
    }
}
