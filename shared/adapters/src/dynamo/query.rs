//! Queries of a partition of the table or of its index.

use std::ops::RangeInclusive;

use model::Result;
use ports::Span;
use serde::de::DeserializeOwned;

use super::project::{key, partition};
use super::{Item, Table, failed, read, text};

impl Table {
    /// Reads the newest entries of a kind within `span`.
    pub(super) async fn newest<T: DeserializeOwned>(
        &self,
        project: &str,
        kind: &str,
        span: &Span,
        limit: u32,
    ) -> Result<Vec<T>> {
        self.newest_items(project, kind, span, limit).await?.into_iter().map(read).collect()
    }

    pub(super) async fn newest_items(
        &self,
        project: &str,
        kind: &str,
        span: &Span,
        limit: u32,
    ) -> Result<Vec<Item>> {
        // What follows a whole key stands above it and below the next one.
        let above = span.above.as_ref().map_or(kind.to_owned(), |above| format!("{kind}{above}!"));
        let start = span.below.as_ref().map(|below| key(project, &format!("{kind}{below}")));
        let keys = above..=format!("{kind}~");
        self.between(&partition(project), keys, false, start, Some(limit)).await
    }

    /// Reads all items whose keys begin with `kind`, in order.
    pub(super) async fn all_below(&self, partition: &str, kind: &str) -> Result<Vec<Item>> {
        let keys = kind.to_owned()..=format!("{kind}\u{10FFFF}");
        self.between(partition, keys, true, None, None).await
    }

    /// Reads items with keys from one end to the other, at most `limit`; `start` itself is left
    /// out. It reads as many pages as that takes: a page has 1 MB at most.
    pub(super) async fn between(
        &self,
        partition: &str,
        keys: RangeInclusive<String>,
        is_forward: bool,
        mut start: Option<Item>,
        limit: Option<u32>,
    ) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            let left = limit
                .map(|limit| limit.saturating_sub(u32::try_from(items.len()).unwrap_or(u32::MAX)));
            if left == Some(0) {
                return Ok(items);
            }
            let query = self
                .client
                .query()
                .table_name(&self.name)
                .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high");
            let query = query
                .expression_attribute_values(":pk", text(partition))
                .expression_attribute_values(":low", text(keys.start()))
                .expression_attribute_values(":high", text(keys.end()));
            let query = query
                .consistent_read(true)
                .scan_index_forward(is_forward)
                .set_exclusive_start_key(start)
                .set_limit(left.and_then(|left| i32::try_from(left).ok()));
            let page = query.send().await.map_err(failed)?;
            items.extend(page.items.unwrap_or_default());
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(items);
            }
        }
    }

    /// Begins a query of a partition of the index.
    pub(super) fn index(
        &self,
        partition: &str,
        limit: u32,
    ) -> aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder {
        let query = self.client.query().table_name(&self.name).index_name("gsi1");
        let query = query.expression_attribute_values(":partition", text(partition));
        query.limit(i32::try_from(limit).unwrap_or(i32::MAX))
    }
}
