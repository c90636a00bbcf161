//! The outside world as the workflows need it. A request brings its own ids and time.

mod alert;
mod answer;
mod caller;
mod case;
mod clock;
mod conflict;
mod file;
mod health;
mod key;
mod model;
mod project;
mod quota;
mod removal;
mod rerank;
mod search;
mod storage_quota;
mod task;
mod tokens;
mod trial;

pub mod chat;
pub mod context;
pub mod cursor;
pub mod degraded;
pub mod filter;
pub mod once;
pub mod question;
pub mod scope;
pub mod trail;
pub mod user;
pub mod usual;

pub use alert::{AlertGroup, Alerts, Claim, MessageOf};
pub use answer::{
    Answers, CacheRead, Cached, Keeping, KeptAnswer, KeptSearch, QueryCache, SearchCache,
    WrittenQueries, WrittenRoute,
};
pub use case::{Cases, Members};
pub use clock::Clock;
pub use conflict::{ConflictStore, FoundConflicts};
pub use file::{Files, Hiding, StoredFile, Ticket, Tries};
pub use health::{Contents, Originals, Standing};
pub use key::{ApiKeys, StoredKey};
pub use model::{Completion, Model, Prompt, Tool};
pub use project::{
    Guard, Kept, Notes, Pending, Profiles, Projects, Requests, Resting, Reviews, Span, Trail,
    Written,
};
pub use quota::{Quota, Rate};
pub use removal::{DocumentCleanup, IndexCleanup, Orphans, Removal, Removals, Trace, Unfinished};
pub use rerank::Reranker;
pub use search::{Brings, Hit, Ranked, Search, SearchBy};
pub use storage_quota::{Charge, StorageQuota};
pub use task::{HiddenFor, Task, Tasks};
pub use tokens::{Budgeted, TokenBudget, TokenCounter};
pub use trial::Trials;

pub use ::model::document::WHOLE_DOCUMENT;
pub use ::model::item::{About, Collection, Indexing, Live, ModelReading, Record, Status};

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::filter::Filters;
use crate::scope::{Grant, Scope};
use ::model::Result;
use ::model::document::{Passage, hexadecimal};
use ::model::evidence::PointKind;
use ::model::object::Upload;

/// The purpose of an embedding; some models distinguish the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A text that will be found.
    Document,
    /// A text that searches for others.
    Question,
}

/// Converts texts to vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Returns the space of the vectors: the model and dimensions, as `cohere.embed-v4:0/1024`.
    fn space(&self) -> String;

    /// Returns one vector of unit length for each text, in order.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>>;
}

/// The embedding of a passage or of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// The id of the passage; `None` for a whole document.
    pub passage_id: Option<Uuid>,
    /// The id of the document.
    pub document_id: Uuid,
    /// The document's title.
    pub title: String,
    /// The vector, of unit length.
    pub vector: Vec<f32>,
}

/// Finds live and granted passages. Searches find only what the filters allow.
#[async_trait]
pub trait Index: Send + Sync {
    /// Returns the result of each search, all in one call.
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>>;

    /// Returns passages of these documents, in no order: at most the first [`WHOLE_DOCUMENT`] of
    /// each, and those in `passages`.
    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        passages: &[Uuid],
    ) -> Result<Vec<Passage>>;

    /// Returns the passages with these ids, in no order, without missing and not granted ones.
    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>>;

    /// Returns the points with these ids, in no order, without missing and not granted ones.
    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>>;

    /// Returns the embeddings of these passages and documents, in no order, if they are granted.
    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>>;

    /// Returns up to about `limit` allowed passages, in no order, with true if these are all.
    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)>;
}

/// A passage or a document point with its vector, before it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The kind of the point.
    pub kind: PointKind,
    /// The passage, or the fields that the document's passages share.
    pub passage: Passage,
    /// The text that words are matched against.
    pub words: String,
    /// The text that is embedded.
    pub meaning: String,
    /// Its embedding.
    pub vector: Vec<f32>,
    /// The key of its embedding.
    pub embedded: Embedded,
}

/// The key of a vector: the same text in the same space has the same vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Embedded {
    /// The model and its dimensions, see [`Embedder::space`].
    pub space: String,
    /// SHA-256 of the text, in hexadecimal digits.
    pub hash: String,
}

impl Embedded {
    /// Returns the key of the vector of `text` in `space`.
    pub fn of(space: &str, text: &str) -> Embedded {
        Embedded { space: space.into(), hash: hexadecimal(&Sha256::digest(text)) }
    }
}

/// Writes documents to the index, version by version.
#[async_trait]
pub trait Publisher: Send + Sync {
    /// Returns the vectors that live or staged points of the document have for these texts.
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>>;

    /// Writes points that no search sees yet. Writing the same points again changes nothing.
    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()>;

    /// Returns true if searches see all of these points.
    async fn is_published(&self, scope: &Scope, points: &[Uuid]) -> Result<bool>;

    /// Makes a version visible, of which `points` are all points, and then deletes all lower
    /// versions of the document.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] also if searches do not see each of the points afterwards, or
    /// a lower version is left.
    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()>;

    /// Deletes this version of the document and all lower ones, and those of `points` that no
    /// filter finds any more.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] also if a point of them is left afterwards.
    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()>;

    /// Deletes the points of one version of a document.
    ///
    /// # Errors
    /// As [`Publisher::delete_up_to`].
    async fn delete_version(&self, upload: &Upload) -> Result<()>;
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T, K = Uuid> {
    /// The items, at most as many as requested.
    pub items: Vec<T>,
    /// The key of the last item, if more may follow.
    pub next: Option<K>,
}

/// Stores documents and their status.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Writes an announced document, with `guard`. Its live version, deletion and first upload are
    /// kept. [`Written::Stale`] below a later announcement or deletion, and in a case that is not
    /// open.
    async fn announce(&self, record: &Record, guard: Option<&Guard>) -> Result<Written>;

    /// Announces and charges its scope; [`Written::Stale`] also if the known version changed.
    ///
    /// # Errors
    /// [`StorageQuota::full`] if the scope has no room for it.
    async fn announce_within(
        &self,
        record: &Record,
        charge: Charge<'_>,
        guard: Option<&Guard>,
    ) -> Result<Written>;

    /// Returns the item of a document.
    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>>;

    /// Lists a scope's documents by id, after `after`.
    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>>;

    /// Records the status of version `version`, unless another one was announced since.
    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()>;

    /// Records that a version can be found and increments the scope's corpus counter, unless a
    /// later one is live or the document was deleted. Returns true if it was recorded. A later
    /// version keeps its status.
    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<bool>;

    /// Increments the scope's corpus counter, if there is one.
    async fn touch(&self, scope: &Scope) -> Result<()>;

    /// Records that the document is being deleted and cannot be found, and increments the scope's
    /// corpus counter. The version that could be found is kept in [`Record::kept`]. Returns false
    /// without a document, or below a later announcement or deletion.
    async fn begin_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        is_final: bool,
    ) -> Result<bool>;

    /// Returns what is remembered of a document that was deleted, also if it was announced again
    /// since.
    async fn deleted(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>>;
}
