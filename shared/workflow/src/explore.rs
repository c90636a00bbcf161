//! What is known of a subject: definitions, examples, standards, best practices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Result;
use crate::evidence::PointKind::{self, Document, Passage as Passages};
use crate::evidence::SearchKind::{self, Bm25, Dense};
use crate::evidence::{Boost, Finding, Passage, RankingScore, ScoreParts, Source};
use crate::facet::{self, Coverage, Facet, Gap, Listed, Wish};
use crate::fuse;
use crate::mode::AnswerMode;
use crate::question::Question;
use crate::retrieve::Retriever;
use crate::settled::{Fit, Settled, settled};
use crate::strategy::{self, Answer, Asked, Desk, Evidence, Probe, Reading, Strategy};
use crate::topic::{ENOUGH, Topic};
use crate::trail::Answered;

mod definition;
mod serve;

use serve::Serves;

/// Names a subject to find what is known of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExploreRequest {
    /// The subject or a question about it; 1 to 2,000 characters.
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
    /// How many passages are wanted under each facet, 1 to 50; 3 where absent.
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
    /// The aspects wanted, 1 to 20; `definitions, examples, standards, best_practices` where absent.
    #[schemars(length(min = 1, max = 20))]
    pub facets: Option<Vec<Wish>>,
}

/// What is known of a subject, facet by facet.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExploreReport {
    /// Always `exploratory`.
    pub result_type: &'static str,
    /// Decisions in documents on the subject, those nearest to it first; at most 3.
    pub decided: Vec<Settled>,
    /// The facets, in the order asked for.
    pub facets: Vec<FacetReport>,
    /// How many facets there are.
    pub total_facets: usize,
    /// The facets on which nothing was found.
    pub gaps: Vec<Gap>,
    /// Terms that several documents define, each with all its definitions.
    pub terms: Vec<DefinedTerm>,
}

/// What is known of one aspect.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FacetReport {
    /// Its name.
    pub facet: String,
    /// Its passages, best first. A passage that serves several facets is listed under one of them.
    pub results: Vec<Aspect>,
    /// How much the searched documents have on it, those passages included that are listed elsewhere.
    pub coverage: Coverage,
}

/// A passage that serves a facet.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Aspect {
    /// The passage.
    #[serde(flatten)]
    pub finding: Finding,
    /// The other facets that it serves.
    pub also_in: Vec<String>,
}

/// A term as several documents define it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DefinedTerm {
    /// The term as the first of them writes it.
    pub term: String,
    /// Each document's definition, best first.
    pub definitions: Vec<Definition>,
}

/// A definition in a document's own words.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Definition {
    /// The sentence.
    #[serde(flatten)]
    pub passage: Passage,
    /// Where it stands.
    pub source: Source,
}

/// How many passages a facet lists for a caller who does not say.
const DEFAULT_RESULTS: u32 = 3;

/// Finds what is known of a subject.
///
/// # Errors
/// [`crate::Error::Invalid`] names what the caller can repair; see also [`crate::scope::grant`].
pub async fn run(
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
    request: ExploreRequest,
) -> Result<Answer<ExploreReport>> {
    let ExploreRequest {
        question,
        queries,
        mode,
        like,
        unlike,
        project_id,
        top_k,
        filters,
        knowledge,
        facets,
    } = &request;
    let top_k = Some(top_k.unwrap_or(DEFAULT_RESULTS));
    let asked = Asked {
        question,
        queries,
        mode: *mode,
        like,
        unlike,
        project_id: project_id.as_deref(),
        top_k,
        filters,
        knowledge,
    };
    let facets = facets.as_deref().map(facet::parse).transpose()?;
    let facets = facets.unwrap_or_else(serve::standard_facets);
    let request = strategy::Request::parse(&asked, desk).await?;
    let most = request.top_k.value();
    let topic = Topic::of(request.question.as_str()).or(&request.queries);
    let explore = Explore { subject: request.question.as_str().into(), topic, facets, most };
    strategy::run(&explore, request, retriever, desk).await
}

struct Explore {
    subject: String,
    topic: Topic,
    facets: Vec<Facet>,
    most: usize,
}

/// The most hits of a search for the question.
const DEPTH: usize = 40;

/// The most hits of a search for a facet.
const FACET_DEPTH: usize = 20;

/// How the question is searched.
const SEARCHES: [(SearchKind, PointKind, f64); 4] =
    [(Dense, Document, 0.6), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// How a facet is searched.
const FACET_SEARCHES: [(SearchKind, PointKind, f64); 2] =
    [(Dense, Passages, 0.6), (Bm25, Passages, 0.3)];

impl Strategy for Explore {
    type Report = ExploreReport;

    const READING: Reading = Reading::Passages;
    const SELECTS_FACTS: bool = true;
    const ABSTAINS: bool = true;

    fn name(&self) -> &'static str {
        "explore"
    }

    fn probes(&self, question: &Question) -> Vec<Probe> {
        let facet = |facet: &Facet| Probe {
            text: format!("{} {}", question.as_str(), facet.probe),
            searches: FACET_SEARCHES.into(),
            depth: FACET_DEPTH,
            query: None,
        };
        let own = Probe {
            text: question.as_str().into(),
            searches: SEARCHES.into(),
            depth: DEPTH,
            query: None,
        };
        std::iter::once(own).chain(self.facets.iter().map(facet)).collect()
    }

    fn report(&self, mut evidence: Vec<Evidence>) -> ExploreReport {
        evidence.retain(|evidence| self.topic.is_of(&evidence.chunk, &evidence.parts));
        let terms = definition::terms(&evidence, &self.topic);
        let decided = settled(&evidence, |own, decision| {
            let chosen = decision.chosen.as_ref()?;
            let fit = self.topic.share(&[&own.chunk.title, &chosen.text]);
            (fit >= ENOUGH).then_some(Fit { fit, option: None })
        });
        let serves = Serves::new(&self.facets, &self.topic);
        let (listed, coverage) =
            facet::list(evidence, self.facets.len(), self.most, |own| scored(own, &serves));
        let mut reports: Vec<FacetReport> = self
            .facets
            .iter()
            .zip(coverage)
            .map(|(facet, coverage)| FacetReport {
                facet: facet.name.clone(),
                results: Vec::new(),
                coverage,
            })
            .collect();
        for listed in listed {
            reports[listed.facet].results.push(self.aspect(listed));
        }
        let is_empty = |(_, report): &(&Facet, &FacetReport)| report.coverage.passages == 0;
        let gaps = self.facets.iter().zip(&reports).filter(is_empty);
        ExploreReport {
            result_type: "exploratory",
            decided,
            gaps: gaps.map(|(facet, _)| serve::gap(facet, &self.subject)).collect(),
            total_facets: reports.len(),
            facets: reports,
            terms,
        }
    }

    fn results(report: &ExploreReport) -> Vec<Answered> {
        let results = report.facets.iter().flat_map(|own| &own.results);
        Answered::best(results.map(|own| (own.finding.chunk_id, own.finding.score)))
    }
}

/// The facets that a passage serves, with its score by the question's searches and the facet's own.
fn scored(evidence: &Evidence, serves: &Serves<'_>) -> Vec<(usize, ScoreParts)> {
    let weights: f64 = SEARCHES.iter().chain(&FACET_SEARCHES).map(|(_, _, weight)| weight).sum();
    let score = |(facet, boost): (usize, Boost)| {
        let counts = |ranking: &RankingScore| ranking.probe == 0 || ranking.probe == facet + 1;
        let mut parts = fuse::by(&evidence.parts, counts, weights);
        parts.boost(&boost.name, boost.share);
        (facet, parts)
    };
    serves.facets(evidence).into_iter().map(score).collect()
}

impl Explore {
    fn aspect(&self, listed: Listed) -> Aspect {
        let Evidence { chunk, parts, .. } = listed.evidence;
        let also_in = listed.also_in.iter().map(|facet| self.facets[*facet].name.clone());
        Aspect { also_in: also_in.collect(), finding: Finding::of(chunk, parts) }
    }
}

#[cfg(test)]
#[path = "explore/tests.rs"]
mod tests;
