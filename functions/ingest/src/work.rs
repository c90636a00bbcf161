//! The work that messages ask for.

use std::iter;

use adapters::{Bedrock, ChatModel, ChatUse, Qdrant, Table};
use corpus::ingest;
use corpus::ingest::Services;
use corpus::watch::{Changed, Watcher, watch};
use decisions::projects;
use decisions::projects::Indexer;
use lambda::{Message, Try};
use model::Result;
use model::object::Upload;
use ports::Task;
use wire::trial::{ModelPart, PartTrial};

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

/// The services of all work.
pub(crate) struct Work<'a> {
    pub services: Services<'a>,
    pub indexer: Indexer<'a>,
    pub watcher: Watcher<'a>,
    pub trial: Trial<'a>,
    /// The collection that is searched.
    pub used: &'a Qdrant,
    /// The collection beside it, with its model.
    pub beside: Option<&'a (Qdrant, Bedrock)>,
}

impl Work<'_> {
    /// Ingests an upload.
    pub(crate) async fn upload(&self, upload: &Upload, one: &Try) -> Result<()> {
        match one.within(Box::pin(ingest::run(&self.services, upload))).await {
            Ok(outcome) => {
                log(upload, &format!("{outcome:?}"));
                Ok(())
            }
            Err(error) => {
                log(upload, &error.to_string());
                ingest::failed(&self.services, upload, &error, one.is_last()).await?;
                Err(error)
            }
        }
    }

    /// Carries out a task: indexes a decision that could not be indexed when it was saved, marks
    /// decisions that cite passages of a changed document, gives the collections the settings of
    /// this deployment, or tries parts of the chat model.
    pub(crate) async fn task(&self, task: Task) -> Result<()> {
        match task {
            Task::Decision { project_id, decision_id } => {
                projects::catch_up(&self.indexer, &project_id, &decision_id).await
            }
            Task::Watch { scope, document_id: document, since } => {
                watch(&self.watcher, &Changed { scope, document, since }).await.map(drop)
            }
            Task::Configure {} => {
                let beside = self.beside.map(|(index, _)| index);
                for index in iter::once(self.used).chain(beside) {
                    Box::pin(index.configure()).await?;
                }
                Ok(())
            }
            Task::Trial { parts } => self.trial.of(&parts).await,
        }
    }
}

/// Logs the outcome of an upload. The id of its owner stays out of the log.
fn log(Upload { scope, document_id, version }: &Upload, outcome: &str) {
    let scope = scope.to_string();
    let kind = scope.split(':').next().unwrap_or_default();
    lambda::log(&format!("ingest: document {document_id} ({kind}), version {version}: {outcome}"));
}

/// A trial of the chat model, if there is one.
pub(crate) struct Trial<'a> {
    pub table: &'a Table,
    pub model: Option<&'a Tested>,
}

impl Trial<'_> {
    /// Tries parts of the model. Without a model there is nothing to try.
    async fn of(&self, parts: &[ModelPart]) -> Result<()> {
        let Some(model) = self.model else { return Ok(()) };
        for part in parts {
            let model = if *part == ModelPart::Write { &model.answers } else { &model.questions };
            let PartTrial { right, items, rules, .. } =
                trial::carry_out(self.table, *part, model, model.name(), lambda::now()).await?;
            let part = part.name();
            lambda::log(&format!("trial: {part}: {right} of {items} right, {rules} by the rules"));
        }
        Ok(())
    }
}

/// The chat model for the trial, with the time limits of questions and answers. A reply that is too
/// late for them counts as late in the trial.
pub(crate) struct Tested {
    pub questions: ChatModel,
    answers: ChatModel,
}

impl Tested {
    pub(crate) fn from_env() -> Result<Option<Tested>, lambda::Error> {
        let questions = ChatModel::from_env(ChatUse::Questions)?;
        let both = questions.zip(ChatModel::from_env(ChatUse::Answers)?);
        Ok(both.map(|(questions, answers)| Tested { questions, answers }))
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
