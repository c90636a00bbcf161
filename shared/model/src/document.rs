//! Documents and their passages.

use std::ops::Range;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::facts::{Fact, Facts};
use crate::object::announced;
use crate::scope::Scope;

mod ids;
mod kind;
mod masked;

pub use crate::lifecycle::Lifecycle;
pub use ids::{document_id, document_point_id, passage_id, question_id};
pub use kind::{DocumentType, Origin};

/// What is known of a document besides its text. What the uploader says wins over the front matter,
/// and both over what the ingester infers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attributes {
    /// What kind of text it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_type: Option<DocumentType>,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The kind of origin it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Origin>,
    /// Free tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The standard it is or belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// Its language, a BCP 47 tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where the original is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// When what it tells of happened, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The commit of the repository that it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its version, or that of what it is about, such as `3.4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// What became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
}

impl Attributes {
    /// Returns these attributes, and those of `others` where these have none.
    #[must_use]
    pub fn or(self, others: Attributes) -> Attributes {
        Attributes {
            document_type: self.document_type.or(others.document_type),
            title: self.title.or(others.title),
            source: self.source.or(others.source),
            tags: if self.tags.is_empty() { others.tags } else { self.tags },
            author: self.author.or(others.author),
            standard: self.standard.or(others.standard),
            language: self.language.or(others.language),
            uri: self.uri.or(others.uri),
            time: self.time.or(others.time),
            commit: self.commit.or(others.commit),
            edition: self.edition.or(others.edition),
            lifecycle: self.lifecycle.or(others.lifecycle),
        }
    }
}

/// A passage of a document, with all data that is needed to find, show and cite it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Its id.
    pub id: Uuid,
    /// The scope of its document; `None` if the passage was not read from the index.
    pub scope: Option<Scope>,
    /// The id of its document.
    pub document_id: Uuid,
    /// The upload that it came with, a ULID; later uploads have higher ULIDs.
    pub version: String,
    /// Its place among the document's passages, from 0.
    pub position: u32,
    /// The name or relative path of the uploaded document.
    pub name: String,
    /// The document's title.
    pub title: String,
    /// The headings above it, outermost first, joined by [`SECTION_SEPARATOR`]; empty if none.
    pub section: String,
    /// The kind of text.
    pub document_type: DocumentType,
    /// The kind of origin of the document.
    pub source: Origin,
    /// The document's tags.
    pub tags: Vec<String>,
    /// The author of the document.
    pub author: Option<String>,
    /// The standard that the document belongs to.
    pub standard: Option<String>,
    /// The document's language.
    pub language: Option<String>,
    /// The commit of the repository from which the document was taken.
    pub commit: Option<String>,
    /// The version of the document, or of what it is about.
    pub edition: Option<String>,
    /// What became of the document.
    pub lifecycle: Option<Lifecycle>,
    /// The severities of the log records in it, without duplicates.
    pub severity: Vec<String>,
    /// The error codes in it, without duplicates.
    pub code: Vec<String>,
    /// Its first and last line in the document, counted from 1.
    pub lines: Option<(u32, u32)>,
    /// The first and last time of its records.
    pub time: Option<(Timestamp, Timestamp)>,
    /// The assumed zone or year of these times, and the encoding of a text that is not UTF-8, as in
    /// `UTC, 2026`; `None` if the file says all.
    pub assumed: Option<String>,
    /// The address of the original document.
    pub uri: Option<String>,
    /// The document's own number among articles, such as `KB-1234`.
    pub article: Option<String>,
    /// The number of its outermost section, counted from 1; `None` above the first heading.
    pub ordinal: Option<u32>,
    /// The passage, verbatim.
    pub text: String,
    /// The facts that were read: those of the whole document in a document point, else its own.
    pub facts: Facts,
    /// The hash of the text as it was uploaded, if secrets in `text` are masked.
    pub unmasked: Option<String>,
}

/// Upper bound for the passages of a document that is read whole; a longer one is read in parts.
pub const WHOLE_DOCUMENT: u32 = 64;

/// The separator of the headings in a section path.
pub const SECTION_SEPARATOR: &str = " > ";

/// The tag of the passage that summarizes a long document.
pub const SUMMARY: &str = "summary";

impl Passage {
    /// Returns the SHA-256 of the uploaded text, in hexadecimal digits. Masking does not change it.
    pub fn hash(&self) -> String {
        let digest = || hexadecimal(&Sha256::digest(self.text.as_bytes()));
        self.unmasked.clone().unwrap_or_else(digest)
    }

    /// Returns the part of the text at `range`, as a fact.
    pub fn fact(&self, range: Range<usize>) -> Fact {
        Fact {
            start: u32::try_from(range.start).unwrap_or(u32::MAX),
            text: self.text[range.clone()].into(),
            position: self.position,
            section: Some(self.section.clone()).filter(|section| !section.is_empty()),
            line: self.line(range.start),
        }
    }

    /// Returns the line of the byte at `start` of the text; `None` if the lines are unknown.
    pub fn line(&self, start: usize) -> Option<u32> {
        let (first, last) = self.lines?;
        let breaks = self.text[..start].matches('\n').count();
        Some(first.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX)).min(last))
    }

    /// Returns true if it is the summary of a long document.
    pub fn is_summary(&self) -> bool {
        self.lines.is_none()
            && self.section == "Summary"
            && self.tags.iter().any(|tag| tag == SUMMARY)
    }

    /// Returns the last time of its records, else the time of its upload.
    pub fn written_at(&self) -> Timestamp {
        self.time.map_or_else(|| announced(&self.version), |(_, last)| last)
    }

    /// Returns the number of the page on which the passage stands, from 1; `None` where a document
    /// has no pages.
    pub fn page(&self) -> Option<u32> {
        let rest = self.section.strip_prefix("page ")?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }

    /// Returns the innermost heading above the passage; empty above the first one.
    pub fn heading(&self) -> &str {
        self.section.rsplit(SECTION_SEPARATOR).next().unwrap_or_default()
    }
}

/// Returns the last part of a document's name: its file, without folders.
pub fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns the bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
