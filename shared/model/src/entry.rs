//! A document as entries of the index.

use crate::document::Chunk;
use crate::evidence::PointKind;

/// The most bytes of a text that is embedded. The model that takes least takes 2,048 characters (Cohere Embed v3), so
/// that no model leaves out the end of a passage.
pub const MEANING: usize = 2_048;

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub hash: String,
    /// The entry of the whole document, then its chunks in order.
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

/// A chunk, and the texts that it is found by.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The kind of its point: a passage, or the whole document.
    pub kind: PointKind,
    /// The chunk, or what the document's chunks have in common.
    pub chunk: Chunk,
    /// The text that is embedded.
    pub meaning: String,
    /// The text that words are matched against.
    pub words: String,
}

impl Reading {
    /// The chunks, in order.
    pub fn chunks(&self) -> Vec<Chunk> {
        self.entries
            .iter()
            .filter(|entry| entry.kind == PointKind::Passage)
            .map(|entry| entry.chunk.clone())
            .collect()
    }
}
