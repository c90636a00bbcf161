//! The outside world as the workflows need it. The ids and the time of a request come with the request.

mod model;
mod project;

pub use model::{Completion, Model, Prompt, Tool};
pub use project::{Guard, Kept, Notes, Profiles, Projects, Resting, Reviews, Span, Trail, Written};

use async_trait::async_trait;
use uuid::Uuid;

use crate::Result;
use crate::document::{Attributes, Chunk};
use crate::evidence::PointKind;
use crate::filter::Filters;
use crate::scope::{Grant, Scope};

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
    /// The best by words.
    Bm25(String),
}

/// A point that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The chunk, or the lead.
    pub chunk_id: Uuid,
    /// Its document.
    pub document_id: Uuid,
    /// Its document's version.
    pub version: String,
    /// The search's own score.
    pub raw: f32,
    /// The passage, where the search brings it and no earlier search of the same call did.
    pub chunk: Option<Box<Chunk>>,
}

/// Finds chunks. Only what is live and within the grant is ever seen; searches find only what the filters allow.
#[async_trait]
pub trait Index: Send + Sync {
    /// Gives for each search its hits, best first, all in one call.
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Vec<Hit>>>;

    /// Gives the chunks of these documents, in no order: at most the first [`WHOLE_DOCUMENT`] of each, besides those in `chunks`.
    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        chunks: &[Uuid],
    ) -> Result<Vec<Chunk>>;

    /// Gives the passages with these ids, in no order. What is not there, or not granted, is left out.
    async fn chunks(&self, grant: &Grant, chunks: &[Uuid]) -> Result<Vec<Chunk>>;
}

/// A document is read whole up to this many chunks; a longer one is a log, read where it was found.
pub const WHOLE_DOCUMENT: u32 = 64;

/// A chunk or a lead with its vector, on its way into the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What it stands for.
    pub kind: PointKind,
    /// The chunk, or what the document's chunks have in common.
    pub chunk: Chunk,
    /// What words are matched against.
    pub words: String,
    /// Its embedding.
    pub vector: Vec<f32>,
}

/// Brings documents into the index, version by version.
#[async_trait]
pub trait Publisher: Send + Sync {
    /// Writes points that no search sees yet. Writing the same points again changes nothing.
    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()>;

    /// Whether searches see this version of the document already, at least in part: then it was staged whole.
    async fn is_published(&self, scope: &Scope, document: Uuid, version: &str) -> Result<bool>;

    /// Lets searches see this version of the document, and then takes every lower one away.
    async fn publish(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()>;
}

/// How far a document has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Announced; the upload or the ingest is still to come.
    Waiting,
    /// Being read.
    Indexing,
    /// To be found.
    Indexed,
    /// Not to be found, at least not in its latest version.
    Failed {
        /// Why, for the uploader.
        reason: String,
    },
}

/// What is kept of a document besides its chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Among whose documents it stands.
    pub scope: Scope,
    /// Its id.
    pub document_id: Uuid,
    /// The name under which it was uploaded.
    pub name: String,
    /// The media type that was declared.
    pub content_type: String,
    /// The size that was declared, in bytes.
    pub bytes: u64,
    /// What the uploader said of it.
    pub attributes: Attributes,
    /// How far it has come.
    pub status: Status,
    /// The latest upload announced, a ULID.
    pub version: String,
    /// The upload that can be found, if any.
    pub live: Option<Live>,
    /// When it was announced last, RFC 3339.
    pub updated_at: String,
}

/// What can be found of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The upload it came with, a ULID.
    pub version: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// What the uploader said of it then.
    pub attributes: Attributes,
    /// How many chunks it has.
    pub chunks: u32,
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
    /// Writes a document that was announced. What is live of it stays.
    async fn announce(&self, record: &Record) -> Result<()>;

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

    /// Notes that a version can be found now and moves the scope's corpus counter, unless a later one is live. A
    /// version announced since keeps its own status.
    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<()>;
}

/// Knows who belongs to a case.
#[async_trait]
pub trait Members: Send + Sync {
    /// Whether `user` is a member of the case.
    async fn has_member(&self, case: &str, user: &str) -> Result<bool>;
}

/// Where an upload goes: a request that anyone may send until it expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The address.
    pub url: String,
    /// The headers that the signature binds.
    pub headers: Vec<(String, String)>,
    /// When it expires, in seconds from now.
    pub expires_in: u64,
}

/// Keeps the uploaded files.
#[async_trait]
pub trait Files: Send + Sync {
    /// Gives a file's bytes; `None` where there is none.
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Signs an upload of exactly this size and type.
    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket>;
}
