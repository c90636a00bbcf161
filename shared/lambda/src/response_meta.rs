//! The costs of a request: where its time went, which models it used, and what was left out.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::metric::Figure;
use answers::{Cache, Given, Kept};
use ports::degraded::{Degraded, Partial};
use ports::{Answers, Embedder, Index, Model, Notes, Profiles, Reranker};
use wire::answer::AnswerReport;
use wire::meta::{AnswerMeta, CacheUse, Meta, MissingPart, Timings, Tokens};
use wire::trial::ModelPart;

mod timed;

pub use timed::Timed;

/// The time spent in services, in microseconds, and the models that were used.
#[derive(Debug, Default)]
pub struct ResponseMeta {
    embed: AtomicU64,
    retrieve: AtomicU64,
    store: AtomicU64,
    models: Mutex<Vec<String>>,
    degraded: Mutex<Vec<MissingPart>>,
    model: AtomicU64,
    tokens: [AtomicU64; 2],
    by_model: Mutex<BTreeSet<ModelPart>>,
    answer: Mutex<Option<Kept>>,
    cache: Mutex<Option<CacheUse>>,
    figures: Mutex<Vec<Figure>>,
}

impl ResponseMeta {
    /// Returns an embedder whose time and model are recorded here.
    pub fn embedder<'r, E: Embedder + ?Sized>(&'r self, inner: &'r E, model: &str) -> Timed<'r, E> {
        let model = Some((&self.models, model.into()));
        Timed { inner, micros: &self.embed, model, work: None }
    }

    /// Returns an index whose time is recorded here.
    pub fn index<'r, I: Index + ?Sized>(&'r self, inner: &'r I) -> Timed<'r, I> {
        Timed { inner, micros: &self.retrieve, model: None, work: None }
    }

    /// Returns a table whose time is recorded here.
    pub fn store<'r, T: Profiles + Notes>(&'r self, inner: &'r T) -> Timed<'r, T> {
        Timed { inner, micros: &self.store, model: None, work: None }
    }

    /// Returns a table of stored answers whose time is recorded here.
    pub fn answers<'r, T: Answers>(&'r self, inner: &'r T) -> Timed<'r, T> {
        Timed { inner, micros: &self.store, model: None, work: None }
    }

    /// Returns a model whose time, name and tokens are recorded here.
    pub fn model<'r, M: Model>(&'r self, inner: &'r M, name: &str) -> Timed<'r, M> {
        let model = Some((&self.models, name.into()));
        Timed { inner, micros: &self.model, model, work: Some((&self.by_model, &self.tokens)) }
    }

    /// Returns a reranker whose time and name are recorded here, with the name among the other
    /// models.
    pub fn reranker<'r, M: Reranker + ?Sized>(&'r self, inner: &'r M, name: &str) -> Timed<'r, M> {
        let model = Some((&self.models, name.into()));
        Timed { inner, micros: &self.model, model, work: None }
    }

    /// Stores the data that accompanies an answer, so that it becomes part of `meta`, and returns
    /// the answer.
    pub fn given(&self, mut given: Given) -> AnswerReport {
        for missing in given.degraded.drain(..) {
            self.degraded(&missing);
        }
        if let Ok(mut answer) = self.answer.lock() {
            *answer = Some(given.kept);
        }
        given.report
    }

    /// Stores the missing parts of a reply, so that they become part of `meta`, and returns the
    /// reply.
    pub fn noting<R>(&self, partial: Partial<R>) -> R {
        for missing in &partial.degraded {
            self.degraded(missing);
        }
        partial.reply
    }

    /// Records a missing part of the answer.
    pub fn degraded(&self, missing: &Degraded) {
        let cause = std::error::Error::source(&missing.error).map(ToString::to_string);
        tracing::warn!(part = %missing.part, error = missing.error.to_string(), cause, "degraded");
        if let Ok(mut degraded) = self.degraded.lock() {
            degraded.push(MissingPart { part: missing.part.to_string(), reason: missing.reason() });
        }
    }

    /// Records the use of the cache.
    pub fn cache(&self, cache: CacheUse) {
        if let Ok(mut noted) = self.cache.lock() {
            *noted = Some(cache);
        }
    }

    /// Returns true if the answer came from the cache.
    pub fn is_cached(&self) -> bool {
        self.cache.lock().is_ok_and(|lock| *lock == Some(CacheUse::Hit))
    }

    /// Records figures of the answer, each with its unit in `CloudWatch`. They are written with the
    /// request's line.
    pub fn figures(&self, figures: &[(&'static str, &'static str, f64)]) {
        if let Ok(mut noted) = self.figures.lock() {
            noted.extend(figures.iter().map(|(name, unit, value)| Figure {
                name,
                unit,
                value: *value,
            }));
        }
    }

    /// Returns the recorded figures and removes them. Tokens of language models are among them, if
    /// there are any.
    #[expect(clippy::cast_precision_loss, reason = "the tokens of one request")]
    pub(crate) fn take_figures(&self) -> Vec<Figure> {
        let mut figures =
            self.figures.lock().map(|mut lock| std::mem::take(&mut *lock)).unwrap_or_default();
        let tokens: u64 = self.tokens.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        if tokens > 0 {
            figures.push(Figure { name: "ModelTokens", unit: "Count", value: tokens as f64 });
        }
        figures
    }

    /// Returns the parts of the answer that are missing so far.
    pub fn missing(&self) -> Vec<MissingPart> {
        self.degraded.lock().map(|parts| parts.clone()).unwrap_or_default()
    }

    /// Returns true if a part of the answer is missing.
    pub fn is_degraded(&self) -> bool {
        self.degraded.lock().is_ok_and(|lock| !lock.is_empty())
    }

    /// Returns the `meta` of the answer to a request that began at `begun`.
    pub fn finish(&self, request_id: &str, begun: Instant) -> Meta {
        let total = micros_since(begun);
        let embed = self.embed.load(Ordering::Relaxed);
        let retrieve = self.retrieve.load(Ordering::Relaxed);
        let store = self.store.load(Ordering::Relaxed);
        let model = self.model.load(Ordering::Relaxed);
        let rank = total.saturating_sub(embed + retrieve + store + model);
        let models = self.models.lock().map(|models| models.clone()).unwrap_or_default();
        let timings_ms = Timings {
            embed: ms(embed),
            retrieve: ms(retrieve),
            rank: ms(rank),
            model: ms(model),
            store: ms(store),
            total: ms(total),
        };
        let answer = self.answer.lock().ok().and_then(|answer| answer.clone());
        let [model_in, model_out] =
            self.tokens.each_ref().map(|count| count.load(Ordering::Relaxed));
        let tokens = Tokens { embed: None, model_in, model_out };
        let noted = self.cache.lock().ok().and_then(|c| *c);
        let cache = match answer.as_ref().map(|kept| kept.cache) {
            None => noted.unwrap_or(CacheUse::Off),
            Some(Cache::Off) => CacheUse::Off,
            Some(Cache::Miss) => CacheUse::Miss,
            Some(Cache::Hit { .. }) => CacheUse::Hit,
        };
        let by_model = self.by_model.lock().map(|parts| parts.iter().copied().collect());
        Meta {
            request_id: request_id.into(),
            models,
            by_model: by_model.unwrap_or_default(),
            timings_ms,
            tokens,
            cache,
            degraded: self.missing(),
            flagged: Vec::new(),
            answer: answer.map(answer_meta),
        }
    }
}

/// Returns the `meta` of an answer that is stored.
fn answer_meta(kept: Kept) -> AnswerMeta {
    let hit = match kept.cache {
        Cache::Hit { age, left } => Some((age, left)),
        Cache::Off | Cache::Miss => None,
    };
    AnswerMeta {
        answer_id: kept.answer_id,
        mode: kept.mode,
        corpus_version: kept.corpus,
        cache_age_s: hit.map(|(age, _)| age),
        cache_left_s: hit.map(|(_, left)| left),
    }
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of one request")]
fn ms(micros: u64) -> f64 {
    micros as f64 / 1_000.0
}

fn micros_since(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}
