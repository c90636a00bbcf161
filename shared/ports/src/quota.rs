//! How much each caller may ask.

use async_trait::async_trait;
use jiff::Timestamp;

use model::Result;

/// How many requests a caller may make: a bucket of `burst` tokens, into which `per_minute` come back each minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Requests a minute, for as long as one likes; at least 1.
    pub per_minute: u32,
    /// Requests at once, after a rest; at least 1.
    pub burst: u32,
}

impl Rate {
    /// How many milliseconds one token takes to come back.
    pub fn interval(self) -> i64 {
        60_000 / i64::from(self.per_minute.max(1))
    }

    /// How many milliseconds all tokens take to come back.
    pub fn span(self) -> i64 {
        self.interval() * i64::from(self.burst.max(1))
    }
}

/// Counts what callers ask.
#[async_trait]
pub trait Quota: Send + Sync {
    /// Takes a token from a caller's bucket. `None` where there was one, else the milliseconds until there is.
    async fn take(&self, caller: &str, rate: Rate, at: Timestamp) -> Result<Option<i64>>;
}
