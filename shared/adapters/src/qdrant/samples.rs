//! Samples of the passages, by which cosines are measured.

use ports::usual::Usual;
use ports::{Brings, Search, SearchBy};
use qdrant_client::qdrant::BatchResult;

/// A query of a batch: a sample of what is usual for a vector, or a search.
pub(super) enum Part {
    Sample,
    Search { brings: Brings, sample: Option<usize> },
}

/// The vectors that are searched, each once, and for each search the place of its own.
pub(super) fn vectors(searches: &[Search]) -> (Vec<Vec<f32>>, Vec<Option<usize>>) {
    let mut vectors: Vec<Vec<f32>> = Vec::new();
    let place = |search: &Search| {
        let SearchBy::Dense(vector) = &search.by else { return None };
        let known = vectors.iter().position(|v| v == vector);
        Some(known.unwrap_or_else(|| {
            vectors.push(vector.clone());
            vectors.len() - 1
        }))
    };
    let places = searches.iter().map(place).collect();
    (vectors, places)
}

/// Measures the cosines of a sample.
pub(super) fn usual(found: &BatchResult) -> Option<Usual> {
    Usual::of(&found.result.iter().map(|point| point.score).collect::<Vec<f32>>())
}
