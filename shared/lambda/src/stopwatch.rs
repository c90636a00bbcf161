//! Measures time within a function.

use std::time::{Duration, Instant};

use ports::Clock;

/// A stopwatch that runs since the function started.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Default for Stopwatch {
    fn default() -> Self {
        Stopwatch(Instant::now())
    }
}

#[async_trait::async_trait]
impl Clock for Stopwatch {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}
