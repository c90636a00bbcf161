//! Workflows that differ only in words. Each is a file, and adding one changes no code.

use wire::common::Answer;
use wire::custom::{CustomReport, CustomRequest, CustomResult, CustomWorkflow, CustomWorkflowList};
use wire::request::WorkflowRequest;
use wire::trail::Answered;

use ask::Ask;
use ask::evidence::Evidence;
use ask::lookup::Lookup;
use ask::plan::{Plan, Way};
use ask::question::Asked;
use ask::reply::Told;
use ask::{fit, rank};
use model::evidence::PassageResult;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::{Error, Result};
use ports::degraded::Partial;
use text::question::QuestionTerms;

mod config;
mod field;
mod pattern;
mod view;

pub use view::VIEW;

pub use config::{Config, Strategies, Trouble};

/// Returns the list of strategies for a caller.
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

/// Answers a question by the strategy `name`.
///
/// # Errors
/// [`Error::Missing`] for an unknown strategy; [`Error::Invalid`] for a field that the caller can
/// correct.
pub async fn run(
    ask: &Ask<'_>,
    strategies: &Strategies,
    name: &str,
    request: CustomRequest,
) -> Result<Partial<Answer<CustomReport>>> {
    let missing = || Error::Missing { kind: "strategy", name: name.into() };
    let config = strategies.all().iter().find(|config| config.name == name).ok_or_else(missing)?;
    let mut asked = ask.question(request.common()).await?;
    asked.filters.0.extend(config.filters.0.iter().cloned());
    let mut found = ask.search(plan(&asked, config), &mut asked).await?;
    ask.judge(&mut asked, &mut found).await;
    weigh(&mut found.evidence, config);
    rank::order(&asked, &mut found);
    let fit = fit::verdict(&mut found);
    let terms = asked.terms();
    found.evidence.retain(|evidence| evidence.is_of(&terms));
    let report = report(found.evidence, config, asked.top_k.value());
    let results = report.results.iter();
    let told = Told {
        workflow: config.name.clone(),
        is_told: !report.results.is_empty(),
        results: Answered::best(
            results.map(|one| (one.result.passage.passage_id, one.result.score)),
        ),
        report,
    };
    Ok(ask.reply(asked, found.related, fit, told).await)
}

/// Upper bound for the hits of a search for the question.
const DEPTH: usize = 40;

/// Upper bound for the hits of a search for an expansion.
const EXPANSION_DEPTH: usize = 20;

/// The ways to search for the question.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.5), (Bm25, Document, 0.2), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// The ways to search for an expansion or a facet.
const EXPANSION_WAYS: [Way; 2] = [(Dense, Passages, 0.2), (Bm25, Passages, 0.1)];

pub(crate) fn plan(asked: &Asked, config: &Config) -> Plan {
    let expansions = config.expansions.iter();
    let more = expansions.chain(config.facets.iter().map(|facet| &facet.probe));
    let plan = Plan::of(asked, &WAYS, DEPTH).looking_up(Lookup::of(asked));
    more.fold(plan, |plan, text| {
        plan.and(format!("{} {text}", asked.question.as_str()), &EXPANSION_WAYS, EXPANSION_DEPTH)
    })
}

/// Raises the passages that have words of the strategy's boosts.
fn weigh(evidence: &mut [Evidence], config: &Config) {
    for evidence in evidence {
        for boost in &config.boosts {
            if boost.words.are_in(&evidence.passage.text) {
                evidence.parts.boost(&boost.name, boost.share);
            }
        }
    }
}

fn report(evidence: Vec<Evidence>, config: &Config, most: usize) -> CustomReport {
    let facets: Vec<QuestionTerms> =
        config.facets.iter().map(|facet| QuestionTerms::of(&facet.probe)).collect();
    let mut is_served = vec![false; facets.len()];
    let mut results = Vec::new();
    for Evidence { passage, parts, .. } in evidence {
        let serves = |words: &QuestionTerms| words.share(&[&passage.text, &passage.section]) > 0.0;
        let places: Vec<usize> =
            (0..facets.len()).filter(|place| serves(&facets[*place])).collect();
        for place in &places {
            is_served[*place] = true;
        }
        if results.len() < most {
            let names = places.iter().map(|place| config.facets[*place].name.clone());
            let (facets, fields) = (names.collect(), field::read(&config.fields, &passage));
            results.push(CustomResult {
                fields,
                facets,
                result: PassageResult::of(passage, parts),
            });
        }
    }
    let empty = config.facets.iter().zip(is_served).filter(|(_, served)| !served);
    CustomReport {
        result_type: config.name.clone(),
        total_results: results.len(),
        results,
        gaps: empty.map(|(facet, _)| facet.gap()).collect(),
    }
}

#[cfg(test)]
mod tests;
