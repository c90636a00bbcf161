//! How much each caller asks: one item for each, which expires when its bucket is full again.
//!
//! The bucket is kept as the time when it will be full (`full_at`, milliseconds since 1970): the
//! virtual scheduling of the generic cell rate algorithm, ITU-T I.371 annex A. A request costs one
//! write, two where the bucket is not full, and a read besides where it is empty.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, Update};
use jiff::Timestamp;
use model::{Error, Result};
use ports::{Quota, Rate};

use super::write::built;
use super::{Item, SERVICE, Table, text};

/// The milliseconds by which the clocks of two environments may differ.
const SKEW: i64 = 60_000;

#[async_trait]
impl Quota for Table {
    async fn take(&self, caller: &str, rate: Rate, at: Timestamp) -> Result<Option<i64>> {
        let now = at.as_millisecond();
        // At this rate no bucket takes longer to be full: the last request was counted at another
        // one.
        let longest = now + rate.span() + SKEW;
        let rested = "attribute_not_exists(full_at) OR full_at <= :now OR full_at > :longest";
        // A caller who rests until the bucket is full is as one who never asked.
        let expires = (":expires", (now + rate.span()) / 1_000 + 60);
        let full =
            [(":full", now + rate.interval()), (":now", now), (":longest", longest), expires];
        if self.fill(caller, "SET full_at = :full", rested, &full).await?.is_some() {
            return Ok(None);
        }
        // A token is left where the bucket will be full within the time that all but one take.
        let left = "full_at <= :limit";
        let limit = now + rate.span() - rate.interval();
        let more = [(":one", rate.interval()), (":limit", limit), expires];
        if self.fill(caller, "SET full_at = full_at + :one", left, &more).await?.is_some() {
            return Ok(None);
        }
        let item = self.item(key(caller)).await?.unwrap_or_default();
        let full_at = item.get("full_at").and_then(|i| i.as_n().ok()?.parse().ok());
        let full_at: i64 = full_at
            .ok_or_else(|| Error::unavailable(SERVICE, "a caller without tokens is unknown"))?;
        Ok(Some((full_at - limit).max(1)))
    }
}

impl Table {
    /// Moves the time when a caller's bucket will be full; `None` where the condition does not
    /// hold.
    async fn fill(
        &self,
        caller: &str,
        set: &str,
        condition: &str,
        values: &[(&str, i64)],
    ) -> Result<Option<Item>> {
        let mut update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(caller)))
            .update_expression(format!("{set}, expires_at = :expires"))
            .condition_expression(condition);
        for (name, value) in values {
            let value = AttributeValue::N(value.to_string());
            update = update.expression_attribute_values(*name, value);
        }
        self.applied(built(update.build())?).await
    }
}

fn key(caller: &str) -> Item {
    Item::from([("pk".into(), text(format!("RATE#{caller}"))), ("sk".into(), text("BUCKET"))])
}
