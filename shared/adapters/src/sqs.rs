//! The queues that hand out what a function sends itself, or another one.

use async_trait::async_trait;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use decisions::digest::{Job, Jobs};
use model::{Error, Result};
use ports::{Removal, Removals, Task, Tasks};
use serde::Serialize;

use crate::aws;
use crate::env::{self, SettingError};

/// The name by which the caller may know it.
const SERVICE: &str = "the queue";

/// The most messages of one call.
const BATCH: usize = 10;

/// An SQS queue.
pub struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// The queue that hands out a digest's projects. Setting: `DIGEST_QUEUE_URL`.
    pub fn of_digests() -> Result<Queue, SettingError> {
        Queue::from_env("DIGEST_QUEUE_URL")
    }

    /// The queue of what is to be taken away. Setting: `REMOVAL_QUEUE_URL`.
    pub fn of_removals() -> Result<Queue, SettingError> {
        Queue::from_env("REMOVAL_QUEUE_URL")
    }

    /// The queue of uploads, which also takes tasks. Setting: `INGEST_QUEUE_URL`.
    pub fn of_ingest() -> Result<Queue, SettingError> {
        Queue::from_env("INGEST_QUEUE_URL")
    }

    /// Hides a message that was received from the queue with this name, which lies beside this one,
    /// for so many seconds from now on.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the queue fails; the message then stays hidden for as long as
    /// its queue says.
    pub async fn hide(&self, name: &str, receipt_handle: &str, seconds: u32) -> Result<()> {
        let seconds = i32::try_from(seconds).unwrap_or(i32::MAX);
        let request = self.client.change_message_visibility().queue_url(beside(&self.url, name));
        let request = request.receipt_handle(receipt_handle).visibility_timeout(seconds);
        let hidden = request.send().await;
        hidden.map(drop).map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))
    }

    /// Makes the client; it connects when it is first used.
    fn from_env(setting: &'static str) -> Result<Queue, SettingError> {
        let client = Client::new(&aws::config("SQS", &aws::SHORT)?);
        Ok(Queue { client, url: env::required(setting)? })
    }

    async fn send_all(&self, messages: &[impl Serialize]) -> Result<()> {
        for messages in messages.chunks(BATCH) {
            let entries = messages.iter().enumerate();
            let entries: Result<Vec<_>> =
                entries.map(|(place, message)| entry(place, message)).collect();
            let request = self.client.send_message_batch().queue_url(&self.url);
            let sent = request.set_entries(Some(entries?)).send().await;
            let sent = sent.map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
            if let Some(failure) = sent.failed.first() {
                let cause = format!("message {}: {:?}", failure.id, failure.message);
                return Err(Error::unavailable(SERVICE, cause));
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Jobs for Queue {
    async fn send(&self, jobs: &[Job]) -> Result<()> {
        self.send_all(jobs).await
    }
}

#[async_trait]
impl Removals for Queue {
    async fn send(&self, removals: &[Removal]) -> Result<()> {
        self.send_all(removals).await
    }
}

#[async_trait]
impl Tasks for Queue {
    async fn send(&self, tasks: &[Task]) -> Result<()> {
        self.send_all(tasks).await
    }
}

/// The address of the queue with this name in the account and the region of another one.
fn beside(url: &str, name: &str) -> String {
    let (folder, _) = url.rsplit_once('/').unwrap_or_default();
    format!("{folder}/{name}")
}

fn entry(place: usize, message: &impl Serialize) -> Result<SendMessageBatchRequestEntry> {
    let body =
        serde_json::to_string(message).map_err(|error| Error::unavailable(SERVICE, error))?;
    let entry = SendMessageBatchRequestEntry::builder().id(place.to_string()).message_body(body);
    entry.build().map_err(|error| Error::unavailable(SERVICE, error))
}
