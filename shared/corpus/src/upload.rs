//! Announces documents, and reports their status.

use ulid::Ulid;
use uuid::Uuid;
use wire::documents::{Announced, Announcement, DocumentState, DocumentStatus};

use model::document::{Attributes, document_id};
use model::object::Upload;
use model::{Error, Result};
use ports::once::{Once, Sender};
use ports::question::Stamp;
use ports::scope::{Caller, Scope, admit, grant_one};
use ports::{
    Charge, Documents, Files, Indexing, Members, Record, Requests, Status, StorageQuota, Written,
};

mod check;
mod reply;

pub(crate) use reply::status as status_of;

use check::check;
pub use reply::DocumentReply;

/// The number of tries to announce a document while others announce or delete it. Two uploads of
/// the same document at once do no harm: the second follows the first, as it would a moment later.
const TRIES: u32 = 3;

/// The services that documents need.
pub struct Services<'a> {
    /// The store of documents.
    pub documents: &'a dyn Documents,
    /// The store of the files, which signs uploads.
    pub files: &'a dyn Files,
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The store of earlier requests.
    pub requests: &'a dyn Requests,
    /// The way in which documents are indexed now.
    pub indexing: &'a Indexing,
    /// The quota of each scope.
    pub quota: StorageQuota,
}

/// Announces a document in `scope`. The same idempotency key leads to the same upload, signed
/// again.
pub async fn announce(
    services: &Services<'_>,
    caller: &Caller,
    scope: Scope,
    announcement: Announcement,
    once: &Once<'_>,
    stamp: &Stamp,
) -> Result<Announced> {
    admit(caller, &scope, services.members).await?;
    check(&announcement)?;
    let sender = Sender { caller, stamp, requests: services.requests };
    let document_id = document_id(&scope, &announcement.name);
    // The address that was signed then may have expired.
    if let Some(version) = once.earlier::<String>(sender).await? {
        check_standing(services, &scope, document_id, &version).await?;
        return sign(services, Upload { scope, document_id, version }, &announcement).await;
    }
    for _ in 0..TRIES {
        let announced = follow(services, &scope, document_id, &announcement, once, sender);
        if let Some(announced) = announced.await? {
            return Ok(announced);
        }
    }
    let reason = "it was announced or deleted, or its case closed, at the same time";
    Err(Error::conflict("document", reason))
}

/// Announces a document on top of its present state; `None` if that changes at the same time.
async fn follow(
    services: &Services<'_>,
    scope: &Scope,
    document_id: Uuid,
    announcement: &Announcement,
    once: &Once<'_>,
    sender: Sender<'_>,
) -> Result<Option<Announced>> {
    let attributes = attributes(announcement);
    let known = services.documents.document(scope, document_id).await?;
    let version = unchanged(known.as_ref(), announcement, &attributes, services.indexing);
    if let Some(version) = version {
        let status = DocumentState::Indexed;
        return Ok(Some(Announced { document_id, version, upload: None, status }));
    }
    let version = later_version(known.as_ref(), sender.stamp);
    let guard = once.key()?.map(|key| once.guard(sender, key, &version)).transpose()?;
    let Announcement { name, content_type, bytes, .. } = announcement;
    let record = Record {
        attributes,
        live: known.as_ref().and_then(|record| record.live.clone()),
        updated_at: sender.stamp.time.to_string(),
        ..Record::announced(scope.clone(), name, content_type, *bytes, &version)
    };
    let charge = Charge { known: known.as_ref(), quota: services.quota };
    let written = services.documents.announce_within(&record, charge, guard.as_ref()).await?;
    let version = match written {
        Written::Done => version,
        Written::Repeated => once.repeated(sender).await?,
        Written::Stale => return Ok(None),
    };
    let upload = Upload { scope: scope.clone(), document_id, version };
    sign(services, upload, announcement).await.map(Some)
}

/// Returns the version of an upload that is later than the known one: the request's id, or the next
/// higher one if another clock is ahead.
fn later_version(known: Option<&Record>, stamp: &Stamp) -> String {
    let ahead = known.map(|known| &known.version).filter(|version| **version > stamp.id);
    let next = ahead.and_then(|version| Ulid::from_string(version).ok()?.increment().ok());
    next.map_or_else(|| stamp.id.clone(), |next| next.to_string())
}

/// Refuses an upload of a document that was deleted since the announcement, because it would never
/// be found.
async fn check_standing(
    services: &Services<'_>,
    scope: &Scope,
    document_id: Uuid,
    version: &str,
) -> Result<()> {
    let known = services.documents.document(scope, document_id).await?;
    if known.is_some_and(|known| !known.is_deleted_since(version)) {
        return Ok(());
    }
    let reason = "the document was deleted since it was announced under it: use another one";
    Err(Error::conflict("Idempotency-Key", reason))
}

/// Returns the version that can already be found, if it has these bytes and attributes and is
/// indexed as it would be now.
fn unchanged(
    known: Option<&Record>,
    announcement: &Announcement,
    attributes: &Attributes,
    indexing: &Indexing,
) -> Option<String> {
    // While another version is on its way, the version that can be found now will be replaced.
    let live = known.filter(|known| known.status == Status::Indexed)?.live.as_ref()?;
    let has_bytes = live.hash.eq_ignore_ascii_case(announcement.sha256.as_ref()?);
    let is_same = has_bytes && live.attributes == *attributes && live.indexing.covers(indexing);
    is_same.then(|| live.version.clone())
}

/// Signs the announced upload.
async fn sign(
    services: &Services<'_>,
    upload: Upload,
    announcement: &Announcement,
) -> Result<Announced> {
    let Announcement { content_type, bytes, .. } = announcement;
    let ticket = services.files.ticket(&upload.key(), content_type, *bytes).await?;
    let Upload { document_id, version, .. } = upload;
    Ok(Announced {
        document_id,
        version,
        upload: Some(reply::upload(ticket)),
        status: DocumentState::Waiting,
    })
}

/// Returns the status of a document in `scope`, to callers who may read there.
pub async fn status(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    document: &str,
) -> Result<DocumentStatus> {
    grant_one(caller, scope, services.members).await?;
    let missing = || Error::Missing { kind: "document", name: document.into() };
    let id: Uuid = document.parse().map_err(|_| missing())?;
    let record = services.documents.document(scope, id).await?.ok_or_else(missing)?;
    let shown = record.live.as_ref().or(record.kept.as_ref());
    let about = shown.and_then(|live| live.about.as_ref());
    let read_as = about.and_then(|about| about.read_as.clone());
    Ok(DocumentStatus { read_as, ..reply::status(record) })
}

fn attributes(announcement: &Announcement) -> Attributes {
    let announced = announcement.clone();
    Attributes {
        document_type: announced.document_type,
        title: announced.title,
        source: announced.source,
        tags: announced.tags,
        author: announced.author,
        standard: announced.standard,
        language: announced.language,
        uri: announced.uri,
        time: announced.time,
        commit: announced.commit,
        edition: announced.edition,
        lifecycle: announced.lifecycle,
    }
}

#[cfg(test)]
mod tests;
