//! Time and an index that are late on command.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use crate::Result;
use crate::document::Chunk;
use crate::filter::{Condition, Field, Filters};
use crate::ports::{Clock, Embedding, Index, Ranked, Search as IndexSearch};
use crate::scope::Grant;

/// Time that never passes, or has passed already.
pub(super) struct FakeClock {
    pub(super) is_over: bool,
}

#[async_trait]
impl Clock for FakeClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn wait(&self, _: Duration) {
        if !self.is_over {
            std::future::pending::<()>().await;
        }
    }
}

/// An index that answers one source late: never, or after it was asked again so often.
pub(super) struct Late<'a> {
    pub(super) inner: &'a dyn Index,
    pub(super) source: &'static str,
    pub(super) polls: Option<usize>,
}

#[async_trait]
impl Index for Late<'_> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<IndexSearch>,
    ) -> Result<Vec<Ranked>> {
        let is_late = filters.0.iter().any(|filter| {
            let Condition::AnyOf(Field::Source, values) = filter else { return false };
            values.iter().any(|value| value == self.source)
        });
        if is_late {
            let left = AtomicUsize::new(self.polls.unwrap_or(usize::MAX));
            std::future::poll_fn(|context| {
                if left.fetch_sub(1, Ordering::Relaxed) == 0 {
                    return std::task::Poll::Ready(());
                }
                if self.polls.is_some() {
                    context.waker().wake_by_ref();
                }
                std::task::Poll::Pending
            })
            .await;
        }
        self.inner.search(grant, filters, searches).await
    }

    async fn documents(&self, grant: &Grant, all: &[Uuid], some: &[Uuid]) -> Result<Vec<Chunk>> {
        self.inner.documents(grant, all, some).await
    }

    async fn chunks(&self, grant: &Grant, chunks: &[Uuid]) -> Result<Vec<Chunk>> {
        self.inner.chunks(grant, chunks).await
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Chunk>> {
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
    ) -> Result<(Vec<Chunk>, bool)> {
        self.inner.scan(grant, filters, most).await
    }
}
