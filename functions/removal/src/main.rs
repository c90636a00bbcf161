//! Removes deleted data: the queue brings documents and closed cases, and the timer starts the
//! search for orphans.

use adapters::{Deployed, Queue, env};
use lambda::Delivery;
use removal::Clients;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (clients, queue) = (Clients::of(&Deployed)?, Queue::of_removals()?);
    lambda::serve_work(
        async |work, now| clients.carry_out(work, now).await,
        async |delivery: &Delivery, seconds| {
            queue.hide(&delivery.queue, &delivery.receipt_handle, seconds).await
        },
        env::hidden_for()?,
    )
    .await
}
