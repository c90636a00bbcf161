//! Conflicts that a job found.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::scope::Scope;
use model::Result;

/// The conflicts that a job found in a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundConflicts {
    /// The conflicts as JSON.
    pub body: String,
    /// The time of the job.
    pub found_at: Timestamp,
    /// The number of changes of the documents up to then.
    pub corpus: u64,
    /// The number of passages that were compared.
    pub passages: u64,
    /// False where there were more passages or conflicts than are kept, or pairs that a language model did not judge.
    pub is_complete: bool,
    /// The language model that confirmed them; absent where rules found them.
    pub confirmed_by: Option<String>,
}

/// Keeps what the last job found in each knowledge base.
#[async_trait]
pub trait ConflictStore: Send + Sync {
    /// Reads how often the documents of a scope have changed.
    async fn corpus_of(&self, scope: &Scope) -> Result<u64>;

    /// Reads how often the documents have changed, and what the last job found.
    async fn conflicts(&self, scope: &Scope) -> Result<(u64, Option<FoundConflicts>)>;

    /// Keeps what a job found, in place of what was kept before.
    async fn keep_conflicts(&self, scope: &Scope, found: &FoundConflicts) -> Result<()>;
}
