//! The conflicts that a job found.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::scope::Scope;
use model::Result;

/// The conflicts that a job found in a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundConflicts {
    /// The conflicts as JSON.
    pub body: String,
    /// The time of the job.
    pub found_at: Timestamp,
    /// The number of changes to the documents at that time.
    pub corpus: u64,
    /// The number of passages that were compared.
    pub passages: u64,
    /// False if there were more passages or conflicts than are stored, or pairs that a language
    /// model did not judge.
    pub is_complete: bool,
    /// The language model that confirmed them; absent if rules found them.
    pub confirmed_by: Option<String>,
}

/// Stores the result of the last job for each knowledge base.
#[async_trait]
pub trait ConflictStore: Send + Sync {
    /// Returns the number of changes to the documents of a scope.
    async fn corpus_of(&self, scope: &Scope) -> Result<u64>;

    /// Returns the number of changes to the documents, and the result of the last job.
    async fn conflicts(&self, scope: &Scope) -> Result<(u64, Option<FoundConflicts>)>;

    /// Stores the result of a job and replaces the one before.
    async fn keep_conflicts(&self, scope: &Scope, found: &FoundConflicts) -> Result<()>;
}
