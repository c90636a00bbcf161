//! What a request cost: where its time went, which models it used, what was left out.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use async_trait::async_trait;
use serde::Serialize;
use uuid::Uuid;
use workflow::Result;
use workflow::document::Chunk;
use workflow::filter::Filters;
use workflow::ports::{Embedder, Hit, Index, Notes, Profiles, Purpose, Search};
use workflow::project::{Project, Role};
use workflow::scope::Grant;
use workflow::strategy::Answer;
use workflow::trail::Asked;

/// Time spent in services, in microseconds, and the models that were asked.
#[derive(Debug, Default)]
pub struct Receipt {
    embed: AtomicU64,
    retrieve: AtomicU64,
    store: AtomicU64,
    models: Mutex<Vec<String>>,
    degraded: Mutex<Vec<Degraded>>,
}

/// The end of every answer.
#[derive(Debug, Serialize)]
pub(crate) struct Meta {
    request_id: String,
    models: Vec<String>,
    timings_ms: Timings,
    tokens: Tokens,
    cache: &'static str,
    degraded: Vec<Degraded>,
}

/// Milliseconds by stage. `rank` is what is neither waiting for a service nor reading and writing JSON. Where the store
/// is read while the question is embedded, both count, and `rank` is the less for it, but never below 0.
#[derive(Debug, Serialize)]
struct Timings {
    embed: f64,
    retrieve: f64,
    rank: f64,
    model: f64,
    store: f64,
    total: f64,
}

/// Tokens by use; `null` where the service does not tell.
#[derive(Debug, Serialize)]
struct Tokens {
    embed: Option<u32>,
    model_in: u32,
    model_out: u32,
}

/// A part of the answer that is missing, and why.
#[derive(Debug, Clone, Serialize)]
struct Degraded {
    part: &'static str,
    reason: String,
}

impl Receipt {
    /// An embedder whose time and model are noted here.
    pub fn embedder<'r, E: Embedder>(&'r self, inner: &'r E, model: &str) -> Timed<'r, E> {
        Timed { inner, micros: &self.embed, model: Some((&self.models, model.into())) }
    }

    /// An index whose time is noted here.
    pub fn index<'r, I: Index>(&'r self, inner: &'r I) -> Timed<'r, I> {
        Timed { inner, micros: &self.retrieve, model: None }
    }

    /// A table whose time is noted here.
    pub fn store<'r, T: Profiles + Notes>(&'r self, inner: &'r T) -> Timed<'r, T> {
        Timed { inner, micros: &self.store, model: None }
    }

    /// Takes over what an answer lacks, to be told with it.
    pub fn noting<R>(&self, mut answer: Answer<R>) -> Answer<R> {
        for missing in answer.degraded.drain(..) {
            self.degraded(&missing);
        }
        answer
    }

    /// Notes a part of the answer that is missing.
    pub fn degraded(&self, missing: &workflow::strategy::Degraded) {
        let cause = std::error::Error::source(&missing.error).map(ToString::to_string);
        tracing::warn!(part = missing.part, error = missing.error.to_string(), cause, "degraded");
        if let Ok(mut degraded) = self.degraded.lock() {
            degraded.push(Degraded { part: missing.part, reason: missing.error.to_string() });
        }
    }

    pub(crate) fn meta(&self, request_id: &str, begun: Instant) -> Meta {
        let total = micros_since(begun);
        let embed = self.embed.load(Ordering::Relaxed);
        let retrieve = self.retrieve.load(Ordering::Relaxed);
        let store = self.store.load(Ordering::Relaxed);
        let rank = total.saturating_sub(embed + retrieve + store);
        let models = self.models.lock().map(|models| models.clone()).unwrap_or_default();
        let timings_ms = Timings {
            embed: ms(embed),
            retrieve: ms(retrieve),
            rank: ms(rank),
            model: 0.0,
            store: ms(store),
            total: ms(total),
        };
        let tokens = Tokens { embed: None, model_in: 0, model_out: 0 };
        Meta {
            request_id: request_id.into(),
            models,
            timings_ms,
            tokens,
            cache: "off",
            degraded: self.degraded.lock().map(|own| own.clone()).unwrap_or_default(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of one request")]
fn ms(micros: u64) -> f64 {
    micros as f64 / 1_000.0
}

fn micros_since(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// A port whose time is noted.
#[derive(Debug)]
pub struct Timed<'r, P> {
    inner: &'r P,
    micros: &'r AtomicU64,
    /// A model that is noted when it is asked.
    model: Option<(&'r Mutex<Vec<String>>, String)>,
}

impl<P> Timed<'_, P> {
    async fn note<T>(&self, work: impl Future<Output = T>) -> T {
        let begun = Instant::now();
        let done = work.await;
        self.micros.fetch_add(micros_since(begun), Ordering::Relaxed);
        done
    }
}

#[async_trait]
impl<E: Embedder> Embedder for Timed<'_, E> {
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        if let Some((models, model)) = &self.model
            && let Ok(mut models) = models.lock()
            && !models.contains(model)
        {
            models.push(model.clone());
        }
        self.note(self.inner.embed(texts, purpose)).await
    }
}

#[async_trait]
impl<I: Index> Index for Timed<'_, I> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Vec<Hit>>> {
        self.note(self.inner.search(grant, filters, searches)).await
    }

    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        chunks: &[Uuid],
    ) -> Result<Vec<Chunk>> {
        self.note(self.inner.documents(grant, documents, chunks)).await
    }

    async fn chunks(&self, grant: &Grant, chunks: &[Uuid]) -> Result<Vec<Chunk>> {
        self.note(self.inner.chunks(grant, chunks)).await
    }
}

#[async_trait]
impl<T: Profiles> Profiles for Timed<'_, T> {
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>> {
        self.note(self.inner.project(project, user)).await
    }
}

#[async_trait]
impl<T: Notes> Notes for Timed<'_, T> {
    async fn record(&self, project: &str, asked: &Asked) -> Result<()> {
        self.note(self.inner.record(project, asked)).await
    }
}
