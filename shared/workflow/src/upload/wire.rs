//! What the documents' routes take and answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::document::{DocumentType, Origin};
use crate::ports::{ModelReading, Record, Status};

/// Announces a document; its bytes follow by the request that the answer holds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Its name or relative path; the same name in the same place is the same document. 1 to 512 characters.
    #[schemars(length(min = 1, max = 512))]
    pub name: String,
    /// Its media type, such as `text/markdown`.
    #[schemars(regex(pattern = "^[a-z]+/[a-z0-9.+-]+$"))]
    pub content_type: String,
    /// Its exact size in bytes, at most 25 MiB.
    #[schemars(range(max = 26_214_400))]
    pub bytes: u64,
    /// SHA-256 of its bytes in hexadecimal digits. Where the same bytes can be found already, nothing need be uploaded.
    pub sha256: Option<String>,
    /// What kind of text it is.
    pub document_type: Option<DocumentType>,
    /// Its title.
    pub title: Option<String>,
    /// The kind of origin it comes from.
    pub source: Option<Origin>,
    /// Free tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The standard it is or belongs to.
    pub standard: Option<String>,
    /// Its language, a BCP 47 tag.
    pub language: Option<String>,
    /// Where the original is found.
    pub uri: Option<String>,
    /// When what it tells of happened, RFC 3339.
    pub time: Option<String>,
}

/// Where an announced document's bytes go.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Announced {
    /// The document's id.
    pub document_id: Uuid,
    /// This upload's id, a ULID.
    pub version: String,
    /// The request to send the bytes with; absent where these bytes can be found already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload: Option<UploadRequest>,
    /// How far the document has come.
    pub status: &'static str,
}

/// An HTTP PUT that needs no token.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct UploadRequest {
    /// The address.
    pub url: String,
    /// The headers to send, all of them: the signature binds size and type.
    pub headers: std::collections::BTreeMap<String, String>,
    /// When it expires, in seconds from now.
    pub expires: u64,
}

/// How far a document has come.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DocumentStatus {
    /// The document's id.
    pub document_id: Uuid,
    /// The name under which it was uploaded.
    pub name: String,
    /// `waiting`, `indexing`, `indexed`, `failed` or `deleting`.
    pub status: &'static str,
    /// How many chunks of it can be found, if any: an earlier version stays until a later one takes its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<u32>,
    /// How many texts were embedded for that version; what did not change since the one before keeps its vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedded: Option<u32>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The latest upload, or the deletion since; a ULID.
    pub version: String,
    /// The upload that can be found, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_version: Option<String>,
    /// How a language model read it, and what that cost; absent where none is set up, and for what is no prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_reading: Option<ModelReading>,
    /// The size that was announced, in bytes.
    pub bytes: u64,
    /// When it was announced last, RFC 3339.
    pub updated_at: String,
}

impl DocumentStatus {
    /// A document's item as its readers see it.
    pub(super) fn of(record: Record) -> DocumentStatus {
        let (status, reason) = match record.status {
            Status::Waiting => ("waiting", None),
            Status::Indexing => ("indexing", None),
            Status::Indexed => ("indexed", None),
            Status::Failed { reason } => ("failed", Some(reason)),
            Status::Deleting => ("deleting", None),
        };
        DocumentStatus {
            document_id: record.document_id,
            name: record.name,
            status,
            chunks: record.live.as_ref().map(|live| live.chunks),
            embedded: record.live.as_ref().map(|live| live.embedded),
            reason,
            version: record.version,
            live_version: record.live.as_ref().map(|live| live.version.clone()),
            model_reading: record.live.and_then(|live| live.model_reading),
            bytes: record.bytes,
            updated_at: record.updated_at,
        }
    }
}

/// A document that is being deleted.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Deleting {
    /// The document's id.
    pub document_id: Uuid,
    /// `deleting`.
    pub status: &'static str,
}

/// A page of documents.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DocumentList {
    /// The documents, by id.
    pub documents: Vec<DocumentStatus>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// What the documents' routes answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DocumentReply {
    /// To an announcement.
    Announced(Announced),
    /// To a question for one document.
    Status(DocumentStatus),
    /// To a deletion.
    Deleting(Deleting),
    /// To a question for all.
    List(DocumentList),
}
