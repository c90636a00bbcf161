//! How services stand, and what they hold as it was uploaded.

use async_trait::async_trait;
use uuid::Uuid;

use crate::scope::Grant;
use model::Result;
use model::document::Chunk;

/// Tells how a service stands.
#[async_trait]
pub trait Standing: Send + Sync {
    /// Its name, such as that of the collection.
    fn name(&self) -> String;

    /// How many items it has, as far as it counts them; `None` where what holds them is not there yet.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] where it does not answer or cannot be used.
    async fn count(&self) -> Result<Option<u64>>;
}

/// Has passages with the secrets in them.
#[async_trait]
pub trait Originals: Send + Sync {
    /// Gives a passage as it was uploaded, secrets and all. `None` where it is not there, or not granted.
    async fn original(&self, grant: &Grant, chunk: Uuid) -> Result<Option<Chunk>>;
}
