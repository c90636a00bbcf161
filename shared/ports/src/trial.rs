//! The results of the trials of language models.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use wire::trial::PartTrial;

use model::Result;

/// Stores the results of the trials of language models. Each belongs to one edition of the items
/// and prompts.
#[async_trait]
pub trait Trials: Send + Sync {
    /// Returns the parts of a model that were tried, in any order.
    async fn trials(&self, model: &str, edition: &str) -> Result<Vec<PartTrial>>;

    /// Stores the trial of a part and replaces an earlier one.
    async fn keep_trial(&self, model: &str, edition: &str, trial: &PartTrial) -> Result<()>;

    /// Records that the trial of a model begins now. If one began less than `least` before, it
    /// returns that time instead.
    async fn begin_trial(
        &self,
        model: &str,
        edition: &str,
        now: Timestamp,
        least: SignedDuration,
    ) -> Result<Option<Timestamp>>;
}
