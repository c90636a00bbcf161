//! Ingests the uploaded documents that two queues bring, and carries out the tasks of a third.

use adapters::{Deployed, Queue, env};
use ingest::Clients;
use lambda::{Delivery, Message, Try};

use crate::asked::Asked;

mod asked;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    lambda::log_as_json();
    let (clients, queue) = (Clients::of(&Deployed)?, Queue::of_tasks()?);
    clients.begin_trial().await?;
    let hidden_for = env::hidden_for()?;
    let serving = clients.working(async |work| {
        Box::pin(lambda::serve_queue(
            async |message: &Message<'_>, one: &Try| match Asked::of(message, queue.name())? {
                Asked::Task(task) => one.within(Box::pin(work.task(task))).await,
                Asked::Upload(upload) => Box::pin(work.upload(&upload, one)).await,
            },
            async |delivery: &Delivery, seconds| {
                queue.hide(&delivery.queue, &delivery.receipt_handle, seconds).await
            },
            hidden_for,
        ))
        .await
    });
    Box::pin(serving).await
}
