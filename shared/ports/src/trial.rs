//! What came of the trials of language models.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use wire::trial::PartTrial;

use model::Result;

/// Keeps what came of the trials of language models, each of one edition of the items and prompts.
#[async_trait]
pub trait Trials: Send + Sync {
    /// The parts of a model that were tried, in any order.
    async fn trials(&self, model: &str, edition: &str) -> Result<Vec<PartTrial>>;

    /// Keeps the trial of a part in place of an earlier one.
    async fn keep_trial(&self, model: &str, edition: &str, trial: &PartTrial) -> Result<()>;

    /// Notes that the trial of a model begins now; if one began less than `least` before, returns when that was instead.
    async fn begin_trial(
        &self,
        model: &str,
        edition: &str,
        now: Timestamp,
        least: SignedDuration,
    ) -> Result<Option<Timestamp>>;
}
