//! API keys.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::keys::Key;

use model::Result;

/// A key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredKey {
    /// The key without its secret.
    #[serde(flatten)]
    pub key: Key,
    /// The SHA-256 of the whole token, in hexadecimal digits.
    pub hash: String,
}

/// Stores API keys. A key is forgotten 90 days after its end.
#[async_trait]
pub trait ApiKeys: Send + Sync {
    /// Stores a new key.
    async fn add_key(&self, key: &StoredKey) -> Result<()>;

    /// Returns a key.
    async fn api_key(&self, id: &str) -> Result<Option<StoredKey>>;

    /// Returns all keys, in any order.
    async fn api_keys(&self) -> Result<Vec<StoredKey>>;

    /// Notes that a key was used. A key that is not there stays so.
    async fn note_key_use(&self, id: &str, at: Timestamp) -> Result<()>;

    /// Revokes a key, for the first time or again; false if there is none.
    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool>;
}
