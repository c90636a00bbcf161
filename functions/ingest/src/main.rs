//! Ingests the uploaded documents that two queues bring, and carries out the tasks of a third.

mod work;

use std::time::Duration;

use adapters::{Bedrock, Bucket, ChatModel, ChatUse, Qdrant, Queue, Table, env};
use async_trait::async_trait;
use corpus::beside::Beside;
use corpus::ingest::{Reader, Reading, Services};
use corpus::watch::Watcher;
use decisions::projects::Indexer;
use lambda::{Delivery, Message, Try};
use model::Result;
use ports::{Budgeted, Model, Purpose, Record};

use crate::work::{Asked, Tested, Trial, Work};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    lambda::log_as_json();
    let (bedrock, qdrant, table, bucket, queue) = (
        Bedrock::from_env(Purpose::Document)?,
        Qdrant::from_env(Purpose::Document)?,
        Table::from_env()?,
        Bucket::from_env()?,
        Queue::of_tasks()?,
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
    let trial = Trial { table: &table, model: chat_model.as_ref() };
    let work = Work { services, indexer, watcher, trial, used: &qdrant, beside: beside.as_ref() };
    Box::pin(lambda::serve_queue(
        async |message: &Message<'_>, one: &Try| match Asked::of(message, queue.name())? {
            Asked::Task(task) => one.within(Box::pin(work.task(task))).await,
            Asked::Upload(upload) => Box::pin(work.upload(&upload, one)).await,
        },
        async |delivery: &Delivery, seconds| hide(&queue, delivery, seconds).await,
        env::hidden_for()?,
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
