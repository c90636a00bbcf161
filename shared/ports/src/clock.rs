//! The time that passes while a request is answered.

use std::time::Duration;

use async_trait::async_trait;

/// Measures time and waits.
#[async_trait]
pub trait Clock: Send + Sync {
    /// Returns the time since some moment before the request.
    fn now(&self) -> Duration;

    /// Waits for this long.
    async fn wait(&self, time: Duration);
}
