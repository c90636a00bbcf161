//! Takes away what was deleted: documents, what a closed case had, and what nothing belongs to any more.
//!
//! Whatever breaks off is done again from its beginning, and then finds less to take away.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::file_deletion;
use crate::watch::Changed;
use model::Result;
use model::object::Upload;
use ports::{Cases, DocumentCleanup, Hiding, IndexCleanup, Orphans, Removal, Removals, Tasks};

mod case;
mod orphans;
mod verdict;

/// What the log says where a sweep is refused. The alarm `SweepsRefused` in `infra/template.yaml` waits for these words.
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
    /// Forgets documents.
    pub documents: &'a dyn DocumentCleanup,
    /// Has the uploaded files.
    pub files: &'a dyn Hiding,
    /// Has the points.
    pub publisher: &'a dyn IndexCleanup,
    /// Keeps cases.
    pub cases: &'a dyn Cases,
    /// Takes the rest of what is too much for one message.
    pub removals: &'a dyn Removals,
    /// Takes what others are to do.
    pub tasks: &'a dyn Tasks,
}

/// What came of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All of it is gone.
    Done,
    /// There was more than one message takes; another one is on its way.
    Continued,
    /// It is not to be taken away, or another message of the same is at it.
    Kept,
    /// Orphans were looked for.
    Swept {
        /// How many points, files and beginnings were looked at.
        seen: usize,
        /// How many of them were taken away, given up or begun again.
        mended: usize,
    },
    /// Orphans were looked for, up to a page on which so many uploads have no record that the table must have lost
    /// them. Nothing of that page was taken away, and what follows it was not looked at.
    Refused {
        /// How many points and files were looked at, those of the refused page too.
        seen: usize,
        /// How many of them were taken away before that page.
        mended: usize,
        /// How many uploads of that page have no record.
        missing: usize,
    },
}

/// Has orphans looked for everywhere.
pub async fn hand_out(removals: &dyn Removals, run: Run) -> Result<()> {
    match run.sweep {
        Sweep::Orphans => {
            let places = [Orphans::Unfinished(None), Orphans::Points(None), Orphans::Files(None)];
            removals.send(&places.map(Removal::Orphans)).await
        }
    }
}

/// Takes away what `removal` names. Doing it twice, or again after it broke off anywhere, leaves what doing it once
/// leaves.
pub async fn run(services: &Services<'_>, removal: Removal, now: Timestamp) -> Result<Outcome> {
    match removal {
        Removal::Document(deleted) => document(services, &deleted).await,
        Removal::Case { case_id } => case::remove(services, &case_id).await,
        Removal::Orphans(place) => orphans::sweep(services, place, now).await,
    }
}

/// Takes a document away, up to the version of its deletion. One that was announced anew since has a higher version and
/// stays.
async fn document(services: &Services<'_>, deleted: &Upload) -> Result<Outcome> {
    let Upload { scope, document_id, version } = deleted;
    services.publisher.delete_up_to(scope, *document_id, version).await?;
    let record = services.documents.document(scope, *document_id).await?;
    // What can be found again has been watched by its own ingest.
    if record.and_then(|record| record.live).is_none() {
        let since = model::object::announced(version);
        let changed = Changed { scope: scope.clone(), document: *document_id, since };
        services.tasks.send(&[changed.task()]).await?;
    }
    file_deletion::uploads(services.files, deleted).await?;
    services.documents.finish_deletion(scope, *document_id, version).await?;
    Ok(Outcome::Done)
}
