//! The space of a collection's vectors: those of two models are not to be compared, even where they
//! have as many dimensions.

use std::collections::HashMap;

use model::{Error, Result};
use qdrant_client::qdrant::{
    Condition, Filter, NamedVectors, PayloadIncludeSelector, PointId, PointStruct,
    ScrollPointsBuilder, UpsertPointsBuilder, Value, with_payload_selector::SelectorOptions,
};
use uuid::Uuid;

use super::{DENSE, Qdrant, SERVICE, failed, payload, unless_missing};

/// The point that has the space in its payload. It is in no scope, so that nothing else finds it.
const MARK: Uuid = Uuid::from_u128(0x706c_756d_626c_696e_6500_0000_0000_0001);

impl Qdrant {
    /// The same with vectors of this space, see [`ports::Embedder::space`]: a collection of another
    /// one is refused.
    #[must_use]
    pub fn of_space(self, space: String) -> Qdrant {
        Qdrant { space: Some(space), ..self }
    }

    /// Refuses a collection of another space. It is read until it is known, once in an environment.
    pub(super) async fn check_space(&self) -> Result<()> {
        let Some(space) = self.space.as_ref().filter(|_| !self.checked.initialized()) else {
            return Ok(());
        };
        if self.is_marked(space).await? {
            self.checked.set(()).ok();
        }
        Ok(())
    }

    /// Returns true if `space`, the one in use, is noted; refuses another one.
    async fn is_marked(&self, space: &str) -> Result<bool> {
        match self.marked_space().await? {
            None => Ok(false),
            Some(there) if there == space => Ok(true),
            Some(there) => Err(Error::unavailable(
                SERVICE,
                format!(
                    "the collection {} has vectors of {there}, and EMBED_MODEL and EMBED_DIMENSIONS are {space}: name another \
                     collection, or these",
                    self.collection
                ),
            )),
        }
    }

    /// Notes the space of a collection in which none is noted, and refuses one of another.
    pub(super) async fn claim_space(&self, dimensions: usize) -> Result<()> {
        self.check_space().await?;
        if !self.checked.initialized() {
            self.mark_space(dimensions).await?;
        }
        // Another function may have noted its own meanwhile.
        self.check_space().await
    }

    /// Notes the space in use in a collection that has none noted, as one has that was just made;
    /// refuses one of another.
    pub(super) async fn mark_space(&self, dimensions: usize) -> Result<()> {
        let Some(space) = &self.space else { return Ok(()) };
        if self.is_marked(space).await? {
            return Ok(());
        }
        let mut vector = vec![0.0; dimensions];
        vector[0] = 1.0;
        let vectors = NamedVectors::default().add_vector(DENSE, vector);
        let payload = HashMap::from([("space", Value::from(space.as_str()))]);
        let mark = PointStruct::new(MARK.to_string(), vectors, payload);
        let upsert = UpsertPointsBuilder::new(&self.collection, vec![mark]).wait(true).build();
        self.client.upsert_points(upsert).await.map_err(failed)?;
        Ok(())
    }

    async fn marked_space(&self) -> Result<Option<String>> {
        let mark = Condition::has_id([PointId::from(MARK.to_string())]);
        match self.space_of_one(Filter::must([mark])).await? {
            Some(space) => Ok(Some(space)),
            // Any point tells its own space where none is noted.
            None => self.space_of_one(Filter::default()).await,
        }
    }

    async fn space_of_one(&self, filter: Filter) -> Result<Option<String>> {
        let fields = PayloadIncludeSelector { fields: vec!["space".into()] };
        let scroll = ScrollPointsBuilder::new(&self.collection)
            .filter(filter)
            .limit(1)
            .with_payload(SelectorOptions::Include(fields))
            .build();
        let found = unless_missing(self.client.scroll(scroll).await)?;
        let point = found.and_then(|found| found.result.into_iter().next());
        point.map(|point| payload::space(point.payload)).transpose()
    }
}
