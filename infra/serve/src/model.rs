//! The embedding model in this process.

use std::path::Path;

use adapters::services::EmbeddingModel;
use anyhow::Context;
use async_trait::async_trait;
use embedding::{Embedder, MiniLm};
use model::{Error, Result};
use ports::Purpose;

/// The model's id, and the length of its vectors.
pub(crate) const MODEL: &str = "all-MiniLM-L6-v2";
pub(crate) const DIMENSIONS: usize = 384;

/// The model, which runs on threads of its own.
pub(crate) struct LocalModel(Embedder);

impl LocalModel {
    /// Loads the model from a folder.
    pub(crate) fn load(folder: &Path) -> anyhow::Result<LocalModel> {
        let model = MiniLm::load(folder)?;
        anyhow::ensure!(model.dimensions == DIMENSIONS, "{} has another model", folder.display());
        Ok(LocalModel(Embedder::start(model, None).context("the embedding model")?))
    }
}

#[async_trait]
impl ports::Embedder for LocalModel {
    fn space(&self) -> String {
        format!("{MODEL}/{DIMENSIONS}")
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let purpose = match purpose {
            Purpose::Question => embedding::Purpose::Question,
            Purpose::Document => embedding::Purpose::Document,
        };
        let embedded = self.0.embed(texts.to_vec(), purpose).await;
        let embedded = embedded
            .map_err(|error| Error::unavailable("the embedding model", format!("{error:#}")))?;
        Ok(embedded.into_iter().map(|one| one.vector).collect())
    }
}

impl EmbeddingModel for LocalModel {
    fn model(&self) -> &str {
        MODEL
    }
}
