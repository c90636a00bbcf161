//! Embeddings computed only from the words of a text.

use async_trait::async_trait;
use sha2::{Digest, Sha256};

use model::{Error, Result};
use ports::{Embedder, Purpose};

/// An embedder whose vectors are near for texts that share words. It knows no synonyms.
#[derive(Debug, Clone, Copy, Default)]
pub struct FakeEmbedder;

/// An embedding model that does not answer.
#[derive(Debug, Default, Clone, Copy)]
pub struct AwayEmbedder;

#[async_trait]
impl Embedder for AwayEmbedder {
    fn space(&self) -> String {
        FakeEmbedder.space()
    }

    async fn embed(&self, _: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        Err(Error::unavailable("the embedding model", "away"))
    }
}

/// The number of dimensions of its vectors.
const DIMENSIONS: usize = 64;

#[async_trait]
impl Embedder for FakeEmbedder {
    fn space(&self) -> String {
        format!("words/{DIMENSIONS}")
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0f32; DIMENSIONS];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let digest = Sha256::digest(word.to_lowercase().as_bytes());
        vector[usize::from(digest[0]) % DIMENSIONS] += 1.0;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    vector.iter().map(|x| x / length).collect()
}
