//! Brings an uploaded document into the index: read, cut, embed, stage, publish, settle.

use crate::file_deletion;
use crate::watch::Changed;
use model::evidence::PointKind;
use model::object::Upload;
use model::{Error, Result};
use ports::{
    About, Documents, Embedder, Files, Indexing, Live, Model, Publisher, Record, Reviews, Status,
    Tasks, Tries,
};

pub use model::entry::{Entry, MEANING, Reading};

mod by_model;
mod stage;

/// The services that an ingest needs.
pub struct Services<'a> {
    /// Remembers how far the document has come.
    pub documents: &'a dyn Documents,
    /// Has the uploaded bytes.
    pub files: &'a dyn Files,
    /// Embeds the chunks of which the index has no vector yet.
    pub embedder: &'a dyn Embedder,
    /// Takes the chunks.
    pub publisher: &'a dyn Publisher,
    /// How documents are indexed now.
    pub indexing: &'a Indexing,
    /// Knows whether decisions rest on the document.
    pub reviews: &'a dyn Reviews,
    /// Has them looked at.
    pub tasks: &'a dyn Tasks,
    /// Counts the tries.
    pub tries: &'a dyn Tries,
    /// Reads the bytes.
    pub read: Read,
    /// Reads documents besides, where there is one; `indexing` has its name.
    pub model: Option<&'a dyn Model>,
}

/// Reads a version of a document, or tells its uploader why it cannot be read.
pub type Read = fn(&Record, &str, &[u8]) -> Result<Reading, String>;

/// What came of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It can be found now.
    Indexed {
        /// The number of its chunks.
        chunks: u32,
    },
    /// The same bytes can be found already, indexed as they would be now.
    Unchanged,
    /// A later upload can be found already.
    Outdated,
    /// It cannot be read.
    Refused {
        /// Why, for the uploader.
        reason: String,
    },
    /// It was deleted meanwhile, or its case closed, or nobody announced it: searches find nothing of it.
    Gone,
}

/// How many tries may begin and be killed. What kills two of them kills the next.
const KILLED: u32 = 2;

/// Brings `upload` into the index. Doing it twice, or again after it broke off anywhere, leaves what doing it once leaves. Of
/// an upload whose last two tries were killed none is tried a third time. After an error [`failed`] is to be called.
///
/// # Errors
/// [`Error::Missing`] where its bytes are not there; [`Error::Unavailable`] where a service failed, and trying again
/// may help.
pub async fn run(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let outcome = if services.tries.begin(upload).await? > KILLED {
        let reason = "two tries ended without a word: it takes too much memory or time. Split it, or upload it again if a service was away then".to_owned();
        give_up(services, upload, reason.clone()).await?;
        Outcome::Refused { reason }
    } else {
        bring(services, upload).await?
    };
    // What is done is done; a count that stays counts against no other upload.
    services.tries.end(upload).await.ok();
    Ok(outcome)
}

/// Notes that a try ended with an error and, where it is the last one, gives the upload up.
///
/// # Errors
/// [`Error::Unavailable`] where that cannot be noted.
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
        return gone(services, upload).await;
    };
    match &record.live {
        Some(live) if live.version > *version => return outdated(services, upload).await,
        Some(live) if live.version == *version => {
            // A message that came twice may have been at it meanwhile.
            services.publisher.publish(scope, *document_id, version).await?;
            services.documents.mark(scope, *document_id, version, &Status::Indexed).await?;
            file_deletion::records_before(services.files, upload).await?;
            have_watched(services, upload).await?;
            return Ok(Outcome::Indexed { chunks: live.chunks });
        }
        _ => {}
    }
    services.documents.mark(scope, *document_id, version, &Status::Indexing).await?;
    let Some(bytes) = services.files.read(&upload.key()).await? else {
        return match standing(services, upload).await? {
            Some(_) => Err(Error::Missing { kind: "file", name: upload.key() }),
            None => gone(services, upload).await,
        };
    };
    let reading = match (services.read)(&record, version, &bytes) {
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
    // What searches see already was staged whole by a run that broke off; to stage it again would hide it meanwhile, and
    // another reading by the model would not be that of its points.
    let is_published = services.publisher.is_published(scope, *document_id, version).await?;
    let model_reading =
        if is_published { None } else { by_model::besides(services, &mut reading).await };
    let passages = reading.entries.iter().filter(|entry| entry.kind == PointKind::Passage);
    let chunks = u32::try_from(passages.count()).unwrap_or(u32::MAX);
    let embedded =
        if is_published { 0 } else { stage::stage(services, upload, &reading.entries).await? };
    let records = reading.records.as_ref().map_or(0, |record| record.count);
    if let Some(records) = &reading.records {
        services.files.write(&upload.records_key(), records.bytes.clone()).await?;
    }
    // Should this break off below, what was answered before is not answered again from a cache.
    services.documents.touch(scope).await?;
    services.publisher.publish(scope, *document_id, version).await?;
    // A deletion that comes later finds what was published.
    let Some(now) = standing(services, upload).await? else {
        return gone(services, upload).await;
    };
    // A version that was published meanwhile has been watched by its own ingest.
    if now.live.is_some_and(|live| live.version > *version) {
        return outdated(services, upload).await;
    }
    let live = Live {
        version: version.clone(),
        hash: reading.hash.clone(),
        bytes: record.bytes,
        attributes: record.attributes.clone(),
        chunks,
        embedded: u32::try_from(embedded).unwrap_or(u32::MAX),
        records,
        indexing: by_model::indexing(services, record, (&reading.hash, model_reading.as_ref())),
        assumed: reading.entries.iter().find_map(|entry| entry.chunk.assumed.clone()),
        model_reading,
        about: About::of(&reading.entries),
    };
    if services.documents.settle(scope, *document_id, &live).await? {
        // What breaks off from here on is done again by a message that finds the document settled.
        have_watched(services, upload).await?;
        if record.live.as_ref().is_some_and(|live| live.records > 0) {
            file_deletion::records_before(services.files, upload).await?;
        }
        return Ok(Outcome::Indexed { chunks });
    }
    match standing(services, upload).await? {
        Some(_) => outdated(services, upload).await,
        None => gone(services, upload).await,
    }
}

/// Has decisions that rest on the document looked at, if there are any.
async fn have_watched(services: &Services<'_>, upload: &Upload) -> Result<()> {
    let Upload { scope, document_id, version } = upload;
    // Where that cannot be told, whoever takes the task finds out.
    if services.reviews.is_cited(*document_id).await.is_ok_and(|is_cited| !is_cited) {
        return Ok(());
    }
    let since = model::object::announced(version);
    let changed = Changed { scope: scope.clone(), document: *document_id, since };
    services.tasks.send(&[changed.task()]).await
}

/// Whether the same bytes can be found already, indexed as they would be now.
async fn is_unchanged(services: &Services<'_>, record: &Record, reading: &Reading) -> Result<bool> {
    let Some(live) = &record.live else { return Ok(false) };
    let is_same = live.hash == reading.hash
        && live.attributes == record.attributes
        && live.indexing.covers(services.indexing)
        // Else another version is on its way, or came to nothing halfway.
        && live.version == record.prior;
    // The index may have been lost, or restored from a time before.
    let (scope, id) = (&record.scope, record.document_id);
    Ok(is_same && services.publisher.is_published(scope, id, &live.version).await?)
}

/// What is kept of the document, unless it was deleted after this upload was announced.
async fn standing(services: &Services<'_>, upload: &Upload) -> Result<Option<Record>> {
    let record = services.documents.document(&upload.scope, upload.document_id).await?;
    Ok(record.filter(|record| !record.is_deleted_since(&upload.version)))
}

/// Takes away what was published of an upload although a later one can be found.
async fn outdated(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    services.publisher.delete_up_to(scope, *document_id, version).await?;
    file_deletion::records(services.files, upload).await?;
    services.documents.touch(scope).await?;
    Ok(Outcome::Outdated)
}

/// Leaves nothing to be found of an upload whose document was deleted, or that nobody announced. Its file goes where a
/// record says that the document was deleted. Where there is no record it may be the table that lost it: the file is
/// left to the sweep.
async fn gone(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    services.publisher.delete_up_to(scope, *document_id, version).await?;
    // What was answered from it meanwhile is not to be given again.
    services.documents.touch(scope).await?;
    // A life that began since has been watched by its own ingest.
    let record = services.documents.document(scope, *document_id).await?;
    let is_deleted = record.as_ref().is_some_and(|record| record.is_deleted_since(version));
    if record.and_then(|record| record.live).is_none() {
        have_watched(services, upload).await?;
    }
    // The records can be made again from the upload.
    file_deletion::records(services.files, upload).await?;
    if is_deleted {
        file_deletion::upload(services.files, upload).await?;
    }
    Ok(Outcome::Gone)
}

/// Notes that an upload is given up. What searches see of it already is taken away, since nothing else would say how much of
/// it that is.
async fn give_up(services: &Services<'_>, upload: &Upload, reason: String) -> Result<()> {
    let Upload { scope, document_id, version } = upload;
    let record = services.documents.document(scope, *document_id).await?;
    let live = record.and_then(|record| record.live).map(|live| live.version);
    if live.as_ref() == Some(version) {
        return services.documents.mark(scope, *document_id, version, &Status::Indexed).await;
    }
    let status = Status::Failed { reason };
    services.documents.mark(scope, *document_id, version, &status).await?;
    let is_outdated = live.is_some_and(|live| live > *version);
    if !is_outdated && services.publisher.is_published(scope, *document_id, version).await? {
        services.publisher.delete_up_to(scope, *document_id, version).await?;
        services.documents.touch(scope).await?;
    }
    Ok(())
}
