//! Compares options, with the evidence for and against each.

use ask::Ask;
use ask::evidence::Evidence;
use ask::lookup::Lookup;
use ask::missing_facts::missing_facts;
use ask::plan::{Keep, Plan, Way};
use ask::question::Asked;
use ask::reply::Told;
use ask::search::Found;
use ask::{fit, rank};
use model::Result;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use ports::degraded::{Degraded, Partial};
use text::question::QuestionTerms;

use ports::Trail;
use views::ReportView;

use crate::Workflow;

pub mod assigned;
mod concept;
mod decide;
mod decided;
mod discover;
mod group;
mod judge;
mod names;
mod near;
mod quote;
mod read;
mod signal;
mod spelling;
mod value;
mod view;
mod wanted;

pub use view::VIEW;

use assigned::Assignments;
use names::Names;
#[cfg(test)]
pub(crate) use wanted::alternatives;
use wanted::{Alternative, Criterion};
use wire::common::Answer;
use wire::request::WorkflowRequest;
use wire::trade::{TradeReport, TradeRequest};
use wire::trail::Answered;
use wire::trial::ModelPart;

impl Workflow for wire::trade::Trade {
    const VIEW: ReportView<TradeReport> = VIEW;

    async fn run(
        ask: &Ask<'_>,
        _: &dyn Trail,
        request: TradeRequest,
    ) -> Result<Partial<Answer<TradeReport>>> {
        run(ask, request).await
    }
}

/// Finds the evidence for and against each option.
///
/// # Errors
/// [`model::Error::Invalid`] for a field that the caller can correct; see also
/// [`ports::scope::grant`].
pub async fn run(ask: &Ask<'_>, request: TradeRequest) -> Result<Partial<Answer<TradeReport>>> {
    let alternatives = request.alternatives.as_deref().map(wanted::alternatives).transpose()?;
    let criteria = request.criteria.as_deref().map(wanted::criteria).transpose()?;
    let mut asked = ask.question(request.common()).await?;
    let trade = Trade::of(&asked, alternatives, criteria);
    let mut found = ask.search(trade.plan(&asked), &mut asked).await?;
    asked.degraded.extend(missing_facts(&found.evidence));
    let assignments = trade.assign(ask, &mut asked, &mut found).await;
    rank::order(&asked, &mut found);
    let fit = fit::undecided(&found);
    let report = trade.report(found.evidence, &assignments);
    let mut of_any = report.alternatives.iter().filter(|one| !one.criteria.is_empty());
    let is_empty = report.general.is_empty() && report.decided.is_empty();
    let told = Told {
        workflow: "trade".into(),
        is_told: of_any.next().is_some() || !is_empty,
        results: shown(&report),
        report,
    };
    Ok(ask.reply(asked, found.related, fit, told).await)
}

pub(crate) struct Trade {
    /// The caller's alternatives; `None` if they are to be discovered.
    alternatives: Option<Vec<Alternative>>,
    /// The options that the question itself seems to name.
    proposed: Vec<Alternative>,
    criteria: Vec<Criterion>,
    /// True if the criteria are the seven types.
    are_types: bool,
    topic: QuestionTerms,
}

/// Upper bound for the hits of a search for the question.
const DEPTH: usize = 40;

/// Upper bound for the hits of a search for an alternative or a criterion.
const ASPECT_DEPTH: usize = 20;

/// The ways to search for the question.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.7), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// The ways to search for an alternative or a criterion.
const ASPECT_WAYS: [Way; 2] = [(Dense, Passages, 0.2), (Bm25, Passages, 0.2)];

impl Trade {
    pub(crate) fn of(
        asked: &Asked,
        alternatives: Option<Vec<Alternative>>,
        criteria: Option<Vec<Criterion>>,
    ) -> Trade {
        let types = || concept::TYPES.iter().map(|name| Criterion::named(name)).collect();
        Trade {
            proposed: discover::in_question(asked.question.as_str()),
            topic: asked.terms(),
            alternatives,
            are_types: criteria.is_none(),
            criteria: criteria.unwrap_or_else(types),
        }
    }

    pub(crate) fn plan(&self, asked: &Asked) -> Plan {
        let alternatives = self.alternatives.as_ref().unwrap_or(&self.proposed).iter();
        let alternatives = alternatives.map(|alternative| &alternative.names[0]);
        let criteria = self.criteria.iter().filter(|_| !self.are_types);
        let aspects = alternatives.chain(criteria.map(|criterion| &criterion.name));
        let plan = aspects.fold(Plan::of(asked, &WAYS, DEPTH), |plan, name| {
            plan.and(format!("{name}: {}", asked.question.as_str()), &ASPECT_WAYS, ASPECT_DEPTH)
        });
        plan.looking_up(Lookup::exact(&asked.question)).keeping(Keep::EveryPassage)
    }

    /// Has a language model decide which alternatives the statements are about, if a model does
    /// this part.
    async fn assign(&self, ask: &Ask<'_>, asked: &mut Asked, found: &mut Found) -> Assignments {
        let Some(model) = ask.model(asked, ModelPart::Assign) else { return Assignments::new() };
        let alternatives = self.alternatives.clone().unwrap_or_else(|| {
            let mut evidence = found.evidence.clone();
            in_reading_order(&mut evidence);
            self.compared(&evidence)
        });
        let names: Vec<Vec<String>> =
            alternatives.into_iter().map(|alternative| alternative.names).collect();
        if names.is_empty() {
            return Assignments::new();
        }
        let (assignments, failed) =
            assigned::assign(model, &asked.question, &names, &mut found.evidence).await;
        let missing = failed.map(|error| Degraded { part: "rerank".into(), error });
        asked.degraded.extend(missing);
        assignments
    }

    /// Returns the alternatives: the caller's, or those discovered in evidence, which comes in
    /// reading order.
    fn compared(&self, evidence: &[Evidence]) -> Vec<Alternative> {
        let discovered = || discover::alternatives(&self.proposed, evidence, &self.topic);
        self.alternatives.clone().unwrap_or_else(discovered)
    }

    fn report(&self, mut evidence: Vec<Evidence>, assignments: &Assignments) -> TradeReport {
        in_reading_order(&mut evidence);
        let mut notes = Vec::new();
        let alternatives = self.compared(&evidence);
        if self.alternatives.is_none() {
            notes.push(discover::note(&alternatives));
        }
        let names = Names::new(&alternatives, &evidence);
        let decided = decided::decided(&alternatives, &evidence, &names, assignments, &self.topic);
        let study = group::study(
            &alternatives,
            &self.criteria,
            self.are_types,
            &evidence,
            &names,
            assignments,
            &self.topic,
        );
        let (matrix, missing) = decide::matrix(&self.criteria, &study.alternatives);
        notes.extend(decide::notes(&self.criteria));
        if study.left_out > 0 {
            notes.push(format!("{} more pieces of evidence were left out.", study.left_out));
        }
        TradeReport {
            result_type: "trade_study".into(),
            decided,
            total_sources: group::documents(
                study
                    .alternatives
                    .iter()
                    .flat_map(|alternative| &alternative.criteria)
                    .chain(&study.general),
            ),
            alternatives: study.alternatives,
            general: study.general,
            matrix,
            missing,
            notes,
        }
    }
}

/// Returns the passages that a report shows, for the trail.
fn shown(report: &TradeReport) -> Vec<Answered> {
    let pieces = report.alternatives.iter().flat_map(|alternative| &alternative.criteria);
    let pieces = pieces.chain(&report.general);
    Answered::best(pieces.map(|piece| (piece.passage.passage_id, piece.score)))
}

/// Sorts documents by their best passage, and each document's passages by their position.
fn in_reading_order(evidence: &mut [Evidence]) {
    let mut best: std::collections::HashMap<uuid::Uuid, f64> = std::collections::HashMap::new();
    for passage in evidence.iter() {
        let score = best.entry(passage.passage.document_id).or_default();
        *score = score.max(passage.parts.fusion);
    }
    evidence.sort_by(|a, b| {
        let by_score = best[&b.passage.document_id].total_cmp(&best[&a.passage.document_id]);
        by_score
            .then_with(|| a.passage.document_id.cmp(&b.passage.document_id))
            .then_with(|| a.passage.position.cmp(&b.passage.position))
    });
}

#[cfg(test)]
#[path = "trade/model_tests.rs"]
mod model_tests;
#[cfg(test)]
#[path = "trade/tests.rs"]
mod tests;
