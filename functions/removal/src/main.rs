//! What was deleted is taken away: the queue brings documents and closed cases, the timer has orphans looked for.

use adapters::{Bucket, Qdrant, Queue, Table};
use lambda::Work;
use workflow::ports::{Purpose, Removal};
use workflow::removal::{self, Outcome, REFUSED, Run, Services};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (table, bucket, queue, qdrant) = (
        Table::from_env()?,
        Bucket::from_env()?,
        Queue::of_removals()?,
        Qdrant::from_env(Purpose::Document)?,
    );
    let services = Services {
        documents: &table,
        files: &bucket,
        publisher: &qdrant,
        reviews: &table,
        cases: &table,
        removals: &queue,
    };
    lambda::serve_work(async |work: Work<Run, Removal>, now| match work {
        Work::All(run) => removal::hand_out(&queue, run).await,
        Work::One(removal) => {
            removal::run(&services, removal, now).await.map(|outcome| match outcome {
                Outcome::Refused { .. } => lambda::log_error(&format!("{REFUSED}: {outcome:?}")),
                _ => lambda::log(&format!("removal: {outcome:?}")),
            })
        }
    })
    .await
}
