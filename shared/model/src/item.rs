//! A document's item in the table: its status, and the version that can be found.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::document::{
    Attributes, DocumentType, Lifecycle, Origin, document_id, document_point_id, passage_id,
    question_id,
};
use crate::entry::{ReadAs, Reading};
use crate::scope::Scope;

/// The state of a document between its announcement and its deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The document is announced. The upload or the ingest is still to come.
    Waiting,
    /// The document is being read.
    Indexing,
    /// The document can be found.
    Indexed,
    /// The latest version of the document cannot be found.
    Failed {
        /// The reason, worded for the uploader.
        reason: String,
    },
    /// The document is deleted, and its remains are being removed.
    Deleting,
    /// The document was deleted. It can be restored for a time if a version of it is kept.
    Deleted,
}

/// A document's item: all data that is stored about it besides its passages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The scope of the document.
    pub scope: Scope,
    /// The document's id.
    pub document_id: Uuid,
    /// The name of the uploaded document.
    pub name: String,
    /// The media type that was declared.
    pub content_type: String,
    /// The size that was declared, in bytes.
    pub bytes: u64,
    /// The uploader's description of the document.
    pub attributes: Attributes,
    /// Its state.
    pub status: Status,
    /// The latest announced upload, or the later deletion; a ULID.
    pub version: String,
    /// The latest deletion, a ULID. No earlier upload can be found again.
    pub deleted: Option<String>,
    /// The version that could be found before the latest deletion.
    #[serde(default)]
    pub kept: Option<Live>,
    /// True if the latest deletion erases all files at once, so that nothing can be restored.
    #[serde(default)]
    pub is_final: bool,
    /// The first upload announced since the document last did not exist. No earlier upload can be
    /// found again.
    pub first: String,
    /// The announcement or deletion directly before `version`; `version` itself if there was none.
    pub prior: String,
    /// The upload that can be found, if any.
    pub live: Option<Live>,
    /// The time of the latest announcement, RFC 3339.
    pub updated_at: String,
}

impl Record {
    /// Returns a document that was announced for the first time, without attributes.
    pub fn announced(scope: Scope, name: &str, media: &str, bytes: u64, version: &str) -> Record {
        Record {
            document_id: document_id(&scope, name),
            scope,
            name: name.into(),
            content_type: media.into(),
            bytes,
            attributes: Attributes::default(),
            status: Status::Waiting,
            version: version.into(),
            live: None,
            deleted: None,
            kept: None,
            is_final: false,
            first: version.into(),
            prior: version.into(),
            updated_at: String::new(),
        }
    }

    /// Returns true if the document was deleted after this upload was announced.
    pub fn is_deleted_since(&self, version: &str) -> bool {
        version < self.first.as_str()
            || self.deleted.as_ref().is_some_and(|deleted| version <= deleted.as_str())
    }

    /// Returns what is remembered of a document whose data is removed. Of one that cannot be
    /// restored only its id and the version of the deletion are.
    #[must_use]
    pub fn into_deleted(self) -> Record {
        let deleted = Record { status: Status::Deleted, live: None, ..self };
        if !deleted.is_final {
            return deleted;
        }
        Record {
            name: String::new(),
            content_type: String::new(),
            attributes: Attributes::default(),
            kept: None,
            ..deleted
        }
    }
}

/// The reader that read a version, and the collections that contain it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Indexing {
    /// The version of the rules that read it, see [`crate::facts::READER`]; 0 if unknown.
    pub reader: u32,
    /// The version of the rules that masked its secrets, see [`text::secret::MASKER`]; 0 if
    /// unknown.
    #[serde(default)]
    pub masker: u32,
    /// The language model that also read it; empty if none did.
    pub read_model: String,
    /// The collections.
    pub collections: Vec<Collection>,
}

/// A collection of the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// The embedding model of its vectors and their number of dimensions. Only vectors of the same
    /// space can be compared.
    pub space: String,
}

impl Indexing {
    /// Returns true if the version was read and masked by the rules and the model of `now` and is
    /// in each of its collections. Otherwise it must be indexed again.
    pub fn covers(&self, now: &Indexing) -> bool {
        self.reader == now.reader
            && self.masker == now.masker
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

/// The version of a document that can be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Live {
    /// The upload that it came with, a ULID.
    pub version: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// The number of its bytes.
    pub bytes: u64,
    /// The uploader's description at that time.
    pub attributes: Attributes,
    /// The number of its passages.
    pub passages: u32,
    /// The number of texts that the try which completed the ingest embedded. The other texts kept
    /// their vectors.
    pub embedded: u32,
    /// The number of records in its record file; 0 if there is none.
    pub records: u64,
    /// The reader and the collections of the version.
    pub indexing: Indexing,
    /// The assumption about the times of its records, as in `UTC, 2026`; absent if the records
    /// state zone and year.
    pub assumed: Option<String>,
    /// Its reading by a language model, if one is set up.
    pub model_reading: Option<ModelReading>,
    /// The data that lists of documents show; `None` if an earlier reader read the document.
    pub about: Option<Box<About>>,
}

impl Live {
    /// Returns the ids of all points of the version in the index.
    pub fn point_ids(&self, document: Uuid) -> Vec<Uuid> {
        let version = &self.version;
        let questions = self.model_reading.as_ref().map_or(0, |reading| reading.questions);
        std::iter::once(document_point_id(document, version))
            .chain((0..self.passages).map(|position| passage_id(document, version, position)))
            .chain((0..questions).map(|number| question_id(document, version, number)))
            .collect()
    }
}

/// A document's properties as its reader determined them.
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
    /// The first and last time that its passages state.
    pub time: Option<(Timestamp, Timestamp)>,
    /// Its version, or that of what it is about.
    pub edition: Option<String>,
    /// What became of it.
    pub lifecycle: Option<Lifecycle>,
    /// The account of its reading; absent if an earlier reader read the document.
    #[serde(default)]
    pub read_as: Option<ReadAs>,
}

impl About {
    /// Returns the properties of a document as it was read; `None` without entries.
    pub fn of(Reading { entries, read_as, .. }: &Reading) -> Option<About> {
        let first = &entries.first()?.passage;
        let times = || entries.iter().filter_map(|entry| entry.passage.time);
        let earliest = times().map(|(first, _)| first).min();
        let latest = times().map(|(_, last)| last).max();
        Some(About {
            title: first.title.clone(),
            document_type: first.document_type,
            source: first.source,
            language: first.language.clone(),
            time: earliest.zip(latest),
            edition: first.edition.clone(),
            lifecycle: first.lifecycle,
            read_as: Some(read_as.clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_of_an_earlier_release_has_no_account_of_its_reading() {
        let before = r#"{"title": "Pump", "document_type": "log", "source": "runtime", "language": null, "time": null}"#;
        let about: About = serde_json::from_str(before).unwrap();
        assert_eq!((about.read_as, about.edition, about.lifecycle), (None, None, None));
    }
}
