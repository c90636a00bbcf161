//! Makes a digest of the changes in each project, once per period: the schedule hands out the
//! projects, and the queue brings them back.

use adapters::{Queue, Table, env};
use decisions::digest;
use decisions::digest::{Job, Run};
use lambda::{Delivery, Work};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (table, queue, tasks) = (Table::from_env()?, Queue::of_digests()?, Queue::of_tasks()?);
    lambda::serve_work(
        async |work: Work<Run, Job>, now| match work {
            Work::All(run) => digest::fan_out(&table, &queue, run, now).await.map(|count| {
                lambda::log(&format!("{count} projects handed out"));
            }),
            Work::One(job) => {
                digest::tell(&table, &table, &tasks, &job, now).await.map(|outcome| {
                    lambda::log(&format!("project {}: {outcome:?}", job.project_id));
                })
            }
        },
        async |delivery: &Delivery, seconds| {
            queue.hide(&delivery.queue, &delivery.receipt_handle, seconds).await
        },
        env::hidden_for()?,
    )
    .await
}
