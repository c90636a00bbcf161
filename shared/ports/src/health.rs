//! The health of services, and the access to their original passages.

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use crate::scope::Grant;
use model::Result;
use model::document::Passage;

/// The contents of a service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// The number of its items, as far as it counts them.
    pub items: u64,
    /// The settings in which it differs from what this deployment would make, with both values.
    pub differs: Vec<String>,
    /// The time of its newest snapshot, if it makes any.
    pub snapshot_at: Option<Timestamp>,
}

/// Reports the health of a service.
#[async_trait]
pub trait Standing: Send + Sync {
    /// Returns the service's name, such as that of the collection.
    fn name(&self) -> String;

    /// Returns the time until which the key is good that opens it, where there is one that tells.
    fn key_ends(&self) -> Option<Timestamp> {
        None
    }

    /// Returns what it has; `None` if the table or collection does not exist yet.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] if the service does not answer or cannot be used.
    async fn contents(&self) -> Result<Option<Contents>>;
}

/// Stores passages with their secrets.
#[async_trait]
pub trait Originals: Send + Sync {
    /// Returns a passage as it was uploaded, including secrets. `None` if it does not exist or is
    /// not granted.
    async fn original(&self, grant: &Grant, passage: Uuid) -> Result<Option<Passage>>;
}
