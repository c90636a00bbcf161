//! Removes what was deleted: documents, the data of closed cases, users who left, and orphans that
//! belong to nothing.
//!
//! An interrupted removal is repeated from its beginning, and then finds less to remove.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::file_deletion;
use crate::watch::Changed;
use model::Result;
use model::object::Upload;
use ports::scope::{Caller, Scope};
use ports::{
    Cases, DocumentCleanup, Hiding, IndexCleanup, Orphans, Projects, Removal, Removals, Tasks, user,
};
use wire::documents::ForgettingUser;

mod case;
mod leaver;
mod orphans;
mod verdict;
mod whole;

/// The log message for a refused sweep. The alarm `SweepsRefused` in `infra/template.yaml` matches
/// these words.
pub const REFUSED: &str = "a sweep was refused";

/// The event that starts a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What is looked for.
    pub sweep: Sweep,
}

/// What a run looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sweep {
    /// What nothing belongs to any more, and what was begun and never came to an end.
    Orphans,
}

/// The services that removals need.
pub struct Services<'a> {
    /// The store of documents.
    pub documents: &'a dyn DocumentCleanup,
    /// The store of the uploaded files.
    pub files: &'a dyn Hiding,
    /// The index of the points.
    pub publisher: &'a dyn IndexCleanup,
    /// The store of cases.
    pub cases: &'a dyn Cases,
    /// The store of projects.
    pub projects: &'a dyn Projects,
    /// The queue for the rest of a removal that is too large for one message.
    pub removals: &'a dyn Removals,
    /// The queue for tasks.
    pub tasks: &'a dyn Tasks,
    /// The days in which a deleted document can be restored: the store keeps hidden files so long.
    pub restore_days: u32,
}

/// Lower bound for the days for which a deletion is remembered. Files and points of the document
/// that turn up later are known to be remains, and no loss of the table.
const REMEMBERED: u32 = 60;

/// The outcome of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is removed.
    Done,
    /// There was more than one message can remove. Another message will continue.
    Continued,
    /// It must not be removed, or another message removes it at the same time.
    Kept,
    /// The sweep for orphans ended.
    Swept {
        /// The number of points, files and unfinished items that were examined.
        seen: usize,
        /// The number of those that were removed, given up or begun again.
        mended: usize,
    },
    /// The sweep for orphans stopped at a page on which so many uploads have no record that the
    /// table must have lost them. Nothing of that page was removed, and the pages after it were not
    /// examined.
    Refused {
        /// The number of points and files that were examined, including those of the refused page.
        seen: usize,
        /// The number of those that were removed before that page.
        mended: usize,
        /// The number of uploads on that page without a record.
        missing: usize,
    },
}

/// Starts a sweep for orphans everywhere.
pub async fn hand_out(removals: &dyn Removals, run: Run) -> Result<()> {
    match run.sweep {
        Sweep::Orphans => {
            let places = [Orphans::Unfinished(None), Orphans::Points(None), Orphans::Files(None)];
            removals.send(&places.map(Removal::Orphans)).await
        }
    }
}

/// Has a user removed: their documents, and their place in cases and projects.
///
/// # Errors
/// [`model::Error::Denied`] for callers who may not fill everyone's knowledge base, and
/// [`model::Error::Invalid`] for a name that no user can have.
pub async fn forget_user(
    removals: &dyn Removals,
    caller: &Caller,
    user: &str,
) -> Result<ForgettingUser> {
    caller.require(&caller.admin_group)?;
    user::check(user)?;
    removals.send(&[Removal::User { user: user.into() }]).await?;
    Ok(ForgettingUser { user: user.into() })
}

/// Removes what `removal` names. A second run, or a run after an interruption at any point, has the
/// same effect as a single run.
pub async fn run(services: &Services<'_>, removal: Removal, now: Timestamp) -> Result<Outcome> {
    match removal {
        Removal::Document(deleted) => document(services, &deleted, now).await,
        Removal::Case { case_id } => case::remove(services, &case_id).await,
        Removal::User { user } => leaver::remove(services, &user, now).await,
        Removal::Orphans(place) => orphans::sweep(services, place, now).await,
    }
}

/// Removes a document, up to the version of its deletion. If it was announced again since, it has a
/// higher version and stays. Its files are hidden, so that it can be restored, unless the deletion
/// is final, as it is for documents of cases.
async fn document(services: &Services<'_>, deleted: &Upload, now: Timestamp) -> Result<Outcome> {
    let Upload { scope, document_id, version } = deleted;
    let (id, documents) = (*document_id, services.documents);
    let record = match documents.document(scope, id).await? {
        Some(record) => Some(record),
        None => documents.deleted(scope, id).await?,
    };
    let kept = record.as_ref().and_then(|record| record.kept.as_ref());
    let points = kept.map(|live| live.point_ids(id)).unwrap_or_default();
    services.publisher.delete_up_to(scope, id, version, &points).await?;
    let is_final = record.as_ref().is_some_and(|record| record.is_final);
    // If the document can be found again, its own ingest has sent the reviews.
    if record.and_then(|record| record.live).is_none() {
        let since = model::object::announced(version);
        let changed = Changed { scope: scope.clone(), document: id, since };
        services.tasks.send(&[changed.task()]).await?;
    }
    if is_final || matches!(scope, Scope::Case(_)) {
        file_deletion::uploads(services.files, deleted).await?;
        documents.forget_answers(scope, id).await?;
    } else {
        file_deletion::hide(services.files, deleted).await?;
    }
    let days = services.restore_days.max(REMEMBERED);
    let until = now + SignedDuration::from_hours(24 * i64::from(days));
    documents.finish_deletion(scope, id, version, until).await?;
    Ok(Outcome::Done)
}
