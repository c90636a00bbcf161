//! The abilities of a server by its version.

use model::Result;
use qdrant_client::QdrantError;
use qdrant_client::qdrant::{Filter, IdfParamsBuilder, SearchParamsBuilder};
use semver::Version;
use tonic::Code;

use super::{Qdrant, failed};

/// The version from which on a search names the points among which document frequencies are counted
/// (`idf.corpus`).
const COUNTS_WITHIN: Version = Version::new(1, 19, 0);

impl Qdrant {
    /// Returns true if the server counts document frequencies within the scopes of a search. It is
    /// asked once in an environment.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] where it does not answer: it would not answer a search either.
    pub async fn counts_within(&self) -> Result<bool> {
        let asked =
            self.counts_within.get_or_try_init(async || match self.client.health_check().await {
                Ok(reply) => Ok(Version::parse(&reply.version).is_ok_and(|v| v >= COUNTS_WITHIN)),
                Err(error) if is_refusal(&error) => Ok(false),
                Err(error) => Err(failed(error)),
            });
        asked.await.copied()
    }
}

/// A key, or a proxy, may leave out this call alone.
fn is_refusal(error: &QdrantError) -> bool {
    let refusals = [Code::Unimplemented, Code::PermissionDenied, Code::Unauthenticated];
    matches!(error, QdrantError::ResponseError { status } if refusals.contains(&status.code()))
}

/// Has document frequencies counted among the points of `corpus`, so that the texts of others move
/// no score.
pub(super) fn frequencies_within(corpus: Filter) -> SearchParamsBuilder {
    SearchParamsBuilder::default().idf(IdfParamsBuilder::new().corpus(corpus))
}
