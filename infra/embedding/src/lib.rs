//! The embedding model all-MiniLM-L6-v2 on this machine's processors, for programs without a cloud.

mod cache;
mod embedder;
mod model;

pub use cache::Cache;
pub use embedder::{Embedder, Purpose};
pub use model::{Embedding, MiniLm};
