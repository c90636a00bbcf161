//! Uploaded documents, told of by the queue, into the index; and decisions that could not be indexed when they were saved.

use adapters::{Bedrock, Bucket, Converse, Qdrant, Queue, Table, env};
use lambda::Message;
use workflow::beside::Beside;
use workflow::ingest::{self, Services};
use workflow::object::Upload;
use workflow::ports::{Model, Purpose, Task};
use workflow::projects::{self, Indexer};
use workflow::{Error, Result};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (bedrock, qdrant, table, bucket, queue) = (
        Bedrock::from_env(Purpose::Document)?,
        Qdrant::from_env(Purpose::Document)?,
        Table::from_env()?,
        Bucket::from_env()?,
        Queue::of_ingest()?,
    );
    let retry_seconds = env::number("RETRY_SECONDS")?;
    let indexing = env::indexing()?;
    let read_model = Converse::of_documents_from_env()?;
    let beside = Qdrant::beside_from_env(Purpose::Document)?;
    let both =
        beside.as_ref().map(|(other, model)| Beside { used: &qdrant, other: (other, model) });
    let services = Services {
        documents: &table,
        files: &bucket,
        embedder: &bedrock,
        publisher: both.as_ref().map_or(&qdrant, |both| both),
        indexing: &indexing,
        reviews: &table,
        read: reading::read,
        model: read_model.as_ref().map(|own| own as &dyn Model),
    };
    let indexer = Indexer {
        trail: &table,
        embedder: &bedrock,
        index: &qdrant,
        publisher: services.publisher,
    };
    lambda::serve_queue(
        async |message: &Message| match message {
            Message::Uploads { keys, is_last_try } => uploads(&services, keys, *is_last_try).await,
            Message::Task(Task::Decision { project_id, decision_id }) => {
                projects::catch_up(&indexer, project_id, decision_id).await
            }
        },
        async |failed| queue.hide(&failed.receipt_handle, failed.pause(retry_seconds)).await,
    )
    .await
}

/// Ingests uploads; the first error of several.
async fn uploads(services: &Services<'_>, keys: &[String], is_last_try: bool) -> Result<()> {
    let mut failed = None;
    for key in keys {
        let missing = || Error::Missing { kind: "upload", name: key.clone() };
        let upload = Upload::parse(key).ok_or_else(missing)?;
        if let Err(error) = ingest::run(services, &upload).await {
            if is_last_try {
                ingest::give_up(services.documents, &upload, &error).await?;
            }
            failed = failed.or(Some(error));
        }
    }
    failed.map_or(Ok(()), Err)
}
