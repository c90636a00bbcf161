//! The entries of a document in the index.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Passage;
use crate::evidence::PointKind;

/// Upper bound for the bytes of an embedded text. The embedding model with the smallest input takes
/// 2,048 characters (Cohere Embed v3), so no model drops the end of a passage.
pub const MEANING: usize = 2_048;

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub hash: String,
    /// The entry of the whole document, then its passages in order.
    pub entries: Vec<Entry>,
    /// The record file of a log, a table or settings.
    pub records: Option<RecordBytes>,
    /// The account of its reading.
    pub read_as: ReadAs,
}

/// The account of how the bytes of a document were read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadAs {
    /// The format, such as `log`, `Markdown` or `mail`.
    pub format: String,
    /// The encoding of a text that is not UTF-8, by its name in the WHATWG Encoding Standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The number of its sections: headings, pages, or ranges of sheets.
    pub sections: u32,
    /// The number of its tables.
    pub tables: u32,
    /// The number of its records.
    pub records: u64,
    /// The facts that were read, by their kind: `definitions`, `requirements`, `statements`,
    /// `symbols`, `failure_report` and `decision`.
    pub facts: BTreeMap<String, u32>,
    /// The owner of what the document is about, as its front matter says (`owner`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The parts of the file that were not read, each with the reason; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A record file, see [`crate::record`].
#[derive(Debug, Clone, PartialEq)]
pub struct RecordBytes {
    /// The number of its records.
    pub count: u64,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A passage, and the texts by which it is found.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The kind of its point: a passage or the whole document.
    pub kind: PointKind,
    /// The passage, or the fields that the document's passages share.
    pub passage: Passage,
    /// The text that is embedded.
    pub meaning: String,
    /// The text that words are matched against.
    pub words: String,
}

impl Reading {
    /// Returns the passages, in order.
    pub fn passages(&self) -> Vec<Passage> {
        self.entries
            .iter()
            .filter(|entry| entry.kind == PointKind::Passage)
            .map(|entry| entry.passage.clone())
            .collect()
    }
}
