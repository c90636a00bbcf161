//! The ids of documents, and of their points in the index.

use text::composed;
use uuid::Uuid;

use crate::scope::Scope;

/// Returns the document's id. The name's letters may be in any Unicode form.
pub fn document_id(scope: &Scope, name: &str) -> Uuid {
    let scope = Uuid::new_v5(&Uuid::NAMESPACE_URL, scope.to_string().as_bytes());
    Uuid::new_v5(&scope, composed::text(name).as_bytes())
}

/// Returns the passage's id, which is also the id of its point in the index.
pub fn passage_id(document: Uuid, version: &str, position: u32) -> Uuid {
    point_id(document, version, &position.to_string())
}

/// Returns the id of the point for the whole document.
pub fn document_point_id(document: Uuid, version: &str) -> Uuid {
    point_id(document, version, "lead")
}

/// Returns the id of the point for a question that the document answers; `number` counts from 0.
pub fn question_id(document: Uuid, version: &str, number: u32) -> Uuid {
    point_id(document, version, &format!("question/{number}"))
}

/// Returns an id whose first half is the same in all versions of the document, so that ids have the
/// same order whenever a document is ingested: a sample of the lowest has the same passages.
fn point_id(document: Uuid, version: &str, point: &str) -> Uuid {
    let of_all = Uuid::new_v5(&document, point.as_bytes());
    let of_one = Uuid::new_v5(&of_all, version.as_bytes());
    let (mut id, of_one) = (of_all.into_bytes(), of_one.into_bytes());
    id[8..].copy_from_slice(&of_one[8..]);
    uuid::Builder::from_custom_bytes(id).into_uuid()
}
