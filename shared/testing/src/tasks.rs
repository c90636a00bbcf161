//! Tasks in memory.

use std::sync::Mutex;

use async_trait::async_trait;

use model::Result;
use ports::{Task, Tasks};

/// Tasks that are waiting.
#[derive(Debug, Default)]
pub struct FakeTasks {
    waiting: Mutex<Vec<Task>>,
}

impl FakeTasks {
    /// Returns the waiting tasks and empties the queue.
    pub fn take(&self) -> Vec<Task> {
        std::mem::take(&mut *self.waiting.lock().unwrap())
    }
}

#[async_trait]
impl Tasks for FakeTasks {
    async fn send(&self, tasks: &[Task]) -> Result<()> {
        self.waiting.lock().unwrap().extend_from_slice(tasks);
        Ok(())
    }
}
