//! Brings an uploaded document into the index: read, cut, embed, stage, publish, settle.

use crate::evidence::PointKind;
use crate::object::Upload;
use crate::ports::{
    Documents, Embedded, Embedder, Files, Indexing, Live, Model, Point, Publisher, Record, Reviews,
    Status,
};
use crate::watch::{Changed, watch};
use crate::{Error, Result, embed, erase};

pub use model::entry::{Entry, MEANING, Reading};

mod by_model;

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
    /// Knows which decisions rest on the document.
    pub reviews: &'a dyn Reviews,
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

/// Brings `upload` into the index. Doing it twice, or again after it broke off anywhere, leaves what doing it once leaves.
///
/// # Errors
/// [`Error::Missing`] where its bytes are not there; [`Error::Unavailable`] where a service failed, and trying again
/// may help.
pub async fn run(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
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
            erase::records_before(services.files, upload).await?;
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
    let passages = reading.entries.iter().filter(|own| own.kind == PointKind::Passage);
    let chunks = u32::try_from(passages.count()).unwrap_or(u32::MAX);
    if !is_published {
        stage(services, upload, &reading).await?;
    }
    let records = reading.records.as_ref().map_or(0, |own| own.count);
    if let Some(own) = &reading.records {
        services.files.write(&upload.records_key(), own.bytes.clone()).await?;
    }
    services.publisher.publish(scope, *document_id, version).await?;
    // A deletion that comes later finds what was published.
    let Some(now) = standing(services, upload).await? else {
        return gone(services, upload).await;
    };
    // A version that was published meanwhile has been watched by its own ingest.
    if now.live.is_some_and(|live| live.version > *version) {
        return outdated(services, upload).await;
    }
    // Before the document is settled: what breaks off until then is done again.
    let (live, since) = (&reading.chunks(), crate::object::announced(version));
    let changed = Changed { scope, document: *document_id, live, since };
    watch(services.reviews, changed).await?;
    let live = Live {
        version: version.clone(),
        hash: reading.hash.clone(),
        bytes: record.bytes,
        attributes: record.attributes.clone(),
        chunks,
        records,
        indexing: by_model::indexing(services, record, (&reading.hash, model_reading.as_ref())),
        model_reading,
    };
    if services.documents.settle(scope, *document_id, &live).await? {
        if record.live.as_ref().is_some_and(|live| live.records > 0) {
            erase::records_before(services.files, upload).await?;
        }
        return Ok(Outcome::Indexed { chunks });
    }
    match standing(services, upload).await? {
        Some(_) => outdated(services, upload).await,
        None => gone(services, upload).await,
    }
}

/// Brings all entries into the index, unseen yet.
async fn stage(services: &Services<'_>, upload: &Upload, reading: &Reading) -> Result<()> {
    for batch in reading.entries.chunks(embed::BATCH) {
        let points = points(services, upload, batch).await?;
        services.publisher.stage(&upload.scope, points).await?;
    }
    Ok(())
}

/// Makes points of at most [`embed::BATCH`] entries.
async fn points(services: &Services<'_>, upload: &Upload, entries: &[Entry]) -> Result<Vec<Point>> {
    let Upload { scope, document_id, .. } = upload;
    let texts: Vec<&str> = entries.iter().map(|own| own.meaning.as_str()).collect();
    let of = (scope, *document_id);
    let vectors = embed::vectors(services.embedder, services.publisher, of, &texts).await?;
    let point = |(entry, (embedded, vector)): (&Entry, (Embedded, Vec<f32>))| Point {
        kind: entry.kind,
        chunk: entry.chunk.clone(),
        words: entry.words.clone(),
        meaning: entry.meaning.clone(),
        vector,
        embedded,
    };
    Ok(entries.iter().zip(vectors).map(point).collect())
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
    services.publisher.withdraw(scope, *document_id, version).await?;
    erase::records(services.files, upload).await?;
    services.documents.touch(scope).await?;
    Ok(Outcome::Outdated)
}

/// Leaves nothing to be found of an upload whose document was deleted, or that nobody announced. Its file goes where a
/// record says that the document was deleted. Where there is no record it may be the table that lost it: the file is
/// left to the sweep.
async fn gone(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    services.publisher.withdraw(scope, *document_id, version).await?;
    // What was answered from it meanwhile is not to be given again.
    services.documents.touch(scope).await?;
    // A life that began since has been watched by its own ingest.
    let record = services.documents.document(scope, *document_id).await?;
    let is_deleted = record.as_ref().is_some_and(|record| record.is_deleted_since(version));
    if record.and_then(|record| record.live).is_none() {
        let since = crate::object::announced(version);
        let changed = Changed { scope, document: *document_id, live: &[], since };
        watch(services.reviews, changed).await?;
    }
    // The records can be made again from the upload.
    erase::records(services.files, upload).await?;
    if is_deleted {
        erase::upload(services.files, upload).await?;
    }
    Ok(Outcome::Gone)
}

/// Notes that an upload is given up because a service failed to the last.
pub async fn give_up(documents: &dyn Documents, upload: &Upload, error: &Error) -> Result<()> {
    let status = Status::Failed { reason: format!("{error}; upload the document again") };
    documents.mark(&upload.scope, upload.document_id, &upload.version, &status).await
}

#[cfg(test)]
mod tests;
