//! Probes into evidence: one embedding call, one search call, one call for the documents found.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::document::Chunk;
use crate::evidence::{LegKind, ScoreParts};
use crate::fuse::{self, Found, Ranking};
use crate::ports::{Embedder, Index, Purpose, Search, SearchBy};
use crate::strategy::{Evidence, Probe, Request};
use crate::{Error, Result};

/// Embeds, searches and reads.
pub struct Retriever<'a> {
    /// Embeds the probes.
    pub embedder: &'a dyn Embedder,
    /// Searches and reads.
    pub index: &'a dyn Index,
}

impl Retriever<'_> {
    /// Finds the documents that answer `probes` best, at most `top_k` of them, best first.
    pub async fn retrieve(&self, probes: &[Probe], request: &Request) -> Result<Vec<Evidence>> {
        let rankings = self.rankings(probes, request).await?;
        let mut found = fuse::documents(&rankings);
        found.truncate(request.top_k.value());
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let documents: Vec<Uuid> = found.iter().map(|found| found.document_id).collect();
        let chunks: Vec<Uuid> = found.iter().map(|found| found.chunk_id).collect();
        let whole = self.index.documents(&request.grant, &documents, &chunks).await?;
        let mut whole = by_document(whole);
        Ok(found.into_iter().filter_map(|found| evidence(found, &mut whole)).collect())
    }

    async fn rankings(&self, probes: &[Probe], request: &Request) -> Result<Vec<Ranking>> {
        let texts: Vec<String> = probes.iter().map(|probe| probe.text.clone()).collect();
        let vectors = self.embedder.embed(&texts, Purpose::Question).await?;
        if vectors.len() != texts.len() {
            return Err(Error::unavailable(
                "the embedding model",
                "it gave another number of vectors than of texts",
            ));
        }
        let mut rankings = Vec::new();
        let mut searches = Vec::new();
        for (number, (probe, vector)) in probes.iter().zip(vectors).enumerate() {
            for (kind, of, weight) in &probe.legs {
                rankings.push(Ranking {
                    probe: number,
                    kind: *kind,
                    of: *of,
                    weight: *weight,
                    hits: Vec::new(),
                });
                let by = match kind {
                    LegKind::Dense => SearchBy::Dense(vector.clone()),
                    LegKind::Bm25 => SearchBy::Bm25(probe.text.clone()),
                };
                searches.push(Search { of: *of, by, depth: probe.depth });
            }
        }
        let hits = self.index.search(&request.grant, &request.filters, searches).await?;
        for (ranking, hits) in rankings.iter_mut().zip(hits) {
            ranking.hits = hits;
        }
        Ok(rankings)
    }
}

/// Groups chunks by document, in their order; of two versions only the higher one.
fn by_document(chunks: Vec<Chunk>) -> HashMap<Uuid, Vec<Chunk>> {
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

/// `None` where the document went between the search and the reading.
fn evidence(found: Found, whole: &mut HashMap<Uuid, Vec<Chunk>>) -> Option<Evidence> {
    let document = whole.remove(&found.document_id)?;
    let best = document
        .iter()
        .find(|chunk| chunk.id == found.chunk_id)
        .or_else(|| document.first())?
        .clone();
    Some(Evidence { best, document, parts: ScoreParts::new(found.legs, found.fused) })
}
