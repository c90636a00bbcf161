//! A scope's corpus counter, which each change of its documents increments. It is the sum of a few
//! items, because `DynamoDB` refuses transactions that write the same item at once.

use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{TransactWriteItem, Update};
use model::Result;
use ports::scope::Scope;

use super::answer::whole;
use super::project::text_of;
use super::{Item, Table, number, partition, text, write};

/// The number of items. A question that may be answered from a cache reads all of them.
const PARTS: usize = 4;

/// Begins the sort key of each part.
pub(super) const KIND: &str = "CORPUS#";

/// Returns the keys of the parts of a scope's counter.
pub(super) fn keys(scope: &Scope) -> Vec<Item> {
    (0..PARTS).map(|part| key(scope, part)).collect()
}

fn key(scope: &Scope, part: usize) -> Item {
    Item::from([("pk".into(), partition(scope)), ("sk".into(), text(format!("{KIND}{part}")))])
}

/// Returns the sum of the parts of a scope's counter that are among `items`; 0 if there is none.
pub(super) fn version(scope: &Scope, items: &[Item]) -> u64 {
    let partition = partition(scope);
    let is_part = |item: &&Item| {
        item.get("pk") == Some(&partition)
            && text_of(item, "sk").is_some_and(|key| key.starts_with(KIND))
    };
    items.iter().filter(is_part).filter_map(|item| whole(item, "version")).sum()
}

impl Table {
    /// Does `first` and increments the scope's counter, both or neither. Returns true if the
    /// condition held.
    pub(super) async fn and_count(&self, scope: &Scope, first: TransactWriteItem) -> Result<bool> {
        self.all_and_count(scope, vec![first]).await
    }

    /// Carries out all steps and increments the scope's counter, or neither. Returns true if the
    /// conditions held.
    pub(super) async fn all_and_count(
        &self,
        scope: &Scope,
        mut steps: Vec<TransactWriteItem>,
    ) -> Result<bool> {
        let counter = write::built(self.counter(scope, fastrand::usize(..PARTS)).build())?;
        steps.push(TransactWriteItem::builder().update(counter).build());
        Ok(self.transact(steps).await?.is_none())
    }

    /// Increments the scope's counter if it has any part.
    pub(super) async fn count_if_there(&self, scope: &Scope) -> Result<()> {
        let first = fastrand::usize(..PARTS);
        for part in (first..first + PARTS).map(|part| part % PARTS) {
            let counter = self.counter(scope, part).condition_expression("attribute_exists(pk)");
            if self.apply(write::built(counter.build())?).await? {
                break;
            }
        }
        Ok(())
    }

    fn counter(&self, scope: &Scope, part: usize) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(scope, part)))
            .update_expression("ADD version :one")
            .expression_attribute_values(":one", number(1))
    }
}
