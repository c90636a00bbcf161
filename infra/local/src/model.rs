//! all-MiniLM-L6-v2 on the processor: texts in, vectors of length one out.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use anyhow::{Context, anyhow};
use candle_core::{Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config, DTYPE};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokenizers::{Tokenizer, TruncationParams};

/// The model was trained on no longer texts; what comes after is cut off.
const TOKENS_MAX: usize = 256;
/// Texts remembered in each of the two generations of the cache.
const GENERATION: usize = 2_000;

/// The model, loaded, with a thread for every processor.
pub(crate) struct MiniLm {
    bert: BertModel,
    tokenizer: Tokenizer,
    threads: ThreadPool,
    /// The length of its vectors.
    pub(crate) dimensions: usize,
    cache: Mutex<Cache>,
}

/// The vector of one text.
pub(crate) struct Embedding {
    /// Of length one.
    pub(crate) vector: Vec<f32>,
    /// Tokens that were read, at most 256.
    pub(crate) tokens: usize,
}

impl MiniLm {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` from `folder`.
    pub(crate) fn load(folder: &Path) -> anyhow::Result<MiniLm> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).with_context(|| format!("cannot read the model's {}", path.display()))
        };
        let config: Config =
            serde_json::from_slice(&read("config.json")?).context("config.json of the model")?;
        let mut tokenizer =
            Tokenizer::from_bytes(read("tokenizer.json")?).map_err(|err| anyhow!("{err}"))?;
        let truncation = TruncationParams { max_length: TOKENS_MAX, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(|err| anyhow!("{err}"))?;
        // One text at a time needs no padding, which would only be multiplied in vain.
        tokenizer.with_padding(None);
        let weights =
            VarBuilder::from_buffered_safetensors(read("model.safetensors")?, DTYPE, &Device::Cpu)?;
        let threads =
            ThreadPoolBuilder::new().num_threads(available_parallelism()?.get()).build()?;
        let bert = BertModel::load(weights, &config)?;
        Ok(MiniLm {
            bert,
            tokenizer,
            threads,
            dimensions: config.hidden_size,
            cache: Mutex::default(),
        })
    }

    /// Embeds `texts`, one on each thread, and keeps their order. Blocks.
    pub(crate) fn embed(&self, texts: &[String]) -> anyhow::Result<Vec<Arc<Embedding>>> {
        self.threads.install(|| texts.par_iter().map(|text| self.embed_one(text)).collect())
    }

    fn embed_one(&self, text: &str) -> anyhow::Result<Arc<Embedding>> {
        if let Some(known) = self.cache().get(text) {
            return Ok(known);
        }
        let encoding = self.tokenizer.encode(text, true).map_err(|err| anyhow!("{err}"))?;
        let ids = Tensor::new(encoding.get_ids(), &Device::Cpu)?.unsqueeze(0)?;
        let states = self.bert.forward(&ids, &ids.zeros_like()?, None)?;
        let mut vector = states.mean(1)?.squeeze(0)?.to_vec1::<f32>()?;
        normalize(&mut vector);
        let embedding = Arc::new(Embedding { vector, tokens: encoding.get_ids().len() });
        self.cache().put(text, embedding.clone());
        Ok(embedding)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn normalize(vector: &mut [f32]) {
    let length =
        vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    for value in vector {
        *value /= length;
    }
}

/// Remembers the texts used last: when the young generation is full it becomes the old one, which is forgotten.
#[derive(Default)]
struct Cache {
    young: HashMap<String, Arc<Embedding>>,
    old: HashMap<String, Arc<Embedding>>,
}

impl Cache {
    fn get(&mut self, text: &str) -> Option<Arc<Embedding>> {
        if let Some(known) = self.young.get(text) {
            return Some(known.clone());
        }
        let known = self.old.remove(text)?;
        self.put(text, known.clone());
        Some(known)
    }

    fn put(&mut self, text: &str, embedding: Arc<Embedding>) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(text.to_owned(), embedding);
    }
}
