//! The end of a call: what is under way then is given up, so that there is time to say so.

use std::time::{Duration, SystemTime};

use model::{Error, Result};

/// What a reply needs at the end of a request.
pub const FOR_THE_REPLY: Duration = Duration::from_secs(1);

/// What it takes to note that a try of a message failed, and to have the queue hand it out again.
pub(crate) const FOR_THE_NOTE: Duration = Duration::from_secs(30);

/// Does `work`, and gives it up where it is not done at `end`.
///
/// # Errors
/// [`Error::Unavailable`] where it was given up; its own ones else.
pub(crate) async fn until<T>(end: SystemTime, work: impl Future<Output = Result<T>>) -> Result<T> {
    let left = end.duration_since(SystemTime::now()).unwrap_or_default();
    tokio::time::timeout(left, work).await.unwrap_or_else(|_| {
        let cause = format!("{:.1} s were not enough for it", left.as_secs_f64());
        Err(Error::unavailable("a service", cause))
    })
}
