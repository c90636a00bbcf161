//! Stored answers: they can be read again by their id, and returned again while the data behind
//! them is unchanged.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::cases::CaseStatus;
use wire::search::Intent;

use crate::caller::Caller;
use crate::scope::Scope;
use model::Result;

/// The data that one read returns before a question is answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CacheRead {
    /// The status of the caller's case, if the scope is a case; `None` if the caller is not a
    /// member.
    pub case: Option<CaseStatus>,
    /// The number of changes to the scope's documents.
    pub corpus: u64,
    /// The earlier answer, however old.
    pub cached: Option<Cached>,
    /// The embeddings of texts that were embedded before, by their keys.
    pub vectors: HashMap<String, Vec<f32>>,
}

/// An earlier answer to the same question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cached {
    /// The id of the stored answer, a ULID.
    pub answer_id: String,
    /// The answer as JSON.
    pub body: String,
    /// The number of changes to the scope's documents at that time.
    pub corpus: u64,
    /// The time at which the answer was made.
    pub made_at: Timestamp,
    /// The time until which the answer may be returned again.
    #[serde(with = "second::required")]
    pub expires_at: Timestamp,
}

/// An answer stored under its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// The id, a ULID.
    pub answer_id: String,
    /// The scope of the documents.
    pub scope: Scope,
    /// The mode in which it was made.
    pub mode: String,
    /// The number of changes to the scope's documents at that time.
    pub corpus: u64,
    /// The answer as JSON.
    pub body: String,
    /// The time until which the answer is stored.
    #[serde(with = "second::required")]
    pub expires_at: Timestamp,
}

/// The data of an answer that is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Keeping {
    /// The answer, stored under its id.
    pub answer: KeptAnswer,
    /// The documents that it cites, by their scopes. It goes with any of them that is erased.
    pub documents: BTreeMap<Scope, BTreeSet<Uuid>>,
    /// The key under which the answer may be returned again, and the time until then; `None` if it
    /// may not.
    pub cache: Option<(String, Timestamp)>,
    /// The time at which the answer was made.
    pub made_at: Timestamp,
    /// The new embeddings by their keys.
    pub vectors: Vec<(String, Vec<f32>)>,
    /// The time until which the embeddings are stored.
    pub vectors_until: Timestamp,
}

/// The text that a language model wrote besides a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenQueries {
    /// Other wordings of the question, for additional searches.
    pub queries: Vec<String>,
    /// The purpose and the sources of the question, if the model was asked for them.
    #[serde(flatten)]
    pub route: Option<WrittenRoute>,
}

/// The purpose of a question and the names of its sources, as a language model read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenRoute {
    /// The purpose.
    pub intent: Intent,
    /// The sources, best first.
    pub sources: Vec<String>,
}

/// Stores what a language model wrote besides a question.
#[async_trait]
pub trait QueryCache: Send + Sync {
    /// Returns the entry under `key` in the scope, until it expires.
    async fn queries(
        &self,
        scope: &Scope,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<WrittenQueries>>;

    /// Stores an entry until `until` and replaces the one before.
    async fn keep_queries(
        &self,
        scope: &Scope,
        key: &str,
        written: &WrittenQueries,
        until: Timestamp,
    ) -> Result<()>;
}

/// A search's answer that may be returned again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSearch {
    /// The answer as JSON.
    pub body: String,
    /// The number of changes to each granted scope's documents at that time, in the grant's order.
    pub corpus: Vec<u64>,
    /// The time until which the answer may be returned again.
    #[serde(with = "second::required")]
    pub expires_at: Timestamp,
}

/// Stores the answers of searches, which may span scopes.
#[async_trait]
pub trait SearchCache: Send + Sync {
    /// Reads in one call the number of changes to the documents of each scope, in order, and the
    /// answer under `key` of `owner`, however old.
    async fn search(
        &self,
        scopes: &[Scope],
        owner: &Scope,
        key: &str,
    ) -> Result<(Vec<u64>, Option<KeptSearch>)>;

    /// Stores an answer of `owner` and replaces the one before.
    async fn keep_search(&self, owner: &Scope, key: &str, kept: &KeptSearch) -> Result<()>;
}

/// Stores answers.
#[async_trait]
pub trait Answers: Send + Sync {
    /// Reads all data that a question needs beforehand, in one call: the caller's case, if `scope`
    /// is one, the version of the corpus, the answer cached under `key`, and the embeddings under
    /// `vectors`.
    async fn read_cache(
        &self,
        scope: &Scope,
        caller: &Caller,
        key: &str,
        vectors: &[String],
    ) -> Result<CacheRead>;

    /// Stores an answer in one call, and replaces existing embeddings and the cached answer.
    async fn keep(&self, keeping: &Keeping) -> Result<()>;

    /// Returns a stored answer, unless it has expired by `now`. The caller of this method must
    /// check that the answer may be read.
    async fn answer(&self, answer_id: &str, now: Timestamp) -> Result<Option<KeptAnswer>>;
}
