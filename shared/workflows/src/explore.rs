//! Explores a subject: its definitions, examples, standards and best practices.

use ask::Ask;
use ask::evidence::Evidence;
use ask::facet::{self, Facet, Listed, Places, Serving};
use ask::lookup::Lookup;
use ask::missing_facts::missing_facts;
use ask::plan::{Plan, Way};
use ask::question::Asked;
use ask::reply::Told;
use ask::search::Found;
use ask::settled::{Fit, settled};
use ask::{fit, fuse, rank};
use model::Result;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::evidence::{PassageResult, RankingScore};
use ports::degraded::{Degraded, Partial};
use text::question::{ENOUGH, QuestionTerms};

use ports::Trail;
use views::ReportView;

use crate::Workflow;

mod definition;
mod serve;
pub mod sorted;
mod view;

pub use view::VIEW;

use serve::{By, Serves};
use sorted::{Facets, WELL, served};
use wire::common::Answer;
use wire::explore::{Aspect, ExploreReport, ExploreRequest, FacetReport};
use wire::request::WorkflowRequest;
use wire::trail::Answered;
use wire::trial::ModelPart;

impl Workflow for wire::explore::Explore {
    const VIEW: ReportView<ExploreReport> = VIEW;

    async fn run(
        ask: &Ask<'_>,
        _: &dyn Trail,
        request: ExploreRequest,
    ) -> Result<Partial<Answer<ExploreReport>>> {
        run(ask, request).await
    }
}

/// The number of passages that a facet lists for a caller who states none. If a language model
/// sorts passages, the facet lists more that serve it well, up to the default of `top_k`.
const USUAL: usize = 3;

/// Explores a subject.
///
/// # Errors
/// [`model::Error::Invalid`] for a field that the caller can correct; see also
/// [`ports::scope::grant`].
pub async fn run(ask: &Ask<'_>, request: ExploreRequest) -> Result<Partial<Answer<ExploreReport>>> {
    let facets = request.facets.as_deref().map(facet::parse).transpose()?;
    let mut asked = ask.question(request.common()).await?;
    let explore = Explore::of(&asked, facets, request.top_k.is_some());
    let mut found = ask.search(explore.plan(&asked), &mut asked).await?;
    asked.degraded.extend(missing_facts(&found.evidence));
    explore.sort(ask, &mut asked, &mut found).await;
    rank::order(&asked, &mut found);
    let fit = fit::verdict(&mut found);
    let report = explore.report(found.evidence);
    let has_results = report.facets.iter().any(|facet| !facet.results.is_empty());
    let told = Told {
        workflow: "explore".into(),
        is_told: has_results || !report.decided.is_empty(),
        results: shown(&report),
        report,
    };
    Ok(ask.reply(asked, found.related, fit, told).await)
}

/// Returns the facets for a caller who names none, each with its meaning.
pub fn facets() -> Vec<(String, String)> {
    serve::standard_facets()
        .iter()
        .map(|facet| (facet.name.clone(), serve::meaning(facet)))
        .collect()
}

/// Returns how strongly the rules assign a passage on a subject to each of [`facets`]; 0 for a
/// facet that it does not serve.
pub fn served_by_rules(subject: &str, passage: model::document::Passage) -> Vec<f64> {
    let (topic, facets) = (QuestionTerms::of(subject), serve::standard_facets());
    let mut served = vec![0.0; facets.len()];
    let evidence = Evidence::of(passage, model::evidence::ScoreParts::new(Vec::new(), 0.5));
    if evidence.is_of(&topic) {
        for (place, by) in Serves::new(&facets, &topic).facets(&evidence) {
            let By::Rules(boost) = by else { continue };
            served[place] = boost.share;
        }
    }
    served
}

pub(crate) struct Explore {
    topic: QuestionTerms,
    facets: Vec<Facet>,
    places: Places,
}

/// Upper bound for the hits of a search for the question.
const DEPTH: usize = 40;

/// Upper bound for the hits of a search for a facet.
const FACET_DEPTH: usize = 20;

/// The ways to search for the question.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.6), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// The ways to search for a facet.
const FACET_WAYS: [Way; 2] = [(Dense, Passages, 0.6), (Bm25, Passages, 0.3)];

impl Explore {
    pub(crate) fn of(asked: &Asked, facets: Option<Vec<Facet>>, is_counted: bool) -> Explore {
        let most = asked.top_k.value();
        let places =
            if is_counted { Places::of(most) } else { Places { usual: USUAL, well: most } };
        Explore {
            topic: asked.terms(),
            facets: facets.unwrap_or_else(serve::standard_facets),
            places,
        }
    }

    pub(crate) fn plan(&self, asked: &Asked) -> Plan {
        let facet = |plan: Plan, facet: &Facet| {
            let text = format!("{} {}", asked.question.as_str(), facet.probe);
            plan.and(text, &FACET_WAYS, FACET_DEPTH)
        };
        let plan = self.facets.iter().fold(Plan::of(asked, &WAYS, DEPTH), facet);
        plan.looking_up(Lookup::of(asked))
    }

    /// Has a language model sort the results by facets, if a model does this part. A reranker is
    /// not used, because it makes a single ranking.
    async fn sort(&self, ask: &Ask<'_>, asked: &mut Asked, found: &mut Found) {
        let Some(model) = ask.model(asked, ModelPart::Sort) else { return };
        let facet = |facet: &Facet| (facet.name.clone(), serve::meaning(facet));
        let facets = Facets { named: self.facets.iter().map(facet).collect(), weight: weights() };
        match sorted::sort(model, &asked.question, &facets, &mut found.evidence).await {
            Ok(any) => found.is_relevant = any,
            Err(error) => asked.degraded.push(Degraded { part: "rerank".into(), error }),
        }
    }

    fn report(&self, mut evidence: Vec<Evidence>) -> ExploreReport {
        evidence.retain(|evidence| match served(&evidence.parts) {
            Some(served) => served.iter().any(|(_, much)| *much > 0.0),
            None => evidence.is_of(&self.topic),
        });
        let terms = definition::terms(&evidence, &self.topic);
        let decided = settled(&evidence, |passage, decision| {
            let chosen = decision.chosen.as_ref()?;
            let fit = self.topic.share(&[&passage.passage.title, &chosen.text]);
            (fit >= ENOUGH).then_some(Fit { fit, option: None })
        });
        let serves = Serves::new(&self.facets, &self.topic);
        let is_sorted = evidence.iter().any(|evidence| served(&evidence.parts).is_some());
        // A model's judgement on a facet counts as much as the searches for it.
        let weights = if is_sorted { 2.0 * weights() } else { weights() };
        let exact = fuse::exact_share(evidence.iter().map(|evidence| &evidence.parts));
        let (listed, coverage) = facet::list(evidence, self.facets.len(), self.places, |passage| {
            scored(passage, &serves, (weights, exact))
        });
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
            result_type: "exploratory".into(),
            decided,
            gaps: gaps.map(|(facet, _)| facet.gap()).collect(),
            total_facets: reports.len(),
            facets: reports,
            terms,
        }
    }

    fn aspect(&self, listed: Listed) -> Aspect {
        let Evidence { passage, parts, .. } = listed.evidence;
        let also_in = listed.also_in.iter().map(|facet| self.facets[*facet].name.clone());
        Aspect { also_in: also_in.collect(), result: PassageResult::of(passage, parts) }
    }
}

/// Returns the passages that a report shows, for the trail.
fn shown(report: &ExploreReport) -> Vec<Answered> {
    let results = report.facets.iter().flat_map(|facet| &facet.results);
    Answered::best(results.map(|result| (result.result.passage.passage_id, result.result.score)))
}

/// Returns the total weight of the searches for a facet and for the question.
fn weights() -> f64 {
    WAYS.iter().chain(&FACET_WAYS).map(|(_, _, weight)| weight).sum()
}

/// Returns the facets that a passage serves, with its score by the searches for the question and
/// for the facet.
fn scored(evidence: &Evidence, serves: &Serves<'_>, weights: (f64, f64)) -> Vec<Serving> {
    let score = |(facet, by): (usize, By)| {
        let counts = |ranking: &RankingScore| ranking.probe == 0 || ranking.probe == facet + 1;
        let mut parts = fuse::by(&evidence.parts, counts, weights.0, weights.1);
        let is_well = match by {
            By::Model(much) => much >= WELL,
            By::Rules(boost) => {
                parts.boost(&boost.name, boost.share);
                false
            }
        };
        Serving { facet, parts, is_well }
    };
    serves.facets(evidence).into_iter().map(score).collect()
}

#[cfg(test)]
#[path = "explore/tests.rs"]
mod tests;
