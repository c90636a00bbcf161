//! What takes away what somebody deleted.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Documents, Page, Publisher, Record};
use crate::scope::Scope;
use model::Result;
use model::object::Upload;

/// Something to take away; all of it is done at least once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Removal {
    /// A document, up to the version of its deletion.
    Document(Upload),
    /// All that a closing case has.
    Case {
        /// The case.
        case_id: String,
    },
    /// What nothing belongs to any more.
    Orphans(Orphans),
}

/// Where orphans are looked for, and after what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Orphans {
    /// Among the points of the index.
    Points(Option<Uuid>),
    /// Among the files, by key.
    Files(Option<String>),
    /// Among what was begun and never came to an end.
    Unfinished(Option<String>),
}

/// Takes removals for later.
#[async_trait]
pub trait Removals: Send + Sync {
    /// Takes all of them, or says what failed; then some may have been taken.
    async fn send(&self, removals: &[Removal]) -> Result<()>;
}

/// Something that was begun and has not come to an end.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfinished {
    /// A document that is waiting, being read or being deleted.
    Document(Box<Record>),
    /// A case that is closing.
    Case(String),
    /// A decision of which something is pending.
    Decision {
        /// Its project.
        project: String,
        /// The decision.
        decision: String,
    },
}

/// Takes away what is kept of documents.
#[async_trait]
pub trait DocumentCleanup: Documents {
    /// Forgets a document that is being deleted, unless it was announced anew since its deletion at `version`. Either
    /// way the scope's corpus counter moves, where there is one.
    async fn finish_deletion(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()>;

    /// Forgets a document of a scope that goes as a whole. Whether there was one.
    async fn delete_record(&self, scope: &Scope, document: Uuid) -> Result<bool>;

    /// Takes up to `limit` answers and vectors away that were kept for a while. How many that were.
    async fn delete_cached(&self, scope: &Scope, limit: u32) -> Result<u32>;

    /// Forgets the corpus counter of a scope that is gone.
    async fn delete_corpus_counter(&self, scope: &Scope) -> Result<()>;

    /// Gives those of the documents that there are, in no order.
    async fn documents_named(&self, documents: &[(Scope, Uuid)]) -> Result<Vec<Record>>;

    /// Lists what was begun before the ULID `before`, the oldest first, after `after`.
    async fn unfinished(
        &self,
        before: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Unfinished, String>>;
}

/// Where a version of a document has points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The point's id.
    pub point: Uuid,
    /// The scope, the document and the version.
    pub of: Upload,
    /// Whether searches see it.
    pub is_live: bool,
}

/// Takes points away that belong to nothing.
#[async_trait]
pub trait IndexCleanup: Publisher {
    /// Takes all points of a scope away. How many that were.
    async fn delete_scope(&self, scope: &Scope) -> Result<u64>;

    /// Takes the points of one version of a document away.
    async fn delete_version(&self, upload: &Upload) -> Result<()>;

    /// Lists the points that tell where documents are, each document's own point and all that searches do not see, by
    /// id, after `after`. Decisions are no documents.
    async fn traces(&self, limit: u32, after: Option<Uuid>) -> Result<Page<Trace>>;
}
