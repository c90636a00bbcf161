//! Uploaded documents, told of by the queue, into the index.

use adapters::{Bedrock, Bucket, Converse, Qdrant, Table, env};
use lambda::Message;
use workflow::Error;
use workflow::beside::Beside;
use workflow::ingest::{self, Services};
use workflow::object::Upload;
use workflow::ports::{Model, Purpose};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (bedrock, qdrant, table, bucket) = (
        Bedrock::from_env(Purpose::Document)?,
        Qdrant::from_env(Purpose::Document)?,
        Table::from_env()?,
        Bucket::from_env()?,
    );
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
    lambda::serve_queue(async |message: &Message| {
        let mut failed = None;
        for key in &message.keys {
            let upload = Upload::parse(key)
                .ok_or_else(|| Error::Missing { kind: "upload", name: key.clone() })?;
            if let Err(error) = ingest::run(&services, &upload).await {
                if message.is_last_try {
                    ingest::give_up(&table, &upload, &error).await?;
                }
                failed = failed.or(Some(error));
            }
        }
        failed.map_or(Ok(()), Err)
    })
    .await
}
