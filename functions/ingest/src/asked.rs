//! The content of messages.

use lambda::Message;
use model::Result;
use model::object::Upload;
use ports::Task;

/// The content of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// An upload to ingest.
    Upload(Upload),
    /// A task to do.
    Task(Task),
}

impl Asked {
    /// Reads a message by the queue that brings it, since others may send to that of tasks than to
    /// those of uploads: who leaves a task uploads nothing.
    pub(crate) fn of(message: &Message<'_>, tasks: &str) -> Result<Asked> {
        if message.queue == tasks {
            message.read().map(Asked::Task)
        } else {
            message.read().map(Asked::Upload)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Error;

    #[test]
    fn the_queue_of_tasks_brings_no_upload_and_the_others_bring_no_task() {
        let upload = r#"{"scope": "global", "document_id": "00000000-0000-0000-0000-000000000007", "version": "01A"}"#;
        let task = r#"{"trial": {"parts": []}}"#;
        let asked = |queue, body| Asked::of(&Message { queue, body }, "tasks");
        assert!(matches!(asked("bulk", upload), Ok(Asked::Upload(_))));
        assert!(matches!(asked("tasks", task), Ok(Asked::Task(_))));
        for (queue, body) in [("tasks", upload), ("bulk", task), ("cases", task)] {
            assert!(matches!(asked(queue, body), Err(Error::Malformed { .. })), "{queue}: {body}");
        }
    }
}
