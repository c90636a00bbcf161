//! What failed like this before, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Result;
use crate::document::Chunk;
use crate::evidence::PointKind::{self, Document, Passage as Passages};
use crate::evidence::SearchKind::{Bm25, Dense};
use crate::evidence::{Finding, Passage, ScoreParts, Source};
use crate::facts::FailureReport;
use crate::mode::AnswerMode;
use crate::question::Question;
use crate::retrieve::Retriever;
use crate::strategy::{self, Answer, Asked, Desk, Evidence, Probe, Reading, Strategy};
use crate::trail::Answered;

mod cause;
mod check;
mod report;

pub use report::{RccaMetadata, TimelineEvent};

/// Describes a failure to find earlier ones like it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RccaRequest {
    /// What happens, in the caller's own words; 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub question: String,
    /// Other words for the question, at most 8, each searched beside it: send three to five. Best are the words that a
    /// document would use: likely terms, error messages, the supposed cause; and one whole sentence that it may contain.
    #[schemars(length(max = 8), inner(length(min = 1, max = 2000)))]
    #[serde(default)]
    pub queries: Vec<String>,
    /// In mode `generative` a language model writes queries where none are sent. As the service is set up
    /// where absent.
    pub mode: Option<AnswerMode>,
    /// Ids of passages or documents that are like what is sought, at most 8: "more of this kind". They are not shown.
    #[schemars(length(max = 8))]
    #[serde(default)]
    pub like: Vec<Uuid>,
    /// Ids of passages or documents that are not what is sought, at most 8. They are not shown, and the first one counts
    /// against what is like it.
    #[schemars(length(max = 8))]
    #[serde(default)]
    pub unlike: Vec<Uuid>,
    /// The project that it is asked for: it is noted in that project's trail, whose decisions come beside the answer.
    pub project_id: Option<String>,
    /// How many past failures are wanted, 1 to 50; 10 where absent.
    #[schemars(range(min = 1, max = 50))]
    pub top_k: Option<u32>,
    /// What a passage must satisfy: `{field: value | [values]}`, fields being `document_type`, `source`, `name`, `title`,
    /// `tags`, `section`, `severity`, `code`, `author`, `standard`, `language`, and `time`: `{gte, gt, lte, lt}` in RFC 3339.
    #[serde(default)]
    pub filters: serde_json::Map<String, serde_json::Value>,
    /// Where to look: `global` (everyone's documents), `user` (the caller's own), `case:<id>`, `team:<id>`; `["global"]` where
    /// absent.
    #[schemars(inner(regex(pattern = "^(global|user|case:.+|team:.+)$")))]
    #[serde(default)]
    pub knowledge: Vec<String>,
}

/// Past failures like the one described, and the causes that they share.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RccaReport {
    /// Always `rcca_analysis`.
    pub result_type: &'static str,
    /// One result per document that reports a failure, best first.
    pub results: Vec<Failure>,
    /// What caused the first three of them, the cause that most documents support first; empty where these name none.
    pub causes: Vec<Cause>,
    /// What was checked in the first three of them and the question does not mention. At most two of each.
    pub to_check: Vec<Check>,
    /// The best passage of each document that speaks of the same and reports no failure: guides, decisions, standards.
    pub also_read: Vec<Finding>,
    /// How many results there are.
    pub total_results: usize,
}

/// A past failure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Failure {
    /// The passage that was found best.
    pub chunk_id: Uuid,
    /// Its text, verbatim.
    pub content: String,
    /// How well it answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// How the score comes about.
    pub score_parts: ScoreParts,
    /// Where the passage stands.
    pub source: Source,
    /// What the document tells of the failure.
    pub rcca_metadata: RccaMetadata,
}

/// A cause, with the results whose documents tell of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Cause {
    /// How the best of these results puts it.
    pub cause: Passage,
    /// Those results' `chunk_id`s, best first.
    pub results: Vec<Uuid>,
    /// How many documents that is.
    pub support: usize,
}

/// An examination that the report of a like failure tells of.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Check {
    /// The report's own words.
    pub check: Passage,
    /// The `chunk_id` of its result.
    pub result: Uuid,
}

/// Finds past failures like the one described.
///
/// # Errors
/// [`crate::Error::Invalid`] names what the caller can repair; see also [`crate::scope::grant`].
pub async fn run(
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
    request: RccaRequest,
) -> Result<Answer<RccaReport>> {
    let RccaRequest {
        question,
        queries,
        mode,
        like,
        unlike,
        project_id,
        top_k,
        filters,
        knowledge,
    } = &request;
    let asked = Asked {
        question,
        queries,
        mode: *mode,
        like,
        unlike,
        project_id: project_id.as_deref(),
        top_k: *top_k,
        filters,
        knowledge,
    };
    let request = strategy::Request::parse(&asked, desk).await?;
    let rcca = Rcca { question: question.clone() };
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
    const FINDS_EXACTLY: bool = true;

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
        for own in evidence {
            match &own.facts.report {
                Some(report) => results.push(failure(report, own.chunk, own.parts)),
                None => also_read.push(Finding::of(own.chunk, own.parts)),
            }
        }
        RccaReport {
            result_type: "rcca_analysis",
            causes: cause::group(&results),
            to_check: check::not_mentioned(&results, &self.question),
            also_read,
            total_results: results.len(),
            results,
        }
    }

    fn results(report: &RccaReport) -> Vec<Answered> {
        let failures = report.results.iter().map(|own| (own.chunk_id, own.score));
        let others = report.also_read.iter().map(|own| (own.chunk_id, own.score));
        Answered::best(failures.chain(others))
    }
}

fn failure(report: &FailureReport, chunk: Chunk, score_parts: ScoreParts) -> Failure {
    Failure {
        chunk_id: chunk.id,
        score: score_parts.total,
        source: Source::of(&chunk),
        rcca_metadata: RccaMetadata::of(report, chunk.document_id, &chunk.version),
        score_parts,
        content: chunk.text,
    }
}

#[cfg(test)]
mod tests;
