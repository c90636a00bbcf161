//! Searches: all of a question in one batch, and the passages of their hits.

use std::collections::{HashMap, HashSet};

use futures_util::future::try_join3;
use model::Result;
use model::document::Passage;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Brings, Hit, Ranked, Search, SearchBy};
use qdrant_client::qdrant::{
    Filter, QuantizationSearchParamsBuilder, Query, QueryBatchPointsBuilder, QueryPoints,
    QueryPointsBuilder, SearchParamsBuilder, VectorInput,
};
use uuid::Uuid;

use super::{BM25, DENSE, Qdrant, document, filter, payload, samples, unless_missing, version};

/// So many times more hits are taken by quantized vectors than are wanted. With fewer a search
/// misses 2 % of the nearest (docs/sizing.md).
const OVERSAMPLING: f64 = 1.5;

impl Qdrant {
    /// See [`ports::Index::search`].
    pub(super) async fn found(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        // Each vector once, and for each search the place of its own among them.
        let (vectors, places) = samples::vectors(&searches);
        let brings: Vec<Brings> = searches.iter().map(|search| search.brings).collect();
        let filter = filter::search(grant, filters);
        // Filters are about documents.
        let unfiltered = filter::search(grant, &Filters::default());
        // The server's version tells; it is asked once in an environment.
        let corpus = self.counts_within().await?.then_some(&unfiltered);
        let queries = searches.into_iter().map(|search| {
            let filter = if search.of.is_decision() { &unfiltered } else { &filter };
            self.query(search, filter.clone(), corpus.cloned())
        });
        let batch = QueryBatchPointsBuilder::new(&self.collection, queries.collect::<Vec<_>>());
        let batch = batch.build();
        let call = async { unless_missing(self.client.query_batch(batch).await) };
        let samples =
            async { if vectors.is_empty() { Ok(Vec::new()) } else { self.samples(grant).await } };
        let (found, samples, ()) = try_join3(call, samples, self.check_space()).await?;
        let Some(found) = found else { return Ok(vec![Ranked::default(); brings.len()]) };
        let usual: Vec<_> = vectors.iter().map(|vector| samples::usual(&samples, vector)).collect();
        let mut ranked = Vec::new();
        let (mut brought, mut unread) = (HashSet::new(), HashSet::new());
        for ((result, brings), place) in found.result.into_iter().zip(brings).zip(places) {
            let hit = |point| payload::hit(point, brings, &mut brought);
            let hits: Vec<Hit> = result.result.into_iter().map(hit).collect::<Result<_>>()?;
            if brings == Brings::PassagesOnce {
                unread.extend(hits.iter().map(|hit| hit.passage_id));
            }
            let usual = place.and_then(|place| usual.get(place).copied().flatten());
            ranked.push(Ranked { hits, usual });
        }
        unread.retain(|id| !brought.contains(id));
        self.read(unread, unfiltered, &mut ranked).await?;
        Ok(ranked)
    }

    /// Reads these of the granted points, and gives each to the first hit of it.
    async fn read(
        &self,
        ids: HashSet<Uuid>,
        mut granted: Filter,
        ranked: &mut [Ranked],
    ) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        granted.must.push(filter::named(ids.iter().copied()));
        let read = self.scroll(granted).await?.into_iter();
        let mut read: HashMap<Uuid, Passage> = read.map(|passage| (passage.id, passage)).collect();
        for hit in ranked.iter_mut().flat_map(|ranked| &mut ranked.hits) {
            if let Some(passage) = read.remove(&hit.passage_id) {
                hit.passage = Some(Box::new(passage));
            }
        }
        Ok(())
    }

    /// A search among the points of `filter`; a word counts by how many points of `corpus` have it,
    /// where that is given.
    fn query(&self, search: Search, mut filter: Filter, corpus: Option<Filter>) -> QueryPoints {
        let kind = filter::kind(search.of);
        let corpus = corpus.filter(|_| matches!(search.by, SearchBy::Bm25(..)));
        let (input, vector): (VectorInput, _) = match search.by {
            SearchBy::Dense(vector) => (vector.into(), DENSE),
            SearchBy::Bm25(text, language) => (document(&text, language).into(), BM25),
        };
        let params = corpus.map(|mut corpus| {
            corpus.must.push(kind.clone());
            version::frequencies_within(corpus)
        });
        filter.must.push(kind);
        let payload = match search.brings {
            Brings::Passages => payload::shown(),
            Brings::Ids | Brings::PassagesOnce => payload::identity(),
        };
        let query = QueryPointsBuilder::new(&self.collection)
            .query(Query::new_nearest(input))
            .using(vector)
            .filter(filter)
            .limit(search.depth as u64)
            .with_payload(payload);
        query.params(params.unwrap_or_else(by_originals)).build()
    }
}

/// Has hits ranked by the vectors as they were made, where searches read quantized ones.
fn by_originals() -> SearchParamsBuilder {
    let quantization = QuantizationSearchParamsBuilder::default();
    SearchParamsBuilder::default()
        .quantization(quantization.rescore(true).oversampling(OVERSAMPLING))
}
