//! The services that handlers and jobs take their clients from.

use std::sync::Arc;

use ask::rerank::Limits;
use async_trait::async_trait;
use model::Result;
use ports::{
    Embedder, Hiding, Index, IndexCleanup, Originals, Purpose, Removals, Reranker, Standing, Tasks,
};

use crate::Table;

/// The reason why a client cannot be made: a setting that is missing or cannot be used, or a file
/// that cannot be read.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// An embedding model.
pub trait EmbeddingModel: Embedder {
    /// Returns the model's id, by which its use is told.
    fn model(&self) -> &str;
}

/// An index, with all that is done with it.
#[async_trait]
pub trait SearchIndex: Index + IndexCleanup + Originals + Standing {
    /// Gives the index the settings that it would be made with now.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] if it does not take them.
    async fn configure(&self) -> Result<()>;
}

/// A reranker.
pub struct Reranking {
    /// The model.
    pub by: Box<dyn Reranker>,
    /// The model's id.
    pub model: String,
    /// The limits within which it is asked.
    pub limits: Limits,
}

/// An index that is filled beside the one in use, and the embedding model of its space.
pub type Other = (Arc<dyn SearchIndex>, Arc<dyn EmbeddingModel>);

/// Makes clients of services, each of which connects when it is first used.
pub trait Services {
    /// Returns the embedding model, with the patience that `purpose` allows.
    ///
    /// # Errors
    /// Says what is missing, as all methods do.
    fn embedding(&self, purpose: Purpose) -> Result<Arc<dyn EmbeddingModel>, Trouble>;

    /// Returns the index, with the patience that `purpose` allows.
    fn index(&self, purpose: Purpose) -> Result<Arc<dyn SearchIndex>, Trouble>;

    /// Returns the index beside it, if there is one.
    fn beside(&self, purpose: Purpose) -> Result<Option<Other>, Trouble>;

    /// Returns the table.
    fn table(&self) -> Result<Table, Trouble>;

    /// Returns the store of uploaded files.
    fn files(&self) -> Result<Arc<dyn Hiding>, Trouble>;

    /// Returns the queue of tasks.
    fn tasks(&self) -> Result<Arc<dyn Tasks>, Trouble>;

    /// Returns the queue of removals.
    fn removals(&self) -> Result<Arc<dyn Removals>, Trouble>;

    /// Returns the reranker, if there is one.
    fn reranking(&self) -> Result<Option<Reranking>, Trouble>;

    /// Returns the configuration files of one kind, each its name and its text, by name.
    fn configuration(&self, kind: Configuration) -> Result<Vec<(String, String)>, Trouble>;
}

/// A kind of configuration files. Each has a folder of its own in `infra`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Configuration {
    /// Custom workflows.
    Strategies,
    /// Knowledge bases.
    Knowledge,
    /// Sources of search.
    Sources,
    /// Vendors of alerts.
    Alerts,
    /// Routes of alerts.
    AlertRoutes,
}

impl Configuration {
    /// Returns the name of the folder.
    pub fn folder(self) -> &'static str {
        match self {
            Configuration::Strategies => "strategies",
            Configuration::Knowledge => "knowledge",
            Configuration::Sources => "sources",
            Configuration::Alerts => "alerts",
            Configuration::AlertRoutes => "alert_routes",
        }
    }
}
