//! The queues that hand out what a function sends itself, or another one.

use async_trait::async_trait;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use decisions::digest::{Job, Jobs};
use model::object::Upload;
use model::scope::Scope;
use model::{Error, Result};
use ports::{Removal, Removals, Task, Tasks};
use serde::Serialize;
use uuid::Uuid;

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

    /// The queue of tasks. Setting: `TASK_QUEUE_URL`.
    pub fn of_tasks() -> Result<Queue, SettingError> {
        Queue::from_env("TASK_QUEUE_URL")
    }

    /// The queue of uploads of cases. Setting: `CASE_QUEUE_URL`.
    pub fn of_cases() -> Result<Queue, SettingError> {
        Queue::from_env("CASE_QUEUE_URL")
    }

    /// The queue of all other uploads. Setting: `BULK_QUEUE_URL`.
    pub fn of_bulk() -> Result<Queue, SettingError> {
        Queue::from_env("BULK_QUEUE_URL")
    }

    /// Returns the name of the queue.
    pub fn name(&self) -> &str {
        self.url.rsplit('/').next().unwrap_or_default()
    }

    /// Sends uploads, each with its scope as message group: SQS then delivers those of quiet scopes
    /// first (fair queues).
    ///
    /// # Errors
    /// [`Error::Unavailable`] if one was not accepted; then others may have been.
    pub async fn hand_on(&self, uploads: &[Upload]) -> Result<()> {
        let grouped = |upload: &Upload| (Some(group(&upload.scope)), upload.clone());
        self.send_all(uploads.iter().map(grouped)).await
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

    /// Sends messages, each in its group if it has one.
    async fn send_all<M: Serialize>(
        &self,
        messages: impl Iterator<Item = (Option<String>, M)>,
    ) -> Result<()> {
        let entries = messages.enumerate().map(|(place, (group, message))| {
            let body = serde_json::to_string(&message);
            let body = body.map_err(|error| Error::unavailable(SERVICE, error))?;
            // Names a message in the reply, and so differs within a call.
            let id = (place % BATCH).to_string();
            let entry = SendMessageBatchRequestEntry::builder().id(id).message_body(body);
            let entry = entry.set_message_group_id(group).build();
            entry.map_err(|error| Error::unavailable(SERVICE, error))
        });
        for entries in entries.collect::<Result<Vec<_>>>()?.chunks(BATCH) {
            let request = self.client.send_message_batch().queue_url(&self.url);
            let sent = request.set_entries(Some(entries.to_vec())).send().await;
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
        self.send_all(jobs.iter().map(|one| (None, one))).await
    }
}

#[async_trait]
impl Removals for Queue {
    async fn send(&self, removals: &[Removal]) -> Result<()> {
        self.send_all(removals.iter().map(|one| (None, one))).await
    }
}

#[async_trait]
impl Tasks for Queue {
    async fn send(&self, tasks: &[Task]) -> Result<()> {
        self.send_all(tasks.iter().map(|one| (None, one))).await
    }
}

/// The address of the queue with this name in the account and the region of another one.
fn beside(url: &str, name: &str) -> String {
    let (folder, _) = url.rsplit_once('/').unwrap_or_default();
    format!("{folder}/{name}")
}

/// Returns the message group of a scope. SQS takes 128 letters of ASCII at most, and a scope may
/// have others.
fn group(scope: &Scope) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_URL, scope.to_string().as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_scope_has_a_group_of_its_own_of_letters_that_sqs_takes() {
        let long = "é".repeat(300);
        let scopes = [Scope::Global, Scope::User("a b/c".into()), Scope::Team(long.clone())];
        let groups: BTreeSet<String> = scopes.iter().map(group).collect();
        assert_eq!(groups.len(), 3);
        assert!(groups.iter().all(|one| one.is_ascii() && one.len() <= 128), "{groups:?}");
        assert!(groups.contains(&group(&Scope::Team(long))), "the same scope has the same group");
    }
}
