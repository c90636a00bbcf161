//! A document's item in the table: how far it has come, and which version can be found.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::document::{Attributes, DocumentType, Origin};
use crate::entry::Entry;
use crate::scope::Scope;

/// The state of a document between its announcement and its deletion.
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
    /// Deleted, and what is left of it is being taken away.
    Deleting,
}

/// A document's item: all that is kept of it besides its chunks.
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
    /// The uploader's description of it.
    pub attributes: Attributes,
    /// Its state.
    pub status: Status,
    /// The latest upload announced, or the deletion since; a ULID.
    pub version: String,
    /// Its latest deletion, a ULID; no upload below is to be found again.
    pub deleted: Option<String>,
    /// The first upload announced since there was no such document; no upload below is to be found again.
    pub first: String,
    /// What was announced, or deleted, right before `version`; `version` itself where nothing was.
    pub prior: String,
    /// The upload that can be found, if any.
    pub live: Option<Live>,
    /// When it was announced last, RFC 3339.
    pub updated_at: String,
}

impl Record {
    /// True if the document was deleted after this upload was announced.
    pub fn is_deleted_since(&self, version: &str) -> bool {
        version < self.first.as_str()
            || self.deleted.as_ref().is_some_and(|deleted| version <= deleted.as_str())
    }
}

/// The reader that read a version, and the collections that it was put into.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Indexing {
    /// The version of the rules that read it, see [`crate::facts::READER`]; 0 where it is not known.
    pub reader: u32,
    /// The language model that read it besides; empty where none did.
    pub read_model: String,
    /// The collections.
    pub collections: Vec<Collection>,
}

/// A collection of the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// The embedding model of its vectors and their dimensions: vectors are compared within one space.
    pub space: String,
}

impl Indexing {
    /// True where the version was read by the reader and the model of `now` and is in each of its collections. Else it has to be
    /// indexed again.
    pub fn covers(&self, now: &Indexing) -> bool {
        self.reader == now.reader
            && (now.read_model.is_empty() || self.read_model == now.read_model)
            && now.collections.iter().all(|collection| self.collections.contains(collection))
    }
}

/// The reading of a document by a language model, besides the one by rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelReading {
    /// The model.
    pub model: String,
    /// Spans that it named and that stand in the document.
    pub kept: u32,
    /// Spans that it named and that do not stand there; they are dropped.
    pub dropped: u32,
    /// Questions by which the document is found.
    pub questions: u32,
    /// Tokens that it read.
    pub tokens_in: u32,
    /// Tokens that it wrote.
    pub tokens_out: u32,
    /// The reason why the reading by rules stands; absent where the model read the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What can be found of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The upload it came with, a ULID.
    pub version: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// The number of its bytes.
    pub bytes: u64,
    /// What the uploader said of it then.
    pub attributes: Attributes,
    /// The number of its chunks.
    pub chunks: u32,
    /// The number of texts that were embedded for it by the try that settled it: the others have the vectors that they had.
    pub embedded: u32,
    /// The number of records in its record file; 0 where it has none.
    pub records: u64,
    /// Its reader and its collections.
    pub indexing: Indexing,
    /// What was assumed of the times of its records, as in `UTC, 2026`; absent where they say it.
    pub assumed: Option<String>,
    /// Its reading by a language model, where one is set up.
    pub model_reading: Option<ModelReading>,
    /// What lists of documents say of it; `None` where an earlier reader read it.
    pub about: Option<About>,
}

/// A document as its reader understood it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its title.
    pub title: String,
    /// The kind of text.
    pub document_type: DocumentType,
    /// The kind of its origin.
    pub source: Origin,
    /// Its language, a BCP 47 tag.
    pub language: Option<String>,
    /// The first and last time that it tells of.
    pub time: Option<(Timestamp, Timestamp)>,
}

impl About {
    /// What the passages of a document say of it; `None` where it has none.
    pub fn of(entries: &[Entry]) -> Option<About> {
        let first = &entries.first()?.chunk;
        let times = || entries.iter().filter_map(|entry| entry.chunk.time);
        let earliest = times().map(|(first, _)| first).min();
        let latest = times().map(|(_, last)| last).max();
        Some(About {
            title: first.title.clone(),
            document_type: first.document_type,
            source: first.source,
            language: first.language.clone(),
            time: earliest.zip(latest),
        })
    }
}
