//! The tokens of language models: a counter a day for each caller, and one for all.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, Update};
use futures_util::future::try_join_all;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::Result;
use ports::TokenCounter;

use super::write::built;
use super::{Item, Table, number, text};

/// The partition of the counters of all. No caller has it, since theirs end in the subject of a
/// token, which is never empty.
const ALL: &str = "RATE#";

/// The time for which counters are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(48);

#[async_trait]
impl TokenCounter for Table {
    async fn spent(&self, caller: Option<&str>, at: Timestamp) -> Result<[u64; 2]> {
        let all = key(None, at);
        let keys = caller.map(|caller| key(Some(caller), at)).into_iter().chain([all.clone()]);
        let (mut own, mut of_all) = (0, 0);
        for item in self.batch(keys.collect()).await? {
            let tokens = item.get("tokens").and_then(|tokens| tokens.as_n().ok()?.parse().ok());
            let place = if item.get("pk") == all.get("pk") { &mut of_all } else { &mut own };
            *place = tokens.unwrap_or_default();
        }
        Ok([own, of_all])
    }

    async fn spend(&self, caller: Option<&str>, tokens: u64, at: Timestamp) -> Result<()> {
        let expires = number((at + KEPT).as_second().unsigned_abs());
        let add = |key: Item| -> Result<Update> {
            let update = Update::builder()
                .table_name(&self.name)
                .set_key(Some(key))
                .update_expression("ADD #tokens :tokens SET expires_at = :expires")
                .expression_attribute_names("#tokens", "tokens")
                .expression_attribute_values(":tokens", AttributeValue::N(tokens.to_string()))
                .expression_attribute_values(":expires", expires.clone());
            built(update.build())
        };
        let keys = caller.map(|caller| key(Some(caller), at)).into_iter().chain([key(None, at)]);
        let adds: Vec<Update> = keys.map(add).collect::<Result<_>>()?;
        try_join_all(adds.into_iter().map(|update| self.applied(update))).await.map(drop)
    }
}

fn key(caller: Option<&str>, at: Timestamp) -> Item {
    let partition = caller.map_or_else(|| ALL.into(), |caller| format!("RATE#{caller}"));
    let day = at.to_zoned(TimeZone::UTC).date();
    Item::from([("pk".into(), text(partition)), ("sk".into(), text(format!("TOKENS#{day}")))])
}
