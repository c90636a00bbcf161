//! What a server can do by its version.

use qdrant_client::qdrant::{Filter, IdfParamsBuilder, SearchParamsBuilder};
use semver::Version;

use super::Qdrant;

/// From this version on a search names the points among which document frequencies are counted (`idf.corpus`).
const COUNTS_WITHIN: Version = Version::new(1, 19, 0);

impl Qdrant {
    /// Whether the server counts document frequencies within the scopes of a search. It is asked until it answers, once in an environment; where
    /// it does not answer, the search goes on without.
    pub async fn counts_within(&self) -> bool {
        let asked = self.counts_within.get_or_try_init(async || {
            let reply = self.client.health_check().await?;
            let version = Version::parse(&reply.version);
            Ok::<_, qdrant_client::QdrantError>(version.is_ok_and(|it| it >= COUNTS_WITHIN))
        });
        asked.await.is_ok_and(|counts| *counts)
    }
}

/// Has document frequencies counted among the points of `corpus`: what others have changes no score.
pub(super) fn frequencies_within(corpus: Filter) -> SearchParamsBuilder {
    SearchParamsBuilder::default().idf(IdfParamsBuilder::new().corpus(corpus))
}
