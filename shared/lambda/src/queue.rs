//! Messages of a queue that tell of uploaded objects or of tasks; each succeeds or fails on its own.

use aws_lambda_events::event::s3::S3Event;
use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;
use workflow::ports::Task;
use workflow::{Error, Result};

use crate::retry::{self, Failed, LAST_RECEIVE};

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Objects that were uploaded.
    Uploads {
        /// Their keys, decoded.
        keys: Vec<String>,
        /// True on the eighth try: the document fails for good where this one fails.
        is_last_try: bool,
    },
    /// Something to do.
    Task(Task),
}

/// Handles messages with `handler` until the environment ends. A message that fails is told to `postpone`, which has the
/// queue hand it out again in a while.
pub async fn serve_queue(
    handler: impl AsyncFn(&Message) -> Result<()>,
    postpone: impl AsyncFn(&Failed) -> Result<()>,
) -> Result<(), crate::Error> {
    crate::log_as_json();
    let (handler, postpone) = (&handler, &postpone);
    lambda_runtime::run(service_fn(async |event: LambdaEvent<SqsEvent>| {
        Ok::<_, crate::Error>(handle(handler, postpone, event.payload).await)
    }))
    .await
}

async fn handle(
    handler: &impl AsyncFn(&Message) -> Result<()>,
    postpone: &impl AsyncFn(&Failed) -> Result<()>,
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
        let Err(error) = done else { continue };
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        tracing::error!(message_id = id, error = error.to_string(), cause, "a message failed");
        retry::failed(postpone, message, &mut response).await;
    }
    response
}

fn read(message: &SqsMessage) -> Result<Message> {
    let body = message.body.as_deref().unwrap_or_default();
    let json: Value = serde_json::from_str(body).map_err(malformed)?;
    let is_last_try = retry::receives(message) >= LAST_RECEIVE;
    if json["Event"] == "s3:TestEvent" {
        return Ok(Message::Uploads { keys: Vec::new(), is_last_try });
    }
    if json.get("Records").is_none() {
        return serde_json::from_value(json).map(Message::Task).map_err(malformed);
    }
    let event: S3Event = serde_json::from_value(json).map_err(malformed)?;
    let keys = event
        .records
        .iter()
        .filter_map(|record| record.s3.object.key.as_deref())
        .map(decoded)
        .collect();
    Ok(Message::Uploads { keys, is_last_try })
}

#[expect(clippy::needless_pass_by_value, reason = "given to map_err")]
fn malformed(error: serde_json::Error) -> Error {
    Error::Malformed { field: "message".into(), reason: error.to_string() }
}

/// Keys come as in a form: `+` for a space, the rest percent-encoded.
fn decoded(key: &str) -> String {
    let spaced = key.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use serde_json::json;

    fn event(bodies: &[&str]) -> SqsEvent {
        let record = |(number, body): (usize, &&str)| json!({"messageId": format!("m{number}"), "receiptHandle": format!("r{number}"), "body": body, "attributes": {"ApproximateReceiveCount": "8"}, "messageAttributes": {}});
        let records: Vec<_> = bodies.iter().enumerate().map(record).collect();
        serde_json::from_value(json!({"Records": records})).unwrap()
    }

    const CREATED: &str = r#"{"Records": [{"eventVersion": "2.1", "eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "eventTime": "2026-11-20T18:00:00.000Z", "userIdentity": {}, "requestParameters": {},
        "s3": {"bucket": {"name": "b"}, "object": {"key": "documents/user%3Aann+b/x", "size": 3}}}]}"#;

    #[tokio::test(flavor = "current_thread")]
    async fn a_message_that_fails_does_not_fail_its_neighbors() {
        let (seen, postponed) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let handler = async |message: &Message| {
            seen.borrow_mut().push(message.clone());
            match message {
                Message::Uploads { keys, .. } if !keys.is_empty() => {
                    Err(Error::Missing { kind: "document", name: "x".into() })
                }
                _ => Ok(()),
            }
        };
        let postpone = async |failed: &Failed| {
            postponed.borrow_mut().push(failed.clone());
            Ok(())
        };
        let task = r#"{"decision": {"project_id": "p", "decision_id": "d"}}"#;
        let test = r#"{"Event": "s3:TestEvent", "Bucket": "b"}"#;
        let response = handle(&handler, &postpone, event(&[test, CREATED, "not json", task])).await;
        let failed: Vec<&str> = response
            .batch_item_failures
            .iter()
            .map(|failure| failure.item_identifier.as_str())
            .collect();
        assert_eq!(failed, ["m1", "m2"]);
        assert_eq!(
            seen.borrow()[1],
            Message::Uploads { keys: vec!["documents/user:ann b/x".into()], is_last_try: true }
        );
        let decision = Task::Decision { project_id: "p".into(), decision_id: "d".into() };
        assert_eq!(seen.borrow()[2], Message::Task(decision));
        let wanted = ["r1", "r2"].map(|own| Failed { receipt_handle: own.into(), receives: 8 });
        assert_eq!(*postponed.borrow(), wanted);
    }
}
