//! Work behind the requests: uploads are ingested, tasks done, and what was deleted is removed.

use std::time::{Duration, Instant, SystemTime};

use adapters::Table;
use adapters::services::{SearchIndex, Services};
use corpus::removal::{Run, Sweep};
use jiff::SignedDuration;
use lambda::{Try, Work};
use ports::scope::Scope;
use ports::{ConflictStore, Purpose};

use crate::home::Home;
use crate::store::queue::{Content, Queues, Taken};

/// The messages that are handled at the same time. The embedding model has a thread for each
/// processor, and a small document does not fill them.
const LANES: usize = 4;

/// The longest time for one message.
const LONGEST: Duration = Duration::from_mins(15);

/// The time after which the queues are looked at again.
const IDLE: Duration = Duration::from_secs(1);

/// The time after which it is looked whether conflicts between documents are to be looked for, and
/// the least time between two such jobs.
const LOOK: Duration = Duration::from_mins(1);
const CONFLICTS: SignedDuration = SignedDuration::from_hours(1);

/// The time between two searches for orphans, the first of which is at the start.
const SWEEP: Duration = Duration::from_hours(24);

/// Works until the process ends.
///
/// # Errors
/// Names the setting that cannot be read.
pub(crate) async fn work(home: &Home) -> Result<(), lambda::Error> {
    let (ingest, removal) = (ingest::Clients::of(home)?, removal::Clients::of(home)?);
    let (index, table) = (home.index(Purpose::Document)?, home.table()?);
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
                settle(&home.queues, &taken, done).await;
            }
        };
        let lanes = (0..LANES).map(|_| lane());
        let lanes = futures_util::future::join_all(lanes);
        tokio::join!(lanes, sweep(home, &removal), look_for_conflicts(home, &*index, &table));
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

/// Says of a message what came of it, as soon as the store takes that: a disk may be full.
async fn settle(queues: &Queues, taken: &Taken, done: model::Result<()>) {
    if let Err(error) = &done {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        lambda::log_error(&format!("a message failed: {error}: {cause:?}"));
    }
    let settled = || match &done {
        Ok(()) => queues.done(taken),
        Err(error) => queues.failed(taken, error),
    };
    let mut told = false;
    while let Err(error) = settled() {
        if !told {
            lambda::log_error(&format!("a message is settled later: {error}"));
        }
        told = true;
        tokio::time::sleep(IDLE).await;
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

/// Has conflicts between everyone's documents looked for while nothing waits to be ingested, where
/// documents changed since the last time.
async fn look_for_conflicts(home: &Home, index: &dyn SearchIndex, table: &Table) {
    loop {
        tokio::time::sleep(LOOK).await;
        if home.queues.are_empty().unwrap_or(false)
            && let Err(error) = look(index, table).await
        {
            lambda::log_error(&format!("conflicts were not looked for: {error}"));
        }
    }
}

async fn look(index: &dyn SearchIndex, table: &Table) -> model::Result<()> {
    let now = lambda::now();
    let (corpus, found) = table.conflicts(&Scope::Global).await?;
    let is_due = |found: &ports::FoundConflicts| {
        found.corpus != corpus && now.duration_since(found.found_at) > CONFLICTS
    };
    if found.as_ref().is_none_or(is_due) {
        workflows::conflicts::find(&Scope::Global, index, table, None, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::evidence::PointKind;
    use ports::{Embedded, Point, Publisher};

    use super::*;
    use crate::index::LocalIndex;
    use crate::store::Store;
    use crate::table;

    #[tokio::test(flavor = "current_thread")]
    async fn a_message_stays_until_its_work_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("store.db")).unwrap());
        let queues = Queues::open(store).unwrap();
        ports::Tasks::send(&queues, &[ports::Task::Configure {}]).await.unwrap();
        let taken = queues.take().unwrap().unwrap();
        let down = model::Error::unavailable("the index", "down");
        settle(&queues, &taken, Err(down)).await;
        assert!(!queues.are_empty().unwrap());
        settle(&queues, &taken, Ok(())).await;
        assert!(queues.are_empty().unwrap());
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_message_is_settled_once_a_full_disk_has_room() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("store.db")).unwrap());
        let queues = Queues::open(Arc::clone(&store)).unwrap();
        ports::Tasks::send(&queues, &[ports::Task::Configure {}]).await.unwrap();
        let taken = queues.take().unwrap().unwrap();
        let change = |sql: &str| store.change(|change| change.execute_batch(sql)).unwrap();
        change("CREATE TRIGGER full BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, ''); END");
        let room = async {
            tokio::time::sleep(IDLE / 10).await;
            assert!(!queues.are_empty().unwrap());
            change("DROP TRIGGER full");
        };
        tokio::join!(settle(&queues, &taken, Ok(())), room);
        assert!(queues.are_empty().unwrap());
    }

    #[tokio::test(flavor = "current_thread")]
    async fn conflicts_are_looked_for_again_only_after_documents_changed_and_an_hour() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.db")).unwrap();
        let index = LocalIndex::open(Arc::new(store)).unwrap();
        let (table, _) = table::open(&folder.path().join("table.db")).unwrap();
        let found = async || table.conflicts(&Scope::Global).await.unwrap().1.unwrap();
        look(&index, &table).await.unwrap();
        assert_eq!(found().await.passages, 0);
        let passage = testing::passage("The timeout is 5 s.");
        let point = Point {
            kind: PointKind::Passage,
            words: passage.text.clone(),
            meaning: passage.text.clone(),
            vector: vec![0.6, 0.8],
            embedded: Embedded::of("two/2", &passage.text),
            passage,
        };
        let (document, id) = (point.passage.document_id, point.passage.id);
        let version = point.passage.version.clone();
        index.stage(&Scope::Global, vec![point]).await.unwrap();
        index.publish(&Scope::Global, document, &version, &[id]).await.unwrap();
        look(&index, &table).await.unwrap();
        assert_eq!(found().await.passages, 0, "an hour has not passed");
        let earlier = lambda::now() - SignedDuration::from_hours(2);
        let before = ports::FoundConflicts { found_at: earlier, ..found().await };
        table.keep_conflicts(&Scope::Global, &before).await.unwrap();
        look(&index, &table).await.unwrap();
        assert_eq!(found().await.passages, 0, "the table knows of no change");
        let other = ports::FoundConflicts { corpus: before.corpus + 1, ..before };
        table.keep_conflicts(&Scope::Global, &other).await.unwrap();
        look(&index, &table).await.unwrap();
        assert_eq!(found().await.passages, 1);
    }
}
