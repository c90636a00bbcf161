//! Services that do not answer.

use async_trait::async_trait;
use model::document::Passage;
use model::{Error, Result};
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Embedder, Embedding, Index, Purpose, Ranked, Search};
use uuid::Uuid;

/// An embedder and index that always fail.
pub(crate) struct Broken;

fn unavailable<T>(service: &'static str) -> Result<T> {
    Err(Error::unavailable(service, "it is broken"))
}

#[async_trait]
impl Embedder for Broken {
    fn space(&self) -> String {
        "broken".into()
    }

    async fn embed(&self, _: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        unavailable("the embedding model")
    }
}

#[async_trait]
impl Index for Broken {
    async fn search(&self, _: &Grant, _: &Filters, _: Vec<Search>) -> Result<Vec<Ranked>> {
        unavailable("the index")
    }

    async fn documents(&self, _: &Grant, _: &[Uuid], _: &[Uuid]) -> Result<Vec<Passage>> {
        unavailable("the index")
    }

    async fn passages(&self, _: &Grant, _: &[Uuid]) -> Result<Vec<Passage>> {
        unavailable("the index")
    }

    async fn points(&self, _: &Grant, _: &[Uuid]) -> Result<Vec<Passage>> {
        unavailable("the index")
    }

    async fn embeddings(&self, _: &Grant, _: &[Uuid]) -> Result<Vec<Embedding>> {
        unavailable("the index")
    }

    async fn scan(&self, _: &Grant, _: &Filters, _: usize) -> Result<(Vec<Passage>, bool)> {
        unavailable("the index")
    }
}
