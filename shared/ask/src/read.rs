//! Reads the findings: passages as they are, documents with their facts, or whole documents.

use std::collections::{HashMap, HashSet};

use model::Result;
use model::document::{Chunk, document_point_id, passage_id};
use model::evidence::{PointKind, ScoreParts};
use ports::Index;
use ports::filter::Filters;
use ports::scope::Grant;
use uuid::Uuid;

use crate::evidence::Evidence;
use crate::fuse::{self, Found, Passages, Ranking};

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
    let chunks = hits_in(rankings, documents);
    let mut whole = by_document(index.documents(grant, documents, &chunks).await?);
    let scores = fuse::passages(rankings);
    let chunks = documents.iter().filter_map(|document| whole.remove(document)).flatten();
    let allowed = chunks.filter(|chunk| filters.allow(chunk));
    Ok(allowed.map(|chunk| passage(chunk, &scores)).collect())
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
    let mut points: HashMap<Uuid, Chunk> =
        points.into_iter().map(|point| (point.id, point)).collect();
    let evidence = found.into_iter().zip(ids).filter_map(|(hit, [document, best, first])| {
        let point = points.remove(&document)?;
        let best = points.remove(&best).filter(|chunk| !chunk.is_summary());
        let chunk = best.or_else(|| points.remove(&first))?;
        let parts = ScoreParts::new(hit.rankings, hit.fusion);
        Some(Evidence { facts: point.facts, ..Evidence::of(chunk, parts) })
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
    let scores = fuse::passages(rankings);
    let hits = rankings.iter_mut().flat_map(|ranking| &mut ranking.hits);
    let chunks: HashMap<Uuid, Chunk> =
        hits.filter_map(|hit| hit.chunk.take()).map(|chunk| (chunk.id, *chunk)).collect();
    let found = chunks.into_values().filter(|chunk| scores.has(chunk.id));
    found.map(|chunk| passage(chunk, &scores)).collect()
}

fn passage(chunk: Chunk, scores: &Passages) -> Evidence {
    let parts = scores.parts(chunk.document_id, chunk.id);
    Evidence::of(chunk, parts)
}

/// Groups chunks by document, in their order. Of two versions only the higher one is kept.
pub fn by_document(chunks: Vec<Chunk>) -> HashMap<Uuid, Vec<Chunk>> {
    let mut documents: HashMap<Uuid, Vec<Chunk>> = HashMap::new();
    for chunk in chunks {
        documents.entry(chunk.document_id).or_default().push(chunk);
    }
    for chunks in documents.values_mut() {
        let latest = chunks.iter().map(|chunk| chunk.version.clone()).max().unwrap_or_default();
        let mut seen = HashSet::new();
        chunks.retain(|chunk| chunk.version == latest && seen.insert(chunk.position));
        chunks.sort_by_key(|chunk| chunk.position);
    }
    documents
}
