//! Earlier requests in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::Timestamp;

use model::Result;
use ports::{Guard, Kept, Requests};

/// Guards by user and key.
#[derive(Debug, Default)]
pub(super) struct FakeRequests(Mutex<BTreeMap<(String, String), Guard>>);

impl FakeRequests {
    /// Returns true if the request of `guard` was done before, and records it.
    pub(super) fn repeats(&self, guard: Option<&Guard>) -> bool {
        let Some(guard) = guard else { return false };
        let mut kept = self.0.lock().unwrap();
        let key = (guard.user.clone(), guard.key.clone());
        let is_kept = kept.get(&key).is_some_and(|kept| kept.until > guard.at);
        if !is_kept {
            kept.insert(key, guard.clone());
        }
        is_kept
    }
}

#[async_trait]
impl Requests for FakeRequests {
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>> {
        let kept = self.0.lock().unwrap();
        let kept = kept.get(&(user.into(), key.into())).filter(|kept| kept.until > now);
        Ok(kept.map(|kept| Kept { hash: kept.hash.clone(), answer: kept.answer.clone() }))
    }
}
