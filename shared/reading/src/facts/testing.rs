//! Documents for tests.

use model::document::Passage;
use model::item::Record;
use model::scope::Scope;

/// Returns the passages of a Markdown document with this name and text; none if it cannot be read.
pub(super) fn named(name: &str, text: &str) -> Vec<Passage> {
    let record = Record::announced(Scope::Global, name, "text/markdown", text.len() as u64, "01");
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
