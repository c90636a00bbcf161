//! Which documents tell of a failure at all.

use crate::document::{Chunk, DocumentType};

/// Words of headings that only a report on a failure has.
const WORDS: [&str; 8] = [
    "root cause",
    "contributing",
    "went wrong",
    "timeline",
    "post-mortem",
    "postmortem",
    "incident",
    "driving event",
];

/// Whether the document may tell of a failure that happened. Rules, definitions and procedures speak of failures that
/// may happen; they do only where their headings say that they report one.
pub(super) fn may_tell(document: &[Chunk]) -> bool {
    match document.first().map(|chunk| chunk.document_type) {
        None | Some(DocumentType::Config | DocumentType::Code) => false,
        Some(DocumentType::Postmortem | DocumentType::Log | DocumentType::Other) => true,
        Some(_) => document.iter().any(|chunk| has_word(&chunk.section)),
    }
}

fn has_word(section: &str) -> bool {
    let section = section.to_ascii_lowercase();
    WORDS.iter().any(|word| section.contains(word))
}
