//! The index in memory, with its points in a file: exact cosines, and BM25.
//!
//! A change is written to the file first. All points are read when the program starts.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use adapters::services::SearchIndex;
use async_trait::async_trait;
use model::Result;
use model::document::{Passage, WHOLE_DOCUMENT, document_point_id};
use model::evidence::PointKind;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Contents, Embedding, Index, Originals, Ranked, Search, Standing};
use uuid::Uuid;

use crate::store::Store;
use points::{Entry, Points};

mod bm25;
mod points;
mod publish;
mod rows;
mod search;

/// An index.
#[derive(Clone)]
pub(crate) struct LocalIndex {
    store: Arc<Store>,
    points: Arc<RwLock<Points>>,
}

impl LocalIndex {
    /// Reads the index of a store.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] where the file cannot be read.
    pub(crate) fn open(store: Arc<Store>) -> Result<LocalIndex> {
        let mut points = Points::default();
        rows::each(&store, |entry| points.insert(entry))?;
        Ok(LocalIndex { store, points: Arc::new(RwLock::new(points)) })
    }

    fn read(&self) -> RwLockReadGuard<'_, Points> {
        self.points.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Points> {
        self.points.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns copies of what searches see and `wanted` wants.
    fn seen(&self, grant: &Grant, wanted: impl Fn(&Entry) -> bool) -> Vec<Passage> {
        let points = self.read();
        let seen = points.all().filter(|entry| entry.is_seen(grant) && wanted(entry));
        seen.map(|entry| entry.passage.clone()).collect()
    }
}

#[async_trait]
impl Index for LocalIndex {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        Ok(search::all(&self.read(), grant, filters, &searches))
    }

    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        passages: &[Uuid],
    ) -> Result<Vec<Passage>> {
        Ok(self.seen(grant, |Entry { kind, passage, .. }| {
            *kind == PointKind::Passage
                && documents.contains(&passage.document_id)
                && (passage.position < WHOLE_DOCUMENT || passages.contains(&passage.id))
        }))
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        let points = self.read();
        let passages = points.with_ids(ids);
        let passages =
            passages.filter(|entry| entry.is_seen(grant) && entry.kind == PointKind::Passage);
        Ok(passages.map(|entry| entry.passage.clone()).collect())
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        let points = self.read();
        let points = points.with_ids(ids);
        let points = points.filter(|entry| entry.is_seen(grant) && !entry.kind.is_decision());
        Ok(points.map(|entry| entry.passage.clone()).collect())
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        let points = self.read();
        let embedding = |entry: &Entry| {
            let Passage { id, document_id, version, title, .. } = &entry.passage;
            let is_document_point =
                *id == document_point_id(*document_id, version) && ids.contains(document_id);
            let is_passage = entry.kind == PointKind::Passage && ids.contains(id);
            (is_document_point || is_passage).then(|| Embedding {
                passage_id: Some(*id).filter(|_| is_passage),
                document_id: *document_id,
                title: title.clone(),
                vector: entry.vector.clone(),
            })
        };
        Ok(points.all().filter(|entry| entry.is_seen(grant)).filter_map(embedding).collect())
    }

    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        let points = self.read();
        let fitting = points.all().filter(|entry| {
            entry.kind == PointKind::Passage
                && entry.is_seen(grant)
                && filters.allow(&entry.passage)
        });
        let mut found: Vec<Passage> =
            fitting.take(limit + 1).map(|entry| entry.passage.clone()).collect();
        let is_all = found.len() <= limit;
        found.truncate(limit);
        Ok((found, is_all))
    }
}

#[async_trait]
impl Originals for LocalIndex {
    async fn original(&self, grant: &Grant, passage: Uuid) -> Result<Option<Passage>> {
        let points = self.read();
        let is_wanted = |entry: &&Entry| entry.is_seen(grant) && entry.kind == PointKind::Passage;
        let entry = points.with_ids(&[passage]).find(is_wanted);
        Ok(entry.map(|entry| entry.original.as_ref().unwrap_or(&entry.passage).clone()))
    }
}

#[async_trait]
impl Standing for LocalIndex {
    fn name(&self) -> String {
        "in this program".into()
    }

    async fn contents(&self) -> Result<Option<Contents>> {
        Ok(Some(Contents { items: self.read().all().count() as u64, ..Contents::default() }))
    }
}

#[async_trait]
impl SearchIndex for LocalIndex {
    async fn configure(&self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod alike;
#[cfg(test)]
mod tests;
