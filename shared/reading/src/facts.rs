//! What a document says, read once: see [`model::facts`].

use model::document::Chunk;
use model::facts::{Facts, READER};

mod report;

/// Reads what a document says, given its passages in order.
pub(crate) fn read(document: &[&Chunk]) -> Facts {
    Facts { reader: READER, report: report::read(document) }
}
