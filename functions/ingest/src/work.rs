//! The work that messages ask for.

use std::iter;

use adapters::services::SearchIndex;
use adapters::{ChatModel, ChatUse, Table};
use corpus::ingest;
use corpus::ingest::Services;
use corpus::watch::{Changed, Watcher, watch};
use decisions::projects;
use decisions::projects::Indexer;
use lambda::Try;
use model::object::Upload;
use model::{Error, Result};
use ports::Task;
use wire::trial::{ModelPart, PartTrial};

use crate::alerts::{Stores, Telling};

/// The services of all work.
pub struct Work<'a> {
    pub(crate) services: Services<'a>,
    pub(crate) indexer: Indexer<'a>,
    pub(crate) watcher: Watcher<'a>,
    pub(crate) trial: Trial<'a>,
    pub(crate) telling: (&'a std::result::Result<Telling, String>, Stores<'a>),
    /// The index that is searched.
    pub(crate) used: &'a dyn SearchIndex,
    /// The index beside it.
    pub(crate) beside: Option<&'a dyn SearchIndex>,
}

impl Work<'_> {
    /// Ingests an upload.
    ///
    /// # Errors
    /// Those of the services; the document's status tells of it after the last try.
    pub async fn upload(&self, upload: &Upload, one: &Try) -> Result<()> {
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
    /// this deployment, tells of a case that alerts changed or of a digest, or tries parts of the
    /// chat model.
    ///
    /// # Errors
    /// Those of the services.
    pub async fn task(&self, task: Task) -> Result<()> {
        match task {
            Task::Decision { project_id, decision_id } => {
                projects::catch_up(&self.indexer, &project_id, &decision_id).await
            }
            Task::Watch { scope, document_id: document, since } => {
                watch(&self.watcher, &Changed { scope, document, since }).await.map(drop)
            }
            Task::Alerts { route, case_id } => {
                self.telling()?.tell(&self.telling.1, &route, &case_id).await
            }
            Task::Digest { project_id, period } => {
                let table = self.telling.1.table;
                self.telling()?.tell_digest(table, &project_id, &period).await
            }
            Task::Configure {} => {
                for index in iter::once(self.used).chain(self.beside) {
                    index.configure().await?;
                }
                Ok(())
            }
            Task::Trial { parts } => self.trial.of(&parts).await,
        }
    }

    /// Returns the routes of alerts, if their files can be used.
    fn telling(&self) -> Result<&Telling> {
        let unusable = |reason: &String| Error::unavailable("the routes of alerts", reason.clone());
        self.telling.0.as_ref().map_err(unusable)
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
    pub answers: ChatModel,
}

impl Tested {
    pub(crate) fn from_env() -> Result<Option<Tested>, lambda::Error> {
        let questions = ChatModel::from_env(ChatUse::Questions)?;
        let both = questions.zip(ChatModel::from_env(ChatUse::Answers)?);
        Ok(both.map(|(questions, answers)| Tested { questions, answers }))
    }
}
