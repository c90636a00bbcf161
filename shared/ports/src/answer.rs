//! Answers that are kept: to be read again by their id, and to be given again while nothing they rest on has moved.

use std::collections::HashMap;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::cases::CaseStatus;
use wire::search::Intent;

use crate::scope::Scope;
use model::Result;

/// What one read brings before a question is answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CacheRead {
    /// How the caller's case stands, where the scope is one; `None` for a stranger.
    pub case: Option<CaseStatus>,
    /// How often the scope's documents have changed.
    pub corpus: u64,
    /// What was answered before, however old.
    pub cached: Option<Cached>,
    /// The embeddings of texts that were embedded before, by their keys.
    pub vectors: HashMap<String, Vec<f32>>,
}

/// An answer that was given before to the same question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    /// Under which it is kept, a ULID.
    pub answer_id: String,
    /// The answer as JSON.
    pub body: String,
    /// What the scope's documents were then.
    pub corpus: u64,
    /// When it was made.
    pub made_at: Timestamp,
    /// Until when it may be given again.
    pub expires_at: Timestamp,
}

/// An answer under its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// A ULID.
    pub answer_id: String,
    /// From whose documents.
    pub scope: Scope,
    /// By which mode it was made.
    pub mode: String,
    /// What the scope's documents were then.
    pub corpus: u64,
    /// The answer as JSON.
    pub body: String,
    /// Until when it is kept.
    pub expires_at: Timestamp,
}

/// What is kept of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Keeping {
    /// The answer under its id.
    pub answer: KeptAnswer,
    /// The key under which it may be given again, and until when; `None` where it may not.
    pub cache: Option<(String, Timestamp)>,
    /// When it was made.
    pub made_at: Timestamp,
    /// New embeddings by their keys, and until when they are kept.
    pub vectors: Vec<(String, Vec<f32>)>,
    /// Until when the embeddings are kept.
    pub vectors_until: Timestamp,
}

/// What a language model wrote beside a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenQueries {
    /// Other wordings, to be searched beside it.
    pub queries: Vec<String>,
    /// Its purpose and the sources that it is for, where the model was asked for them.
    #[serde(flatten)]
    pub route: Option<WrittenRoute>,
}

/// The purpose of a question and the names of the sources that it is for, as a language model read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenRoute {
    /// The purpose.
    pub intent: Intent,
    /// The sources, best first.
    pub sources: Vec<String>,
}

/// Keeps what a language model wrote beside a question.
#[async_trait]
pub trait QueryCache: Send + Sync {
    /// Gives what is kept under `key` with the scope, until it expires.
    async fn queries(
        &self,
        scope: &Scope,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<WrittenQueries>>;

    /// Keeps it until `until`, in place of what was kept before.
    async fn keep_queries(
        &self,
        scope: &Scope,
        key: &str,
        written: &WrittenQueries,
        until: Timestamp,
    ) -> Result<()>;
}

/// A search's answer that may be given again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSearch {
    /// The answer as JSON.
    pub body: String,
    /// The number of changes of each granted scope's documents up to then, in the grant's order.
    pub corpus: Vec<u64>,
    /// Until when it may be given again.
    pub expires_at: Timestamp,
}

/// Keeps the answers of searches, which may span scopes.
#[async_trait]
pub trait SearchCache: Send + Sync {
    /// Reads in one call how often the documents of each scope have changed, in their order, and what is kept under `key` with
    /// `owner`, however old.
    async fn search(
        &self,
        scopes: &[Scope],
        owner: &Scope,
        key: &str,
    ) -> Result<(Vec<u64>, Option<KeptSearch>)>;

    /// Keeps an answer with `owner`, in place of what was kept before.
    async fn keep_search(&self, owner: &Scope, key: &str, kept: &KeptSearch) -> Result<()>;
}

/// Keeps answers.
#[async_trait]
pub trait Answers: Send + Sync {
    /// Reads all that is known beforehand, in one call: the user's case, where `scope` is one, the corpus's version,
    /// the answer cached under `key`, and the embeddings under `vectors`.
    async fn read_cache(
        &self,
        scope: &Scope,
        user: &str,
        key: &str,
        vectors: &[String],
    ) -> Result<CacheRead>;

    /// Keeps an answer, in one call. An embedding or cached answer that is there already is replaced.
    async fn keep(&self, keeping: &Keeping) -> Result<()>;

    /// Gives a kept answer, unless it has expired by `now`. Whether the caller may read it is for the caller to check.
    async fn answer(&self, answer_id: &str, now: Timestamp) -> Result<Option<KeptAnswer>>;
}
