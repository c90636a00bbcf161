//! Removals from the table, and the list of what should have come to an end.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{
    Delete, DeleteRequest, ReturnValue, TransactWriteItem, WriteRequest,
};
use model::Result;
use ports::scope::Scope;
use ports::{DocumentCleanup, Page, Record, Status, Unfinished};
use uuid::Uuid;

use super::write::built;
use super::{Item, Table, answer, attribute, corpus, failed, key, read, storage_quota, text};

#[async_trait]
impl DocumentCleanup for Table {
    async fn finish_deletion(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()> {
        let delete = Delete::builder()
            .table_name(&self.name)
            .set_key(Some(key(scope, document)))
            .condition_expression("version = :version AND #status = :status")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":version", text(version))
            .expression_attribute_values(":status", attribute(&Status::Deleting)?);
        let delete = built(delete.build())?;
        let step = TransactWriteItem::builder().delete(delete).build();
        let steps = std::iter::once(step).chain(self.freed(scope, document).await?).collect();
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
        // The answer that a pointer names goes before the pointer.
        let kept: Vec<Item> = keys.iter().filter_map(answer::pointed).collect();
        for keys in [kept, keys] {
            let delete = |key| {
                let delete = built(DeleteRequest::builder().set_key(Some(key)).build())?;
                Ok(WriteRequest::builder().delete_request(delete).build())
            };
            let deletes: Vec<WriteRequest> = keys.into_iter().map(delete).collect::<Result<_>>()?;
            self.write_batch(&deletes).await?;
        }
        Ok(count)
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
        self.batch(keys).await?.into_iter().map(read).collect()
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
