//! Workflows that differ only in words: each is a file, and adding one changes no code.

use wire::common::Answer;
use wire::custom::{CustomReport, CustomRequest, CustomResult, CustomWorkflow, CustomWorkflowList};
use wire::request::WorkflowRequest;
use wire::trail::Answered;

use ask::evidence::Evidence;
use ask::retrieve::Retriever;
use ask::strategy;
use ask::strategy::{Probe, Reading, Strategy};
use model::evidence::Finding;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::{Error, Result};
use ports::degraded::Partial;
use ports::desk::Desk;
use ports::filter::Filters;
use ports::question::Question;
use text::topic::Topic;

mod config;
mod field;
mod pattern;

pub use config::{Config, Strategies, Trouble};

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
) -> Result<Partial<Answer<CustomReport>>> {
    let missing = || Error::Missing { kind: "strategy", name: name.into() };
    let config = strategies.all().iter().find(|config| config.name == name).ok_or_else(missing)?;
    let question = &request.question;
    let mut asked = strategy::Request::parse(request.common(), desk).await?;
    let Filters(filters) = &config.filters;
    asked.filters.0.extend(filters.iter().cloned());
    let most = asked.top_k.value();
    let custom = Custom {
        config,
        topic: Topic::of(question).or(asked.queries.iter().map(Question::as_str)),
        most,
    };
    strategy::run(&custom, asked, retriever, desk).await
}

struct Custom<'a> {
    config: &'a Config,
    topic: Topic,
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

    fn name(&self) -> &str {
        &self.config.name
    }

    fn probes(&self, question: &Question) -> Vec<Probe> {
        let searches = vec![
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
        let probe = Probe { text: question.as_str().into(), searches, depth: DEPTH, query: None };
        let expansions = self.config.expansions.iter().map(|text| more(text));
        let facets = self.config.facets.iter().map(|facet| more(&facet.probe));
        std::iter::once(probe).chain(expansions).chain(facets).collect()
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
        evidence.retain(|evidence| evidence.is_of(&self.topic));
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
                results.push(CustomResult { fields, facets, finding: Finding::of(chunk, parts) });
            }
        }
        let empty = self.config.facets.iter().zip(is_served).filter(|(_, served)| !served);
        CustomReport {
            result_type: self.config.name.clone(),
            total_results: results.len(),
            results,
            gaps: empty.map(|(facet, _)| facet.gap()).collect(),
        }
    }

    fn tells(report: &CustomReport) -> bool {
        !report.results.is_empty()
    }

    fn results(report: &CustomReport) -> Vec<Answered> {
        let results = report.results.iter();
        Answered::best(
            results.map(|result| (result.finding.passage.passage_id, result.finding.score)),
        )
    }
}

#[cfg(test)]
mod tests;
