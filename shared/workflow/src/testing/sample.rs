//! Points, and how documents are indexed, as the contracts write them.

use crate::document::Chunk;
use crate::evidence::PointKind;
use crate::ports::{Embedded, Indexing, Point};

/// The space of the contracts' vectors.
pub(super) const SPACE: &str = "words/8";

pub(super) fn indexing() -> Indexing {
    Indexing { reader: 3, space: SPACE.into(), collection: "plumbline".into() }
}

/// A passage whose vector points along one of eight axes.
pub(super) fn point(chunk: Chunk, direction: usize) -> Point {
    let mut vector = vec![0.0; 8];
    vector[direction] = 1.0;
    let embedded = Embedded::of(SPACE, &chunk.text);
    Point { kind: PointKind::Passage, words: chunk.text.clone(), vector, chunk, embedded }
}
