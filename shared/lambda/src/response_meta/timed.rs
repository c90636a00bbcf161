//! Ports whose time is recorded.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use model::document::Passage;
use ports::filter::Filters;
use ports::scope::{Caller, Grant, Scope};
use ports::{
    Answers, CacheRead, Completion, Embedder, Embedding, Index, Keeping, KeptAnswer, Model, Notes,
    Profiles, Prompt, Purpose, Ranked, Reranker, Search,
};
use uuid::Uuid;
use wire::projects::{Project, Role};
use wire::trail::Asked;
use wire::trial::ModelPart;

use super::micros_since;

/// A port whose time is recorded.
#[derive(Debug)]
pub struct Timed<'r, P: ?Sized> {
    pub(super) inner: &'r P,
    pub(super) micros: &'r AtomicU64,
    /// The model that is recorded when it is used.
    pub(super) model: Option<(&'r Mutex<Vec<String>>, String)>,
    /// The parts that the model has done, and the numbers of tokens that it read and wrote.
    pub(super) work: Option<(&'r Mutex<BTreeSet<ModelPart>>, &'r [AtomicU64; 2])>,
}

impl<P: ?Sized> Timed<'_, P> {
    fn note_model(&self) {
        if let Some((models, model)) = &self.model
            && let Ok(mut models) = models.lock()
            && !models.contains(model)
        {
            models.push(model.clone());
        }
    }

    async fn note<T>(&self, work: impl Future<Output = T>) -> T {
        let begun = Instant::now();
        let done = work.await;
        self.micros.fetch_add(micros_since(begun), Ordering::Relaxed);
        done
    }
}

#[async_trait]
impl<E: Embedder + ?Sized> Embedder for Timed<'_, E> {
    fn space(&self) -> String {
        self.inner.space()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.note_model();
        self.note(self.inner.embed(texts, purpose)).await
    }
}

#[async_trait]
impl<I: Index + ?Sized> Index for Timed<'_, I> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        self.note(self.inner.search(grant, filters, searches)).await
    }

    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        passages: &[Uuid],
    ) -> Result<Vec<Passage>> {
        self.note(self.inner.documents(grant, documents, passages)).await
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.note(self.inner.passages(grant, ids)).await
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.note(self.inner.points(grant, ids)).await
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        self.note(self.inner.embeddings(grant, ids)).await
    }

    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        self.note(self.inner.scan(grant, filters, limit)).await
    }
}

#[async_trait]
impl<T: Profiles + ?Sized> Profiles for Timed<'_, T> {
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>> {
        self.note(self.inner.project(project, user)).await
    }
}

#[async_trait]
impl<T: Notes + ?Sized> Notes for Timed<'_, T> {
    async fn record(&self, project: &str, asked: &Asked) -> Result<()> {
        self.note(self.inner.record(project, asked)).await
    }
}

#[async_trait]
impl<M: Model + ?Sized> Model for Timed<'_, M> {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        self.note_model();
        let completion = self.note(self.inner.complete(prompt)).await?;
        if let Some((parts, [read, written])) = self.work {
            if let (Some(part), Ok(mut parts)) = (prompt.part, parts.lock()) {
                parts.insert(part);
            }
            read.fetch_add(completion.tokens_in.into(), Ordering::Relaxed);
            written.fetch_add(completion.tokens_out.into(), Ordering::Relaxed);
        }
        Ok(completion)
    }
}

#[async_trait]
impl<M: Reranker + ?Sized> Reranker for Timed<'_, M> {
    async fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f64>> {
        self.note_model();
        self.note(self.inner.relevance(question, texts)).await
    }
}

#[async_trait]
impl<T: Answers + ?Sized> Answers for Timed<'_, T> {
    async fn read_cache(
        &self,
        scope: &Scope,
        caller: &Caller,
        key: &str,
        vectors: &[String],
    ) -> Result<CacheRead> {
        self.note(self.inner.read_cache(scope, caller, key, vectors)).await
    }

    async fn keep(&self, keeping: &Keeping) -> Result<()> {
        self.note(self.inner.keep(keeping)).await
    }

    async fn answer(&self, answer_id: &str, now: Timestamp) -> Result<Option<KeptAnswer>> {
        self.note(self.inner.answer(answer_id, now)).await
    }
}
