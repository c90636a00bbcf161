//! Samples of the passages, by which cosines are measured. An environment keeps them for a while,
//! because the server goes through all ids of a scope to find the lowest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use model::Result;
use ports::scope::{Grant, Scope};
use ports::usual::{SAMPLE, Usual, product};
use ports::{Search, SearchBy};
use qdrant_client::qdrant::{
    CountPointsBuilder, QueryPointsBuilder, VectorsSelector, vector_output::Vector as Stored,
    with_vectors_selector::SelectorOptions as VectorOptions,
};

use super::{DENSE, Qdrant, filter, unless_missing};

/// The time for which a whole sample is kept, and one of all passages of a small scope.
const KEPT: Duration = Duration::from_mins(10);
const KEPT_OF_SMALL: Duration = Duration::from_mins(1);

/// Samples of fewer passages are read for each question, because each new passage moves them.
const FEWEST: usize = 30;

/// The number of samples that are kept; each takes a megabyte at 1,024 dimensions.
const MOST: usize = 8;

/// A fixed random sample of a scope's passages.
pub(super) struct Sample {
    /// The number of all its passages.
    passages: u64,
    vectors: Vec<Vec<f32>>,
}

/// The samples that are kept, each with the time until which it is used.
#[derive(Default)]
pub(super) struct Samples(Mutex<HashMap<Scope, (Instant, Arc<Sample>)>>);

impl Samples {
    fn get(&self, scope: &Scope, now: Instant) -> Option<Arc<Sample>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, (until, _)| now < *until);
        kept.get(scope).map(|(_, sample)| sample.clone())
    }

    fn keep(&self, scope: &Scope, sample: &Arc<Sample>, now: Instant) {
        let time = match sample.vectors.len() {
            0..FEWEST => return,
            FEWEST..SAMPLE => KEPT_OF_SMALL,
            _ => KEPT,
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let soonest = kept.iter().min_by_key(|(_, (until, _))| *until);
        if let Some(soonest) = soonest.filter(|_| kept.len() >= MOST).map(|it| it.0.clone()) {
            kept.remove(&soonest);
        }
        kept.insert(scope.clone(), (now + time, sample.clone()));
    }
}

impl Qdrant {
    /// Returns a sample of the passages of each granted scope.
    pub(super) async fn samples(&self, grant: &Grant) -> Result<Vec<Arc<Sample>>> {
        // Projects have decisions, and no passages.
        let has_passages = |scope: &&Scope| !matches!(scope, Scope::Project(_));
        let scopes = grant.scopes().iter().filter(has_passages);
        try_join_all(scopes.map(|scope| self.sample(scope))).await
    }

    async fn sample(&self, scope: &Scope) -> Result<Arc<Sample>> {
        if let Some(kept) = self.samples.get(scope, Instant::now()) {
            return Ok(kept);
        }
        let filter = filter::passages_of(scope);
        // Without a query the points come by their ids. These are hashes, so the lowest of them are
        // a random sample, the same one until documents come or go.
        let lowest = QueryPointsBuilder::new(&self.collection)
            .filter(filter.clone())
            .limit(SAMPLE as u64)
            .with_payload(false)
            .with_vectors(VectorOptions::Include(VectorsSelector { names: vec![DENSE.into()] }))
            .build();
        let found = unless_missing(self.client.query(lowest).await)?;
        let points = found.map(|found| found.result).unwrap_or_default().into_iter();
        let vectors: Vec<Vec<f32>> = points
            .filter_map(|point| match point.vectors?.get_vector_by_name(DENSE)? {
                Stored::Dense(vector) => Some(vector.data),
                _ => None,
            })
            .collect();
        let mut passages = vectors.len() as u64;
        if vectors.len() >= SAMPLE {
            let count = CountPointsBuilder::new(&self.collection).filter(filter).exact(false);
            let counted = unless_missing(self.client.count(count).await)?;
            let counted = counted.and_then(|counted| counted.result).map(|result| result.count);
            passages = passages.max(counted.unwrap_or_default());
        }
        let sample = Arc::new(Sample { passages, vectors });
        self.samples.keep(scope, &sample, Instant::now());
        Ok(sample)
    }
}

/// Returns the vectors that are searched, each once, and for each search the place of its own.
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

/// Measures the cosines of a vector with samples.
pub(super) fn usual(samples: &[Arc<Sample>], vector: &[f32]) -> Option<Usual> {
    let length = product(vector, vector).sqrt().max(f32::MIN_POSITIVE);
    let cosines = |sample: &Arc<Sample>| {
        let of = sample.vectors.iter().map(|other| product(vector, other) / length);
        (sample.passages, of.collect::<Vec<f32>>())
    };
    Usual::of_scopes(&samples.iter().map(cosines).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(count: usize) -> Arc<Sample> {
        Arc::new(Sample { passages: count as u64, vectors: vec![vec![1.0, 0.0]; count] })
    }

    #[test]
    fn a_sample_is_kept_for_longer_the_less_a_new_passage_moves_it() {
        let (samples, now) = (Samples::default(), Instant::now());
        let kept = |count: usize, after: Duration| {
            let scope = Scope::Team(count.to_string());
            samples.keep(&scope, &sample(count), now);
            samples.get(&scope, now + after).is_some()
        };
        assert!(!kept(FEWEST - 1, Duration::ZERO));
        assert!(kept(FEWEST, KEPT_OF_SMALL / 2) && !kept(FEWEST, KEPT_OF_SMALL));
        assert!(kept(SAMPLE, KEPT / 2) && !kept(SAMPLE, KEPT));
    }

    #[test]
    fn the_samples_that_are_kept_are_few_and_the_newest() {
        let (samples, now) = (Samples::default(), Instant::now());
        let scope = |number: usize| Scope::Team(number.to_string());
        for number in 0..=MOST {
            let at = now + Duration::from_secs(number as u64);
            samples.keep(&scope(number), &sample(SAMPLE), at);
        }
        assert!(samples.get(&scope(0), now).is_none());
        assert!((1..=MOST).all(|number| samples.get(&scope(number), now).is_some()));
    }

    #[test]
    fn cosines_are_those_of_vectors_of_any_length_and_dimension() {
        let vectors: Vec<Vec<f32>> = vec![vec![0.5; 4], vec![-0.5; 4]];
        let small = Arc::new(Sample { passages: 2, vectors });
        let usual = usual(&[small], &[3.0; 4]).unwrap();
        assert!(usual.mean.abs() < 1e-6);
        let long: Vec<f32> = (0..19_u8).map(f32::from).collect();
        assert!((product(&long, &long) - 2_109.0).abs() < 1e-3);
    }
}
