//! What failed like this before, and why.

use std::collections::HashSet;

use uuid::Uuid;
use wire::common::Answer;
use wire::rcca::{AlsoRead, Check, Failure, FailureFields, RccaReport, RccaRequest, TimelineEvent};
use wire::request::WorkflowRequest;
use wire::trail::Answered;

use crate::Result;
use crate::degraded::Partial;
use crate::document::Chunk;
use crate::evidence::PointKind::{self, Document, Passage as Passages};
use crate::evidence::SearchKind::{Bm25, Dense};
use crate::evidence::{Evidence, Passage, ScoreParts, Source};
use crate::facts::{Fact, FailureReport};
use crate::question::Question;
use crate::retrieve::Retriever;
use crate::strategy::{self, Desk, Probe, Reading, Strategy};
use crate::term::stem;
use crate::topic::{ENOUGH, telling};

mod cause;

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

/// The most documents that are listed beside failures.
const OTHERS: usize = 3;

impl Strategy for Rcca {
    type Report = RccaReport;

    const READING: Reading = Reading::Documents;
    // Guides and decisions stand among the reports.
    const SPARE: usize = 10;
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
                None => also_read.push(AlsoRead {
                    score: passage.parts.total,
                    strength: passage.parts.strength,
                    source: Source::of(&passage.chunk),
                    score_parts: passage.parts,
                }),
            }
        }
        RccaReport {
            result_type: "rcca_analysis".into(),
            causes: cause::group(&results),
            to_check: not_mentioned(&results, &self.question),
            also_read,
            total_results: results.len(),
            results,
        }
    }

    fn keep(&self, evidence: &mut Vec<Evidence>, most: usize) {
        let (mut failures, mut others) = (0, 0);
        evidence.retain(|found| {
            let (count, most) = match found.facts.report {
                Some(_) => (&mut failures, most),
                None => (&mut others, OTHERS),
            };
            *count += 1;
            *count <= most
        });
    }

    fn tells(report: &RccaReport) -> bool {
        !(report.results.is_empty() && report.also_read.is_empty())
    }

    fn results(report: &RccaReport) -> Vec<Answered> {
        let failures = report.results.iter().map(|result| (result.chunk_id, result.score));
        let others = report.also_read.iter().map(|r| (r.source.chunk_id, r.score));
        Answered::best(failures.chain(others))
    }
}

fn failure(report: &FailureReport, chunk: Chunk, score_parts: ScoreParts) -> Failure {
    let fields = metadata(report, chunk.document_id, &chunk.version);
    let is_silent = fields == FailureFields::default();
    Failure {
        chunk_id: chunk.id,
        score: score_parts.total,
        strength: score_parts.strength,
        source: Source::of(&chunk),
        report: fields,
        score_parts,
        content: if is_silent { chunk.text } else { String::new() },
    }
}

/// What version `version` of a document tells.
fn metadata(report: &FailureReport, document: Uuid, version: &str) -> FailureFields {
    let passage = |fact: &Fact| Passage::of_fact(fact, document, version);
    let passages = |facts: &[Fact]| facts.iter().map(passage).collect();
    FailureFields {
        symptoms: passages(&report.symptoms),
        root_cause: report.root_cause.as_ref().map(passage),
        contributing_factors: passages(&report.contributing_factors),
        resolution: report.resolution.as_ref().map(passage),
        impact: passages(&report.impact),
        timeline: report
            .timeline
            .iter()
            .map(|r| TimelineEvent { time: r.time.clone(), event: passage(&r.event) })
            .collect(),
        checked: passages(&report.checked),
        denied: passages(&report.denied),
        actions: passages(&report.actions),
    }
}

/// Examinations come from so many of the first results.
const CHECKED: usize = 3;

/// The most examinations of one result.
const MOST_CHECKS: usize = 2;

/// Lists what the first results' reports tell of examinations, without those that the question mentions: those that have
/// most of its words, or most of whose words it has.
fn not_mentioned(results: &[Failure], question: &str) -> Vec<Check> {
    let asked = stems(question);
    let of_result = |result: &'_ Failure| {
        let checks = result.report.checked.iter();
        let open =
            checks.filter(|check| !is_mentioned(&stems(&check.text), &asked)).take(MOST_CHECKS);
        open.map(|open| Check { check: open.clone(), result: result.chunk_id }).collect::<Vec<_>>()
    };
    results.iter().take(CHECKED).flat_map(of_result).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn is_mentioned(check: &HashSet<String>, asked: &HashSet<String>) -> bool {
    let shared = check.intersection(asked).count() as f64;
    let least = check.len().min(asked.len()) as f64;
    shared >= ENOUGH * least
}

/// The stems of the words that carry a text's meaning.
fn stems(text: &str) -> HashSet<String> {
    telling(text).into_iter().map(stem).collect()
}

#[cfg(test)]
mod tests;
