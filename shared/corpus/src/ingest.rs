//! Indexes an uploaded document in steps: read, cut, embed, stage, publish, settle.

use async_trait::async_trait;

use crate::file_deletion;
use crate::watch::Changed;
use model::evidence::PointKind;
use model::object::Upload;
use model::{Error, Result};
use ports::{
    About, Cases, Documents, Embedder, Hiding, Indexing, Live, Model, Publisher, Record, Reviews,
    Status, Tasks, Tries,
};

use uuid::Uuid;

use remains::{give_up, gone, outdated};

pub use model::entry::{Entry, MEANING, Reading};

mod by_model;
mod remains;
mod stage;

/// The services that an ingest needs.
pub struct Services<'a> {
    /// The store of the status of the document.
    pub documents: &'a dyn Documents,
    /// The store of the uploaded bytes.
    pub files: &'a dyn Hiding,
    /// The store of cases.
    pub cases: &'a dyn Cases,
    /// The embedder of the passages of which the index has no vector yet.
    pub embedder: &'a dyn Embedder,
    /// The index to which the passages are written.
    pub publisher: &'a dyn Publisher,
    /// The way in which documents are indexed now.
    pub indexing: &'a Indexing,
    /// The decisions that cite the document.
    pub reviews: &'a dyn Reviews,
    /// The queue for reviews of such decisions.
    pub tasks: &'a dyn Tasks,
    /// The counter of tries.
    pub tries: &'a dyn Tries,
    /// The reader of the bytes.
    pub reader: &'a dyn Reader,
    /// The model that also reads documents, if there is one; `indexing` has its name.
    pub model: Option<&'a dyn Model>,
}

/// Reads the bytes of documents.
#[async_trait]
pub trait Reader: Send + Sync {
    /// Reads a version of a document, or returns the reason why it cannot be read, worded for the
    /// uploader.
    async fn read(&self, record: &Record, version: &str, bytes: Vec<u8>)
    -> Result<Reading, String>;
}

/// The outcome of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The document can be found now.
    Indexed {
        /// The number of its passages.
        passages: u32,
    },
    /// The same bytes could already be found, indexed as they would be now.
    Unchanged,
    /// A later upload can already be found.
    Outdated,
    /// The document cannot be read.
    Refused {
        /// The reason, worded for the uploader.
        reason: String,
    },
    /// The document was deleted meanwhile, its case was closed, or nobody announced it. Searches do
    /// not find it.
    Gone,
}

/// Upper bound for the tries that may begin and be killed. What kills two tries will kill the next.
const KILLED: u32 = 2;

/// Indexes `upload`. A second run, or a run after an interruption at any point, has the same effect
/// as a single run. If the last two tries of an upload were killed, it is not tried a third time.
/// After an error the caller must call [`failed`].
///
/// # Errors
/// [`Error::Missing`] if the bytes are missing; [`Error::Unavailable`] if a service failed, so that
/// another try may succeed.
pub async fn run(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let outcome = if services.tries.begin(upload).await? > KILLED {
        let reason = "two tries ended without a word: it takes too much memory or time. Split it, or upload it again if a service was away then".to_owned();
        give_up(services, upload, reason.clone()).await?;
        Outcome::Refused { reason }
    } else {
        bring(services, upload).await?
    };
    // The upload is done. A count that remains affects no other upload.
    services.tries.end(upload).await.ok();
    Ok(outcome)
}

/// Records that a try ended with an error. After the last try the upload is given up.
///
/// # Errors
/// [`Error::Unavailable`] if this cannot be recorded.
pub async fn failed(
    services: &Services<'_>,
    upload: &Upload,
    error: &Error,
    is_last: bool,
) -> Result<()> {
    let ended = services.tries.end(upload).await;
    if is_last {
        give_up(services, upload, format!("{error}; upload the document again")).await?;
    }
    ended
}

async fn bring(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    let Some(record) = standing(services, upload).await? else {
        return gone(services, upload, &[]).await;
    };
    match &record.live {
        Some(live) if live.version > *version => return outdated(services, upload, &[]).await,
        // Otherwise the index lost points, or a duplicate of the message hid them.
        Some(live)
            if live.version == *version
                && services
                    .publisher
                    .is_published(scope, &live.point_ids(*document_id))
                    .await? =>
        {
            services.documents.mark(scope, *document_id, version, &Status::Indexed).await?;
            file_deletion::records_before(services.files, upload).await?;
            have_watched(services, upload).await?;
            return Ok(Outcome::Indexed { passages: live.passages });
        }
        _ => {}
    }
    services.documents.mark(scope, *document_id, version, &Status::Indexing).await?;
    let Some(bytes) = services.files.read(&upload.key()).await? else {
        return match standing(services, upload).await? {
            Some(_) => Err(Error::Missing { kind: "file", name: upload.key() }),
            None => gone(services, upload, &[]).await,
        };
    };
    let reading = match services.reader.read(&record, version, bytes).await {
        Ok(reading) => reading,
        Err(reason) => {
            let status = Status::Failed { reason: reason.clone() };
            services.documents.mark(scope, *document_id, version, &status).await?;
            return Ok(Outcome::Refused { reason });
        }
    };
    index(services, upload, &record, reading).await
}

async fn index(
    services: &Services<'_>,
    upload: &Upload,
    record: &Record,
    mut reading: Reading,
) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    if is_unchanged(services, record, &reading).await? {
        services.documents.mark(scope, *document_id, version, &Status::Indexed).await?;
        return Ok(Outcome::Unchanged);
    }
    // A published version was staged completely by a run that was interrupted. Staging it again
    // would hide it meanwhile, and a new reading by the model would not fit its points.
    let points = ids(&reading);
    let is_published = services.publisher.is_published(scope, &points).await?;
    let model_reading =
        if is_published { None } else { by_model::besides(services, &mut reading).await };
    let embedded =
        if is_published { 0 } else { stage::stage(services, upload, &reading.entries).await? };
    let records = reading.records.as_ref().map_or(0, |record| record.count);
    if let Some(records) = &reading.records {
        services.files.write(&upload.records_key(), records.bytes.clone()).await?;
    }
    // Cached answers become invalid now, in case the run is interrupted below.
    services.documents.touch(scope).await?;
    let points = ids(&reading);
    services.publisher.publish(scope, *document_id, version, &points).await?;
    // A later deletion will find the published points.
    let Some(now) = standing(services, upload).await? else {
        return gone(services, upload, &points).await;
    };
    // The ingest of a version that was published meanwhile has sent its own reviews.
    if now.live.is_some_and(|live| live.version > *version) {
        return outdated(services, upload, &points).await;
    }
    let live = Live {
        version: version.clone(),
        hash: reading.hash.clone(),
        bytes: record.bytes,
        attributes: record.attributes.clone(),
        passages: passages(&reading),
        embedded: u32::try_from(embedded).unwrap_or(u32::MAX),
        records,
        indexing: if is_published {
            // The run that was interrupted may have had another reader: the next reindex reads it.
            Indexing { reader: 0, ..services.indexing.clone() }
        } else {
            by_model::indexing(services, record, &reading.hash, model_reading.as_ref())
        },
        assumed: reading.entries.iter().find_map(|entry| entry.passage.assumed.clone()),
        model_reading,
        about: About::of(&reading).map(Box::new),
    };
    settle(services, upload, record, &live, &points).await
}

/// Notes that this version is found, unless the document was changed or deleted meanwhile.
async fn settle(
    services: &Services<'_>,
    upload: &Upload,
    record: &Record,
    live: &Live,
    points: &[Uuid],
) -> Result<Outcome> {
    if services.documents.settle(&upload.scope, upload.document_id, live).await? {
        // If the run is interrupted after this point, a repeated message finds the document settled
        // and does the rest.
        have_watched(services, upload).await?;
        if record.live.as_ref().is_some_and(|live| live.records > 0) {
            file_deletion::records_before(services.files, upload).await?;
        }
        return Ok(Outcome::Indexed { passages: live.passages });
    }
    match standing(services, upload).await? {
        Some(_) => outdated(services, upload, points).await,
        None => gone(services, upload, points).await,
    }
}

fn passages(reading: &Reading) -> u32 {
    let passages = reading.entries.iter().filter(|entry| entry.kind == PointKind::Passage);
    u32::try_from(passages.count()).unwrap_or(u32::MAX)
}

fn ids(reading: &Reading) -> Vec<Uuid> {
    reading.entries.iter().map(|entry| entry.passage.id).collect()
}

/// Requests a review of the decisions that cite the document, if there are any.
async fn have_watched(services: &Services<'_>, upload: &Upload) -> Result<()> {
    let Upload { scope, document_id, version } = upload;
    // If this is unknown, the task itself finds out.
    if services.reviews.is_cited(*document_id).await.is_ok_and(|is_cited| !is_cited) {
        return Ok(());
    }
    let since = model::object::announced(version);
    let changed = Changed { scope: scope.clone(), document: *document_id, since };
    services.tasks.send(&[changed.task()]).await
}

/// Returns true if the same bytes can already be found, indexed as they would be now.
async fn is_unchanged(services: &Services<'_>, record: &Record, reading: &Reading) -> Result<bool> {
    let Some(live) = &record.live else { return Ok(false) };
    let is_same = live.hash == reading.hash
        && live.attributes == record.attributes
        && live.indexing.covers(services.indexing)
        // Otherwise another version is on its way, or failed halfway.
        && live.version == record.prior;
    // The index may have been lost, or restored from an earlier time.
    let points = live.point_ids(record.document_id);
    Ok(is_same && services.publisher.is_published(&record.scope, &points).await?)
}

/// Returns the document's item, unless the document was deleted after this upload was announced.
async fn standing(services: &Services<'_>, upload: &Upload) -> Result<Option<Record>> {
    let record = services.documents.document(&upload.scope, upload.document_id).await?;
    Ok(record.filter(|record| !record.is_deleted_since(&upload.version)))
}
