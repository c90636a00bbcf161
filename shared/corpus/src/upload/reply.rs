//! The replies of the routes for documents.

use serde::Serialize;
use wire::documents::{
    Announced, Deleting, DocumentList, DocumentState, DocumentStatus, Restoring, UploadRequest,
};

use ports::{Record, Status, Ticket};

/// Returns a document's item as its readers see it.
pub(crate) fn status(record: Record) -> DocumentStatus {
    let (status, reason) = match record.status {
        Status::Waiting => (DocumentState::Waiting, None),
        Status::Indexing => (DocumentState::Indexing, None),
        Status::Indexed => (DocumentState::Indexed, None),
        Status::Failed { reason } => (DocumentState::Failed, Some(reason)),
        Status::Deleting => (DocumentState::Deleting, None),
        Status::Deleted => (DocumentState::Deleted, None),
    };
    let shown = record.live.as_ref().or(record.kept.as_ref());
    let about = shown.and_then(|live| live.about.clone());
    DocumentStatus {
        document_id: record.document_id,
        name: record.name,
        document_type: about.as_ref().map(|about| about.document_type),
        source: about.as_ref().map(|about| about.source),
        language: about.as_ref().and_then(|about| about.language.clone()),
        time: about
            .as_ref()
            .and_then(|about| about.time)
            .map(|(first, last)| (first.to_string(), last.to_string())),
        read_as: None,
        edition: about.as_ref().and_then(|about| about.edition.clone()),
        lifecycle: about.as_ref().and_then(|about| about.lifecycle),
        title: about.map(|about| about.title),
        status,
        passages: record.live.as_ref().map(|live| live.passages),
        embedded: record.live.as_ref().map(|live| live.embedded),
        reason,
        version: record.version,
        live_version: record.live.as_ref().map(|live| live.version.clone()),
        assumed: record.live.as_ref().and_then(|live| live.assumed.clone()),
        model_reading: record.live.and_then(|live| live.model_reading),
        bytes: record.bytes,
        commit: record.attributes.commit,
        restorable_until: None,
        updated_at: record.updated_at,
    }
}

/// Returns the request that sends a document's bytes.
pub(super) fn upload(ticket: Ticket) -> UploadRequest {
    UploadRequest {
        url: ticket.url,
        headers: ticket.headers.into_iter().collect(),
        expires: ticket.expires_in,
    }
}

/// A reply of the routes for documents.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum DocumentReply {
    /// The reply to an announcement.
    Announced(Announced),
    /// The reply to reading one document.
    Status(Box<DocumentStatus>),
    /// The reply to a deletion.
    Deleting(Deleting),
    /// The reply to restoring a document.
    Restoring(Restoring),
    /// The reply to listing documents.
    List(DocumentList),
}
