//! Workflows that differ only in words: each is a file, and adding one changes no code.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::evidence::PointKind::{Document, Passage as Passages};
use crate::evidence::SearchKind::{Bm25, Dense};
use crate::evidence::{Finding, Passage};
use crate::facet::Gap;
use crate::filter::Filters;
use crate::mode::AnswerMode;
use crate::question::Question;
use crate::retrieve::Retriever;
use crate::strategy::{self, Asked, Desk, Evidence, Probe, Reading, Strategy};
use crate::topic::Topic;
use crate::trail::Answered;
use crate::{Error, Result};

mod config;
mod field;
mod pattern;

pub use config::{Config, Strategies, Trouble};

/// Asks a question the way a strategy file says.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CustomRequest {
    /// The question; 1 to 2,000 characters.
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
    /// How many passages are wanted, 1 to 50; 10 where absent.
    #[schemars(range(min = 1, max = 50))]
    pub top_k: Option<u32>,
    /// What a passage must satisfy besides the file's own filters: `{field: value | [values] | {gte, gt, lte, lt}}`.
    #[serde(default)]
    pub filters: serde_json::Map<String, serde_json::Value>,
    /// Where to look: `global` (everyone's documents), `user` (the caller's own), `case:<id>`, `team:<id>`; `["global"]` where
    /// absent.
    #[schemars(inner(regex(pattern = "^(global|user|case:.+|team:.+)$")))]
    #[serde(default)]
    pub knowledge: Vec<String>,
}

/// What was found, with the fields that the file asks for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CustomReport {
    /// The strategy's name.
    pub result_type: String,
    /// The passages, best first.
    pub results: Vec<Answer>,
    /// How many results there are.
    pub total_results: usize,
    /// The facets on which nothing was found.
    pub gaps: Vec<Gap>,
}

/// A passage with its fields.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Answer {
    /// The passage.
    #[serde(flatten)]
    pub finding: Finding,
    /// What it says by each field that it has, verbatim; at most 5 each.
    pub fields: BTreeMap<String, Vec<Passage>>,
    /// The facets that it serves.
    pub facets: Vec<String>,
}

/// What a caller can ask for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CustomWorkflowList {
    /// All strategies, by name.
    pub strategies: Vec<CustomWorkflow>,
}

/// A strategy as its file describes it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CustomWorkflow {
    /// The name in the path.
    pub name: String,
    /// What it finds.
    pub description: String,
    /// What is searched together with the question.
    pub query_expansion: Vec<String>,
    /// The facets by which passages are tagged.
    pub facets: Vec<String>,
    /// The fields that are read from passages.
    pub output_fields: Vec<String>,
}

/// Lists what a caller can ask for.
pub fn list(strategies: &Strategies) -> CustomWorkflowList {
    let about = |config: &Config| CustomWorkflow {
        name: config.name.clone(),
        description: config.description.clone(),
        query_expansion: config.expansions.clone(),
        facets: config.facets.iter().map(|facet| facet.name.clone()).collect(),
        output_fields: config.fields.iter().map(|field| field.name.clone()).collect(),
    };
    CustomWorkflowList { strategies: strategies.all().iter().map(about).collect() }
}

/// Answers the way the strategy `name` prescribes.
///
/// # Errors
/// [`Error::Missing`] where there is no such strategy; [`Error::Invalid`] names what the caller can repair.
pub async fn run(
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
    (strategies, name): (&Strategies, &str),
    request: CustomRequest,
) -> Result<strategy::Answer<CustomReport>> {
    let missing = || Error::Missing { kind: "strategy", name: name.into() };
    let config = strategies.all().iter().find(|config| config.name == name).ok_or_else(missing)?;
    let CustomRequest {
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
    let mut request = strategy::Request::parse(&asked, desk).await?;
    let Filters(own) = &config.filters;
    request.filters.0.extend(own.iter().cloned());
    let most = request.top_k.value();
    let custom =
        Custom { config, topic: Topic::of(question).or(&request.queries), subject: question, most };
    strategy::run(&custom, request, retriever, desk).await
}

struct Custom<'a> {
    config: &'a Config,
    topic: Topic,
    subject: &'a str,
    most: usize,
}

/// The most hits of a search for the question.
const DEPTH: usize = 40;

/// The most hits of a search for an expansion.
const EXPANSION_DEPTH: usize = 20;

impl Strategy for Custom<'_> {
    type Report = CustomReport;

    const READING: Reading = Reading::Passages;
    const SELECTS_FACTS: bool = false;
    const ABSTAINS: bool = true;
    const FINDS_EXACTLY: bool = true;

    fn name(&self) -> &str {
        &self.config.name
    }

    fn probes(&self, question: &Question) -> Vec<Probe> {
        let own = vec![
            (Dense, Document, 0.5),
            (Bm25, Document, 0.2),
            (Dense, Passages, 1.0),
            (Bm25, Passages, 0.5),
        ];
        let more = |text: &str| Probe {
            text: format!("{} {text}", question.as_str()),
            searches: vec![(Dense, Passages, 0.2), (Bm25, Passages, 0.1)],
            depth: EXPANSION_DEPTH,
            query: None,
        };
        let own =
            Probe { text: question.as_str().into(), searches: own, depth: DEPTH, query: None };
        let expansions = self.config.expansions.iter().map(|text| more(text));
        let facets = self.config.facets.iter().map(|facet| more(&facet.probe));
        std::iter::once(own).chain(expansions).chain(facets).collect()
    }

    fn weigh(&self, evidence: &mut [Evidence]) {
        for evidence in evidence {
            for boost in &self.config.boosts {
                if boost.words.are_in(&evidence.chunk.text) {
                    evidence.parts.boost(&boost.name, boost.share);
                }
            }
        }
    }

    fn report(&self, mut evidence: Vec<Evidence>) -> CustomReport {
        evidence.retain(|evidence| self.topic.is_of(&evidence.chunk, &evidence.parts));
        let facets: Vec<Topic> =
            self.config.facets.iter().map(|facet| Topic::of(&facet.probe)).collect();
        let mut is_served = vec![false; facets.len()];
        let mut results = Vec::new();
        for Evidence { chunk, parts, .. } in evidence {
            let serves = |words: &Topic| words.share(&[&chunk.text, &chunk.section]) > 0.0;
            let places: Vec<usize> =
                (0..facets.len()).filter(|place| serves(&facets[*place])).collect();
            for place in &places {
                is_served[*place] = true;
            }
            if results.len() < self.most {
                let names = places.iter().map(|place| self.config.facets[*place].name.clone());
                let (facets, fields) = (names.collect(), field::read(&self.config.fields, &chunk));
                results.push(Answer { fields, facets, finding: Finding::of(chunk, parts) });
            }
        }
        let empty = self.config.facets.iter().zip(is_served).filter(|(_, served)| !served);
        CustomReport {
            result_type: self.config.name.clone(),
            total_results: results.len(),
            results,
            gaps: empty.map(|(facet, _)| facet.gap(self.subject)).collect(),
        }
    }

    fn results(report: &CustomReport) -> Vec<Answered> {
        let results = report.results.iter();
        Answered::best(results.map(|own| (own.finding.chunk_id, own.finding.score)))
    }
}

#[cfg(test)]
mod tests;
