//! Writes that happen as a whole or not at all.

use std::time::Duration;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    AttributeValue, Delete, Put, ReturnValue, TransactWriteItem, Update, WriteRequest,
};
use model::{Error, Result};
use ports::{Guard, Written};

use super::{Item, SERVICE, Table, failed, number, text};

/// One part of a write.
pub(super) enum Step {
    /// An item that must not be there.
    New(Item),
    /// An item in place of the one with this version.
    InPlaceOf(u64, Item),
    /// A change of an item that must be there.
    Change { key: Item, expression: &'static str, values: Vec<(&'static str, AttributeValue)> },
    /// An item that must not be there any more.
    Gone(Item),
    /// A change of an item, which is made where it is not there.
    Set { key: Item, expression: &'static str, values: Item },
}

/// The most tries of a write that another one of the same items crosses, or that was left out.
const TRIES: u32 = 6;

/// The reasons for which a transaction is canceled that may be tried again at once.
const PASSING: [&str; 3] =
    ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];

/// The most items of one `BatchWriteItem`.
const BATCH: usize = 25;

impl Table {
    /// Carries out all steps or none; `guard` is the last of them.
    pub(super) async fn carry_out(
        &self,
        steps: Vec<Step>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let items = steps.into_iter().map(|step| self.item_of(step)).collect::<Result<_>>()?;
        self.carry_out_all(items, guard).await
    }

    /// Writes all items or none; `guard` is the last of them.
    pub(super) async fn carry_out_all(
        &self,
        mut items: Vec<TransactWriteItem>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        if let Some(guard) = guard {
            items.push(self.guarded(guard)?);
        }
        let last = items.len() - 1;
        Ok(match self.transact(items).await? {
            None => Written::Done,
            Some(place) if guard.is_some() && place == last => Written::Repeated,
            Some(_) => Written::Stale,
        })
    }

    /// Writes all items or none; then it tells the last one whose condition did not hold.
    pub(super) async fn transact(&self, items: Vec<TransactWriteItem>) -> Result<Option<usize>> {
        for attempt in 1..=TRIES {
            let request =
                self.client.transact_write_items().set_transact_items(Some(items.clone()));
            let error = match request.send().await {
                Ok(_) => return Ok(None),
                Err(SdkError::ServiceError(error)) => error,
                Err(error) => return Err(failed(error)),
            };
            let codes = codes(error.err());
            let refused = codes.iter().rposition(|code| *code == Some("ConditionalCheckFailed"));
            if refused.is_some() {
                return Ok(refused);
            }
            if !codes.iter().flatten().any(|code| PASSING.contains(code)) {
                return Err(failed(SdkError::ServiceError(error)));
            }
            wait(attempt).await;
        }
        Err(crossed())
    }

    /// Puts and deletes items, in one call where they are few. Some may be done where it fails.
    pub(super) async fn write_batch(&self, writes: &[WriteRequest]) -> Result<()> {
        for batch in writes.chunks(BATCH) {
            let mut left = batch.to_vec();
            for attempt in 1..=TRIES {
                let call = self.client.batch_write_item().request_items(&self.name, left);
                let unprocessed = call.send().await.map_err(failed)?.unprocessed_items;
                left = unprocessed.unwrap_or_default().remove(&self.name).unwrap_or_default();
                if left.is_empty() {
                    break;
                }
                wait(attempt).await;
            }
            if !left.is_empty() {
                return Err(Error::unavailable(SERVICE, "it left out writes again and again"));
            }
        }
        Ok(())
    }

    /// Changes one item; whether the condition held.
    pub(super) async fn apply(&self, update: Update) -> Result<bool> {
        self.applied(update).await.map(|changed| changed.is_some())
    }

    /// Changes one item, and gives the attributes that changed as they are since; `None` where the
    /// condition did not hold.
    pub(super) async fn applied(&self, update: Update) -> Result<Option<Item>> {
        let request = self.client.update_item().table_name(&self.name).set_key(Some(update.key));
        let request = request
            .update_expression(update.update_expression)
            .set_condition_expression(update.condition_expression)
            .set_expression_attribute_names(update.expression_attribute_names)
            .set_expression_attribute_values(update.expression_attribute_values)
            .return_values(ReturnValue::UpdatedNew);
        for attempt in 1..=TRIES {
            let error = match request.clone().send().await {
                Ok(changed) => return Ok(Some(changed.attributes.unwrap_or_default())),
                Err(SdkError::ServiceError(error)) => error,
                Err(error) => return Err(failed(error)),
            };
            match error.err() {
                UpdateItemError::ConditionalCheckFailedException(_) => return Ok(None),
                UpdateItemError::TransactionConflictException(_) => wait(attempt).await,
                _ => return Err(failed(SdkError::ServiceError(error))),
            }
        }
        Err(crossed())
    }

    pub(super) fn item_of(&self, step: Step) -> Result<TransactWriteItem> {
        let builder = TransactWriteItem::builder();
        let step = match step {
            Step::New(item) => {
                let put = Put::builder().table_name(&self.name).set_item(Some(item));
                builder.put(built(put.condition_expression("attribute_not_exists(pk)").build())?)
            }
            Step::InPlaceOf(version, item) => {
                let put = Put::builder().table_name(&self.name).set_item(Some(item));
                let put = put.condition_expression("version = :before");
                builder.put(built(
                    put.expression_attribute_values(":before", number(version)).build(),
                )?)
            }
            Step::Gone(key) => {
                let delete = Delete::builder().table_name(&self.name).set_key(Some(key));
                builder.delete(built(delete.build())?)
            }
            Step::Change { key, expression, values } => {
                let update = Update::builder().table_name(&self.name).set_key(Some(key));
                let mut update = update
                    .update_expression(expression)
                    .condition_expression("attribute_exists(pk)");
                for (name, value) in values {
                    update = update.expression_attribute_values(name, value);
                }
                builder.update(built(update.build())?)
            }
            Step::Set { key, expression, values } => {
                let update = Update::builder().table_name(&self.name).set_key(Some(key));
                let update = update.update_expression(expression);
                let update = update.set_expression_attribute_values(Some(values));
                builder.update(built(update.build())?)
            }
        };
        Ok(step.build())
    }

    /// Holds where no request of this key was carried out, or long ago.
    pub(super) fn guarded(&self, guard: &Guard) -> Result<TransactWriteItem> {
        let mut item = guard_key(&guard.user, &guard.key);
        item.insert("hash".into(), text(&guard.hash));
        item.insert("answer".into(), text(&guard.answer));
        item.insert("expires_at".into(), AttributeValue::N(guard.until.as_second().to_string()));
        let put = Put::builder().table_name(&self.name).set_item(Some(item));
        let put = put.condition_expression("attribute_not_exists(pk) OR expires_at <= :now");
        let now = AttributeValue::N(guard.at.as_second().to_string());
        let put = built(put.expression_attribute_values(":now", now).build())?;
        Ok(TransactWriteItem::builder().put(put).build())
    }
}

pub(super) async fn wait(attempt: u32) {
    // Those who crossed each other would do so again after the same time.
    let longest = 20 * u64::from(attempt * attempt);
    tokio::time::sleep(Duration::from_millis(fastrand::u64(longest / 2..=longest))).await;
}

fn crossed() -> Error {
    Error::unavailable(SERVICE, "other writes crossed this one again and again")
}

pub(super) fn guard_key(user: &str, key: &str) -> Item {
    Item::from([("pk".into(), text(format!("IDEMPOTENCY#{user}"))), ("sk".into(), text(key))])
}

pub(super) fn built<T>(step: Result<T, aws_sdk_dynamodb::error::BuildError>) -> Result<T> {
    step.map_err(|error| Error::unavailable(SERVICE, error))
}

fn codes(error: &TransactWriteItemsError) -> Vec<Option<&str>> {
    let TransactWriteItemsError::TransactionCanceledException(canceled) = error else {
        return Vec::new();
    };
    canceled.cancellation_reasons().iter().map(|reason| reason.code()).collect()
}
