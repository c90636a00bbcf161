//! Messages of queues. Each succeeds or fails on its own.

use std::time::{Instant, SystemTime};

use aws_lambda_events::event::s3::S3Event;
use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use lambda_runtime::{Context, LambdaEvent, service_fn};
use model::{Error, Result};
use ports::HiddenFor;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::deadline::{self, FOR_THE_NOTE};
use crate::hold::Held;
use crate::retry::{self, Delivery, LAST_RECEIVE};

/// A message of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message<'a> {
    /// The name of the queue that delivered it.
    pub queue: &'a str,
    /// Its body, as it was sent.
    pub body: &'a str,
}

impl Message<'_> {
    /// Reads the body, which is JSON.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is no JSON of this type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(self.body).map_err(malformed)
    }

    /// Returns the decoded keys of the objects that S3 tells were created in a bucket; none for the
    /// test event that S3 sends to a new destination.
    ///
    /// # Errors
    /// [`Error::Malformed`] if it is no event of S3, or one of another bucket.
    pub fn created_in(&self, bucket: &str) -> Result<Vec<String>> {
        let json: Value = self.read()?;
        if json["Event"] == "s3:TestEvent" {
            return Ok(Vec::new());
        }
        let event: S3Event = serde_json::from_value(json).map_err(malformed)?;
        let objects = event.records.into_iter().map(|record| record.s3);
        let key = |object: aws_lambda_events::event::s3::S3Entity| {
            let key = object.object.key.filter(|_| object.bucket.name.as_deref() == Some(bucket));
            let foreign = || Error::Malformed {
                field: "message".into(),
                reason: "it tells of an object that is not in the bucket of documents".into(),
            };
            key.as_deref().map(decoded).ok_or_else(foreign)
        };
        objects.map(key).collect()
    }
}

/// One of the tries to handle a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Try {
    /// The number of times that the message was delivered, including this one.
    receives: u32,
    /// The time at which the work must be abandoned.
    end: SystemTime,
}

impl Try {
    /// Returns the try with this number, the first being 1, which must end at `end`.
    pub fn new(receives: u32, end: SystemTime) -> Try {
        Try { receives, end }
    }

    /// Returns true on the eighth try, whose failure is final.
    pub fn is_last(&self) -> bool {
        self.receives >= LAST_RECEIVE
    }

    /// Runs `work` and abandons it before the platform ends the call, because a failure could not
    /// be recorded after that.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the work was abandoned; otherwise the errors of `work`.
    pub async fn within<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        deadline::until(self.end, work).await
    }
}

/// Handles messages with `handler` until the environment ends. `hide` hides a message for a number
/// of seconds: while it is handled, and after it failed.
pub async fn serve_queue(
    handler: impl AsyncFn(&Message<'_>, &Try) -> Result<()>,
    hide: impl AsyncFn(&Delivery, u32) -> Result<()>,
    hidden_for: HiddenFor,
) -> Result<(), crate::Error> {
    crate::log_as_json();
    let (handler, hide) = (&handler, &hide);
    lambda_runtime::run(service_fn(async |event: LambdaEvent<SqsEvent>| {
        Ok::<_, crate::Error>(all(handler, hide, hidden_for, event.payload, &event.context).await)
    }))
    .await
}

/// Handles all messages of an event, which are held meanwhile.
pub(crate) async fn all(
    handler: &impl AsyncFn(&Message<'_>, &Try) -> Result<()>,
    hide: &impl AsyncFn(&Delivery, u32) -> Result<()>,
    hidden_for: HiddenFor,
    event: SqsEvent,
    context: &Context,
) -> SqsBatchResponse {
    let held = Held::of(&event.records, hide, hidden_for.hold);
    held.during(handle(handler, hide, &held, hidden_for.retry, event, context)).await
}

async fn handle<H: AsyncFn(&Delivery, u32) -> Result<()>>(
    handler: &impl AsyncFn(&Message<'_>, &Try) -> Result<()>,
    hide: &H,
    held: &Held<'_, H>,
    retry: u32,
    event: SqsEvent,
    context: &Context,
) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let end = context.deadline() - FOR_THE_NOTE;
    // The messages are handled one after another: the services are already busy with one batch from
    // each environment.
    for message in event.records {
        let begun = Instant::now();
        let delivery = Delivery::of(&message);
        let body = message.body.as_deref().unwrap_or_default();
        let received = Message { queue: &delivery.queue, body };
        let one = Try { receives: delivery.receives, end };
        let done = async { handler(&received, &one).await };
        let done = retry::handled(context, &message, begun, done).await;
        held.release(&delivery);
        if let Err(error) = done {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            let id = &message.message_id;
            tracing::error!(message_id = id, error = error.to_string(), cause, "a message failed");
            retry::failed(hide, &delivery, retry, message.message_id, &mut response).await;
        }
    }
    response
}

#[expect(clippy::needless_pass_by_value, reason = "given to map_err")]
pub(crate) fn malformed(error: serde_json::Error) -> Error {
    Error::Malformed { field: "message".into(), reason: error.to_string() }
}

/// Decodes a key, which is encoded as in a form: `+` for a space, the rest percent-encoded.
fn decoded(key: &str) -> String {
    let spaced = key.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod foreign;
#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::*;
    use ports::Task;
    use serde_json::json;

    fn event(bodies: &[&str]) -> SqsEvent {
        let record = |(number, body): (usize, &&str)| json!({"messageId": format!("m{number}"), "receiptHandle": format!("r{number}"), "eventSourceARN": "arn:aws:sqs:eu-west-1:1:bulk", "body": body, "attributes": {"ApproximateReceiveCount": "8"}, "messageAttributes": {}});
        let records: Vec<_> = bodies.iter().enumerate().map(record).collect();
        serde_json::from_value(json!({"Records": records})).unwrap()
    }

    const TRIAL: &str = r#"{"trial": {"parts": []}}"#;
    const CREATED: &str = r#"{"Records": [{"eventVersion": "2.1", "eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "eventTime": "2026-11-20T18:00:00.000Z", "userIdentity": {}, "requestParameters": {},
        "s3": {"bucket": {"name": "b"}, "object": {"key": "documents/user%3Aann+b/x", "size": 3}}}]}"#;

    /// Returns a call that ends soon.
    fn soon() -> Context {
        let end = SystemTime::now() + FOR_THE_NOTE + Duration::from_millis(50);
        let mut context = Context::default();
        context.deadline =
            u64::try_from(end.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis()).unwrap();
        context
    }

    async fn response(
        handler: &impl AsyncFn(&Message<'_>, &Try) -> Result<()>,
        hide: &impl AsyncFn(&Delivery, u32) -> Result<()>,
        event: SqsEvent,
    ) -> SqsBatchResponse {
        all(handler, hide, HiddenFor { hold: 120, retry: 30 }, event, &soon()).await
    }

    #[tokio::test(flavor = "current_thread")]
    async fn what_would_last_longer_than_the_call_is_given_up_and_comes_back() {
        let handler = async |_: &Message<'_>, one: &Try| one.within(std::future::pending()).await;
        let hide = async |_: &Delivery, _: u32| Ok(());
        let response = response(&handler, &hide, event(&[CREATED])).await;
        assert_eq!(response.batch_item_failures.len(), 1);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_message_that_fails_does_not_fail_its_neighbors() {
        let (seen, postponed) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let handler = async |message: &Message<'_>, one: &Try| {
            assert!(one.is_last());
            seen.borrow_mut().push(message.read::<Task>()?);
            match message.body {
                TRIAL => Err(Error::Missing { kind: "model", name: "x".into() }),
                _ => Ok(()),
            }
        };
        let hide = async |failed: &Delivery, _: u32| {
            postponed.borrow_mut().push(failed.clone());
            Ok(())
        };
        let task = r#"{"decision": {"project_id": "p", "decision_id": "d"}}"#;
        let response = response(&handler, &hide, event(&[task, TRIAL, "not json", task])).await;
        let failed: Vec<&str> = response
            .batch_item_failures
            .iter()
            .map(|failure| failure.item_identifier.as_str())
            .collect();
        assert_eq!(failed, ["m1", "m2"]);
        let decision = Task::Decision { project_id: "p".into(), decision_id: "d".into() };
        let trial = Task::Trial { parts: Vec::new() };
        assert_eq!(*seen.borrow(), [decision.clone(), trial, decision]);
        let wanted = ["r1", "r2"].map(|handle| Delivery {
            queue: "bulk".into(),
            receipt_handle: handle.into(),
            receives: 8,
        });
        assert_eq!(*postponed.borrow(), wanted);
    }

    #[test]
    fn an_event_of_the_bucket_tells_its_keys_and_one_of_another_bucket_nothing() {
        let told = |body| Message { queue: "uploads", body }.created_in("b");
        assert_eq!(told(CREATED).unwrap(), ["documents/user:ann b/x"]);
        assert!(told(r#"{"Event": "s3:TestEvent", "Bucket": "b"}"#).unwrap().is_empty());
        let other = CREATED.replace(r#"{"name": "b"}"#, r#"{"name": "a"}"#);
        for foreign in [other.as_str(), "{}", r#"{"configure": {}}"#] {
            assert!(matches!(told(foreign), Err(Error::Malformed { .. })), "{foreign}");
        }
    }
}
