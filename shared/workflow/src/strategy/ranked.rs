//! What was found, and its order.

use crate::document::Chunk;
use crate::evidence::ScoreParts;
use crate::facts::Facts;

/// A passage that was found, or a document by the best of its passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The passage; of a document, the one that was found best.
    pub chunk: Chunk,
    /// What was read in the document; nothing where passages are ranked.
    pub facts: Facts,
    /// How its score comes about.
    pub parts: ScoreParts,
    /// For each of its statements, the places of the options that it is about, as a language model says; `None` where none was
    /// asked.
    pub options: Option<Vec<Vec<usize>>>,
}

impl Evidence {
    /// A passage that nothing else is known of.
    #[must_use]
    pub fn of(chunk: Chunk, parts: ScoreParts) -> Evidence {
        Evidence { chunk, facts: Facts::default(), parts, options: None }
    }
}

/// Sorts by score; ties go by the fused score, then by the passage's id.
pub(crate) fn best_first(evidence: &mut [Evidence]) {
    evidence.sort_by(|a, b| {
        let by_score = b.parts.total.total_cmp(&a.parts.total);
        by_score
            .then_with(|| b.parts.fusion.total_cmp(&a.parts.fusion))
            .then_with(|| a.chunk.id.cmp(&b.chunk.id))
    });
}
