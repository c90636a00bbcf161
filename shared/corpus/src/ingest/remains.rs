//! Removes what is left of an upload that is not to be found: a later one replaced it, its document
//! was deleted, or it was given up.

use uuid::Uuid;
use wire::cases::CaseStatus;

use super::{Outcome, Services, have_watched};
use crate::file_deletion;
use model::Result;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Record, Status};

/// Removes the published points of an upload that a later one has replaced.
pub(super) async fn outdated(
    services: &Services<'_>,
    upload: &Upload,
    points: &[Uuid],
) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    services.publisher.delete_up_to(scope, *document_id, version, points).await?;
    file_deletion::records(services.files, upload).await?;
    services.documents.touch(scope).await?;
    Ok(Outcome::Outdated)
}

/// Removes all traces of an upload whose document was deleted, or that nobody announced. Where
/// nothing is known of a deletion the table may have lost the item, so the file is then left to the
/// sweep.
pub(super) async fn gone(
    services: &Services<'_>,
    upload: &Upload,
    points: &[Uuid],
) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    services.publisher.delete_up_to(scope, *document_id, version, points).await?;
    // Cached answers that used the document become invalid.
    services.documents.touch(scope).await?;
    // If the document was announced again and indexed since, its own ingest has sent the reviews.
    let record = services.documents.document(scope, *document_id).await?;
    if record.as_ref().is_none_or(|record| record.live.is_none()) {
        have_watched(services, upload).await?;
    }
    // The record file can be created again from the upload.
    file_deletion::records(services.files, upload).await?;
    match fate(services, upload, record).await? {
        Fate::Unknown => {}
        Fate::Hidden => services.files.hide(&[upload.key()]).await?,
        Fate::Erased => file_deletion::upload(services.files, upload).await?,
    }
    Ok(Outcome::Gone)
}

/// What is to become of the file of an upload that cannot be found.
enum Fate {
    /// It stays: the table may have lost the document.
    Unknown,
    /// It can be restored for a time.
    Hidden,
    Erased,
}

async fn fate(services: &Services<'_>, upload: &Upload, record: Option<Record>) -> Result<Fate> {
    if let Scope::Case(case) = &upload.scope {
        let case = services.cases.case_profile(case).await?;
        if case.is_some_and(|case| case.status != CaseStatus::Open) {
            return Ok(Fate::Erased);
        }
    }
    let record = match record {
        Some(record) => Some(record),
        None => services.documents.deleted(&upload.scope, upload.document_id).await?,
    };
    Ok(match record.filter(|record| record.is_deleted_since(&upload.version)) {
        None => Fate::Unknown,
        Some(record) if record.is_final || matches!(upload.scope, Scope::Case(_)) => Fate::Erased,
        Some(_) => Fate::Hidden,
    })
}

/// Records that an upload is given up. Points that are already visible are removed, since nothing
/// would show that they are incomplete.
pub(super) async fn give_up(
    services: &Services<'_>,
    upload: &Upload,
    reason: String,
) -> Result<()> {
    let Upload { scope, document_id, version } = upload;
    let record = services.documents.document(scope, *document_id).await?;
    let live = record.and_then(|record| record.live).map(|live| live.version);
    if live.as_ref() == Some(version) {
        return services.documents.mark(scope, *document_id, version, &Status::Indexed).await;
    }
    let status = Status::Failed { reason };
    services.documents.mark(scope, *document_id, version, &status).await?;
    services.publisher.delete_version(upload).await?;
    services.documents.touch(scope).await
}
