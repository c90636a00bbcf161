//! Reranks the first results by a model that reads the question and a passage together.
//!
//! Nogueira, Cho: Passage Re-ranking with BERT, 2019. The model is asked only if it may help: if
//! the first result is not clearly ahead.

use std::cmp::Ordering;

use crate::evidence::{Evidence, best_first};
use model::evidence::{PointKind, RankingScore, RetrieverKind, ScoreParts};
use model::{Error, Result};
use ports::Reranker;
use ports::question::Question;

pub mod by_model;

/// Upper bound for the passages that a reranker reads.
pub const MOST: usize = 30;

/// Upper bound for the characters of a passage, so that it counts as one document if calls are paid
/// per 500 tokens.
const LONGEST: usize = 1_800;

/// The limits of a reranker. Neither value is measured, because no such model was available during
/// development.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The lead of the first result over the second, in standard deviations of the question's
    /// cosines, from which the reranker is not asked.
    pub margin: f64,
    /// The lowest relevance, `0.0..=1.0`, that the best passage must have. If it has less, nothing
    /// fits.
    pub floor: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { margin: 2.0, floor: 0.3 }
    }
}

/// A reranker and its limits.
#[derive(Clone, Copy)]
pub struct Rerank<'a> {
    /// The model that judges passages.
    pub by: &'a dyn Reranker,
    /// The limits.
    pub limits: Limits,
    /// Upper bound for the passages that it reads.
    pub most: usize,
}

impl Rerank<'_> {
    /// Adds the reranker's judgement to the scores of the first `most` results, as a ranking with
    /// the weight of all others, `weights`. Returns true if a passage is relevant enough; `None` if
    /// the reranker was not asked.
    ///
    /// # Errors
    /// The errors of the reranker. The scores then stay as they are.
    pub(crate) async fn rerank(
        &self,
        question: &Question,
        evidence: &mut [Evidence],
        weights: f64,
    ) -> Result<Option<bool>> {
        best_first(evidence);
        if evidence.len() < 2 || self.is_first_clear(evidence) {
            return Ok(None);
        }
        let count = evidence.len().min(self.most);
        let texts: Vec<String> = evidence[..count].iter().map(text).collect();
        let relevance = self.by.relevance(question.as_str(), &texts).await?;
        if relevance.len() != count {
            return Err(Error::unavailable("the reranker", "it judged another number of passages"));
        }
        let best = relevance.iter().copied().fold(0.0, f64::max);
        for (place, passage) in evidence.iter_mut().enumerate() {
            let mut rankings = std::mem::take(&mut passage.parts.rankings);
            let score = relevance.get(place).copied();
            rankings.extend(score.map(|score| ranking(score, rank(&relevance, score), weights)));
            let fused = f64::midpoint(passage.parts.fusion, score.unwrap_or_default());
            passage.parts = ScoreParts::new(rankings, fused);
        }
        Ok(Some(best >= self.limits.floor))
    }

    /// Returns true if the first passage is so much nearer than the second that reranking is not
    /// needed.
    fn is_first_clear(&self, evidence: &[Evidence]) -> bool {
        let z_score = |evidence: &Evidence| {
            let rankings = evidence.parts.rankings.iter();
            let of_passages =
                rankings.filter(|ranking| ranking.probe == 0 && ranking.of == PointKind::Passage);
            of_passages.filter_map(|ranking| ranking.z_score).reduce(f64::max)
        };
        let both = z_score(&evidence[0]).zip(z_score(&evidence[1]));
        both.is_some_and(|(first, second)| first - second >= self.limits.margin)
    }
}

/// Returns the passage below its title and its headings, in the form that a model reads.
pub fn text(evidence: &Evidence) -> String {
    let text = format!(
        "{}\n{}\n{}",
        evidence.passage.title, evidence.passage.section, evidence.passage.text
    );
    text.chars().take(LONGEST).collect()
}

fn rank(all: &[f64], value: f64) -> usize {
    1 + all.iter().filter(|other| other.total_cmp(&value) == Ordering::Greater).count()
}

/// Returns the ranking score by a model that reads the passages.
#[expect(clippy::cast_possible_truncation, reason = "a share")]
pub fn ranking(score: f64, rank: usize, weight: f64) -> RankingScore {
    RankingScore {
        probe: 0,
        query: None,
        retriever: RetrieverKind::Rerank,
        of: PointKind::Passage,
        rank: Some(rank),
        raw: Some(score as f32),
        z_score: None,
        score,
        weight,
    }
}

/// Returns the relevance that a reranker gave, `0.0..=1.0`; `None` if it did not judge the passage.
pub fn relevance(parts: &ScoreParts) -> Option<f64> {
    let judged = parts.rankings.iter().find(|one| one.retriever == RetrieverKind::Rerank);
    judged.map(|ranking| ranking.score)
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use testing::{passages, ranking_at};

    /// A reranker that considers the texts with a word relevant.
    struct ByWord(&'static str);

    #[async_trait]
    impl Reranker for ByWord {
        async fn relevance(&self, _question: &str, texts: &[String]) -> Result<Vec<f64>> {
            Ok(texts.iter().map(|text| if text.contains(self.0) { 0.9 } else { 0.1 }).collect())
        }
    }

    fn evidence(z_scores: [f64; 2]) -> Vec<Evidence> {
        let texts = ["# Valve\n\nIt leaked.\n", "# Pump\n\nIt ran dry.\n"];
        let passage = |(text, z_score): (&str, f64)| {
            let parts = ScoreParts::new(vec![ranking_at(z_score)], z_score / 10.0);
            Evidence::of(passages(text).swap_remove(0), parts)
        };
        texts.into_iter().zip(z_scores).map(passage).collect()
    }

    fn asked(word: &'static str, evidence: &mut [Evidence]) -> Option<bool> {
        let question = Question::parse("Why is there no water?").unwrap();
        let rerank = Rerank { by: &ByWord(word), limits: Limits::default(), most: MOST };
        pollster::block_on(rerank.rerank(&question, evidence, 1.0)).unwrap()
    }

    #[test]
    fn its_judgement_is_a_ranking_that_counts_as_much_as_the_others() {
        let mut passages = evidence([5.0, 4.0]);
        assert_eq!(asked("ran dry", &mut passages), Some(true));
        best_first(&mut passages);
        assert_eq!(passages[0].passage.title, "Pump");
        let rankings = &passages[0].parts.rankings;
        assert!((passages[0].parts.fusion - f64::midpoint(0.4, 0.9)).abs() < 1e-9);
        assert_eq!((rankings[1].retriever, rankings[1].rank), (RetrieverKind::Rerank, Some(1)));
    }

    #[test]
    fn it_is_not_asked_where_the_first_leads_and_says_where_nothing_is_relevant() {
        assert_eq!(asked("ran dry", &mut evidence([6.0, 4.0])), None);
        assert_eq!(asked("nowhere", &mut evidence([5.0, 4.0])), Some(false));
    }
}
