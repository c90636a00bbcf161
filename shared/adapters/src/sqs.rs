//! The queue that hands out a digest's projects.

use async_trait::async_trait;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::error::DisplayErrorContext;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use workflow::digest::{Job, Jobs};
use workflow::{Error, Result};

use crate::aws;
use crate::env::{self, SettingError};

/// What the caller may know it as.
const SERVICE: &str = "the queue";

/// The most messages of one call.
const BATCH: usize = 10;

/// An SQS queue. Setting: `DIGEST_QUEUE_URL`.
pub struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// Makes the client; it connects when it is first used.
    pub fn from_env() -> Result<Queue, SettingError> {
        let client = Client::new(&aws::config("SQS", &aws::SHORT)?);
        Ok(Queue { client, url: env::required("DIGEST_QUEUE_URL")? })
    }
}

#[async_trait]
impl Jobs for Queue {
    async fn send(&self, jobs: &[Job]) -> Result<()> {
        for jobs in jobs.chunks(BATCH) {
            let entries: Result<Vec<_>> = jobs.iter().enumerate().map(entry).collect();
            let request = self.client.send_message_batch().queue_url(&self.url);
            let sent = request.set_entries(Some(entries?)).send().await;
            let sent = sent.map_err(|error| {
                Error::unavailable(SERVICE, DisplayErrorContext(&error).to_string())
            })?;
            if let Some(failure) = sent.failed.first() {
                let cause = format!("message {}: {:?}", failure.id, failure.message);
                return Err(Error::unavailable(SERVICE, cause));
            }
        }
        Ok(())
    }
}

fn entry((place, job): (usize, &Job)) -> Result<SendMessageBatchRequestEntry> {
    let body = serde_json::to_string(job).map_err(|error| Error::unavailable(SERVICE, error))?;
    let entry = SendMessageBatchRequestEntry::builder().id(place.to_string()).message_body(body);
    entry.build().map_err(|error| Error::unavailable(SERVICE, error))
}
