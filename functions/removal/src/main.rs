//! Removes deleted data: the queue brings documents and closed cases, and the timer starts the
//! search for orphans.

use adapters::{Bucket, Qdrant, Queue, Table, env};
use corpus::beside::Beside;
use corpus::removal;
use corpus::removal::{Outcome, REFUSED, Run, Services};
use lambda::{Delivery, Work};
use ports::{Purpose, Removal};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (table, bucket, queue, tasks, qdrant) = (
        Table::from_env()?,
        Bucket::from_env()?,
        Queue::of_removals()?,
        Queue::of_tasks()?,
        Qdrant::from_env(Purpose::Document)?,
    );
    let beside = Qdrant::beside_from_env(Purpose::Document)?;
    let both =
        beside.as_ref().map(|(other, model)| Beside { used: &qdrant, other: (other, model) });
    let services = Services {
        documents: &table,
        files: &bucket,
        publisher: both.as_ref().map_or(&qdrant, |both| both),
        cases: &table,
        projects: &table,
        removals: &queue,
        tasks: &tasks,
        restore_days: env::number("RESTORE_DAYS")?,
    };
    lambda::serve_work(
        async |work: Work<Run, Removal>, now| match work {
            Work::All(run) => removal::hand_out(&queue, run).await,
            Work::One(removal) => {
                let of = format!("{removal:?}");
                removal::run(&services, removal, now).await.map(|outcome| log(&of, &outcome))
            }
        },
        async |delivery: &Delivery, seconds| {
            queue.hide(&delivery.queue, &delivery.receipt_handle, seconds).await
        },
        env::hidden_for()?,
    )
    .await
}

fn log(of: &str, outcome: &Outcome) {
    match outcome {
        Outcome::Refused { .. } => lambda::log_error(&format!("{REFUSED}: {outcome:?}")),
        _ => lambda::log(&format!("removal: {outcome:?}, {of}")),
    }
}
