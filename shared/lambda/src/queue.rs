//! Messages of a queue that tell of uploaded objects; each succeeds or fails on its own.

use aws_lambda_events::event::s3::S3Event;
use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use lambda_runtime::{LambdaEvent, service_fn};
use workflow::{Error, Result};

/// The queue hands a message out this often before it goes to the dead letters: `maxReceiveCount` in `infra/data.yaml`.
const LAST_RECEIVE: u32 = 3;

/// The objects that one message tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The objects' keys, decoded.
    pub keys: Vec<String>,
    /// Whether a failure now is the last one.
    pub is_last_try: bool,
}

/// Handles messages with `handler` until the environment ends. A message that fails is handed out again.
pub async fn serve_queue(
    handler: impl AsyncFn(&Message) -> Result<()>,
) -> Result<(), crate::Error> {
    crate::log_as_json();
    let handler = &handler;
    lambda_runtime::run(service_fn(async |event: LambdaEvent<SqsEvent>| {
        Ok::<_, crate::Error>(handle(handler, event.payload).await)
    }))
    .await
}

async fn handle(
    handler: &impl AsyncFn(&Message) -> Result<()>,
    event: SqsEvent,
) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    // One after another: the services have enough to bear with as many batches as there are environments.
    for message in event.records {
        let id = message.message_id.clone().unwrap_or_default();
        let done = match read(&message) {
            Ok(message) => handler(&message).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::error!(message_id = id, error = error.to_string(), cause, "a message failed");
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
    }
    response
}

fn read(message: &SqsMessage) -> Result<Message> {
    let malformed = |reason: String| Error::Malformed { field: "message".into(), reason };
    let body = message.body.as_deref().unwrap_or_default();
    let json: serde_json::Value =
        serde_json::from_str(body).map_err(|error| malformed(error.to_string()))?;
    let received =
        message.attributes.get("ApproximateReceiveCount").and_then(|count| count.parse().ok());
    let is_last_try = received.unwrap_or(1) >= LAST_RECEIVE;
    if json["Event"] == "s3:TestEvent" {
        return Ok(Message { keys: Vec::new(), is_last_try });
    }
    let event: S3Event =
        serde_json::from_value(json).map_err(|error| malformed(error.to_string()))?;
    let keys = event
        .records
        .iter()
        .filter_map(|record| record.s3.object.key.as_deref())
        .map(decoded)
        .collect();
    Ok(Message { keys, is_last_try })
}

/// Keys come as in a form: `+` for a space, the rest percent-encoded.
fn decoded(key: &str) -> String {
    let spaced = key.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(bodies: &[&str]) -> SqsEvent {
        let record = |(number, body): (usize, &&str)| json!({"messageId": format!("m{number}"), "body": body, "attributes": {"ApproximateReceiveCount": "3"}, "messageAttributes": {}});
        let records: Vec<_> = bodies.iter().enumerate().map(record).collect();
        serde_json::from_value(json!({"Records": records})).unwrap()
    }

    const CREATED: &str = r#"{"Records": [{"eventVersion": "2.1", "eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "eventTime": "2026-11-20T18:00:00.000Z", "userIdentity": {}, "requestParameters": {},
        "s3": {"bucket": {"name": "b"}, "object": {"key": "documents/user%3Aann+b/x", "size": 3}}}]}"#;

    #[tokio::test(flavor = "current_thread")]
    async fn a_message_that_fails_does_not_fail_its_neighbors() {
        let seen = std::cell::RefCell::new(Vec::new());
        let handler = async |message: &Message| {
            seen.borrow_mut().push(message.clone());
            if message.keys.is_empty() {
                Ok(())
            } else {
                Err(Error::Missing { kind: "document", name: "x".into() })
            }
        };
        let events = event(&[r#"{"Event": "s3:TestEvent", "Bucket": "b"}"#, CREATED, "not json"]);
        let response = handle(&handler, events).await;
        let failed: Vec<&str> = response
            .batch_item_failures
            .iter()
            .map(|failure| failure.item_identifier.as_str())
            .collect();
        assert_eq!(failed, ["m1", "m2"]);
        assert_eq!(
            seen.borrow()[1],
            Message { keys: vec!["documents/user:ann b/x".into()], is_last_try: true }
        );
    }
}
