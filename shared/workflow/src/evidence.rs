//! What was found, how its score comes about, and its order.

pub use model::evidence::*;

use crate::document::Chunk;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chunks;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn evidence(fusion: &[f64]) -> Vec<Evidence> {
        let chunk = chunks("# Pump\n\nIt ran dry.\n").swap_remove(0);
        let passage =
            |fusion: &f64| Evidence::of(chunk.clone(), ScoreParts::new(Vec::new(), *fusion));
        fusion.iter().map(passage).collect()
    }

    proptest! {
        #[test]
        fn a_boost_changes_the_order_where_it_closes_the_distance(high in 0.1f64..0.9, distance in 0.001f64..0.05) {
            let mut found = evidence(&[high, high - distance]);
            best_first(&mut found);
            prop_assert!(found[0].parts.fusion >= high);
            found[1].parts.boost("any", 0.3);
            let expected = found[1].parts.total > found[0].parts.total;
            best_first(&mut found);
            prop_assert_eq!(found[0].parts.fusion < high, expected);
            prop_assert!(found[0].parts.total >= found[1].parts.total);
            // 0.3 of the gap is more than the distance wherever the gap is wide enough.
            prop_assert!(expected || 0.3 * (1.0 - high + distance) <= distance + 0.001);
        }
    }
}
