//! Removals: the work that follows after something is deleted.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Documents, Page, Publisher, Record};
use crate::scope::Scope;
use model::Result;
use model::object::Upload;

/// Something to remove. All of it is removed at least once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Removal {
    /// A document, up to the version of its deletion.
    Document(Upload),
    /// All data of a closing case.
    Case {
        /// The case.
        case_id: String,
    },
    /// A user: their documents, and their place in cases and projects.
    User {
        /// The subject of the user's tokens.
        user: String,
    },
    /// The orphans, which belong to nothing any more.
    Orphans(Orphans),
}

/// The place of a sweep for orphans, with the key after which it continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Orphans {
    /// The points of the index.
    Points(Option<Uuid>),
    /// The files, by key.
    Files(Option<String>),
    /// The work that was begun and never finished.
    Unfinished(Option<String>),
}

/// Accepts removals for later.
#[async_trait]
pub trait Removals: Send + Sync {
    /// Accepts all of them, or returns an error; then some may have been accepted.
    async fn send(&self, removals: &[Removal]) -> Result<()>;
}

/// Work that was begun and is not finished.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfinished {
    /// A document that is waiting, being read or being deleted.
    Document(Box<Record>),
    /// A case that is closing.
    Case(String),
    /// A decision with pending work.
    Decision {
        /// Its project.
        project: String,
        /// The id of the decision.
        decision: String,
    },
}

/// Removes the stored data of documents.
#[async_trait]
pub trait DocumentCleanup: Documents {
    /// Removes a document that is being deleted, unless it was announced again since its deletion
    /// at `version`, and remembers until `until` that it was deleted. The scope's corpus counter is
    /// incremented in both cases, if there is one.
    async fn finish_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        until: Timestamp,
    ) -> Result<()>;

    /// Lists the deleted documents of a scope that are remembered, by id, after `after`.
    async fn all_deleted(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>>;

    /// Records that nothing of a deleted document can be restored. Returns false if none is
    /// remembered.
    async fn make_final(&self, scope: &Scope, document: Uuid) -> Result<bool>;

    /// Forgets a document that was deleted, since it was restored.
    async fn forget_deleted(&self, scope: &Scope, document: Uuid) -> Result<()>;

    /// Removes a document of a scope that is removed as a whole. Returns true if there was one.
    async fn delete_record(&self, scope: &Scope, document: Uuid) -> Result<bool>;

    /// Removes the answers of a scope that are kept and cite a document, and all that may be given
    /// again from its cache.
    async fn forget_answers(&self, scope: &Scope, document: Uuid) -> Result<()>;

    /// Removes up to `limit` cached answers and vectors, and returns their number.
    async fn delete_cached(&self, scope: &Scope, limit: u32) -> Result<u32>;

    /// Removes the corpus counter of a removed scope.
    async fn delete_corpus_counter(&self, scope: &Scope) -> Result<()>;

    /// Returns those of the documents that exist or whose deletion is remembered, in no order.
    async fn documents_named(&self, documents: &[(Scope, Uuid)]) -> Result<Vec<Record>>;

    /// Lists the work that was begun before the ULID `before`, the oldest first, after `after`.
    async fn unfinished(
        &self,
        before: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Unfinished, String>>;
}

/// The place of points of a document's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The id of the point.
    pub point: Uuid,
    /// The scope, the document and the version.
    pub of: Upload,
    /// True if searches see it.
    pub is_live: bool,
}

/// Removes points that belong to nothing.
#[async_trait]
pub trait IndexCleanup: Publisher {
    /// Removes all points of a scope and returns their number.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] also if a point is left afterwards.
    async fn delete_scope(&self, scope: &Scope) -> Result<u64>;

    /// Lists the points that show where documents are, by id, after `after`: each document's own
    /// point, and all points that searches do not see. Decisions are not documents.
    async fn traces(&self, limit: u32, after: Option<Uuid>) -> Result<Page<Trace>>;
}
