//! How a workflow asks, weighs and answers.

use serde::Serialize;

use crate::Result;
use crate::document::Chunk;
use crate::evidence::{LegKind, PointKind, ScoreParts};
use crate::filter::Filters;
use crate::ports::Members;
use crate::question::{Question, TopK};
use crate::retrieve::Retriever;
use crate::scope::{self, Caller, Grant};

/// One text to search for, and how much each way of searching it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The text.
    pub text: String,
    /// The ways to search it, what is searched, and how much each counts, above 0.
    pub legs: Vec<(LegKind, PointKind, f64)>,
    /// The most hits that each of these searches gives.
    pub depth: usize,
}

/// What a strategy ranks, and how much of it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Passages as the searches found them, however many. Nothing else is read.
    Passages,
    /// The `top_k` best documents, each with all of its passages.
    Documents,
    /// All passages of the `top_k` best documents, those that no search found among them.
    EveryPassage,
}

/// A passage that was found, or a document by the best of its passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The passage; of a document, the one that was found best.
    pub chunk: Chunk,
    /// All passages of the document, in order; empty where passages are ranked.
    pub document: Vec<Chunk>,
    /// How its score comes about.
    pub parts: ScoreParts,
}

/// A workflow's own part: pure, and holding the request's parameters.
pub trait Strategy {
    /// What the caller gets back.
    type Report: Serialize;

    /// What is ranked.
    const READING: Reading;

    /// The texts to search for.
    fn probes(&self, question: &Question) -> Vec<Probe>;

    /// Adjusts scores; the order is restored afterwards.
    fn weigh(&self, _evidence: &mut [Evidence]) {}

    /// Shapes evidence, best first, into the answer.
    fn report(&self, evidence: Vec<Evidence>) -> Self::Report;
}

/// What every workflow is asked with.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The question.
    pub question: Question,
    /// How many results are wanted.
    pub top_k: TopK,
    /// What a passage must satisfy.
    pub filters: Filters,
    /// What may be read.
    pub grant: Grant,
}

/// The part of a request's wire form that all workflows share.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The question.
    pub question: &'a str,
    /// How many results are wanted.
    pub top_k: Option<u32>,
    /// What a passage must satisfy.
    pub filters: &'a serde_json::Map<String, serde_json::Value>,
    /// Where to look.
    pub knowledge: &'a [String],
}

impl Request {
    /// Takes what every workflow is asked with, and checks what may be read before anything is.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] names what the caller can repair; see also [`scope::grant`].
    pub async fn parse(
        asked: &Asked<'_>,
        caller: &Caller,
        members: &dyn Members,
    ) -> Result<Request> {
        Ok(Request {
            question: Question::parse(asked.question)?,
            top_k: TopK::parse(asked.top_k)?,
            filters: Filters::parse(asked.filters)?,
            grant: scope::grant(caller, asked.knowledge, members).await?,
        })
    }
}

/// Answers `request` the way `strategy` prescribes.
pub async fn run<S: Strategy>(
    strategy: &S,
    request: &Request,
    retriever: &Retriever<'_>,
) -> Result<S::Report> {
    let mut evidence =
        retriever.retrieve(&strategy.probes(&request.question), request, S::READING).await?;
    strategy.weigh(&mut evidence);
    best_first(&mut evidence);
    Ok(strategy.report(evidence))
}

/// Sorts by score; ties go by the fused score, then by the passage's id.
pub(crate) fn best_first(evidence: &mut [Evidence]) {
    evidence.sort_by(|a, b| {
        let by_score = b.parts.total.total_cmp(&a.parts.total);
        by_score
            .then_with(|| b.parts.fused.total_cmp(&a.parts.fused))
            .then_with(|| a.chunk.id.cmp(&b.chunk.id))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chunks;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn evidence(fused: &[f64]) -> Vec<Evidence> {
        let chunk = chunks("# Pump\n\nIt ran dry.\n").swap_remove(0);
        let own = |fused: &f64| Evidence {
            chunk: chunk.clone(),
            document: Vec::new(),
            parts: ScoreParts::new(Vec::new(), *fused),
        };
        fused.iter().map(own).collect()
    }

    proptest! {
        #[test]
        fn a_boost_changes_the_order_where_it_closes_the_distance(high in 0.1f64..0.9, distance in 0.001f64..0.05) {
            let mut found = evidence(&[high, high - distance]);
            best_first(&mut found);
            prop_assert!(found[0].parts.fused >= high);
            found[1].parts.boost("any", 0.3);
            let expected = found[1].parts.total > found[0].parts.total;
            best_first(&mut found);
            prop_assert_eq!(found[0].parts.fused < high, expected);
            prop_assert!(found[0].parts.total >= found[1].parts.total);
            // 0.3 of the gap is more than the distance wherever the gap is wide enough.
            prop_assert!(expected || 0.3 * (1.0 - high + distance) <= distance + 0.001);
        }
    }
}
