//! Removals from the table, and the list of what should have come to an end.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{
    Delete, DeleteRequest, ReturnValue, TransactWriteItem, WriteRequest,
};
use model::Result;
use ports::scope::Scope;
use ports::{DocumentCleanup, Documents, Page, Record, Status, Unfinished};
use uuid::Uuid;

use super::project::text_of;
use super::write::built;
use super::{
    Item, Table, UNFINISHED, answer, attribute, case, corpus, failed, key, pending, read,
    storage_quota, text,
};

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
        if self.all_and_count(scope, steps).await? { Ok(()) } else { self.touch(scope).await }
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
        self.delete_item(corpus(scope)).await.map(drop)
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
        // What follows a whole key stands above it and below the next one.
        let low = after.map_or("0".to_owned(), |after| format!("{after}!"));
        let query = self
            .index(UNFINISHED, limit)
            .key_condition_expression("gsi1pk = :partition AND gsi1sk BETWEEN :low AND :before")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":before", text(before));
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let found = page.items.unwrap_or_default();
        let last = found.last().and_then(|item| text_of(item, "gsi1sk")).map(str::to_owned);
        let items = found.into_iter().map(unfinished).collect::<Result<_>>()?;
        Ok(Page { items, next: last.filter(|_| more) })
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

fn unfinished(item: Item) -> Result<Unfinished> {
    match case::id_of(&item).map(Unfinished::Case).or_else(|| pending::unfinished(&item)) {
        Some(unfinished) => Ok(unfinished),
        None => read(item).map(Box::new).map(Unfinished::Document),
    }
}
