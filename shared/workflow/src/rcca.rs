//! What failed like this before, and why.

use wire::common::Answer;
use wire::rcca::{Failure, RccaReport, RccaRequest};
use wire::request::WorkflowRequest;
use wire::trail::Answered;

use crate::Result;
use crate::degraded::Partial;
use crate::document::Chunk;
use crate::evidence::PointKind::{self, Document, Passage as Passages};
use crate::evidence::SearchKind::{Bm25, Dense};
use crate::evidence::{Finding, ScoreParts, Source};
use crate::facts::FailureReport;
use crate::question::Question;
use crate::retrieve::Retriever;
use crate::strategy::{self, Desk, Evidence, Probe, Reading, Strategy};

mod cause;
mod check;
mod report;

/// Finds past failures like the one described.
///
/// # Errors
/// [`crate::Error::Invalid`] names what the caller can repair; see also [`crate::scope::grant`].
pub async fn run(
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
    request: RccaRequest,
) -> Result<Partial<Answer<RccaReport>>> {
    let rcca = Rcca { question: request.question.clone() };
    let request = strategy::Request::parse(request.common(), desk).await?;
    strategy::run(&rcca, request, retriever, desk).await
}

struct Rcca {
    question: String,
}

/// The most hits of a search for the question. Below it the right document hardly ever stands.
const DEPTH: usize = 60;

impl Strategy for Rcca {
    type Report = RccaReport;

    const READING: Reading = Reading::Documents;
    const SELECTS_FACTS: bool = true;
    const ABSTAINS: bool = true;

    fn name(&self) -> &'static str {
        "rcca"
    }

    fn probes(&self, question: &Question) -> Vec<Probe> {
        // Reports on failures are searched once more by themselves, so that they come before what only speaks of the same
        // things. Searches for the question with "symptoms" or "root cause" behind it find nothing more.
        let searches = vec![
            (Dense, Document, 0.7),
            (Dense, PointKind::FailureReport, 0.3),
            (Dense, Passages, 1.0),
            (Bm25, Document, 0.5),
            (Bm25, Passages, 0.5),
        ];
        vec![Probe { text: question.as_str().into(), searches, depth: DEPTH, query: None }]
    }

    fn report(&self, evidence: Vec<Evidence>) -> RccaReport {
        let (mut results, mut also_read) = (Vec::new(), Vec::new());
        for passage in evidence {
            match &passage.facts.report {
                Some(report) => results.push(failure(report, passage.chunk, passage.parts)),
                None => also_read.push(Finding::of(passage.chunk, passage.parts)),
            }
        }
        RccaReport {
            result_type: "rcca_analysis".into(),
            causes: cause::group(&results),
            to_check: check::not_mentioned(&results, &self.question),
            also_read,
            total_results: results.len(),
            results,
        }
    }

    fn tells(report: &RccaReport) -> bool {
        !(report.results.is_empty() && report.also_read.is_empty())
    }

    fn results(report: &RccaReport) -> Vec<Answered> {
        let failures = report.results.iter().map(|result| (result.chunk_id, result.score));
        let others = report.also_read.iter().map(|r| (r.chunk_id, r.score));
        Answered::best(failures.chain(others))
    }
}

fn failure(report: &FailureReport, chunk: Chunk, score_parts: ScoreParts) -> Failure {
    Failure {
        chunk_id: chunk.id,
        score: score_parts.total,
        source: Source::of(&chunk),
        rcca_metadata: report::metadata(report, chunk.document_id, &chunk.version),
        score_parts,
        content: chunk.text,
    }
}

#[cfg(test)]
mod tests;
