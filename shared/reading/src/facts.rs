//! What a document says, read once: see [`model::facts`].

use model::document::{Chunk, DocumentType};
use model::facts::{Facts, READER};

mod definition;
mod explore;
mod plan;
mod report;
#[cfg(test)]
mod testing;

/// Reads what a document says, given its passages in order.
pub(crate) fn of_document(passages: &[&Chunk]) -> Facts {
    Facts { reader: READER, report: report::read(passages), ..Facts::default() }
}

/// Reads what a passage gives. One of a log is a template's first record and gives nothing but itself.
pub(crate) fn of_passage(passage: &Chunk) -> Facts {
    if passage.document_type == DocumentType::Log {
        return Facts { reader: READER, ..Facts::default() };
    }
    Facts {
        reader: READER,
        report: None,
        plan: plan::strengths(passage),
        explore: explore::strengths(passage),
        is_glossary: definition::is_headed(passage),
        defines: definition::defining(passage),
    }
}
