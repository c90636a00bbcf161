//! The place of a passage on its own page.

use model::document::{DocumentType, Origin};
use model::evidence::Place;
use uuid::Uuid;
use wire::passages::PassageReply;

/// The place of a passage, of which a page shows file and lines.
pub(super) fn place(passage: &PassageReply) -> Place {
    Place {
        passage_id: passage.passage_id.parse().unwrap_or_default(),
        knowledge: None,
        document_id: Uuid::nil(),
        file: passage.file.clone(),
        title: passage.title.clone(),
        section: None,
        document_type: DocumentType::Other,
        source: Origin::Docs,
        uri: None,
        edition: None,
        lifecycle: None,
        lines: passage.lines,
        time: None,
    }
}
