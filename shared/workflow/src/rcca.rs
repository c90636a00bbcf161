//! What failed like this before, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Result;
use crate::document::DocumentType;
use crate::evidence::LegKind::{Bm25, Dense};
use crate::evidence::PointKind::{Lead, Passage as Passages};
use crate::evidence::{Passage, ScoreParts, Source};
use crate::filter::Filters;
use crate::ports::Members;
use crate::question::{Question, TopK};
use crate::retrieve::Retriever;
use crate::scope::{self, Caller};
use crate::strategy::{self, Evidence, Probe, Strategy};

mod cause;
mod metadata;

pub use metadata::{RccaMetadata, metadata};

/// Describes a failure to find earlier ones like it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What happens, in the caller's own words; 1 to 2,000 characters.
    pub question: String,
    /// How many past failures are wanted, 1 to 50; 10 where absent.
    pub top_k: Option<u32>,
    /// What a passage must satisfy: `{field: value | [values] | {gte, gt, lte, lt}}`.
    #[serde(default)]
    pub filters: serde_json::Map<String, serde_json::Value>,
    /// Where to look: `global`, `user`, `case:<id>`, `team:<id>`; `["global"]` where absent.
    #[serde(default)]
    pub knowledge: Vec<String>,
}

/// Past failures like the one described, and the causes that they share.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Report {
    /// Always `rcca_analysis`.
    pub result_type: &'static str,
    /// One result per document, best first.
    pub results: Vec<Failure>,
    /// What caused them, the cause that most documents support first.
    pub causes: Vec<Cause>,
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

/// Finds past failures like the one described.
///
/// # Errors
/// [`crate::Error::Invalid`] names what the caller can repair; see also [`scope::grant`].
pub async fn run(
    retriever: &Retriever<'_>,
    members: &dyn Members,
    caller: &Caller,
    request: Request,
) -> Result<Report> {
    let request = strategy::Request {
        question: Question::parse(&request.question)?,
        top_k: TopK::parse(request.top_k)?,
        filters: Filters::parse(&request.filters)?,
        grant: scope::grant(caller, &request.knowledge, members).await?,
    };
    strategy::run(&Rcca { top_k: request.top_k }, &request, retriever).await
}

struct Rcca {
    top_k: TopK,
}

/// What a report on a failure closes of the gap to 1, before documents that only speak of the same things.
const POSTMORTEM: f64 = 0.2;

impl Strategy for Rcca {
    type Report = Report;

    fn probes(&self, question: &Question) -> Vec<Probe> {
        // Symptom and cause are sought together: the caller need not know which of the two they are holding. What the
        // question says counts most; the angles decide between documents that answer it alike.
        let own = vec![
            (Dense, Lead, 1.0),
            (Dense, Passages, 1.0),
            (Bm25, Lead, 0.3),
            (Bm25, Passages, 0.1),
        ];
        let angle = vec![(Dense, Passages, 0.1), (Bm25, Passages, 0.05)];
        [
            ("", own),
            (" symptoms", angle.clone()),
            (" root cause", angle.clone()),
            (" failure analysis", angle),
        ]
        .map(|(angle, legs)| Probe { text: format!("{}{angle}", question.as_str()), legs })
        .into()
    }

    fn weigh(&self, evidence: &mut [Evidence]) {
        for evidence in evidence
            .iter_mut()
            .filter(|evidence| evidence.best.document_type == DocumentType::Postmortem)
        {
            evidence.parts.boost("postmortem", POSTMORTEM);
        }
    }

    fn report(&self, evidence: Vec<Evidence>) -> Report {
        let results: Vec<Failure> =
            evidence.into_iter().take(self.top_k.value()).map(failure).collect();
        Report {
            result_type: "rcca_analysis",
            causes: cause::group(&results),
            total_results: results.len(),
            results,
        }
    }
}

fn failure(evidence: Evidence) -> Failure {
    Failure {
        chunk_id: evidence.best.id,
        score: evidence.parts.total,
        source: Source::of(&evidence.best),
        rcca_metadata: metadata(&evidence.document),
        score_parts: evidence.parts,
        content: evidence.best.text,
    }
}
