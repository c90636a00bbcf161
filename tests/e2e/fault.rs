//! Tests faults around the functions: services that do not answer, messages that arrive again,
//! functions that are killed, keys that are rotated. In every case nothing is lost, and the caller
//! gets a reply that says so.
//!
//! No test waits for a time to pass: a fault ends after a number of calls, or when the test removes
//! it.

use anyhow::{Context, Result, bail, ensure};
use aws_sdk_sqs::types::MessageSystemAttributeName::MessageGroupId;
use aws_sdk_sqs::types::QueueAttributeName::{
    ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible,
};
use plumbline_tests::{Faults, Reply, Service, Stack};
use qdrant_client::Qdrant;
use qdrant_client::qdrant::{Condition, CountPointsBuilder, Filter};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::case::{indexed, upload};
use crate::life::sqs;
use crate::project::ok;

pub(crate) mod bedrock;
pub(crate) mod files;
pub(crate) mod index;
pub(crate) mod killed;
pub(crate) mod queue;
pub(crate) mod table;
pub(crate) mod token;

/// The path of the caller's own knowledge base.
const USER_PATH: &str = "/v1/users/me";
/// The name of the document that most of these tests upload.
const NAME: &str = "fan note.md";

/// Returns a document that reports a failure.
fn note(cause: &str) -> String {
    format!(
        "# Cooling fan\n\n## Symptoms\n\nThe cabinet overheated.\n\n## Root cause\n\nThe fan failed because {cause}.\n"
    )
}

/// Uploads the note with this cause in place of the one before, waits until it is indexed, and
/// returns its id.
fn bring(stack: &Stack, sub: &str, cause: &str) -> Result<String> {
    let id = upload(stack, sub, USER_PATH, (NAME, &note(cause)))?;
    indexed(stack, sub, USER_PATH, &id)?;
    Ok(id)
}

fn ask(stack: &Stack, sub: &str) -> Result<Reply> {
    stack.rcca(sub, &json!({"question": "cabinet overheated", "knowledge": ["user"]}))
}

/// Checks that the note is found with this cause and no other.
fn shows(stack: &Stack, sub: &str, cause: &str) -> Result<()> {
    let answer = ok(ask(stack, sub)?)?;
    let found = answer["results"][0]["report"]["root_cause"]["text"].as_str();
    let is_right = found.is_some_and(|text| text.contains(cause));
    ensure!(is_right && answer["total_results"] == 1, "{cause}: {answer}");
    Ok(())
}

/// Returns a rule for the calls of one function.
pub(crate) fn rule(
    stack: &Stack,
    function: &str,
    (call, times): (&str, u64),
    strike: &Value,
) -> Result<Value> {
    let function = stack.function(function)?;
    Ok(json!({"call": call, "function": function, "times": times, "strike": strike}))
}

/// Makes the given number of calls of one function fail.
fn failing(
    stack: &Stack,
    service: Service,
    function: &str,
    calls: (&str, u64),
    strike: &Value,
) -> Result<Faults> {
    stack.faults(service, &json!([rule(stack, function, calls, strike)?]))
}

/// Waits until `wanted` calls were struck.
fn struck(faults: &Faults, wanted: u64) -> Result<()> {
    for _ in 0..600 {
        if faults.struck()? >= wanted {
            return Ok(());
        }
        std::thread::park_timeout(std::time::Duration::from_millis(100));
    }
    bail!("{} calls were struck instead of {wanted}", faults.struck()?)
}

/// Waits until all messages of a queue are handled; `queue` is a fact of the stack.
pub(crate) fn drained(stack: &Stack, queue: &str) -> Result<()> {
    let wanted = [ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible];
    runtime()?.block_on(async {
        let client = sqs(stack)?;
        let mut pause = tokio::time::interval(std::time::Duration::from_millis(100));
        for _ in 0..600 {
            pause.tick().await;
            let request = client.get_queue_attributes().queue_url(stack.fact(queue)?);
            let got = request.set_attribute_names(Some(wanted.to_vec())).send().await?;
            let counts = got.attributes.context("no counts")?;
            if counts.values().all(|count| count == "0") {
                return Ok(());
            }
        }
        bail!("{queue} is not empty")
    })
}

/// Waits until all uploads that are of no case are handled.
fn ingested(stack: &Stack) -> Result<()> {
    // An upload stands in the second queue before it leaves the first.
    drained(stack, "upload_queue_url")?;
    drained(stack, "bulk_queue_url")
}

/// Waits for the dead letter of an upload that contains `part`, checks that it belongs to a message
/// group, and deletes it.
fn dead_letter(stack: &Stack, part: &str) -> Result<()> {
    runtime()?.block_on(async {
        let (client, queue) = (sqs(stack)?, stack.fact("dlq_url")?);
        for _ in 0..30 {
            let request = client.receive_message().queue_url(queue).max_number_of_messages(10);
            let request = request.message_system_attribute_names(MessageGroupId);
            let got = request.wait_time_seconds(10).send().await?;
            for message in got.messages() {
                if message.body().is_some_and(|body| body.contains(part)) {
                    let attributes = message.attributes.as_ref();
                    let group = attributes.and_then(|own| own.get(&MessageGroupId));
                    ensure!(group.is_some_and(|group| !group.is_empty()), "{message:?}");
                    let delete = client.delete_message().queue_url(queue);
                    delete.set_receipt_handle(message.receipt_handle.clone()).send().await?;
                    return Ok(());
                }
            }
        }
        bail!("no dead letter names {part}")
    })
}

/// Counts the points of a scope, visible to searches or not.
fn points(stack: &Stack, scope: &str) -> Result<u64> {
    runtime()?.block_on(async {
        let client = Qdrant::from_url(stack.fact("qdrant_url")?).skip_compatibility_check();
        let of_scope = Filter::must([Condition::matches("scope", scope.to_owned())]);
        let count = CountPointsBuilder::new(stack.fact("qdrant_collection")?).filter(of_scope);
        let counted = client.build()?.count(count.exact(true)).await?;
        Ok(counted.result.context("no count")?.count)
    })
}

pub(crate) fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
