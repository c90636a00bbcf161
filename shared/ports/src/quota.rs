//! The quota of requests of each caller.

use async_trait::async_trait;
use jiff::Timestamp;

use model::Result;

/// The rate of requests that a caller may make: a bucket of `burst` tokens, to which `per_minute`
/// tokens are added each minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The requests in a minute over a long time; at least 1.
    pub per_minute: u32,
    /// The requests at once after a pause; at least 1.
    pub burst: u32,
}

impl Rate {
    /// Returns the milliseconds in which one token is added.
    pub fn interval(self) -> i64 {
        60_000 / i64::from(self.per_minute.max(1))
    }

    /// Returns the milliseconds in which an empty bucket is filled.
    pub fn span(self) -> i64 {
        self.interval() * i64::from(self.burst.max(1))
    }
}

/// Counts the requests of callers.
#[async_trait]
pub trait Quota: Send + Sync {
    /// Takes a token from a caller's bucket. Returns `None` if there was one, else the milliseconds
    /// until there is one.
    async fn take(&self, caller: &str, rate: Rate, at: Timestamp) -> Result<Option<i64>>;
}
