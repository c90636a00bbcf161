//! An index whose searches wait, and may run only once.

use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use model::Result;
use model::document::Passage;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Embedding, Index, Ranked, Search};

/// Returns the wait before a search with these filters.
pub type Wait = Box<dyn Fn(&Filters) -> BoxFuture<'static, ()> + Send + Sync>;

/// An index that waits before it searches.
pub struct LateIndex<'a> {
    /// The index that searches.
    pub inner: &'a dyn Index,
    /// The wait before a search.
    pub wait: Wait,
    /// The results of earlier searches by their filters, if each set of filters is searched only
    /// once. The time of the fake index is then not measured.
    pub once: Option<Mutex<HashMap<String, Vec<Ranked>>>>,
}

#[async_trait]
impl Index for LateIndex<'_> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        (self.wait)(filters).await;
        let Some(once) = &self.once else {
            return self.inner.search(grant, filters, searches).await;
        };
        let key = format!("{filters:?}");
        if let Some(known) = once.lock().unwrap().get(&key) {
            return Ok(known.clone());
        }
        let found = self.inner.search(grant, filters, searches).await?;
        once.lock().unwrap().insert(key, found.clone());
        Ok(found)
    }

    async fn documents(&self, grant: &Grant, all: &[Uuid], some: &[Uuid]) -> Result<Vec<Passage>> {
        self.inner.documents(grant, all, some).await
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.inner.passages(grant, ids).await
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.inner.points(grant, ids).await
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        self.inner.embeddings(grant, ids).await
    }

    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        most: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        self.inner.scan(grant, filters, most).await
    }
}
