//! The model all-MiniLM-L6-v2 on the processor: it converts texts to vectors of length one.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use candle_core::{Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config, DTYPE};
use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};

/// Upper bound for the tokens of a text, from the model's training. The rest of a longer text is
/// cut off.
const TOKENS_MAX: usize = 256;

/// The loaded model.
pub struct MiniLm {
    bert: BertModel,
    tokenizer: Tokenizer,
    /// The length of its vectors.
    pub dimensions: usize,
    /// A hash that differs between models, and between limits for the length of texts.
    pub fingerprint: String,
}

/// The vector of one text.
pub struct Embedding {
    /// The vector, of length one.
    pub vector: Vec<f32>,
    /// The number of tokens read, at most 256.
    pub tokens: u32,
}

impl MiniLm {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` from `folder`.
    pub fn load(folder: &Path) -> anyhow::Result<MiniLm> {
        let mut hash = Sha256::new_with_prefix(TOKENS_MAX.to_le_bytes());
        let mut read = |name: &str| {
            let path = folder.join(name);
            let content = fs::read(&path)
                .with_context(|| format!("cannot read the model's {}", path.display()))?;
            hash.update(&content);
            anyhow::Ok(content)
        };
        let config: Config =
            serde_json::from_slice(&read("config.json")?).context("config.json of the model")?;
        let mut tokenizer =
            Tokenizer::from_bytes(read("tokenizer.json")?).map_err(|err| anyhow!("{err}"))?;
        let truncation = TruncationParams { max_length: TOKENS_MAX, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(|err| anyhow!("{err}"))?;
        // A single text needs no padding, which would only cost time.
        tokenizer.with_padding(None);
        let weights =
            VarBuilder::from_buffered_safetensors(read("model.safetensors")?, DTYPE, &Device::Cpu)?;
        Ok(MiniLm {
            bert: BertModel::load(weights, &config)?,
            tokenizer,
            dimensions: config.hidden_size,
            fingerprint: hex(&hash.finalize()),
        })
    }

    /// Embeds a text. This blocks.
    pub fn embed(&self, text: &str) -> anyhow::Result<Embedding> {
        let encoding = self.tokenizer.encode(text, true).map_err(|err| anyhow!("{err}"))?;
        let ids = Tensor::new(encoding.get_ids(), &Device::Cpu)?.unsqueeze(0)?;
        let states = self.bert.forward(&ids, &ids.zeros_like()?, None)?;
        let mut vector = states.mean(1)?.squeeze(0)?.to_vec1::<f32>()?;
        normalize(&mut vector);
        Ok(Embedding { vector, tokens: u32::try_from(encoding.len())? })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn normalize(vector: &mut [f32]) {
    let length =
        vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    for value in vector {
        *value /= length;
    }
}
