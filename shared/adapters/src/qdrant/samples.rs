//! Samples of the passages, by which cosines are measured.

use ports::usual::Usual;
use ports::{Search, SearchBy};
use qdrant_client::qdrant::BatchResult;

/// What a query of a batch is for.
pub(super) enum For {
    Sample,
    Search,
}

/// The vectors that are searched, each once, and for each search the place of its own.
pub(super) fn of(searches: &[Search]) -> (Vec<Vec<f32>>, Vec<Option<usize>>) {
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

/// What the sample's cosines are.
pub(super) fn usual(found: &BatchResult) -> Option<Usual> {
    Usual::of(&found.result.iter().map(|point| point.score).collect::<Vec<f32>>())
}
