//! Holds messages while they are handled. A message stays hidden for a short time only, which is
//! lengthened again and again: when the function is killed, the queue soon delivers it again.

use std::cell::RefCell;
use std::convert::Infallible;
use std::time::Duration;

use aws_lambda_events::event::sqs::SqsMessage;
use futures_util::future::{Either, select};
use model::Result;

use crate::retry::Delivery;

/// The messages of a batch that are not handled yet.
pub(crate) struct Held<'a, H> {
    hide: &'a H,
    seconds: u32,
    left: RefCell<Vec<Delivery>>,
}

impl<'a, H: AsyncFn(&Delivery, u32) -> Result<()>> Held<'a, H> {
    pub(crate) fn of(messages: &[SqsMessage], hide: &'a H, seconds: u32) -> Held<'a, H> {
        let left = RefCell::new(messages.iter().map(Delivery::of).collect());
        Held { hide, seconds, left }
    }

    /// Leaves a message to the queue: it was handled, or failed.
    pub(crate) fn release(&self, delivery: &Delivery) {
        self.left.borrow_mut().retain(|held| held != delivery);
    }

    /// Does `work` while the messages are held.
    pub(crate) async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        match select(std::pin::pin!(work), std::pin::pin!(self.hold())).await {
            Either::Left((done, _)) => done,
            Either::Right((never, _)) => match never {},
        }
    }

    async fn hold(&self) -> Infallible {
        if self.seconds == 0 {
            return std::future::pending().await;
        }
        loop {
            let left = self.left.borrow().clone();
            for delivery in left {
                if let Err(error) = (self.hide)(&delivery, self.seconds).await {
                    tracing::warn!(error = error.to_string(), "a message is not held");
                }
            }
            // Two of three calls may fail.
            tokio::time::sleep(Duration::from_secs(self.seconds.into()) / 3).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn messages_are_held_until_they_are_handled() {
        let message = |id: &str| -> SqsMessage {
            serde_json::from_value(json!({
                "messageId": id, "receiptHandle": id, "attributes": {}, "messageAttributes": {},
                "eventSourceARN": "arn:aws:sqs:eu-west-1:1:bulk",
            }))
            .unwrap()
        };
        let messages = [message("m1"), message("m2")];
        let calls = RefCell::new(Vec::new());
        let hide = async |delivery: &Delivery, seconds: u32| {
            calls.borrow_mut().push((delivery.receipt_handle.clone(), seconds));
            // A call that fails ends no work.
            Err(model::Error::unavailable("the queue", "away"))
        };
        let count = |id: &str| calls.borrow().iter().filter(|call| call.0 == id).count();
        let until = async |id: &str, wanted: usize| {
            while count(id) < wanted {
                tokio::task::yield_now().await;
            }
        };
        let held = Held::of(&messages, &hide, 1);
        let work = async {
            until("m1", 2).await;
            held.release(&Delivery::of(&messages[0]));
            let (before, other) = (count("m1"), count("m2"));
            until("m2", other + 2).await;
            // The round that was under way may have held it once more.
            assert!(count("m1") <= before + 1, "it is not held any more");
            7
        };
        assert_eq!(held.during(work).await, 7);
        assert!(calls.borrow().iter().all(|(_, seconds)| *seconds == 1));
    }
}
