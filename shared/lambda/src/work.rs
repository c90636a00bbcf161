//! Work that a schedule starts and a queue delivers in pieces. Each piece succeeds or fails on its
//! own.

use std::time::Instant;

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use jiff::Timestamp;
use lambda_runtime::{Context, LambdaEvent, service_fn};
use model::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::deadline::{self, FOR_THE_NOTE};
use crate::hold::{Held, HiddenFor};
use crate::retry::{self, Delivery};

/// The work to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Work<A, O> {
    /// All of the work, which is to be split into pieces.
    All(A),
    /// One piece of the work.
    One(O),
}

/// Does work with `handler` until the environment ends. `hide` hides a message for a number of
/// seconds: while it is handled, and after it failed.
pub async fn serve_work<A: DeserializeOwned, O: DeserializeOwned>(
    handler: impl AsyncFn(Work<A, O>, Timestamp) -> Result<()>,
    hide: impl AsyncFn(&Delivery, u32) -> Result<()>,
    hidden_for: HiddenFor,
) -> Result<(), crate::Error> {
    crate::log_as_json();
    let (handler, hide) = (&handler, &hide);
    lambda_runtime::run(service_fn(async |event: LambdaEvent<Value>| {
        let end = event.context.deadline() - FOR_THE_NOTE;
        let handler = async |work, now| deadline::until(end, handler(work, now)).await;
        handle(&handler, hide, hidden_for, event.payload, &event.context)
            .await
            .map_err(|error| crate::Error::from(describe(&error)))
    }))
    .await
}

async fn handle<A: DeserializeOwned, O: DeserializeOwned>(
    handler: &impl AsyncFn(Work<A, O>, Timestamp) -> Result<()>,
    hide: &impl AsyncFn(&Delivery, u32) -> Result<()>,
    hidden_for: HiddenFor,
    event: Value,
    context: &Context,
) -> Result<SqsBatchResponse> {
    if event.get("Records").is_none() {
        handler(Work::All(read(event)?), Timestamp::now()).await?;
        return Ok(SqsBatchResponse::default());
    }
    let event: SqsEvent = read(event)?;
    let held = Held::of(&event.records, hide, hidden_for.hold);
    let handling = Box::pin(pieces(handler, hide, (&held, hidden_for.retry), event, context));
    Ok(Box::pin(held.during(handling)).await)
}

async fn pieces<A, O: DeserializeOwned, H: AsyncFn(&Delivery, u32) -> Result<()>>(
    handler: &impl AsyncFn(Work<A, O>, Timestamp) -> Result<()>,
    hide: &H,
    (held, retry): (&Held<'_, H>, u32),
    event: SqsEvent,
    context: &Context,
) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let done = one(handler, &message);
        let delivery = Delivery::of(&message);
        let done = retry::handled(context, &message, Instant::now(), done).await;
        held.release(&delivery);
        if let Err(error) = done {
            let (message_id, body) = (&message.message_id, &message.body);
            // The messages are our own and contain no secrets; the body identifies the failed
            // piece.
            tracing::error!(message_id, body, error = describe(&error), "a piece failed");
            retry::failed(hide, &delivery, retry, message.message_id, &mut response).await;
        }
    }
    response
}

async fn one<A, O: DeserializeOwned>(
    handler: &impl AsyncFn(Work<A, O>, Timestamp) -> Result<()>,
    message: &SqsMessage,
) -> Result<()> {
    let body: Value = serde_json::from_str(message.body.as_deref().unwrap_or_default())
        .map_err(|error| malformed(&error))?;
    handler(Work::One(read(body)?), Timestamp::now()).await
}

fn read<T: DeserializeOwned>(event: Value) -> Result<T> {
    serde_json::from_value(event).map_err(|error| malformed(&error))
}

fn malformed(error: &serde_json::Error) -> Error {
    Error::Malformed { field: "message".into(), reason: error.to_string() }
}

/// Returns the error with its cause, for the log.
fn describe(error: &Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;
    use std::cell::RefCell;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Run {
        period: String,
    }

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Job {
        project_id: String,
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_schedule_starts_all_and_a_queue_brings_pieces_that_fail_alone() {
        let seen = RefCell::new(Vec::new());
        let handler = async |work: Work<Run, Job>, _: Timestamp| {
            let fails = matches!(&work, Work::One(job) if job.project_id == "b");
            seen.borrow_mut().push(work);
            if fails { Err(Error::unavailable("the table", "down")) } else { Ok(()) }
        };
        let postponed = RefCell::new(Vec::new());
        let hide = async |failed: &Delivery, seconds: u32| {
            if seconds != 120 {
                postponed.borrow_mut().push(failed.receipt_handle.clone());
            }
            Ok(())
        };
        let hidden_for = HiddenFor { hold: 120, retry: 30 };
        let context = Context::default();
        handle(&handler, &hide, hidden_for, json!({"period": "week"}), &context).await.unwrap();
        let message = |id: &str, body: &str| json!({"messageId": id, "receiptHandle": id, "body": body, "attributes": {}, "messageAttributes": {}});
        let records = [
            message("m1", r#"{"project_id": "a"}"#),
            message("m2", r#"{"project_id": "b"}"#),
            message("m3", "not json"),
            message("m4", r#"{"project_id": "d"}"#),
        ];
        let response = handle(&handler, &hide, hidden_for, json!({"Records": records}), &context)
            .await
            .unwrap();
        let failed: Vec<&str> = response
            .batch_item_failures
            .iter()
            .map(|batch_item_failure| batch_item_failure.item_identifier.as_str())
            .collect();
        assert_eq!((failed, postponed.take()), (vec!["m2", "m3"], vec!["m2".into(), "m3".into()]));
        let one = |id: &str| Work::One(Job { project_id: id.into() });
        let all = Work::All(Run { period: "week".into() });
        assert_eq!(*seen.borrow(), [all, one("a"), one("b"), one("d")]);
        assert!(
            handle(&handler, &hide, hidden_for, json!({"period": "week", "now": 1}), &context)
                .await
                .is_err()
        );
    }
}
