//! The documents' table in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use super::requests::FakeRequests;
use model::Result;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Charge, Documents, Guard, Kept, Live, Page, Record, Requests, Status, Tries, Written};

mod cleanup;

/// Records by scope and id.
#[derive(Debug, Default)]
pub struct FakeDocuments {
    records: Mutex<BTreeMap<(Scope, Uuid), Record>>,
    deleted: Mutex<BTreeMap<(Scope, Uuid), Record>>,
    counters: Mutex<BTreeMap<Scope, u64>>,
    cached: Mutex<BTreeMap<Scope, u32>>,
    /// The documents whose answers were forgotten.
    pub forgotten: Mutex<Vec<(Scope, Uuid)>>,
    requests: FakeRequests,
    tries: Mutex<BTreeMap<Upload, u32>>,
    /// The record that another caller announces right before the next announcement.
    pub crossing: Mutex<Option<Record>>,
    /// Decisions with pending work, each with its project.
    pub pending: Mutex<Vec<[String; 2]>>,
}

impl FakeDocuments {
    /// Changes a record if `is_due` holds, and returns true if it did.
    fn change(
        &self,
        (scope, document): (&Scope, Uuid),
        is_due: impl FnOnce(&Record) -> bool,
        change: impl FnOnce(&mut Record),
    ) -> bool {
        let mut records = self.records.lock().unwrap();
        let record = records.get_mut(&(scope.clone(), document));
        let due = record.filter(|record| is_due(record));
        due.map(change).is_some()
    }

    fn move_counter(&self, scope: &Scope) {
        *self.counters.lock().unwrap().entry(scope.clone()).or_default() += 1;
    }

    /// Returns the number of changes that the scope's corpus counter shows.
    pub fn counted(&self, scope: &Scope) -> u64 {
        self.counters.lock().unwrap().get(scope).copied().unwrap_or_default()
    }

    /// Adds `count` cached answers.
    pub fn cache(&self, scope: &Scope, count: u32) {
        self.cached.lock().unwrap().insert(scope.clone(), count);
    }
}

/// Returns the records of a scope by id, at most `limit` of those after `after`.
fn page(
    records: &BTreeMap<(Scope, Uuid), Record>,
    scope: &Scope,
    limit: u32,
    after: Option<Uuid>,
) -> Page<Record> {
    let rest = records.values().filter(|record| {
        record.scope == *scope && after.is_none_or(|after| record.document_id > after)
    });
    let mut items: Vec<Record> = rest.take(limit as usize + 1).cloned().collect();
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next = items.last().filter(|_| more).map(|record| record.document_id);
    Page { items, next }
}

#[async_trait]
impl Requests for FakeDocuments {
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>> {
        self.requests.kept(user, key, now).await
    }
}

#[async_trait]
impl Tries for FakeDocuments {
    async fn begin(&self, upload: &Upload) -> Result<u32> {
        let mut tries = self.tries.lock().unwrap();
        let count = tries.entry(upload.clone()).or_default();
        *count += 1;
        Ok(*count)
    }

    async fn end(&self, upload: &Upload) -> Result<()> {
        self.tries.lock().unwrap().remove(upload);
        Ok(())
    }
}

#[async_trait]
impl Documents for FakeDocuments {
    async fn touch(&self, scope: &Scope) -> Result<()> {
        if let Some(counter) = self.counters.lock().unwrap().get_mut(scope) {
            *counter += 1;
        }
        Ok(())
    }

    async fn announce(&self, record: &Record, guard: Option<&Guard>) -> Result<Written> {
        let mut records = self.records.lock().unwrap();
        let key = (record.scope.clone(), record.document_id);
        let known = records.get(&key).cloned();
        if known.as_ref().is_some_and(|known| known.version > record.version) {
            return Ok(Written::Stale);
        }
        if self.requests.repeats(guard) {
            return Ok(Written::Repeated);
        }
        let record = match known {
            Some(Record { live, deleted, first, version: prior, .. }) => {
                Record { deleted, first, prior, live, ..record.clone() }
            }
            None => Record {
                first: record.version.clone(),
                prior: record.version.clone(),
                ..record.clone()
            },
        };
        records.insert(key, record);
        Ok(Written::Done)
    }

    async fn announce_within(
        &self,
        record: &Record,
        charge: Charge<'_>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let crossing = self.crossing.lock().unwrap().take();
        if let Some(other) = crossing {
            self.announce(&other, None).await?;
        }
        let (used, there) = {
            let records = self.records.lock().unwrap();
            let others = records.values().filter(|value| value.scope == record.scope);
            let bytes: Vec<u64> = others.map(|other| other.bytes).collect();
            let there = records.get(&(record.scope.clone(), record.document_id));
            (
                (bytes.len() as u64, bytes.iter().sum::<u64>()),
                there.map(|there| there.version.clone()),
            )
        };
        if there != charge.known.map(|known| known.version.clone()) {
            return Ok(Written::Stale);
        }
        let (documents, bytes) = (charge.documents(), charge.bytes(record));
        let is_over = used.0 + documents > charge.quota.documents
            || used.1.saturating_add_signed(bytes) > charge.quota.bytes;
        if (documents > 0 || bytes > 0) && is_over {
            return Err(charge.quota.full());
        }
        self.announce(record, guard).await
    }

    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        Ok(self.records.lock().unwrap().get(&(scope.clone(), document)).cloned())
    }

    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        Ok(page(&self.records.lock().unwrap(), scope, limit, after))
    }

    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()> {
        let is_due = |record: &Record| record.version == version;
        self.change((scope, document), is_due, |record| record.status = status.clone());
        Ok(())
    }

    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<bool> {
        let is_due = |record: &Record| {
            let is_later = |known: &Live| known.version > live.version;
            !record.live.as_ref().is_some_and(is_later) && !record.is_deleted_since(&live.version)
        };
        let is_settled = self.change((scope, document), is_due, |record| {
            if record.version == live.version {
                record.status = Status::Indexed;
            }
            record.live = Some(live.clone());
        });
        if is_settled {
            self.move_counter(scope);
        }
        Ok(is_settled)
    }

    async fn begin_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        is_final: bool,
    ) -> Result<bool> {
        let is_due = |record: &Record| record.version.as_str() <= version;
        let is_deleted = self.change((scope, document), is_due, |record| {
            record.status = Status::Deleting;
            record.version = version.into();
            record.deleted = Some(version.into());
            record.kept = record.live.take();
            record.is_final = is_final;
        });
        if is_deleted {
            self.move_counter(scope);
        }
        Ok(is_deleted)
    }

    async fn deleted(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        Ok(self.deleted.lock().unwrap().get(&(scope.clone(), document)).cloned())
    }
}
