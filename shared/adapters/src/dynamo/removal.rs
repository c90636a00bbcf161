//! Removals from the table, and the list of what should have come to an end.

use std::collections::BTreeSet;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{
    AttributeValue, Delete, DeleteRequest, Put, ReturnValue, TransactWriteItem, WriteRequest,
};
use jiff::Timestamp;
use model::Result;
use ports::scope::Scope;
use ports::{DocumentCleanup, Documents, Page, Record, Status, Unfinished};
use uuid::Uuid;

use super::document::deleted_key;
use super::write::built;
use super::{
    Item, Table, answer, attribute, corpus, failed, key, keyed, read, storage_quota, text,
};

#[async_trait]
impl DocumentCleanup for Table {
    async fn all_deleted(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        self.list(scope, "DELETED#", limit, after.map(|id| deleted_key(scope, id))).await
    }

    async fn make_final(&self, scope: &Scope, document: Uuid) -> Result<bool> {
        let Some(record) = self.deleted(scope, document).await? else { return Ok(false) };
        let bare = Record { is_final: true, ..record }.into_deleted();
        let values = Item::from([
            (":name".into(), text(bare.name)),
            (":none".into(), AttributeValue::Null(true)),
            (":attributes".into(), attribute(&bare.attributes)?),
            (":is_final".into(), AttributeValue::Bool(true)),
        ]);
        let set = "SET #name = :name, content_type = :name, #attributes = :attributes, \
                   kept = :none, is_final = :is_final";
        let key = deleted_key(scope, document);
        self.apply(self.change(key, set, "attribute_exists(pk)", values)?).await
    }

    async fn forget_deleted(&self, scope: &Scope, document: Uuid) -> Result<()> {
        self.delete_item(deleted_key(scope, document)).await.map(drop)
    }

    async fn finish_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        until: Timestamp,
    ) -> Result<()> {
        let Some(record) = self.document(scope, document).await? else {
            return self.count_if_there(scope).await;
        };
        let delete = Delete::builder()
            .table_name(&self.name)
            .set_key(Some(key(scope, document)))
            .condition_expression("version = :version AND #status = :status")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":version", text(version))
            .expression_attribute_values(":status", attribute(&Status::Deleting)?);
        let delete = built(delete.build())?;
        let delete = TransactWriteItem::builder().delete(delete).build();
        let freed = self.freed(&record)?;
        let mut deleted = keyed(deleted_key(scope, document), &record.into_deleted())?;
        deleted.insert("expires_at".into(), AttributeValue::N(until.as_second().to_string()));
        let put = Put::builder().table_name(&self.name).set_item(Some(deleted));
        let put = TransactWriteItem::builder().put(built(put.build())?).build();
        let steps = vec![delete, put, freed];
        if self.all_and_count(scope, steps).await? {
            Ok(())
        } else {
            self.count_if_there(scope).await
        }
    }

    async fn delete_record(&self, scope: &Scope, document: Uuid) -> Result<bool> {
        self.delete_item(key(scope, document)).await
    }

    async fn delete_cached(&self, scope: &Scope, limit: u32) -> Result<u32> {
        let query = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", text(format!("CACHE#{scope}")));
        let query = query
            .consistent_read(true)
            .projection_expression("pk, sk")
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let keys = query.send().await.map_err(failed)?.items.unwrap_or_default();
        let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        self.delete_with_kept(keys).await?;
        Ok(count)
    }

    async fn forget_answers(&self, scope: &Scope, document: Uuid) -> Result<()> {
        let keys = self.answers_with(scope, document).await?;
        self.delete_with_kept(keys).await
    }

    async fn delete_corpus_counter(&self, scope: &Scope) -> Result<()> {
        self.delete_item(storage_quota::held(scope)).await?;
        for part in corpus::keys(scope) {
            self.delete_item(part).await?;
        }
        Ok(())
    }

    async fn documents_named(&self, documents: &[(Scope, Uuid)]) -> Result<Vec<Record>> {
        let keys = documents.iter().map(|(scope, document)| key(scope, *document)).collect();
        let items = self.batch(keys).await?.into_iter();
        let mut found: Vec<Record> = items.map(read).collect::<Result<_>>()?;
        let known: BTreeSet<(Scope, Uuid)> =
            found.iter().map(|record| (record.scope.clone(), record.document_id)).collect();
        let missing = documents.iter().filter(|one| !known.contains(one));
        let keys: Vec<Item> = missing.map(|(scope, id)| deleted_key(scope, *id)).collect();
        if !keys.is_empty() {
            let deleted = self.batch(keys).await?.into_iter().map(read);
            found.extend(deleted.collect::<Result<Vec<Record>>>()?);
        }
        Ok(found)
    }

    async fn unfinished(
        &self,
        before: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Unfinished, String>> {
        self.list_unfinished(before, limit, after).await
    }
}

impl Table {
    /// Deletes an item. Returns true if it was there.
    pub(super) async fn delete_item(&self, key: Item) -> Result<bool> {
        let request = self.client.delete_item().table_name(&self.name).set_key(Some(key));
        let answer = request.return_values(ReturnValue::AllOld).send().await.map_err(failed)?;
        Ok(answer.attributes.is_some())
    }
}

impl Table {
    /// Deletes items of caches, and before each of them the answer that it points to.
    pub(super) async fn delete_with_kept(&self, keys: Vec<Item>) -> Result<()> {
        let kept: Vec<Item> = keys.iter().filter_map(answer::pointed).collect();
        self.delete_all(kept).await?;
        self.delete_all(keys).await
    }

    /// Deletes the items with these keys.
    pub(super) async fn delete_all(&self, keys: Vec<Item>) -> Result<()> {
        let delete = |key| {
            let delete = built(DeleteRequest::builder().set_key(Some(key)).build())?;
            Ok(WriteRequest::builder().delete_request(delete).build())
        };
        let deletes: Vec<WriteRequest> = keys.into_iter().map(delete).collect::<Result<_>>()?;
        self.write_batch(&deletes).await
    }
}
