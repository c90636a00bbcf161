//! Messages that failed: the queue delivers them again, after a growing pause.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsMessage};
use lambda_runtime::Context;
use model::Result;
use serde_json::json;
use tracing::Instrument;

use crate::metric::{self, Figure};

/// The number of deliveries before the queue moves a message to the dead letters: `maxReceiveCount`
/// in `infra/data.yaml` and `infra/template.yaml`.
pub const LAST_RECEIVE: u32 = 8;

/// A delivery of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the queue that delivered it.
    pub queue: String,
    /// The queue's handle of this delivery.
    pub receipt_handle: String,
    /// The number of deliveries, including this one.
    pub receives: u32,
}

impl Delivery {
    pub(crate) fn of(message: &SqsMessage) -> Delivery {
        let source = message.event_source_arn.as_deref().unwrap_or_default();
        Delivery {
            queue: source.rsplit(':').next().unwrap_or_default().to_owned(),
            receipt_handle: message.receipt_handle.clone().unwrap_or_default(),
            receives: receives(message),
        }
    }

    /// Returns the seconds before the next try: `base` after the first try, doubled after each
    /// further one. Up to half of it is left out at random, so that messages that failed together
    /// do not return together. There is no pause after the last try: the queue then moves the
    /// message to the dead letters.
    pub(crate) fn pause(&self, base: u32) -> u32 {
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

/// Handles a message that was read at `begun`, and logs the outcome in one line.
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

/// Records a failed message and makes the queue wait before the next delivery. If that fails, the
/// queue waits until the visibility timeout of the message ends.
pub(crate) async fn failed(
    hide: &impl AsyncFn(&Delivery, u32) -> Result<()>,
    delivery: &Delivery,
    seconds: u32,
    id: Option<String>,
    response: &mut SqsBatchResponse,
) {
    let id = id.unwrap_or_default();
    if let Err(error) = hide(delivery, delivery.pause(seconds)).await {
        tracing::warn!(message_id = id, error = error.to_string(), "a message stays hidden");
    }
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = id;
    response.batch_item_failures.push(failure);
}

/// Returns the number of deliveries of a message, including this one.
pub(crate) fn receives(message: &SqsMessage) -> u32 {
    let received = message.attributes.get("ApproximateReceiveCount");
    received.and_then(|count| count.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(receipt_handle: &str, receives: u32) -> Delivery {
        Delivery { queue: "q".into(), receipt_handle: receipt_handle.into(), receives }
    }

    #[test]
    fn each_pause_is_at_most_twice_the_one_before_and_at_least_half_of_that() {
        for receives in 1..LAST_RECEIVE {
            let most = 30 << (receives - 1);
            let pauses = (0..200).map(|number| failed(&format!("r{number}"), receives).pause(30));
            let pauses: Vec<u32> = pauses.collect();
            assert!(pauses.iter().all(|pause| (most / 2..=most).contains(pause)), "{pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]));
        }
        assert_eq!(failed("r", 3).pause(0), 0);
        assert_eq!(failed("r", LAST_RECEIVE).pause(30), 0);
    }
}
