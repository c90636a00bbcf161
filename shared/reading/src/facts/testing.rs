//! Documents for tests.

use model::document::{Attributes, Passage, document_id};
use model::item::{Record, Status};
use model::scope::Scope;

/// Returns the passages of a Markdown document with this name and text; none if it cannot be read.
pub(super) fn named(name: &str, text: &str) -> Vec<Passage> {
    let record = Record {
        scope: Scope::Global,
        document_id: document_id(&Scope::Global, name),
        name: name.into(),
        content_type: "text/markdown".into(),
        bytes: text.len() as u64,
        attributes: Attributes::default(),
        status: Status::Waiting,
        version: "01".into(),
        live: None,
        deleted: None,
        kept: None,
        is_final: false,
        first: "01A".into(),
        prior: "01A".into(),
        updated_at: "2026-11-20T18:00:00Z".into(),
    };
    crate::read(&record, "01", text.as_bytes())
        .map(|reading| reading.passages())
        .unwrap_or_default()
}

/// Returns the passages of a document without a kind.
pub(super) fn passages(text: &str) -> Vec<Passage> {
    named("document.md", text)
}

/// Returns the first passage of such a document.
pub(super) fn passage(text: &str) -> Passage {
    passages(text).swap_remove(0)
}
