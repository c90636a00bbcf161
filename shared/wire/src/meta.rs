//! What an answer cost, and what is missing in it.

use crate::fit::LeftOut;
use crate::trial::ModelPart;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reply with what it cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reply<R> {
    /// What was asked for.
    #[serde(flatten)]
    pub report: R,
    /// The parts of it that the budget had no room for; absent where it is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// What it cost.
    pub meta: Meta,
}

/// What a request cost, and what is missing in the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meta {
    /// The request's id, a ULID; the log has it.
    pub request_id: String,
    /// The models that were asked.
    pub models: Vec<String>,
    /// The parts of the work for which a language model replied; absent where it was not asked.
    /// Where its reply could not be used `degraded` says so; what was kept from before has no part
    /// here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_model: Vec<ModelPart>,
    /// Milliseconds by stage; of answers with `explain` only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timings_ms: Timings,
    /// Tokens by use; of answers with `explain` only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tokens: Tokens,
    /// Whether the answer had been given before.
    pub cache: CacheUse,
    /// The parts of the answer that are missing: a service failed or was late.
    pub degraded: Vec<MissingPart>,
    /// The beginnings of texts in the reply that read like an order to whoever reads them; at most
    /// 5. They are shown as what they are: data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flagged: Vec<String>,
    /// What stands beside an answer from a knowledge base.
    #[serde(flatten)]
    pub answer: Option<AnswerMeta>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Whether an answer had been given before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CacheUse {
    /// It had been given before.
    Hit,
    /// It is new.
    Miss,
    /// Such answers are not kept, or it was asked for by its id.
    Off,
}

/// What stands beside an answer from a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerMeta {
    /// The id under which it can be read again, whole; `null` where it could not be kept. A
    /// workflow's reply has one where its budget had no room for all: it is kept for an hour, for
    /// its caller alone.
    pub answer_id: Option<String>,
    /// The mode it was made in.
    pub mode: String,
    /// How often the knowledge base's documents had changed when it was made.
    pub corpus_version: u64,
    /// The age of an answer that was given before, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_age_s: Option<i64>,
    /// The seconds that it may still be given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_left_s: Option<i64>,
}

/// Milliseconds by stage. `rank` is what is neither waiting for a service nor reading and writing
/// JSON. Where the store is read while the question is embedded, both count, and `rank` is the less
/// for it, but never below 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    /// Waiting for the embedding model.
    pub embed: f64,
    /// Waiting for the index.
    pub retrieve: f64,
    /// Our own work.
    pub rank: f64,
    /// Waiting for language models.
    pub model: f64,
    /// Waiting for the table.
    pub store: f64,
    /// All of it.
    pub total: f64,
}

/// Tokens by use; `null` where the service does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tokens {
    /// Tokens that were embedded.
    pub embed: Option<u32>,
    /// Tokens that language models read.
    pub model_in: u64,
    /// Tokens that language models wrote.
    pub model_out: u64,
}

/// A part of the answer that is missing, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingPart {
    /// The part.
    pub part: String,
    /// The reason.
    pub reason: String,
}
