//! API keys in memory, and the contract of their store.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use ports::{ApiKeys, StoredKey};
use wire::keys::{Key, KeyScope};

/// Keys by their ids.
#[derive(Debug, Default)]
pub struct FakeKeys(Mutex<BTreeMap<String, StoredKey>>);

impl FakeKeys {
    fn change(&self, id: &str, change: impl FnOnce(&mut Key)) -> bool {
        self.0.lock().unwrap().get_mut(id).map(|stored| change(&mut stored.key)).is_some()
    }
}

#[async_trait]
impl ApiKeys for FakeKeys {
    async fn add_key(&self, key: &StoredKey) -> Result<()> {
        self.0.lock().unwrap().insert(key.key.key_id.clone(), key.clone());
        Ok(())
    }

    async fn api_key(&self, id: &str) -> Result<Option<StoredKey>> {
        Ok(self.0.lock().unwrap().get(id).cloned())
    }

    async fn api_keys(&self) -> Result<Vec<StoredKey>> {
        Ok(self.0.lock().unwrap().values().cloned().collect())
    }

    async fn note_key_use(&self, id: &str, at: Timestamp) -> Result<()> {
        self.change(id, |key| key.last_used_at = Some(at));
        Ok(())
    }

    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool> {
        Ok(self.change(id, |key| key.revoked_at = Some(at)))
    }
}

/// Checks the contract of a store of API keys.
pub async fn keys_contract(keys: &dyn ApiKeys) {
    let time = |text: &str| text.parse::<Timestamp>().unwrap();
    let stored = |id: &str| StoredKey {
        key: Key {
            key_id: id.into(),
            name: "nightly ingest".into(),
            scopes: vec![KeyScope::Read, KeyScope::Write],
            groups: vec!["EU, ops".into()],
            made_by: "ann".into(),
            made_at: time("2026-11-30T10:00:00.25Z"),
            ends_at: time("2027-02-28T10:00:00.25Z"),
            last_used_at: None,
            revoked_at: None,
        },
        hash: format!("hash of {id}"),
    };
    let (one, other) = (stored("01ONE"), stored("01OTHER"));
    let (used, revoked) = (time("2026-12-01T00:00:00Z"), time("2026-12-02T00:00:00Z"));
    assert_eq!(keys.api_key("01ONE").await.unwrap(), None);
    assert!(!keys.revoke_key("01ONE", revoked).await.unwrap());
    let _ = keys.note_key_use("01ONE", used).await;
    assert_eq!(keys.api_keys().await.unwrap(), [], "what is not there is not made by a use");
    keys.add_key(&one).await.unwrap();
    keys.add_key(&other).await.unwrap();
    assert_eq!(keys.api_key("01ONE").await.unwrap(), Some(one.clone()));
    keys.note_key_use("01ONE", used).await.unwrap();
    assert!(keys.revoke_key("01ONE", revoked).await.unwrap());
    let mut changed = one;
    (changed.key.last_used_at, changed.key.revoked_at) = (Some(used), Some(revoked));
    let mut all = keys.api_keys().await.unwrap();
    all.sort_by(|a, b| a.key.key_id.cmp(&b.key.key_id));
    assert_eq!(all, [changed, other], "nothing but the one key changes");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_keeps_the_contract() {
        pollster::block_on(keys_contract(&FakeKeys::default()));
    }
}
