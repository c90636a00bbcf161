//! Work that a request leaves to be done later.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::trial::ModelPart;

use crate::scope::Scope;
use model::Result;

/// Something to do later; it is done at least once, and tried again for a while where it fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Task {
    /// Do what is pending of a decision.
    Decision {
        /// The project, a ULID.
        project_id: String,
        /// The decision, a ULID.
        decision_id: String,
    },
    /// Mark the decisions that rest on passages which a document has no more.
    Watch {
        /// Among whose documents it stands, or stood.
        scope: Scope,
        /// The document.
        document_id: Uuid,
        /// When it changed or went.
        since: Timestamp,
    },
    /// Try the chat model.
    Trial {
        /// In which parts, one after another.
        parts: Vec<ModelPart>,
    },
}

/// Takes tasks.
#[async_trait]
pub trait Tasks: Send + Sync {
    /// Takes all of them, or says what failed; then some may have been taken.
    async fn send(&self, tasks: &[Task]) -> Result<()>;
}
