//! Work that a request leaves for later.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wire::trial::ModelPart;

use crate::scope::Scope;
use model::Result;

/// Something to do later. It is done at least once, and a failed task is repeated for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Task {
    /// Do the pending work of a decision.
    Decision {
        /// The project, a ULID.
        project_id: String,
        /// The decision, a ULID.
        decision_id: String,
    },
    /// Mark the decisions that cite passages which a document does not contain any more.
    Watch {
        /// The scope of the document.
        scope: Scope,
        /// The document.
        document_id: Uuid,
        /// The time of the change or deletion.
        since: Timestamp,
    },
    /// Bring what alerts added to a case to where it is told: its records and messages.
    Alerts {
        /// The route of the alerts.
        route: String,
        /// The case, a ULID.
        case_id: String,
    },
    /// Bring a digest of a project to where the routes that name the project tell of it.
    Digest {
        /// The project, a ULID.
        project_id: String,
        /// The name of the digest's period.
        period: String,
    },
    /// Give the collection of the index the settings that it would be made with now.
    Configure {},
    /// Try the chat model.
    Trial {
        /// The parts to try, one after another.
        parts: Vec<ModelPart>,
    },
}

/// Accepts tasks.
#[async_trait]
pub trait Tasks: Send + Sync {
    /// Accepts all of them, or returns an error; then some may have been accepted.
    async fn send(&self, tasks: &[Task]) -> Result<()>;
}

/// The seconds for which messages are hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenFor {
    /// The seconds at a time while a message is handled; 0 if only the queue hides it.
    pub hold: u32,
    /// The seconds after the first failed try; each further one doubles them.
    pub retry: u32,
}
