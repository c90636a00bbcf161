//! API keys, all in one partition: few enough to be listed at once.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use model::Result;
use ports::{ApiKeys, StoredKey};

use super::answer::seconds;
use super::{Item, Table, attribute, keyed, read, text};

/// The partition of all keys.
const KEYS: &str = "KEY#ALL";

/// The beginning of their sort keys.
const KEY: &str = "KEY#";

/// The time for which a key is listed after its end.
const LISTED: SignedDuration = SignedDuration::from_hours(90 * 24);

#[async_trait]
impl ApiKeys for Table {
    async fn add_key(&self, stored: &StoredKey) -> Result<()> {
        let mut item = keyed(key(&stored.key.key_id), stored)?;
        item.insert("expires_at".into(), seconds(stored.key.ends_at + LISTED));
        self.put(item).await
    }

    async fn api_key(&self, id: &str) -> Result<Option<StoredKey>> {
        self.item(key(id)).await?.map(read).transpose()
    }

    async fn api_keys(&self) -> Result<Vec<StoredKey>> {
        let items = self.all_below(KEYS, KEY).await?;
        items.into_iter().map(read).collect()
    }

    async fn note_key_use(&self, id: &str, at: Timestamp) -> Result<()> {
        let values = Item::from([(":at".into(), attribute(&at)?)]);
        self.set(id, "SET last_used_at = :at", values).await.map(drop)
    }

    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool> {
        let until = seconds(at + LISTED);
        let values = Item::from([(":at".into(), attribute(&at)?), (":until".into(), until)]);
        self.set(id, "SET revoked_at = :at, expires_at = :until", values).await
    }
}

impl Table {
    /// Changes a key; false if there is no such key.
    async fn set(&self, id: &str, set: &str, values: Item) -> Result<bool> {
        self.apply(self.change(key(id), set, "attribute_exists(pk)", values)?).await
    }
}

fn key(id: &str) -> Item {
    Item::from([("pk".into(), text(KEYS)), ("sk".into(), text(format!("{KEY}{id}")))])
}
