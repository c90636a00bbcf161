//! Removes orphans, which belong to nothing any more, and ends what was begun and never finished.

use std::collections::{BTreeSet, HashMap};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::verdict::{Verdict, judge};
use super::{Outcome, Services};
use model::Result;
use model::object::{Upload, announced};
use ports::scope::Scope;
use ports::trail::ulid_at;
use ports::{Orphans, Record, Removal, Status, Task, Trace, Unfinished};

/// The time that an upload may take. The signed address of an upload is valid for minutes.
const PATIENCE: SignedDuration = SignedDuration::from_hours(24);

/// The time that the message of an upload may take: longer than two queues keep it, one after the
/// other, for four days each.
const LONG_PATIENCE: SignedDuration = SignedDuration::from_hours(9 * 24);

/// The number of pages that one message processes.
const PAGES: usize = 20;

/// The number of points, or of unfinished documents, in one page.
const POINTS: u32 = 500;
const UNFINISHED: u32 = 100;

/// The common prefixes of the keys of uploads and of record files.
const FOLDERS: [&str; 2] = ["documents/", "records/"];

/// The result of examining a page.
enum Looked {
    /// The number of its items, the number of those that were handled, and the place of the next
    /// page.
    Done { seen: usize, mended: usize, next: Option<Orphans> },
    /// The number of its items, and the number of its uploads without a record. Nothing was
    /// handled.
    Refused { seen: usize, missing: usize },
}

/// Examines the items from `place` on, as many as one message can process, and sends a message for
/// the rest. It stops at a page that is refused.
pub(super) async fn sweep(
    services: &Services<'_>,
    mut place: Orphans,
    now: Timestamp,
) -> Result<Outcome> {
    let (mut seen, mut mended) = (0, 0);
    for _ in 0..PAGES {
        let looked = match place {
            Orphans::Points(after) => points(services, after, now).await?,
            Orphans::Files(after) => files(services, after, now).await?,
            Orphans::Unfinished(after) => unfinished(services, after, now).await?,
        };
        let next = match looked {
            Looked::Refused { seen: more, missing } => {
                return Ok(Outcome::Refused { seen: seen + more, mended, missing });
            }
            Looked::Done { seen: more, mended: also, next } => {
                seen += more;
                mended += also;
                next
            }
        };
        match next {
            None => return Ok(Outcome::Swept { seen, mended }),
            Some(next) => place = next,
        }
    }
    services.removals.send(&[Removal::Orphans(place)]).await?;
    Ok(Outcome::Swept { seen, mended })
}

async fn points(services: &Services<'_>, after: Option<Uuid>, now: Timestamp) -> Result<Looked> {
    let page = services.publisher.traces(POINTS, after).await?;
    let records = records(services, page.items.iter().map(|trace| &trace.of)).await?;
    let is_stray = |trace: &Trace| {
        let record = records.get(&key(&trace.of));
        record.map(|record| is_stray(trace, record, now))
    };
    let seen = page.items.len();
    let orphans = match judge(page.items.iter().map(|item| (&item.of, is_stray(item))), now) {
        Verdict::Take(orphans) => orphans,
        Verdict::Refuse { missing } => return Ok(Looked::Refused { seen, missing }),
    };
    for orphan in &orphans {
        services.publisher.delete_version(orphan).await?;
        services.documents.touch(&orphan.scope).await?;
    }
    let next = page.next.map(|last| Orphans::Points(Some(last)));
    Ok(Looked::Done { seen, mended: orphans.len(), next })
}

async fn files(services: &Services<'_>, after: Option<String>, now: Timestamp) -> Result<Looked> {
    // Uploads come first, then their record files.
    let folder = FOLDERS
        .into_iter()
        .find(|folder| after.as_deref().is_some_and(|after| after.starts_with(folder)));
    let folder = folder.unwrap_or(FOLDERS[0]);
    let within = after.as_deref().filter(|after| *after != folder);
    let page = services.files.present(folder, within).await?;
    let uploads: Vec<(&String, Upload)> =
        page.items.iter().filter_map(|key| Some((key, Upload::of_file(key)?))).collect();
    let records = records(services, uploads.iter().map(|(_, upload)| upload)).await?;
    let is_over = |upload: &Upload| {
        let record = records.get(&key(upload));
        record.map(|record| is_over(upload, record))
    };
    let seen = page.items.len();
    let orphans = match judge(uploads.iter().map(|(_, upload)| (upload, is_over(upload))), now) {
        Verdict::Take(orphans) => orphans,
        Verdict::Refuse { missing } => return Ok(Looked::Refused { seen, missing }),
    };
    let keys: Vec<String> = uploads
        .iter()
        .filter(|(_, upload)| orphans.contains(upload))
        .map(|(key, _)| (*key).clone())
        .collect();
    if !keys.is_empty() {
        services.files.hide(&keys).await?;
    }
    let next_folder = (folder == FOLDERS[0]).then(|| FOLDERS[1].to_owned());
    let next = page.next.or(next_folder).map(|last| Orphans::Files(Some(last)));
    Ok(Looked::Done { seen, mended: keys.len(), next })
}

async fn unfinished(
    services: &Services<'_>,
    after: Option<String>,
    now: Timestamp,
) -> Result<Looked> {
    let before = ulid_at(now - PATIENCE);
    let page = services.documents.unfinished(&before, UNFINISHED, after.as_deref()).await?;
    let mut mended = 0;
    for item in &page.items {
        mended += usize::from(match item {
            Unfinished::Case(case_id) => {
                services.removals.send(&[Removal::Case { case_id: case_id.clone() }]).await?;
                true
            }
            Unfinished::Decision { project, decision } => {
                let (project_id, decision_id) = (project.clone(), decision.clone());
                services.tasks.send(&[Task::Decision { project_id, decision_id }]).await?;
                true
            }
            Unfinished::Document(record) => finish(services, record, now).await?,
        });
    }
    let next = page.next.map(|last| Orphans::Unfinished(Some(last)));
    Ok(Looked::Done { seen: page.items.len(), mended, next })
}

/// Repeats a deletion that was lost, or gives up an upload. Returns true if one of the two was
/// needed.
async fn finish(services: &Services<'_>, record: &Record, now: Timestamp) -> Result<bool> {
    let Record { scope, document_id, version, .. } = record;
    let upload =
        Upload { scope: scope.clone(), document_id: *document_id, version: version.clone() };
    let reason = match record.status {
        Status::Deleting => {
            services.removals.send(&[Removal::Document(upload)]).await?;
            return Ok(true);
        }
        Status::Waiting if services.files.list(&upload.key(), None).await?.items.is_empty() => {
            "the upload never came; announce it again"
        }
        Status::Waiting | Status::Indexing if announced(version) + LONG_PATIENCE < now => {
            "it was never read to its end; upload it again"
        }
        _ => return Ok(false),
    };
    let status = Status::Failed { reason: reason.into() };
    services.documents.mark(scope, *document_id, version, &status).await?;
    Ok(true)
}

/// Returns true if this upload cannot be found again: its document was deleted since, or a later
/// upload is live.
fn is_over(upload: &Upload, record: &Record) -> bool {
    record.is_deleted_since(&upload.version)
        || record.live.as_ref().is_some_and(|live| live.version > upload.version)
}

/// Returns true if the points belong to an upload that is over, or that was given up before it
/// could be found.
fn is_stray(trace: &Trace, record: &Record, now: Timestamp) -> bool {
    if is_over(&trace.of, record) {
        return true;
    }
    let version = &trace.of.version;
    let is_settled = record.live.as_ref().is_some_and(|live| live.version == *version);
    let is_on_its_way =
        record.version == *version && matches!(record.status, Status::Waiting | Status::Indexing);
    let is_old = announced(version) + PATIENCE < now;
    !trace.is_live && !is_settled && !is_on_its_way && is_old
}

fn key(upload: &Upload) -> (Scope, Uuid) {
    (upload.scope.clone(), upload.document_id)
}

/// Returns the items of these uploads' documents.
async fn records(
    services: &Services<'_>,
    uploads: impl Iterator<Item = &Upload>,
) -> Result<HashMap<(Scope, Uuid), Record>> {
    let keys: BTreeSet<(Scope, Uuid)> = uploads.map(key).collect();
    let keys: Vec<(Scope, Uuid)> = keys.into_iter().collect();
    let records = services.documents.documents_named(&keys).await?;
    Ok(records
        .into_iter()
        .map(|record| ((record.scope.clone(), record.document_id), record))
        .collect())
}
