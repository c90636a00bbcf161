//! How a workflow asks, weighs and answers.

use serde::Serialize;

use crate::Result;
use crate::document::Chunk;
use crate::evidence::{LegKind, PointKind, ScoreParts};
use crate::filter::Filters;
use crate::question::{Question, TopK};
use crate::retrieve::Retriever;
use crate::scope::Grant;

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

/// A document that was found, read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The passage that was found best.
    pub best: Chunk,
    /// All of its passages, in order.
    pub document: Vec<Chunk>,
    /// How its score comes about.
    pub parts: ScoreParts,
}

/// A workflow's own part: pure, and holding the request's parameters.
pub trait Strategy {
    /// What the caller gets back.
    type Report: Serialize;

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

/// Answers `request` the way `strategy` prescribes.
pub async fn run<S: Strategy>(
    strategy: &S,
    request: &Request,
    retriever: &Retriever<'_>,
) -> Result<S::Report> {
    let mut evidence = retriever.retrieve(&strategy.probes(&request.question), request).await?;
    strategy.weigh(&mut evidence);
    best_first(&mut evidence);
    Ok(strategy.report(evidence))
}

/// Sorts by score; ties go by the fused score, then by the passage's id.
fn best_first(evidence: &mut [Evidence]) {
    evidence.sort_by(|a, b| {
        let by_score = b.parts.total.total_cmp(&a.parts.total);
        by_score
            .then_with(|| b.parts.fused.total_cmp(&a.parts.fused))
            .then_with(|| a.best.id.cmp(&b.best.id))
    });
}
