//! Reads the results: passages as they are, documents with their facts, or whole documents.

use std::collections::{HashMap, HashSet};

use model::Result;
use model::document::{Passage, document_point_id, passage_id};
use model::evidence::{PointKind, ScoreParts};
use ports::Index;
use ports::filter::Filters;
use ports::scope::Grant;
use uuid::Uuid;

use crate::evidence::Evidence;
use crate::fuse::{self, Found, PassageScores, Ranking};

/// Reads whole documents: all passages that the filters allow, including those that no search
/// found.
pub(crate) async fn whole(
    rankings: &[Ranking],
    documents: &[Uuid],
    index: &dyn Index,
    grant: &Grant,
    filters: &Filters,
) -> Result<Vec<Evidence>> {
    if documents.is_empty() {
        return Ok(Vec::new());
    }
    let passages = hits_in(rankings, documents);
    let mut whole = by_document(index.documents(grant, documents, &passages).await?);
    let scores = fuse::passage_scores(rankings);
    let passages = documents.iter().filter_map(|document| whole.remove(document)).flatten();
    let allowed = passages.filter(|passage| filters.allow(passage));
    Ok(allowed.map(|passage| evidence(passage, &scores)).collect())
}

/// Reads the facts and the best passage of each document. If the best passage is a summary, the
/// first passage takes its place.
pub(crate) async fn with_facts(
    found: Vec<Found>,
    index: &dyn Index,
    grant: &Grant,
) -> Result<Vec<Evidence>> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let ids_of = |hit: &Found| {
        let (document, version) = (hit.document_id, hit.version.as_str());
        [document_point_id(document, version), hit.passage_id, passage_id(document, version, 0)]
    };
    let ids: Vec<[Uuid; 3]> = found.iter().map(ids_of).collect();
    let all: HashSet<Uuid> = ids.iter().flatten().copied().collect();
    let points = index.points(grant, &all.into_iter().collect::<Vec<_>>()).await?;
    let mut points: HashMap<Uuid, Passage> =
        points.into_iter().map(|point| (point.id, point)).collect();
    let evidence = found.into_iter().zip(ids).filter_map(|(hit, [document, best, first])| {
        let point = points.remove(&document)?;
        let best = points.remove(&best).filter(|passage| !passage.is_summary());
        let passage = best.or_else(|| points.remove(&first))?;
        let parts = ScoreParts::new(hit.rankings, hit.fusion);
        Some(Evidence { facts: point.facts, ..Evidence::of(passage, parts) })
    });
    Ok(evidence.collect())
}

/// Returns the passages of `documents` that any search found.
fn hits_in(rankings: &[Ranking], documents: &[Uuid]) -> Vec<Uuid> {
    let passages = rankings.iter().filter(|ranking| ranking.of == PointKind::Passage);
    let hits = passages.flat_map(|ranking| &ranking.hits);
    let hits = hits.filter(|hit| documents.contains(&hit.document_id));
    hits.map(|hit| hit.passage_id).collect::<HashSet<_>>().into_iter().collect()
}

/// Takes the passages out of the hits, each with its score.
pub fn passages(rankings: &mut [Ranking]) -> Vec<Evidence> {
    let scores = fuse::passage_scores(rankings);
    let hits = rankings.iter_mut().flat_map(|ranking| &mut ranking.hits);
    let passages: HashMap<Uuid, Passage> =
        hits.filter_map(|hit| hit.passage.take()).map(|passage| (passage.id, *passage)).collect();
    let found = passages.into_values().filter(|passage| scores.has(passage.id));
    found.map(|passage| evidence(passage, &scores)).collect()
}

fn evidence(passage: Passage, scores: &PassageScores) -> Evidence {
    let parts = scores.parts(passage.document_id, passage.id);
    Evidence::of(passage, parts)
}

/// Groups passages by document, in their order. Of two versions only the higher one is kept.
pub fn by_document(passages: Vec<Passage>) -> HashMap<Uuid, Vec<Passage>> {
    let mut documents: HashMap<Uuid, Vec<Passage>> = HashMap::new();
    for passage in passages {
        documents.entry(passage.document_id).or_default().push(passage);
    }
    for passages in documents.values_mut() {
        let latest =
            passages.iter().map(|passage| passage.version.clone()).max().unwrap_or_default();
        let mut seen = HashSet::new();
        passages.retain(|passage| passage.version == latest && seen.insert(passage.position));
        passages.sort_by_key(|passage| passage.position);
    }
    documents
}
