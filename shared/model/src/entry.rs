//! The entries of a document in the index.

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
