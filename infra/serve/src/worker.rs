//! Work behind the requests: uploads are ingested, tasks done, and what was deleted is removed.

use std::time::{Duration, Instant, SystemTime};

use corpus::removal::{Run, Sweep};
use lambda::{Try, Work};

use crate::home::Home;
use crate::store::queue::{Content, Queues, Taken};

/// The messages that are handled at the same time. The embedding model has a thread for each
/// processor, and a small document does not fill them.
const LANES: usize = 4;

/// The longest time for one message.
const LONGEST: Duration = Duration::from_mins(15);

/// The time after which the queues are looked at again.
const IDLE: Duration = Duration::from_secs(1);

/// The time between two searches for orphans, the first of which is at the start.
const SWEEP: Duration = Duration::from_hours(24);

/// Works until the process ends.
///
/// # Errors
/// Names the setting that cannot be read.
pub(crate) async fn work(home: &Home) -> Result<(), lambda::Error> {
    let (ingest, removal) = (ingest::Clients::of(home)?, removal::Clients::of(home)?);
    ingest.begin_trial().await?;
    let working = ingest.working(async |work| {
        let lane = || async {
            loop {
                let Ok(Some(taken)) = home.queues.take() else {
                    home.queues.sent(IDLE).await;
                    continue;
                };
                // Another lane looks for more.
                home.queues.wake();
                let done = carried_out(work, &removal, &taken).await;
                settle(&home.queues, &taken, done);
            }
        };
        let lanes = (0..LANES).map(|_| lane());
        tokio::join!(futures_util::future::join_all(lanes), sweep(home, &removal));
    });
    Box::pin(working).await;
    Ok(())
}

async fn carried_out(
    work: &ingest::Work<'_>,
    removal: &removal::Clients,
    taken: &Taken,
) -> model::Result<()> {
    let one = Try::new(taken.receives, SystemTime::now() + LONGEST);
    match taken.content.clone() {
        Content::Upload(upload) => Box::pin(work.upload(&upload, &one)).await,
        Content::Task(task) => one.within(Box::pin(work.task(task))).await,
        Content::Removal(one_removal) => {
            one.within(removal.carry_out(Work::One(one_removal), lambda::now())).await
        }
    }
}

fn settle(queues: &Queues, taken: &Taken, done: model::Result<()>) {
    let settled = match done {
        Ok(()) => queues.done(taken),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            lambda::log_error(&format!("a message failed: {error}: {cause:?}"));
            queues.failed(taken, &error)
        }
    };
    if let Err(error) = settled {
        lambda::log_error(&format!("a message was not settled: {error}"));
    }
}

/// Has orphans looked for, and expired items deleted.
async fn sweep(home: &Home, removal: &removal::Clients) {
    loop {
        let begun = Instant::now();
        let run = Work::All(Run { sweep: Sweep::Orphans });
        if let Err(error) = removal.carry_out(run, lambda::now()).await {
            lambda::log_error(&format!("the sweep did not begin: {error}"));
        }
        if let Err(error) = home.database.sweep_ttl() {
            lambda::log_error(&format!("expired items stay: {error}"));
        }
        tokio::time::sleep(SWEEP.saturating_sub(begun.elapsed())).await;
    }
}
