//! Embeds texts: questions before documents, one text at a time on each processor.
//!
//! Measurements showed that texts of 128 tokens and more, as most passages are, take as long in a
//! batch as one by one. A question would then wait for a whole batch instead of for one text.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use anyhow::{Context, anyhow};
use rayon::ThreadPoolBuilder;
use tokio::sync::oneshot;

use crate::cache::Cache;
use crate::model::{Embedding, MiniLm};

/// The purpose for which texts are embedded.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// The caller is waiting and needs the answer within seconds.
    Question,
    /// No caller needs the answer soon.
    Document,
}

/// A running model. Its threads live as long as the process.
pub struct Embedder {
    /// The length of its vectors.
    pub dimensions: usize,
    pending: Arc<Pending>,
}

/// A text, and the caller that receives its vector.
struct Task {
    text: String,
    caller: oneshot::Sender<anyhow::Result<Embedding>>,
}

/// Texts that no thread has taken yet.
#[derive(Default)]
struct Pending {
    queues: Mutex<Queues>,
    arrived: Condvar,
}

#[derive(Default)]
struct Queues {
    questions: VecDeque<Task>,
    documents: VecDeque<Task>,
}

/// The state that the threads share.
struct Work {
    model: MiniLm,
    cache: Option<Mutex<Cache>>,
    pending: Arc<Pending>,
}

impl Embedder {
    /// Starts a thread for every processor.
    pub fn start(model: MiniLm, cache: Option<Cache>) -> anyhow::Result<Embedder> {
        let (dimensions, pending) = (model.dimensions, Arc::default());
        let work =
            Arc::new(Work { model, cache: cache.map(Mutex::new), pending: Arc::clone(&pending) });
        // In a thread of rayon, the model's multiplications stay on that thread.
        let threads =
            ThreadPoolBuilder::new().num_threads(available_parallelism()?.get()).build()?;
        threads.spawn_broadcast(move |_| work.run());
        Ok(Embedder { dimensions, pending })
    }

    /// Embeds `texts` in order. If nobody waits for the result any more, the remaining texts are
    /// not embedded.
    pub async fn embed(
        &self,
        texts: Vec<String>,
        purpose: Purpose,
    ) -> anyhow::Result<Vec<Embedding>> {
        let task = |text| {
            let (caller, embedding) = oneshot::channel();
            (Task { text, caller }, embedding)
        };
        let (tasks, waiting): (Vec<_>, Vec<_>) = texts.into_iter().map(task).unzip();
        self.pending.add(tasks, purpose);
        let mut embeddings = Vec::with_capacity(waiting.len());
        for embedding in waiting {
            embeddings.push(embedding.await.context("a text was not embedded")??);
        }
        Ok(embeddings)
    }
}

impl Pending {
    fn add(&self, tasks: Vec<Task>, purpose: Purpose) {
        let mut queues = lock(&self.queues);
        match purpose {
            Purpose::Question => queues.questions.extend(tasks),
            Purpose::Document => queues.documents.extend(tasks),
        }
        self.arrived.notify_all();
    }

    /// Waits for the next text whose caller is still waiting.
    fn next(&self) -> Task {
        let mut queues = lock(&self.queues);
        loop {
            let first = queues.questions.pop_front().or_else(|| queues.documents.pop_front());
            match first {
                Some(task) if task.caller.is_closed() => {}
                Some(task) => return task,
                None => {
                    queues = self.arrived.wait(queues).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

impl Work {
    fn run(&self) {
        loop {
            let Task { text, caller } = self.pending.next();
            // A text that the model cannot embed fails only its own call.
            let embedding = catch_unwind(AssertUnwindSafe(|| self.embed(&text)))
                .unwrap_or_else(|_| Err(anyhow!("the model panicked")));
            // The caller may have gone away meanwhile.
            let _ = caller.send(embedding);
        }
    }

    fn embed(&self, text: &str) -> anyhow::Result<Embedding> {
        let Some(cache) = &self.cache else { return self.model.embed(text) };
        let known = lock(cache).get(text).context("reading the cache")?;
        if let Some(known) = known {
            return Ok(known);
        }
        let embedding = self.model.embed(text)?;
        lock(cache).put(text, &embedding).context("writing the cache")?;
        Ok(embedding)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
