//! A model that judges passages.

use async_trait::async_trait;

use model::Result;

/// A model that reads a question and a passage together.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// Returns the relevance of each text to the question, `0.0..=1.0`, in order.
    async fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f64>>;
}
