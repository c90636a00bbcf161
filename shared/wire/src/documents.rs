//! Documents: how they are announced, and how far they have come.

use model::document::{DocumentType, Lifecycle, Origin};
use model::entry::ReadAs;
use model::item::ModelReading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Announces a document; its bytes follow by the request that the answer holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Its name or relative path; the same name in the same place is the same document. 1 to 512
    /// characters.
    #[schemars(length(min = 1, max = 512))]
    pub name: String,
    /// Its media type, such as `text/markdown`.
    #[schemars(regex(pattern = "^[a-z]+/[a-z0-9.+-]+$"))]
    pub content_type: String,
    /// Its exact size in bytes, at most 25 MiB.
    #[schemars(range(max = 26_214_400))]
    pub bytes: u64,
    /// SHA-256 of its bytes in hexadecimal digits. Where the same bytes can be found already,
    /// nothing need be uploaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What kind of text it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_type: Option<DocumentType>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The kind of origin it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Origin>,
    /// Free tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The standard it is or belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// Its language, a BCP 47 tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where the original is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// When what it tells of happened, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The commit of the repository that it was taken from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its version, or that of what it is about, such as `3.4`. Absent: what it says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// What became of it. Absent: what it says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
}

/// Where an announced document's bytes go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Announced {
    /// The document's id.
    pub document_id: Uuid,
    /// This upload's id, a ULID.
    pub version: String,
    /// The request to send the bytes with; absent where these bytes can be found already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload: Option<UploadRequest>,
    /// How far the document has come.
    pub status: DocumentState,
}

/// An HTTP PUT that needs no token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UploadRequest {
    /// The address.
    pub url: String,
    /// The headers to send, all of them: the signature binds size and type.
    pub headers: std::collections::BTreeMap<String, String>,
    /// When it expires, in seconds from now.
    pub expires: u64,
}

/// The state of a document between its announcement and its deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentState {
    /// Announced; its bytes or the reading of them are still to come.
    Waiting,
    /// Being read.
    Indexing,
    /// To be found.
    Indexed,
    /// Not to be found, at least not in its latest version.
    Failed,
    /// Deleted; what is left of it is being taken away.
    Deleting,
    /// Deleted; it can be restored until `restorable_until`.
    Deleted,
}

impl DocumentState {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DocumentState::Waiting => "waiting",
            DocumentState::Indexing => "indexing",
            DocumentState::Indexed => "indexed",
            DocumentState::Failed => "failed",
            DocumentState::Deleting => "deleting",
            DocumentState::Deleted => "deleted",
        }
    }
}

/// How far a document has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentStatus {
    /// The document's id.
    pub document_id: Uuid,
    /// The name under which it was uploaded.
    pub name: String,
    /// Its title; this and the next fields are of the version that can be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The kind of text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_type: Option<DocumentType>,
    /// The kind of origin it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Origin>,
    /// Its language, a BCP 47 tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// First and last time that it tells of, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<(String, String)>,
    /// Its version, or that of what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// What became of it, as it says itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
    /// The account of its reading; of one document, and not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_as: Option<ReadAs>,
    /// How far its latest version has come.
    pub status: DocumentState,
    /// How many passages of it can be found, if any: an earlier version stays until a later one
    /// takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages: Option<u32>,
    /// How many texts were embedded for that version; what did not change since the one before
    /// keeps its vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded: Option<u32>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The latest upload, or the deletion since; a ULID.
    pub version: String,
    /// The upload that can be found, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live_version: Option<String>,
    /// What was assumed to read it: the zone and the year of its records' times, and the encoding
    /// of a text that is not UTF-8, as in `UTC, 2026`; absent where the file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
    /// How a language model read it, and what that cost; absent where none is set up, and for what
    /// is no prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_reading: Option<ModelReading>,
    /// The commit of the repository that it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Until when it can be restored, RFC 3339; only of documents that are deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restorable_until: Option<String>,
    /// The size that was announced, in bytes.
    pub bytes: u64,
    /// When it was announced last, RFC 3339.
    pub updated_at: String,
}

/// A document that is being deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Deleting {
    /// The document's id.
    pub document_id: Uuid,
    /// Always `deleting`.
    pub status: DocumentState,
}

/// A user whose documents, and place in cases and projects, are being removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForgettingUser {
    /// The subject of the user's tokens.
    pub user: String,
}

/// A document that is being restored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Restoring {
    /// The document's id.
    pub document_id: Uuid,
    /// The id of the upload that its last version is indexed as, a ULID.
    pub version: String,
    /// Always `waiting`.
    pub status: DocumentState,
}

/// A page of documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentList {
    /// The documents, by id; those that have `words`, by name.
    pub documents: Vec<DocumentStatus>,
    /// How many documents have the `words`; absent where none were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<usize>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Asks for documents to be indexed again, as many as one request can begin with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReindexRequest {
    /// Whose: `global`, `user`, `case:<id>`, `team:<id>`, or `all`, which only those may ask for
    /// who fill `global`.
    #[schemars(regex(pattern = "^(all|global|user|case:.+|team:.+)$"))]
    pub knowledge: String,
    /// A time, RFC 3339. Documents whose live version was announced before are looked up in the
    /// index, too, and indexed again where it does not have them: after the index was lost or
    /// restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announced_before: Option<String>,
    /// Where to go on, from the reply before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// True where documents are only counted.
    #[serde(default)]
    pub only_count: bool,
    /// True where only those documents are wanted whose last upload could not be indexed: after an
    /// outage.
    #[serde(default)]
    pub failed: bool,
}

/// The documents that a request looked at, as they stood then.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReindexReply {
    /// Documents that are indexed as they would be now.
    pub current: u32,
    /// Documents whose indexing began with this request.
    pub begun: u32,
    /// Documents that an ingest has still to come to.
    pub waiting: u32,
    /// Documents that would be indexed otherwise now; with `only_count` alone.
    pub outdated: u32,
    /// Documents whose last ingest failed, or whose file is gone.
    pub failed: u32,
    /// Where the next request goes on; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}
