//! Messages that failed: the queue hands them out again, later each time.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsMessage};
use lambda_runtime::Context;
use model::Result;
use serde_json::json;
use tracing::Instrument;

use crate::metric::{self, Figure};

/// The queue hands a message out this often before it goes to the dead letters: `maxReceiveCount` in
/// `infra/data.yaml` and `infra/template.yaml`.
pub(crate) const LAST_RECEIVE: u32 = 8;

/// A message that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// By which the queue knows it.
    pub receipt_handle: String,
    /// The number of times it was handed out, this one included.
    pub receives: u32,
}

impl Failed {
    /// How many seconds to wait before the next try: `base` after the first, doubled with each, of which up to a half is
    /// left out at random, so that what failed together does not come back together. None after the last: the queue buries it
    /// when it would hand it out once more.
    pub fn pause(&self, base: u32) -> u32 {
        if self.receives >= LAST_RECEIVE {
            return 0;
        }
        let most = base.saturating_mul(1 << self.receives.max(1).saturating_sub(1));
        let mut hasher = DefaultHasher::new();
        self.receipt_handle.hash(&mut hasher);
        let share = u32::try_from(hasher.finish() % u64::from(most / 2 + 1)).unwrap_or_default();
        most - share
    }
}

/// Handles a message that was read at `begun`, and logs what came of it, in one line.
pub(crate) async fn handled(
    context: &Context,
    message: &SqsMessage,
    begun: Instant,
    handling: impl Future<Output = Result<()>>,
) -> Result<()> {
    let id = message.message_id.as_deref().unwrap_or_default();
    let receives = receives(message);
    let span = tracing::info_span!("message", message_id = id, receives);
    let done = handling.instrument(span).await;
    let fields = json!({"message": "handled", "message_id": id, "receives": receives, "is_done": done.is_ok()});
    let ms = begun.elapsed().as_secs_f64() * 1_000.0;
    let failed = if done.is_ok() { 0.0 } else { 1.0 };
    let figures = [
        Figure { name: "MessageDuration", unit: "Milliseconds", value: ms },
        Figure { name: "FailedMessages", unit: "Count", value: failed },
    ];
    metric::write(&metric::line(context, fields, &figures));
    done
}

/// Notes a message that failed, and has the queue wait before it hands it out again. Where that fails it waits for as long as
/// the queue hides what it handed out.
pub(crate) async fn failed(
    postpone: &impl AsyncFn(&Failed) -> Result<()>,
    message: SqsMessage,
    response: &mut SqsBatchResponse,
) {
    let receives = receives(&message);
    let (id, handle) = (message.message_id.unwrap_or_default(), message.receipt_handle);
    let failed = Failed { receipt_handle: handle.unwrap_or_default(), receives };
    if let Err(error) = postpone(&failed).await {
        tracing::warn!(message_id = id, error = error.to_string(), "a message stays hidden");
    }
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = id;
    response.batch_item_failures.push(failure);
}

/// Counts how many times a message was handed out, this one included.
pub(crate) fn receives(message: &SqsMessage) -> u32 {
    let received = message.attributes.get("ApproximateReceiveCount");
    received.and_then(|count| count.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pause_is_at_most_twice_the_one_before_and_at_least_half_of_that() {
        for receives in 1..LAST_RECEIVE {
            let most = 30 << (receives - 1);
            let pauses = (0..200)
                .map(|number| Failed { receipt_handle: format!("r{number}"), receives }.pause(30));
            let pauses: Vec<u32> = pauses.collect();
            assert!(pauses.iter().all(|pause| (most / 2..=most).contains(pause)), "{pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]));
        }
        assert_eq!(Failed { receipt_handle: "r".into(), receives: 3 }.pause(0), 0);
        assert_eq!(Failed { receipt_handle: "r".into(), receives: LAST_RECEIVE }.pause(30), 0);
    }
}
