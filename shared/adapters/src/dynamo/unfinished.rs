//! The list of what was begun and has not come to an end. It is divided among partitions of the
//! index, because every document of every scope enters and leaves it.

use futures_util::future::try_join_all;
use model::Result;
use ports::{Page, Unfinished};

use super::project::text_of;
use super::{Item, Table, case, failed, pending, read, text};

/// The number of partitions.
const SHARDS: u8 = 16;

fn partition(shard: u8) -> String {
    format!("UNFINISHED#{shard}")
}

/// Returns the values of `gsi1pk` and `gsi1sk` that list `id`, a document, case or decision, as
/// begun at the ULID `since`.
pub(super) fn listed(id: &str, since: &str) -> Item {
    let shard = id.bytes().fold(0, u8::wrapping_add) % SHARDS;
    Item::from([
        (":unfinished".into(), text(partition(shard))),
        (":place".into(), text(format!("{since}#{id}"))),
    ])
}

impl Table {
    /// See [`ports::DocumentCleanup::unfinished`].
    pub(super) async fn list_unfinished(
        &self,
        before: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Unfinished, String>> {
        // A `!` behind a whole key places the start above that key and below the next one.
        let low = after.map_or("0".to_owned(), |after| format!("{after}!"));
        let shards = (0..SHARDS).map(|shard| self.of_shard(shard, &low, before, limit));
        let shards = try_join_all(shards).await?;
        let more = shards.iter().any(|(_, more)| *more);
        let mut found: Vec<(String, Item)> =
            shards.into_iter().flat_map(|(items, _)| items).collect();
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let more = more || found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|(place, _)| place.clone());
        let items = found.into_iter().map(|(_, item)| unfinished(item)).collect::<Result<_>>()?;
        Ok(Page { items, next })
    }

    /// Returns the first items of one partition between two places, each with its place, and true
    /// if more may follow.
    async fn of_shard(
        &self,
        shard: u8,
        low: &str,
        before: &str,
        limit: u32,
    ) -> Result<(Vec<(String, Item)>, bool)> {
        let query = self
            .index(&partition(shard), limit)
            .key_condition_expression("gsi1pk = :partition AND gsi1sk BETWEEN :low AND :before")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":before", text(before));
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let items = page.items.unwrap_or_default().into_iter();
        let placed = items.filter_map(|item| Some((text_of(&item, "gsi1sk")?.to_owned(), item)));
        Ok((placed.collect(), more))
    }
}

fn unfinished(item: Item) -> Result<Unfinished> {
    match case::id_of(&item).map(Unfinished::Case).or_else(|| pending::unfinished(&item)) {
        Some(unfinished) => Ok(unfinished),
        None => read(item).map(Box::new).map(Unfinished::Document),
    }
}
