//! Work that a schedule starts and a queue delivers in pieces. Each piece succeeds or fails on its
//! own.

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent};
use jiff::Timestamp;
use lambda_runtime::{Context, LambdaEvent, service_fn};
use model::{Error, Result};
use ports::HiddenFor;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::deadline::{self, FOR_THE_NOTE};
use crate::queue::{self, Message, Try};
use crate::retry::Delivery;

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
        handle(handler, hide, hidden_for, event.payload, &event.context)
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
        let end = context.deadline() - FOR_THE_NOTE;
        deadline::until(end, handler(Work::All(read(event)?), Timestamp::now())).await?;
        return Ok(SqsBatchResponse::default());
    }
    let event: SqsEvent = read(event)?;
    let piece = async |message: &Message<'_>, one: &Try| {
        let done = async { handler(Work::One(message.read()?), Timestamp::now()).await };
        let done = one.within(done).await;
        // The messages are our own and have no secrets; the body tells which piece it is.
        done.inspect_err(|_| tracing::error!(body = message.body, "a piece failed"))
    };
    Ok(Box::pin(queue::all(&piece, hide, hidden_for, event, context)).await)
}

fn read<T: DeserializeOwned>(event: Value) -> Result<T> {
    serde_json::from_value(event).map_err(queue::malformed)
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
