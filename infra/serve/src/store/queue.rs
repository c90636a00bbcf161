//! Messages that wait until somebody has time for them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lambda::LAST_RECEIVE;
use model::{Error, Result};
use ports::{Removal, Removals, Task, Tasks};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use tokio::sync::Notify;

use super::{SERVICE, Store};

/// The queues by name: uploads to ingest, tasks, and what is to be removed.
pub(crate) const UPLOADS: &str = "uploads";
const TASKS: &str = "tasks";
const REMOVALS: &str = "removals";

/// All queues. A message that failed as often as a queue of a deployment delivers one is kept, and
/// not tried any more.
#[derive(Clone)]
pub(crate) struct Queues {
    store: Arc<Store>,
    sent: Arc<Notify>,
}

/// A message that was taken, and stays in its queue until it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    id: i64,
    /// The number of times that it was taken, with this one.
    pub(crate) receives: u32,
    /// Its content.
    pub(crate) content: Content,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// An upload to ingest.
    Upload(model::object::Upload),
    /// A task to do.
    Task(Task),
    /// What is to be removed.
    Removal(Removal),
}

impl Queues {
    /// Returns the queues of a store. What an earlier process had taken waits again.
    pub(crate) fn open(store: Arc<Store>) -> Result<Queues> {
        store.change(|change| change.execute("UPDATE messages SET visible_at = 0", []))?;
        Ok(Queues { store, sent: Arc::default() })
    }

    /// Wakes who waits for messages.
    pub(crate) fn wake(&self) {
        self.sent.notify_one();
    }

    /// Waits until messages were sent, or for this long.
    pub(crate) async fn sent(&self, longest: Duration) {
        let _ = tokio::time::timeout(longest, self.sent.notified()).await;
    }

    /// Takes a message that waits, the oldest first; tasks and removals before uploads. Nobody else
    /// takes it while this process lives, unless it fails. A message that no program can read is
    /// given up.
    pub(crate) fn take(&self) -> Result<Option<Taken>> {
        loop {
            let Some((id, queue, body, receives)) = self.oldest()? else { return Ok(None) };
            let content = match queue.as_str() {
                UPLOADS => serde_json::from_str(&body).map(Content::Upload),
                TASKS => serde_json::from_str(&body).map(Content::Task),
                _ => serde_json::from_str(&body).map(Content::Removal),
            };
            match content {
                Ok(content) => return Ok(Some(Taken { id, receives, content })),
                Err(error) => self.keep(id, LAST_RECEIVE, Duration::ZERO, &error.to_string())?,
            }
        }
    }

    fn oldest(&self) -> Result<Option<(i64, String, String, u32)>> {
        let oldest = "UPDATE messages SET receives = receives + 1, visible_at = ?3 WHERE id = (
                SELECT id FROM messages WHERE receives < ?1 AND visible_at <= ?2
                ORDER BY queue = 'uploads', id LIMIT 1
            ) RETURNING id, queue, body, receives";
        self.store.change(|change| {
            let mut oldest = change.prepare_cached(oldest)?;
            let row = oldest.query_row(params![LAST_RECEIVE, seconds(), i64::MAX], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            });
            row.optional()
        })
    }

    /// Returns true if no message waits or is worked on.
    pub(crate) fn are_empty(&self) -> Result<bool> {
        let waits = "SELECT 1 FROM messages WHERE receives < ?1";
        self.store
            .change(|change| change.prepare_cached(waits)?.exists([LAST_RECEIVE]).map(|is| !is))
    }

    /// Removes a message whose work is done.
    pub(crate) fn done(&self, taken: &Taken) -> Result<()> {
        self.store.change(|change| {
            change.prepare_cached("DELETE FROM messages WHERE id = ?1")?.execute([taken.id])?;
            Ok(())
        })
    }

    /// Leaves a message whose work failed to a later try: after half a second the first time, and
    /// twice as long each further time.
    pub(crate) fn failed(&self, taken: &Taken, error: &Error) -> Result<()> {
        let pause = Duration::from_millis(500) * (1 << taken.receives.min(LAST_RECEIVE));
        self.keep(taken.id, taken.receives, pause, &error.to_string())
    }

    fn keep(&self, id: i64, receives: u32, pause: Duration, error: &str) -> Result<()> {
        let keep = "UPDATE messages SET receives = ?2, visible_at = ?3, error = ?4 WHERE id = ?1";
        let until = seconds() + pause.as_secs().cast_signed();
        self.store.change(|change| {
            change.prepare_cached(keep)?.execute(params![id, receives, until, error])?;
            Ok(())
        })
    }

    fn send_all<M: Serialize>(&self, queue: &str, messages: &[M]) -> Result<()> {
        let bodies: serde_json::Result<Vec<String>> =
            messages.iter().map(serde_json::to_string).collect();
        let bodies = bodies.map_err(|error| Error::unavailable(SERVICE, error))?;
        self.store.change(|change| bodies.iter().try_for_each(|body| send(change, queue, body)))?;
        self.wake();
        Ok(())
    }
}

/// Adds a message to a queue.
pub(super) fn send(change: &Connection, queue: &str, body: &str) -> rusqlite::Result<()> {
    let insert = "INSERT INTO messages (queue, body, visible_at) VALUES (?1, ?2, ?3)";
    change.prepare_cached(insert)?.execute(params![queue, body, seconds()])?;
    Ok(())
}

fn seconds() -> i64 {
    jiff::Timestamp::now().as_second()
}

#[async_trait]
impl Tasks for Queues {
    async fn send(&self, tasks: &[Task]) -> Result<()> {
        self.send_all(TASKS, tasks)
    }
}

#[async_trait]
impl Removals for Queues {
    async fn send(&self, removals: &[Removal]) -> Result<()> {
        self.send_all(REMOVALS, removals)
    }
}
