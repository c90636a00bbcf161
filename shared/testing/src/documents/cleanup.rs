//! What removals ask of the documents in memory.

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;

use super::{FakeDocuments, page};
use model::Result;
use ports::scope::Scope;
use ports::{DocumentCleanup, Documents, Page, Record, Status, Unfinished};

#[async_trait]
impl DocumentCleanup for FakeDocuments {
    async fn all_deleted(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        Ok(page(&self.deleted.lock().unwrap(), scope, limit, after))
    }

    async fn make_final(&self, scope: &Scope, document: Uuid) -> Result<bool> {
        let mut deleted = self.deleted.lock().unwrap();
        let Some(record) = deleted.get_mut(&(scope.clone(), document)) else { return Ok(false) };
        *record = Record { is_final: true, ..record.clone() }.into_deleted();
        Ok(true)
    }

    async fn forget_deleted(&self, scope: &Scope, document: Uuid) -> Result<()> {
        self.deleted.lock().unwrap().remove(&(scope.clone(), document));
        Ok(())
    }

    async fn finish_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        _: Timestamp,
    ) -> Result<()> {
        self.touch(scope).await?;
        let mut records = self.records.lock().unwrap();
        let key = (scope.clone(), document);
        if records
            .get(&key)
            .is_some_and(|record| record.version == version && record.status == Status::Deleting)
        {
            let gone = records.remove(&key).map(Record::into_deleted);
            self.deleted.lock().unwrap().extend(gone.map(|gone| (key, gone)));
        }
        Ok(())
    }

    async fn delete_record(&self, scope: &Scope, document: Uuid) -> Result<bool> {
        Ok(self.records.lock().unwrap().remove(&(scope.clone(), document)).is_some())
    }

    async fn forget_answers(&self, scope: &Scope, document: Uuid) -> Result<()> {
        self.forgotten.lock().unwrap().push((scope.clone(), document));
        Ok(())
    }

    async fn delete_cached(&self, scope: &Scope, limit: u32) -> Result<u32> {
        let mut cached = self.cached.lock().unwrap();
        let Some(left) = cached.get_mut(scope) else { return Ok(0) };
        let taken = limit.min(*left);
        *left -= taken;
        Ok(taken)
    }

    async fn delete_corpus_counter(&self, scope: &Scope) -> Result<()> {
        self.counters.lock().unwrap().remove(scope);
        Ok(())
    }

    async fn documents_named(&self, documents: &[(Scope, Uuid)]) -> Result<Vec<Record>> {
        let records = self.records.lock().unwrap();
        let deleted = self.deleted.lock().unwrap();
        let known = |key| records.get(key).or_else(|| deleted.get(key)).cloned();
        Ok(documents.iter().filter_map(known).collect())
    }

    async fn unfinished(
        &self,
        before: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Unfinished, String>> {
        let records = self.records.lock().unwrap();
        let value = records.values().filter(|record| {
            let is_final = matches!(record.status, Status::Indexed | Status::Failed { .. });
            !is_final && record.version.as_str() < before
        });
        let value =
            value.map(|record| (format!("{}#{}", record.version, record.document_id), record));
        let mut value: Vec<(String, &Record)> =
            value.filter(|(key, _)| after.is_none_or(|after| key.as_str() > after)).collect();
        value.sort_by(|a, b| a.0.cmp(&b.0));
        let more = value.len() > limit as usize;
        value.truncate(limit as usize);
        let next = value.last().filter(|_| more).map(|(key, _)| key.clone());
        let pending = self.pending.lock().unwrap().clone();
        let pending = pending.into_iter().filter(|_| after.is_none());
        let decisions =
            pending.map(|[project, decision]| Unfinished::Decision { project, decision });
        let documents = value.into_iter().map(|(_, x)| Unfinished::Document(Box::new(x.clone())));
        Ok(Page { items: decisions.chain(documents).collect(), next })
    }
}
