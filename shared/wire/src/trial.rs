//! The trial of a language model: how well it does each part of its work, beside the rules.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the work that a language model may do in place of rules.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ModelPart {
    /// Writes queries beside a question, rewrites follow-ups, and types questions over records.
    Queries,
    /// Grades how well results fit a question.
    Grade,
    /// Sorts passages by the facets that they serve.
    Sort,
    /// Assigns statements to the options of a comparison.
    Assign,
    /// Writes answers.
    Write,
    /// Checks claims against the passages that they cite, and statements against each other.
    Check,
}

impl ModelPart {
    /// All parts, in the order of a question's way.
    pub const ALL: [ModelPart; 6] = [
        ModelPart::Queries,
        ModelPart::Grade,
        ModelPart::Sort,
        ModelPart::Assign,
        ModelPart::Write,
        ModelPart::Check,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            ModelPart::Queries => "queries",
            ModelPart::Grade => "grade",
            ModelPart::Sort => "sort",
            ModelPart::Assign => "assign",
            ModelPart::Write => "write",
            ModelPart::Check => "check",
        }
    }
}

/// How a language model did a part in its trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartTrial {
    /// The part.
    pub part: ModelPart,
    /// When it was tried.
    pub at: Timestamp,
    /// How many items there were.
    pub items: u32,
    /// How many of them the model got right.
    pub right: u32,
    /// How many of them the rules get right.
    pub rules: u32,
    /// How many of the model's replies kept the form that they were asked in, and how many there
    /// were.
    pub forms: (u32, u32),
    /// Whether the model does this part: it got more items right than the rules do.
    pub serves: bool,
    /// Why a call failed, the last one's; for members of the admin group only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The deployment's language model, and which parts it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatModelHealth {
    /// The model.
    pub name: String,
    /// True if the deployment lets it do all parts without a trial.
    pub is_trial_waived: bool,
    /// The parts that were tried; rules do the others.
    pub parts: Vec<PartTrial>,
}

/// What comes of a request for a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrialReply {
    /// The model.
    pub name: String,
    /// The parts whose trial begins.
    pub parts: Vec<ModelPart>,
    /// When it begins: what is older comes of an earlier one.
    pub begins_at: Timestamp,
}
