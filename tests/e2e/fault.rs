//! What fails around the functions: services that are away or silent, messages that come again, functions that are killed,
//! keys that are rotated. Whatever it is, nothing is lost, and a caller is told.
//!
//! Nothing here waits for a time to pass: a fault ends after so many calls, or when the test takes it back.

use anyhow::{Context, Result, bail, ensure};
use aws_sdk_sqs::types::QueueAttributeName::{
    ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible,
};
use plumbline_tests::{Door, Faults, Reply, Stack};
use qdrant_client::Qdrant;
use qdrant_client::qdrant::{Condition, CountPointsBuilder, Filter};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::case::{indexed, upload};
use crate::life::sqs;
use crate::project::ok;

pub(crate) mod bedrock;
pub(crate) mod index;
pub(crate) mod killed;
pub(crate) mod queue;
pub(crate) mod table;
pub(crate) mod token;

/// Somebody's own knowledge base.
const OWN: &str = "/v1/users/me";
/// The document that most of these tests bring there.
const NAME: &str = "fan note.md";

/// A document that reports a failure.
fn note(cause: &str) -> String {
    format!(
        "# Cooling fan\n\n## Symptoms\n\nThe cabinet overheated.\n\n## Root cause\n\nThe fan failed because {cause}.\n"
    )
}

/// Brings the note with this cause in, in the place of the one before, and waits until it is indexed; its id.
fn bring(stack: &Stack, sub: &str, cause: &str) -> Result<String> {
    let id = upload(stack, sub, OWN, (NAME, &note(cause)))?;
    indexed(stack, sub, OWN, &id)?;
    Ok(id)
}

fn ask(stack: &Stack, sub: &str) -> Result<Reply> {
    stack.rcca(sub, &json!({"question": "cabinet overheated", "knowledge": ["user"]}))
}

/// Whether the note is found with this cause, and with no other.
fn shows(stack: &Stack, sub: &str, cause: &str) -> Result<()> {
    let answer = ok(ask(stack, sub)?)?;
    let told = answer["results"][0]["rcca_metadata"]["root_cause"]["text"].as_str();
    let is_told = told.is_some_and(|told| told.contains(cause));
    ensure!(is_told && answer["total_results"] == 1, "{cause}: {answer}");
    Ok(())
}

/// A rule for the calls of one function.
fn rule(
    stack: &Stack,
    function: &str,
    (call, times): (&str, u64),
    strike: &Value,
) -> Result<Value> {
    let function = stack.function(function)?;
    Ok(json!({"call": call, "function": function, "times": times, "strike": strike}))
}

/// Has so many calls of one function fail.
fn failing(
    stack: &Stack,
    door: Door,
    function: &str,
    calls: (&str, u64),
    strike: &Value,
) -> Result<Faults> {
    stack.faults(door, &json!([rule(stack, function, calls, strike)?]))
}

/// Waits until so many calls were struck.
fn struck(faults: &Faults, wanted: u64) -> Result<()> {
    for _ in 0..600 {
        if faults.struck()? >= wanted {
            return Ok(());
        }
        std::thread::park_timeout(std::time::Duration::from_millis(100));
    }
    bail!("{} calls were struck instead of {wanted}", faults.struck()?)
}

/// Waits until all messages of a queue, a fact of the stack, were dealt with.
fn drained(stack: &Stack, queue: &str) -> Result<()> {
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

/// Waits for the dead letter of an upload that names this, and takes it away.
fn dead_letter(stack: &Stack, part: &str) -> Result<()> {
    runtime()?.block_on(async {
        let (client, queue) = (sqs(stack)?, stack.fact("dlq_url")?);
        for _ in 0..30 {
            let request = client.receive_message().queue_url(queue).max_number_of_messages(10);
            let got = request.wait_time_seconds(10).send().await?;
            for own in got.messages() {
                if own.body().is_some_and(|body| body.contains(part)) {
                    let delete = client.delete_message().queue_url(queue);
                    delete.set_receipt_handle(own.receipt_handle.clone()).send().await?;
                    return Ok(());
                }
            }
        }
        bail!("no dead letter names {part}")
    })
}

/// Counts the points of a scope, seen by searches or not.
fn points(stack: &Stack, scope: &str) -> Result<u64> {
    runtime()?.block_on(async {
        let client = Qdrant::from_url(stack.fact("qdrant_url")?).skip_compatibility_check();
        let of_scope = Filter::must([Condition::matches("scope", scope.to_owned())]);
        let count = CountPointsBuilder::new(stack.fact("qdrant_collection")?).filter(of_scope);
        let counted = client.build()?.count(count.exact(true)).await?;
        Ok(counted.result.context("no count")?.count)
    })
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
