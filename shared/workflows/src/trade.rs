//! Compares options: which of them, and on what evidence.

use ask::evidence::Evidence;
use ask::rerank::Sorting;
use ask::retrieve::Retriever;
use ask::strategy;
use ask::strategy::{Probe, Reading, Strategy};
use model::Result;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use ports::degraded::Partial;
use ports::desk::Desk;
use ports::question::Question;
use text::topic::Topic;

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
mod wanted;

use names::Names;
use wanted::{Alternative, Criterion};
use wire::common::Answer;
use wire::request::WorkflowRequest;
use wire::trade::{TradeReport, TradeRequest};
use wire::trail::Answered;
use wire::trial::ModelPart;

/// Finds the evidence for and against each option.
///
/// # Errors
/// [`model::Error::Invalid`] names what the caller can repair; see also [`ports::scope::grant`].
pub async fn run(
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
    request: TradeRequest,
) -> Result<Partial<Answer<TradeReport>>> {
    let alternatives = request.alternatives.as_deref().map(wanted::alternatives).transpose()?;
    let criteria = request.criteria.as_deref().map(wanted::criteria).transpose()?;
    let request = strategy::Request::parse(request.common(), desk).await?;
    let trade = Trade {
        proposed: discover::in_question(request.question.as_str()),
        topic: Topic::of(request.question.as_str())
            .or(request.queries.iter().map(Question::as_str)),
        alternatives,
        are_types: criteria.is_none(),
        criteria: criteria
            .unwrap_or_else(|| concept::TYPES.iter().map(|name| Criterion::named(name)).collect()),
    };
    strategy::run(&trade, request, retriever, desk).await
}

struct Trade {
    /// `None` where they are to be discovered.
    alternatives: Option<Vec<Alternative>>,
    /// The options that the question itself seems to name.
    proposed: Vec<Alternative>,
    criteria: Vec<Criterion>,
    /// True if the criteria are the seven types.
    are_types: bool,
    topic: Topic,
}

/// The most hits of a search for the question.
const DEPTH: usize = 40;

/// The most hits of a search for an alternative or a criterion.
const ASPECT_DEPTH: usize = 20;

impl Strategy for Trade {
    type Report = TradeReport;

    const READING: Reading = Reading::EveryPassage;
    const SELECTS_FACTS: bool = true;
    const ABSTAINS: bool = false;
    const SORTED: Option<ModelPart> = Some(ModelPart::Assign);

    fn name(&self) -> &'static str {
        "trade"
    }

    fn probes(&self, question: &Question) -> Vec<Probe> {
        let searches = vec![
            (Dense, Document, 0.7),
            (Bm25, Document, 0.3),
            (Dense, Passages, 1.0),
            (Bm25, Passages, 0.5),
        ];
        let aspect = |name: &str| Probe {
            text: format!("{name}: {}", question.as_str()),
            searches: vec![(Dense, Passages, 0.2), (Bm25, Passages, 0.2)],
            depth: ASPECT_DEPTH,
            query: None,
        };
        let whole = Probe { text: question.as_str().into(), searches, depth: DEPTH, query: None };
        let alternatives = self.alternatives.as_ref().unwrap_or(&self.proposed).iter();
        let alternatives = alternatives.map(|alternative| aspect(&alternative.names[0]));
        let criteria = self.criteria.iter().filter(|_| !self.are_types);
        let criteria = criteria.map(|criterion| aspect(&criterion.name));
        std::iter::once(whole).chain(alternatives).chain(criteria).collect()
    }

    fn sorting(&self, evidence: &[Evidence]) -> Option<Sorting> {
        let alternatives = self.alternatives.clone().unwrap_or_else(|| {
            let mut evidence = evidence.to_vec();
            in_reading_order(&mut evidence);
            self.compared(&evidence)
        });
        let names: Vec<Vec<String>> =
            alternatives.into_iter().map(|alternative| alternative.names).collect();
        (!names.is_empty()).then_some(Sorting::ByOption(names))
    }

    fn report(&self, mut evidence: Vec<Evidence>) -> TradeReport {
        in_reading_order(&mut evidence);
        let mut notes = Vec::new();
        let alternatives = self.compared(&evidence);
        if self.alternatives.is_none() {
            notes.push(discover::note(&alternatives));
        }
        let names = Names::new(&alternatives, &evidence);
        let read = (evidence.as_slice(), &names);
        let decided = decided::decided(&alternatives, read, &self.topic);
        let study =
            group::study(&alternatives, (&self.criteria, self.are_types), read, &self.topic);
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

    fn tells(report: &TradeReport) -> bool {
        let mut alternatives = report.alternatives.iter();
        alternatives.any(|alternative| !alternative.criteria.is_empty())
            || !(report.general.is_empty() && report.decided.is_empty())
    }

    fn results(report: &TradeReport) -> Vec<Answered> {
        let pieces = report.alternatives.iter().flat_map(|alternative| &alternative.criteria);
        let pieces = pieces.chain(&report.general);
        Answered::best(pieces.map(|piece| (piece.passage.passage_id, piece.score)))
    }
}

impl Trade {
    /// The alternatives: the caller's, or those discovered in evidence, which comes in reading order.
    fn compared(&self, evidence: &[Evidence]) -> Vec<Alternative> {
        let discovered = || discover::alternatives(&self.proposed, evidence, &self.topic);
        self.alternatives.clone().unwrap_or_else(discovered)
    }
}

/// Sorts documents by their best passage, and each document's passages by their position.
fn in_reading_order(evidence: &mut [Evidence]) {
    let mut best: std::collections::HashMap<uuid::Uuid, f64> = std::collections::HashMap::new();
    for passage in evidence.iter() {
        let score = best.entry(passage.chunk.document_id).or_default();
        *score = score.max(passage.parts.fusion);
    }
    evidence.sort_by(|a, b| {
        let by_score = best[&b.chunk.document_id].total_cmp(&best[&a.chunk.document_id]);
        by_score
            .then_with(|| a.chunk.document_id.cmp(&b.chunk.document_id))
            .then_with(|| a.chunk.position.cmp(&b.chunk.position))
    });
}

#[cfg(test)]
#[path = "trade/model_tests.rs"]
mod model_tests;
#[cfg(test)]
#[path = "trade/tests.rs"]
mod tests;
