//! The state of the collection, and its passages as they were uploaded.

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use model::document::Passage;
use ports::scope::Grant;
use ports::{Contents, Originals, Standing};
use qdrant_client::qdrant::with_payload_selector::SelectorOptions;
use qdrant_client::qdrant::{ScrollPointsBuilder, SnapshotDescription};
use uuid::Uuid;

use super::{Qdrant, filter, payload, unless_missing};

#[async_trait]
impl Standing for Qdrant {
    fn name(&self) -> String {
        self.collection.clone()
    }

    fn key_ends(&self) -> Option<Timestamp> {
        self.key_ends
    }

    async fn contents(&self) -> Result<Option<Contents>> {
        let response = unless_missing(self.client.collection_info(&self.collection).await)?;
        let Some(info) = response.and_then(|it| it.result) else { return Ok(None) };
        self.check_space().await?;
        let config = info.config.unwrap_or_default();
        let differs = self.differences(&config, &info.payload_schema);
        // A key may be good for the collection and not for its snapshots.
        let snapshots = self.client.list_snapshots(&self.collection).await;
        let snapshot_at = snapshots.ok().and_then(|listed| newest(&listed.snapshot_descriptions));
        Ok(Some(Contents { items: info.points_count.unwrap_or_default(), differs, snapshot_at }))
    }
}

/// Returns the time of the newest snapshot.
fn newest(snapshots: &[SnapshotDescription]) -> Option<Timestamp> {
    let seconds = snapshots.iter().filter_map(|snapshot| snapshot.creation_time.as_ref());
    Timestamp::from_second(seconds.map(|time| time.seconds).max()?).ok()
}

#[async_trait]
impl Originals for Qdrant {
    async fn original(&self, grant: &Grant, passage: Uuid) -> Result<Option<Passage>> {
        let scroll = ScrollPointsBuilder::new(&self.collection)
            .filter(filter::passages(grant, &[passage]))
            .limit(1)
            .with_payload(SelectorOptions::Enable(true))
            .build();
        let found = unless_missing(self.client.scroll(scroll).await)?;
        let point = found.and_then(|found| found.result.into_iter().next());
        point.map(|point| payload::original(point.payload)).transpose()
    }
}
