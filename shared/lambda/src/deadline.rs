//! The end of a call. Work that still runs is abandoned, so that there is time for a reply.

use std::time::{Duration, SystemTime};

use model::{Error, Result};

/// The time that a reply needs at the end of a request.
pub const FOR_THE_REPLY: Duration = Duration::from_secs(1);

/// The time that it takes to record a failed try of a message, and to return the message to the
/// queue.
pub(crate) const FOR_THE_NOTE: Duration = Duration::from_secs(30);

/// Runs `work` and abandons it if it is not done at `end`.
///
/// # Errors
/// [`Error::Unavailable`] if the work was abandoned; otherwise the errors of `work`.
pub(crate) async fn until<T>(end: SystemTime, work: impl Future<Output = Result<T>>) -> Result<T> {
    let left = end.duration_since(SystemTime::now()).unwrap_or_default();
    tokio::time::timeout(left, work).await.unwrap_or_else(|_| {
        let cause = format!("{:.1} s were not enough for it", left.as_secs_f64());
        Err(Error::unavailable("a service", cause))
    })
}
