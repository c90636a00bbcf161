//! Ingests the uploaded documents that the queue announces, and carries out its tasks: it indexes
//! decisions that could not be indexed when they were saved, marks decisions that cite passages of
//! a changed document, and tries parts of the chat model.

use std::iter;
use std::time::Duration;

use adapters::{Bedrock, Bucket, ChatModel, ChatUse, Qdrant, Queue, Table, env};
use async_trait::async_trait;
use corpus::beside::Beside;
use corpus::ingest;
use corpus::ingest::{Reader, Reading, Services};
use corpus::watch::{Changed, Watcher, watch};
use decisions::projects;
use decisions::projects::Indexer;
use lambda::{Delivery, HiddenFor, Message, Try};
use model::object::Upload;
use model::{Error, Result};
use ports::{Budgeted, Model, Purpose, Record, Task};
use wire::trial::{ModelPart, PartTrial};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    lambda::log_as_json();
    let (bedrock, qdrant, table, bucket, queue) = (
        Bedrock::from_env(Purpose::Document)?,
        Qdrant::from_env(Purpose::Document)?,
        Table::from_env()?,
        Bucket::from_env()?,
        Queue::of_ingest()?,
    );
    let (read_model, chat_model) = (ChatModel::from_env(ChatUse::Documents)?, Tested::from_env()?);
    begin_trial(&table, &queue, chat_model.as_ref()).await?;
    let budgeted = read_model.as_ref().map(|model| budgeted(model, &table)).transpose()?;
    let beside = Qdrant::beside_from_env(Purpose::Document)?;
    let both =
        beside.as_ref().map(|(other, model)| Beside { used: &qdrant, other: (other, model) });
    let services = Services {
        documents: &table,
        files: &bucket,
        cases: &table,
        embedder: &bedrock,
        publisher: both.as_ref().map_or(&qdrant, |both| both),
        indexing: &env::indexing()?,
        reviews: &table,
        tasks: &queue,
        tries: &table,
        reader: &OnAnotherThread,
        model: budgeted.as_ref().map(|reader| reader as &dyn Model),
    };
    let publisher = services.publisher;
    let indexer = Indexer { trail: &table, embedder: &bedrock, index: &qdrant, publisher };
    let watcher = Watcher { reviews: &table, index: &qdrant, cases: &table };
    Box::pin(lambda::serve_queue(
        async |message: &Message, one: &Try| match message {
            Message::Uploads(keys) => Box::pin(uploads(&services, keys, one)).await,
            Message::Task(Task::Decision { project_id, decision_id }) => {
                one.within(projects::catch_up(&indexer, project_id, decision_id)).await
            }
            Message::Task(Task::Configure {}) => configure(one, &qdrant, beside.as_ref()).await,
            Message::Task(Task::Trial { parts }) => {
                one.within(tried(&table, parts, chat_model.as_ref())).await
            }
            Message::Task(Task::Watch { scope, document_id: id, since }) => {
                let changed = Changed { scope: scope.clone(), document: *id, since: *since };
                one.within(watch(&watcher, &changed)).await.map(drop)
            }
        },
        async |delivery: &Delivery, seconds| hide(&queue, delivery, seconds).await,
        hidden_for()?,
    ))
    .await
}

/// Returns the model that reads documents, while tokens of the day are left.
fn budgeted<'a>(
    model: &'a ChatModel,
    counter: &'a Table,
) -> Result<Budgeted<'a, ChatModel>, lambda::Error> {
    Ok(Budgeted { model, counter, budget: env::tokens()?, caller: None, now: lambda::now })
}

async fn hide(queue: &Queue, delivery: &Delivery, seconds: u32) -> Result<()> {
    queue.hide(&delivery.queue, &delivery.receipt_handle, seconds).await
}

fn hidden_for() -> Result<HiddenFor, lambda::Error> {
    Ok(HiddenFor { hold: env::number("HOLD_SECONDS")?, retry: env::number("RETRY_SECONDS")? })
}

/// Upper bound for the time in which a document is read. The largest that are taken need a fraction
/// of it.
const LONGEST: Duration = Duration::from_mins(5);

/// Reads on a thread of its own, since reading may take minutes: meanwhile the message is held, and
/// a document that takes too long is refused. Its thread ends with it, or with this environment.
struct OnAnotherThread;

#[async_trait]
impl Reader for OnAnotherThread {
    async fn read(
        &self,
        record: &Record,
        version: &str,
        bytes: Vec<u8>,
    ) -> Result<Reading, String> {
        let (record, version) = (record.clone(), version.to_owned());
        let reading = move || reading::read(&record, &version, &bytes);
        within(LONGEST, reading).await
    }
}

/// Runs `reading` on a thread of its own for this long at most.
async fn within<T: Send + 'static>(
    longest: Duration,
    reading: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let read = lambda::tokio::task::spawn_blocking(reading);
    let Ok(read) = lambda::tokio::time::timeout(longest, read).await else {
        let minutes = longest.as_secs() / 60;
        return Err(format!("takes more than {minutes} minutes to read: split it"));
    };
    read.unwrap_or_else(|_| Err("the reader stopped at it: it has an error".into()))
}

/// Gives the collection that is searched, and the one beside it, the settings of this deployment.
async fn configure(one: &Try, used: &Qdrant, beside: Option<&(Qdrant, Bedrock)>) -> Result<()> {
    for index in iter::once(used).chain(beside.map(|(other, _)| other)) {
        Box::pin(one.within(index.configure())).await?;
    }
    Ok(())
}

/// The chat model for the trial, with the time limits of questions and answers. A reply that is too
/// late for them counts as late in the trial.
struct Tested {
    questions: ChatModel,
    answers: ChatModel,
}

impl Tested {
    fn from_env() -> Result<Option<Tested>, lambda::Error> {
        let questions = ChatModel::from_env(ChatUse::Questions)?;
        let both = questions.zip(ChatModel::from_env(ChatUse::Answers)?);
        Ok(both.map(|(questions, answers)| Tested { questions, answers }))
    }
}

/// Starts the trial of a chat model that was never tried. If the trial cannot be started, documents
/// are ingested all the same.
async fn begin_trial(
    table: &Table,
    queue: &Queue,
    model: Option<&Tested>,
) -> Result<(), lambda::Error> {
    if env::is_trial_waived()? {
        return Ok(());
    }
    let model = model.map(|model| model.questions.name());
    let services = trial::Services { trials: table, tasks: queue, model };
    if let Err(error) = trial::begin_where_untried(&services, lambda::now()).await {
        lambda::log(&format!("trial: not begun: {error}"));
    }
    Ok(())
}

/// Tries parts of the chat model. Without a model there is nothing to try.
async fn tried(table: &Table, parts: &[ModelPart], model: Option<&Tested>) -> Result<()> {
    let Some(model) = model else { return Ok(()) };
    for part in parts {
        let model = if *part == ModelPart::Write { &model.answers } else { &model.questions };
        let PartTrial { right, items, rules, .. } =
            trial::carry_out(table, *part, model, model.name(), lambda::now()).await?;
        let part = part.name();
        lambda::log(&format!("trial: {part}: {right} of {items} right, {rules} by the rules"));
    }
    Ok(())
}

/// Ingests uploads. Returns the first error of several.
async fn uploads(services: &Services<'_>, keys: &[String], one: &Try) -> Result<()> {
    let mut failed = None;
    for key in keys {
        let missing = || Error::Missing { kind: "upload", name: key.clone() };
        let upload = Upload::parse(key).ok_or_else(missing)?;
        match one.within(Box::pin(ingest::run(services, &upload))).await {
            Ok(outcome) => log(&upload, &format!("{outcome:?}")),
            Err(error) => {
                log(&upload, &error.to_string());
                ingest::failed(services, &upload, &error, one.is_last()).await?;
                failed = failed.or(Some(error));
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Logs the outcome of an upload. The id of its owner stays out of the log.
fn log(Upload { scope, document_id, version }: &Upload, outcome: &str) {
    let scope = scope.to_string();
    let kind = scope.split(':').next().unwrap_or_default();
    lambda::log(&format!("ingest: document {document_id} ({kind}), version {version}: {outcome}"));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_document_that_takes_too_long_to_read_is_refused_with_the_reason() {
        let runtime = lambda::tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.unwrap();
        let (end, ended) = channel::<()>();
        let endless = move || {
            ended.recv().ok();
            Ok(())
        };
        let read = runtime.block_on(within(Duration::ZERO, endless));
        assert_eq!(read, Err("takes more than 0 minutes to read: split it".into()));
        drop(end);
        assert_eq!(runtime.block_on(within(LONGEST, || Ok(7))), Ok(7));
        let stops: fn() -> Result<(), String> = || panic!("an error of the reader");
        let read = runtime.block_on(within(LONGEST, stops));
        assert_eq!(read, Err("the reader stopped at it: it has an error".into()));
    }
}
