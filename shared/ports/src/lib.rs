//! The outside world as the workflows need it. The ids and the time of a request come with the request.

mod answer;
mod case;
mod clock;
mod conflict;
mod file;
mod health;
mod model;
mod project;
mod quota;
mod removal;
mod rerank;
mod storage_quota;
mod task;
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

pub use answer::{
    Answers, CacheRead, Cached, Keeping, KeptAnswer, KeptSearch, QueryCache, SearchCache,
    WrittenQueries, WrittenRoute,
};
pub use case::{Cases, Members};
pub use clock::Clock;
pub use conflict::{ConflictStore, FoundConflicts};
pub use file::{Files, Hiding, StoredFile, Ticket, Tries};
pub use health::{Originals, Standing};
pub use model::{Completion, Model, Prompt, Tool};
pub use project::{
    Guard, Kept, Notes, Pending, Profiles, Projects, Requests, Resting, Reviews, Span, Trail,
    Written,
};
pub use quota::{Quota, Rate};
pub use removal::{DocumentCleanup, IndexCleanup, Orphans, Removal, Removals, Trace, Unfinished};
pub use rerank::Reranker;
pub use storage_quota::{Charge, StorageQuota};
pub use task::{Task, Tasks};
pub use trial::Trials;

pub use ::model::document::WHOLE_DOCUMENT;
pub use ::model::item::{About, Collection, Indexing, Live, ModelReading, Record, Status};

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::filter::Filters;
use crate::scope::{Grant, Scope};
use crate::usual::Usual;
use ::model::Result;
use ::model::document::{Chunk, hexadecimal};
use ::model::evidence::PointKind;
use text::language::Language;

/// What an embedding is made for; some models tell the two apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A text that will be found.
    Document,
    /// A text that searches.
    Question,
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// The model and its dimensions, such as `cohere.embed-v4:0/1024`: vectors of one space can be compared.
    fn space(&self) -> String;

    /// Gives one vector of unit length for each text, in order.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>>;
}

/// One search of the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// What is searched.
    pub of: PointKind,
    /// How.
    pub by: SearchBy,
    /// The most hits it gives.
    pub depth: usize,
    /// Whether its hits bring their passages.
    pub brings_chunks: bool,
}

/// How the index is searched.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchBy {
    /// The nearest embeddings.
    Dense(Vec<f32>),
    /// The best by words, which are of this language.
    Bm25(String, Language),
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// Its hits, best first.
    pub hits: Vec<Hit>,
    /// The cosines of a dense search's vector with a fixed sample of the passages within the grant, at most
    /// [`SAMPLE`](crate::usual::SAMPLE), whatever the filters; `None` of none, and of a search by words.
    pub usual: Option<Usual>,
}

/// A point that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The chunk, or the document point.
    pub passage_id: Uuid,
    /// Its document.
    pub document_id: Uuid,
    /// Its document's version.
    pub version: String,
    /// The search's own score.
    pub raw: f32,
    /// The passage, where the search brings it and no earlier search of the same call did.
    pub chunk: Option<Box<Chunk>>,
}

/// The embedding of a passage or of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// The passage; `None` where it is the whole document's.
    pub passage_id: Option<Uuid>,
    /// The document.
    pub document_id: Uuid,
    /// The document's title.
    pub title: String,
    /// The vector, of unit length.
    pub vector: Vec<f32>,
}

/// Finds chunks. Only what is live and within the grant is ever seen; searches find only what the filters allow.
#[async_trait]
pub trait Index: Send + Sync {
    /// Gives for each search what it finds, all in one call.
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>>;

    /// Gives the chunks of these documents, in no order: at most the first [`WHOLE_DOCUMENT`] of each, besides those in `chunks`.
    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        chunks: &[Uuid],
    ) -> Result<Vec<Chunk>>;

    /// Gives the passages with these ids, in no order. What is not there, or not granted, is left out.
    async fn chunks(&self, grant: &Grant, chunks: &[Uuid]) -> Result<Vec<Chunk>>;

    /// Gives the document points and passages with these ids, in no order. What is not there, or not granted, is left out.
    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Chunk>>;

    /// Gives the embeddings of the passages with these ids, and of the documents with these ids, in no order. What is not there,
    /// or not granted, is left out.
    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>>;

    /// Gives all passages that the filters allow, in no order, up to about `limit`, and whether these are all.
    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        limit: usize,
    ) -> Result<(Vec<Chunk>, bool)>;
}

/// A chunk or a document point with its vector, on its way into the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What it stands for.
    pub kind: PointKind,
    /// The chunk, or what the document's chunks have in common.
    pub chunk: Chunk,
    /// What words are matched against.
    pub words: String,
    /// The text that is embedded.
    pub meaning: String,
    /// Its embedding.
    pub vector: Vec<f32>,
    /// The space and the hash that its embedding is known by.
    pub embedded: Embedded,
}

/// What a vector stands for: the same text in the same space has the same vector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Embedded {
    /// The model and its dimensions, see [`Embedder::space`].
    pub space: String,
    /// SHA-256 of the text, in hexadecimal digits.
    pub hash: String,
}

impl Embedded {
    /// What the vector of `text` in `space` stands for.
    pub fn of(space: &str, text: &str) -> Embedded {
        Embedded { space: space.into(), hash: hexadecimal(&Sha256::digest(text)) }
    }
}

/// Brings documents into the index, version by version.
#[async_trait]
pub trait Publisher: Send + Sync {
    /// Gives the vectors that points of the document, live or staged, have for these texts of one space; what none has is
    /// left out.
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>>;

    /// Writes points that no search sees yet. Writing the same points again changes nothing.
    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()>;

    /// Whether searches see this version of the document already, at least in part: then it was staged whole.
    async fn is_published(&self, scope: &Scope, document: Uuid, version: &str) -> Result<bool>;

    /// Lets searches see this version of the document, and then takes every lower one away.
    async fn publish(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()>;

    /// Takes this version of the document and every lower one away.
    async fn delete_up_to(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()>;
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T, K = Uuid> {
    /// At most as many as were asked for.
    pub items: Vec<T>,
    /// The key of the last item, where more may follow.
    pub next: Option<K>,
}

/// Remembers documents and how far they have come.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Writes a document that was announced, with `guard`; what is live of it, when it was deleted and what came first
    /// stay as they are. [`Written::Stale`] below a later announcement or deletion, and in a case that is not open.
    async fn announce(&self, record: &Record, guard: Option<&Guard>) -> Result<Written>;

    /// The same, charged to the scope; [`Written::Stale`] too where another than the known version is there.
    ///
    /// # Errors
    /// [`StorageQuota::full`] where the scope has no room for it.
    async fn announce_within(
        &self,
        record: &Record,
        charge: Charge<'_>,
        guard: Option<&Guard>,
    ) -> Result<Written>;

    /// Gives what is kept of a document.
    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>>;

    /// Lists a scope's documents by id, after `after`.
    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>>;

    /// Notes how far version `version` has come, unless another one was announced since.
    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()>;

    /// Notes that a version can be found now and moves the scope's corpus counter, unless a later one is live or the
    /// document was deleted since. A version announced since keeps its own status. Whether it was noted.
    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<bool>;

    /// Moves the scope's corpus counter, where there is one.
    async fn touch(&self, scope: &Scope) -> Result<()>;

    /// Notes that the document is being deleted and not to be found any more, and moves the scope's corpus counter.
    /// Whether it was noted: not where there is none, nor below a later announcement or deletion.
    async fn begin_deletion(&self, scope: &Scope, document: Uuid, version: &str) -> Result<bool>;
}
