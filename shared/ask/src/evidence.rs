//! Passages that were found, with their scores and their order.

use model::document::Passage;
use model::evidence::{NEAR, PointKind, RetrieverKind, ScoreParts};
use model::facts::Facts;
use text::question::{ENOUGH, QuestionTerms};

/// A passage that was found, or a document with the best of its passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The passage; for a document, its best passage.
    pub passage: Passage,
    /// The facts of the document; empty if passages are ranked.
    pub facts: Facts,
    /// The score, with its parts.
    pub parts: ScoreParts,
}

impl Evidence {
    /// Creates evidence from a passage and its score, without facts.
    #[must_use]
    pub fn of(passage: Passage, parts: ScoreParts) -> Evidence {
        Evidence { passage, facts: Facts::default(), parts }
    }

    /// Returns the text of the passage, its headings and the title of its document.
    pub fn texts(&self) -> [&str; 3] {
        [&self.passage.text, &self.passage.section, &self.passage.title]
    }

    /// Returns true if the passage is about the subject: by its words, its meaning, or a string
    /// that makes up most of the question.
    pub fn is_of(&self, terms: &QuestionTerms) -> bool {
        self.is_near(NEAR) || self.is_exact() || terms.is_told_by(&self.texts())
    }

    /// Returns true if the passage itself is at least `z_score` standard deviations above the mean
    /// of the question's cosines.
    pub fn is_near(&self, z_score: f64) -> bool {
        self.parts.rankings.iter().any(|ranking| {
            ranking.probe == 0
                && ranking.retriever == RetrieverKind::Dense
                && ranking.of == PointKind::Passage
                && ranking.z_score.is_some_and(|score| score >= z_score)
        })
    }

    /// Returns true if the passage has a string that few documents have and that makes up most of
    /// the question.
    fn is_exact(&self) -> bool {
        let mut rankings = self.parts.rankings.iter();
        rankings.any(|ranking| {
            let is_most = |share: f32| f64::from(share) >= ENOUGH;
            ranking.retriever == RetrieverKind::Exact && ranking.raw.is_some_and(is_most)
        })
    }
}

/// Sorts by score. Ties are ordered by the fused score, then by the id of the passage.
pub fn best_first(evidence: &mut [Evidence]) {
    evidence.sort_by(|a, b| {
        let by_score = b.parts.total.total_cmp(&a.parts.total);
        by_score
            .then_with(|| b.parts.fusion.total_cmp(&a.parts.fusion))
            .then_with(|| a.passage.id.cmp(&b.passage.id))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::RankingScore;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use testing::{passages, ranking_at};

    fn evidence(fusion: &[f64]) -> Vec<Evidence> {
        let passage = passages("# Pump\n\nIt ran dry.\n").swap_remove(0);
        let passage =
            |fusion: &f64| Evidence::of(passage.clone(), ScoreParts::new(Vec::new(), *fusion));
        fusion.iter().map(passage).collect()
    }

    #[test]
    fn a_passage_in_other_words_is_on_a_subject_that_it_is_near_to() {
        let topic = QuestionTerms::of("Why did the pumps run dry?");
        let passage = passages("# Note\n\nThe tank was empty.\n").swap_remove(0);
        let found = |ranking| Evidence::of(passage.clone(), ScoreParts::new(vec![ranking], 0.5));
        assert!(found(ranking_at(NEAR + 0.1)).is_of(&topic));
        assert!(!found(ranking_at(NEAR - 0.1)).is_of(&topic));
        let of_another_probe = RankingScore { probe: 1, ..ranking_at(9.0) };
        assert!(!found(of_another_probe).is_near(NEAR));
    }

    #[test]
    fn a_passage_is_on_the_subject_if_it_has_a_string_that_is_most_of_the_question() {
        let topic = QuestionTerms::of("Which broker should we choose by 2026-01-15?");
        let passage = passages("# Note\n\nThe tank was empty.\n").swap_remove(0);
        let having = |share| {
            let exact = RankingScore {
                retriever: RetrieverKind::Exact,
                raw: Some(share),
                z_score: None,
                ..ranking_at(0.0)
            };
            Evidence::of(passage.clone(), ScoreParts::new(vec![exact], 0.5))
        };
        assert!(having(0.7).is_of(&topic));
        assert!(!having(0.3).is_of(&topic), "a date is little of it");
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
            // 0.3 of the gap exceeds the distance if the gap is wide enough.
            prop_assert!(expected || 0.3 * (1.0 - high + distance) <= distance + 0.001);
        }
    }
}
