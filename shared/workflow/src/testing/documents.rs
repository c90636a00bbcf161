//! The documents' table in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use uuid::Uuid;

use crate::Result;
use crate::ports::{Documents, Live, Page, Record, Status};
use crate::scope::Scope;

/// Records by scope and id.
#[derive(Debug, Default)]
pub struct FakeDocuments(Mutex<BTreeMap<(Scope, Uuid), Record>>);

impl FakeDocuments {
    fn change(&self, scope: &Scope, document: Uuid, change: impl FnOnce(&mut Record)) {
        let mut records = self.0.lock().unwrap();
        if let Some(record) = records.get_mut(&(scope.clone(), document)) {
            change(record);
        }
    }
}

#[async_trait]
impl Documents for FakeDocuments {
    async fn announce(&self, record: &Record) -> Result<()> {
        let mut records = self.0.lock().unwrap();
        let live = records
            .get(&(record.scope.clone(), record.document_id))
            .and_then(|record| record.live.clone());
        records
            .insert((record.scope.clone(), record.document_id), Record { live, ..record.clone() });
        Ok(())
    }

    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        Ok(self.0.lock().unwrap().get(&(scope.clone(), document)).cloned())
    }

    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        let records = self.0.lock().unwrap();
        let rest = records.values().filter(|record| {
            record.scope == *scope && after.is_none_or(|after| record.document_id > after)
        });
        let mut items: Vec<Record> = rest.take(limit as usize + 1).cloned().collect();
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|record| record.document_id);
        Ok(Page { items, next })
    }

    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()> {
        self.change(scope, document, |record| {
            if record.version == version {
                record.status = status.clone();
            }
        });
        Ok(())
    }

    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<()> {
        self.change(scope, document, |record| {
            if record.live.as_ref().is_some_and(|own| own.version > live.version) {
                return;
            }
            if record.version == live.version {
                record.status = Status::Indexed;
            }
            record.live = Some(live.clone());
        });
        Ok(())
    }
}
