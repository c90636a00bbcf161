//! Documents and their chunks.

use std::ops::Range;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::facts::{Fact, Facts};
use crate::object::announced;
use crate::scope::Scope;
use text::composed;

mod masked;

/// What kind of text a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    /// A norm with requirements.
    Standard,
    /// A handbook.
    Handbook,
    /// A textbook.
    Textbook,
    /// Reference documentation.
    Reference,
    /// A guide.
    Guide,
    /// A report on a past failure.
    Postmortem,
    /// A decision record.
    Decision,
    /// A proposal or RFC.
    Proposal,
    /// A procedure.
    Runbook,
    /// A log.
    Log,
    /// A configuration file.
    Config,
    /// Source code.
    Code,
    /// Anything else.
    Other,
}

impl DocumentType {
    /// All kinds, with their names on the wire.
    pub const ALL: [(DocumentType, &str); 13] = [
        (DocumentType::Standard, "standard"),
        (DocumentType::Handbook, "handbook"),
        (DocumentType::Textbook, "textbook"),
        (DocumentType::Reference, "reference"),
        (DocumentType::Guide, "guide"),
        (DocumentType::Postmortem, "postmortem"),
        (DocumentType::Decision, "decision"),
        (DocumentType::Proposal, "proposal"),
        (DocumentType::Runbook, "runbook"),
        (DocumentType::Log, "log"),
        (DocumentType::Config, "config"),
        (DocumentType::Code, "code"),
        (DocumentType::Other, "other"),
    ];

    /// Reads a name as on the wire.
    pub fn parse(name: &str) -> Option<DocumentType> {
        DocumentType::ALL.iter().find(|(_, x)| *x == name).map(|(kind, _)| *kind)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        DocumentType::ALL.iter().find(|(kind, _)| *kind == self).map_or("other", |(_, name)| name)
    }
}

/// The kind of origin a document comes from; it has an authority and an age of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Source code.
    Code,
    /// Textbooks.
    Textbook,
    /// Documentation.
    Docs,
    /// Guides.
    Guide,
    /// Exported forum threads.
    Forum,
    /// Uploaded logs and settings.
    Runtime,
}

impl Origin {
    /// All kinds, with their names on the wire.
    pub const ALL: [(Origin, &str); 6] = [
        (Origin::Code, "code"),
        (Origin::Textbook, "textbook"),
        (Origin::Docs, "docs"),
        (Origin::Guide, "guide"),
        (Origin::Forum, "forum"),
        (Origin::Runtime, "runtime"),
    ];

    /// Reads a name as on the wire.
    pub fn parse(name: &str) -> Option<Origin> {
        Origin::ALL.iter().find(|(_, x)| *x == name).map(|(origin, _)| *origin)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        Origin::ALL.iter().find(|(origin, _)| *origin == self).map_or("docs", |(_, name)| name)
    }
}

/// What is known of a document besides its text. What the uploader says wins over the front matter, and both over
/// what the ingester infers.
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
}

/// The document's id: the same name in the same scope is the same document, in whichever form its letters were written.
pub fn document_id(scope: &Scope, name: &str) -> Uuid {
    let scope = Uuid::new_v5(&Uuid::NAMESPACE_URL, scope.to_string().as_bytes());
    Uuid::new_v5(&scope, composed::text(name).as_bytes())
}

/// The chunk's id, which is also its point's id in the index.
pub fn passage_id(document: Uuid, version: &str, position: u32) -> Uuid {
    Uuid::new_v5(&document, format!("{version}/{position}").as_bytes())
}

/// The id of the point that stands for the whole document.
pub fn document_point_id(document: Uuid, version: &str) -> Uuid {
    Uuid::new_v5(&document, format!("{version}/lead").as_bytes())
}

/// The id of the point of a question that the document answers; `number` counts from 0.
pub fn question_id(document: Uuid, version: &str, number: u32) -> Uuid {
    Uuid::new_v5(&document, format!("{version}/question/{number}").as_bytes())
}

/// A passage of a document, with all that is needed to find, show and cite it.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// Its id.
    pub id: Uuid,
    /// Among whose documents it stands; `None` of what was not read from the index.
    pub scope: Option<Scope>,
    /// The document it stands in.
    pub document_id: Uuid,
    /// The upload it came with, a ULID: the later the upload, the higher.
    pub version: String,
    /// Its place among the document's chunks, from 0.
    pub position: u32,
    /// The name or relative path under which the document was uploaded.
    pub name: String,
    /// The document's title.
    pub title: String,
    /// The headings above it, outermost first, joined by [`SECTION_SEPARATOR`]; empty above the first heading.
    pub section: String,
    /// What kind of text the document is.
    pub document_type: DocumentType,
    /// The kind of origin of the document.
    pub source: Origin,
    /// The document's tags.
    pub tags: Vec<String>,
    /// Who wrote the document.
    pub author: Option<String>,
    /// The standard the document belongs to.
    pub standard: Option<String>,
    /// The document's language.
    pub language: Option<String>,
    /// The commit of the repository that the document was taken from.
    pub commit: Option<String>,
    /// The severities of the log records in it, each once.
    pub severity: Vec<String>,
    /// The error codes in it, each once.
    pub code: Vec<String>,
    /// Its first and last line in the document, from 1.
    pub lines: Option<(u32, u32)>,
    /// The first and last time its records tell of.
    pub time: Option<(Timestamp, Timestamp)>,
    /// What was assumed of these times: their zone, their year, or both, as in `UTC, 2026`; `None` where they say it.
    pub assumed: Option<String>,
    /// Where the original document is found.
    pub uri: Option<String>,
    /// The document's own number among articles, such as `KB-1234`.
    pub article: Option<String>,
    /// Which of the document's outermost sections it stands in, from 1; `None` above the first heading.
    pub ordinal: Option<u32>,
    /// The passage, verbatim.
    pub text: String,
    /// The facts that were read: a document point has those of its document, a passage its own.
    pub facts: Facts,
    /// The hash of the text as it was uploaded, where secrets in `text` are masked.
    pub unmasked: Option<String>,
}

/// A document is read whole up to this many chunks; a longer one is a log, read where it was found.
pub const WHOLE_DOCUMENT: u32 = 64;

/// Stands between the headings of a section path.
pub const SECTION_SEPARATOR: &str = " > ";

/// The tag of what tells of the whole of a long document.
pub const SUMMARY: &str = "summary";

impl Chunk {
    /// SHA-256 of the text as it was uploaded, in hexadecimal digits: a passage is the same whatever is masked in it.
    pub fn hash(&self) -> String {
        let digest = || hexadecimal(&Sha256::digest(self.text.as_bytes()));
        self.unmasked.clone().unwrap_or_else(digest)
    }

    /// The part of it that stands at `range`.
    pub fn fact(&self, range: Range<usize>) -> Fact {
        Fact {
            start: u32::try_from(range.start).unwrap_or(u32::MAX),
            text: self.text[range.clone()].into(),
            position: self.position,
            section: Some(self.section.clone()).filter(|section| !section.is_empty()),
            line: self.line(range.start),
        }
    }

    /// The line of the document on which the byte at `start` of the text stands; `None` where its lines are not known.
    pub fn line(&self, start: usize) -> Option<u32> {
        let (first, last) = self.lines?;
        let breaks = self.text[..start].matches('\n').count();
        Some(first.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX)).min(last))
    }

    /// Whether it tells of the whole of a long document, and is no part of it.
    pub fn is_summary(&self) -> bool {
        self.lines.is_none()
            && self.section == "Summary"
            && self.tags.iter().any(|tag| tag == SUMMARY)
    }

    /// When it was written: the last time that it tells of, else that of its upload.
    pub fn written_at(&self) -> Timestamp {
        self.time.map_or_else(|| announced(&self.version), |(_, last)| last)
    }

    /// The innermost heading above the passage; empty above the first one.
    pub fn heading(&self) -> &str {
        self.section.rsplit(SECTION_SEPARATOR).next().unwrap_or_default()
    }
}

/// The last part of a document's name: its file, without folders.
pub fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Bytes as digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
