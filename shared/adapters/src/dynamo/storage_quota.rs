//! The amount that each scope holds: one item beside its documents, changed in the same
//! transactions.

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use model::Result;
use ports::scope::Scope;
use ports::{Charge, Guard, Record, Written};

use super::document::step;
use super::write::built;
use super::{Item, Table, number, partition, text};

impl Table {
    /// Writes an announced document and charges its scope, both or neither.
    pub(super) async fn charge(
        &self,
        record: &Record,
        charge: Charge<'_>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let known = charge.known.map(|known| (":known".to_owned(), text(&known.version)));
        let condition = match known {
            None => "attribute_not_exists(version)",
            Some(_) => "version = :known AND version <= :version",
        };
        let update = self.announcing(record, condition, known.into_iter().collect())?;
        // The room stands first: of what fails the last is told, and only what fails for want of
        // room alone is that.
        let mut steps = self.used(record, charge)?.map(step).into_iter().collect::<Vec<_>>();
        let is_charged = !steps.is_empty();
        steps.push(step(update));
        steps.extend(self.open_case(&record.scope)?);
        let guarded = steps.len();
        steps.extend(guard.map(|guard| self.guarded(guard)).transpose()?);
        Ok(match self.transact(steps).await? {
            None => Written::Done,
            Some(place) if place == guarded => Written::Repeated,
            Some(0) if is_charged => return Err(charge.quota.full()),
            Some(_) => Written::Stale,
        })
    }

    /// Makes the change by what an announcement adds to its scope, where there is room for it;
    /// `None` where it adds nothing.
    fn used(&self, record: &Record, charge: Charge<'_>) -> Result<Option<Update>> {
        let (documents, bytes) = (charge.documents(), charge.bytes(record));
        if documents == 0 && bytes == 0 {
            return Ok(None);
        }
        let signed = |number: i64| AttributeValue::N(number.to_string());
        let update = self.add(&record.scope, signed(documents.cast_signed()), signed(bytes));
        if documents == 0 && bytes < 0 {
            return built(update.build()).map(Some);
        }
        let quota = charge.quota;
        let most = quota.bytes.cast_signed().saturating_sub(bytes);
        let update = update
            .condition_expression(
                "(attribute_not_exists(#documents) OR #documents <= :documents_left) AND \
                 (attribute_not_exists(#bytes) OR #bytes <= :bytes_left) AND :none <= :bytes_left",
            )
            .expression_attribute_values(":documents_left", number(quota.documents - documents))
            .expression_attribute_values(":bytes_left", signed(most))
            .expression_attribute_values(":none", number(0));
        built(update.build()).map(Some)
    }

    /// Takes a deleted document off what its scope holds.
    pub(super) fn freed(&self, record: &Record) -> Result<TransactWriteItem> {
        let bytes = AttributeValue::N(format!("-{}", record.bytes));
        let update = self.add(&record.scope, AttributeValue::N("-1".into()), bytes);
        built(update.build()).map(step)
    }

    fn add(
        &self,
        scope: &Scope,
        documents: AttributeValue,
        bytes: AttributeValue,
    ) -> aws_sdk_dynamodb::types::builders::UpdateBuilder {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(held(scope)))
            .update_expression("ADD #documents :documents, #bytes :bytes")
            .expression_attribute_names("#documents", "documents")
            .expression_attribute_names("#bytes", "bytes")
            .expression_attribute_values(":documents", documents)
            .expression_attribute_values(":bytes", bytes)
    }
}

/// The key of what a scope holds.
pub(super) fn held(scope: &Scope) -> Item {
    Item::from([("pk".into(), partition(scope)), ("sk".into(), text("HELD"))])
}
