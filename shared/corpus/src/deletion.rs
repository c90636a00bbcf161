//! Deletes documents, and restores them while their files are kept.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use wire::documents::{Deleting, DocumentState, Restoring};

use model::object::{Upload, announced};
use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::{Caller, Scope, admit};
use ports::{
    Charge, DocumentCleanup, Hiding, Members, Quota, Rate, Record, Removal, Removals, Status,
    StorageQuota, Written,
};

/// The documents of a knowledge base that a caller may delete without a confirmation: as many at
/// once, and then one more each minute.
const UNCONFIRMED: Rate = Rate { per_minute: 1, burst: 20 };

/// The services that deletions need.
pub struct Services<'a> {
    /// The store of documents.
    pub documents: &'a dyn DocumentCleanup,
    /// The store of the files.
    pub files: &'a dyn Hiding,
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The queue for removals of deleted documents.
    pub removals: &'a dyn Removals,
    /// The counter of deletions that nobody confirmed.
    pub deletions: &'a dyn Quota,
    /// The quota of each scope.
    pub quota: StorageQuota,
    /// The days in which a deleted document can be restored.
    pub restore_days: u32,
}

/// Says how a document is deleted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// True if its files are erased at once. Documents of cases are always deleted so.
    pub is_final: bool,
    /// True if the caller knows that many documents are deleted.
    pub is_confirmed: bool,
}

/// Deletes a document in `scope`. From now on it is not found; its data is removed later. One that
/// was deleted before can be deleted finally.
///
/// # Errors
/// [`Error::Conflict`] if it was announced again at the same time, or if the caller deletes many
/// documents without a confirmation.
pub async fn delete(
    services: &Services<'_>,
    caller: &Caller,
    scope: Scope,
    document: &str,
    options: Options,
    stamp: &Stamp,
) -> Result<Deleting> {
    admit(caller, &scope, services.members).await?;
    let missing = || missing(document);
    let document_id: Uuid = document.parse().map_err(|_| missing())?;
    let version = match services.documents.document(&scope, document_id).await? {
        // A repeated request sends the removal again, because sending it may have failed before.
        Some(known) if known.status == Status::Deleting && known.is_final >= options.is_final => {
            known.version
        }
        Some(_) => {
            confirmed(services, caller, &scope, options, stamp).await?;
            let (documents, is_final) = (services.documents, options.is_final);
            if !documents.begin_deletion(&scope, document_id, &stamp.id, is_final).await? {
                let reason = "it was announced or deleted at the same time: read it again";
                return Err(Error::conflict("document", reason));
            }
            stamp.id.clone()
        }
        None => {
            let deleted = services.documents.deleted(&scope, document_id).await?;
            let deleted = deleted.filter(|_| options.is_final).ok_or_else(missing)?;
            services.documents.make_final(&scope, document_id).await?;
            deleted.version
        }
    };
    let removal = Removal::Document(Upload { scope, document_id, version });
    services.removals.send(&[removal]).await?;
    Ok(Deleting { document_id, status: DocumentState::Deleting })
}

/// Checks that many deletions are meant: a program that errs, or a branch that lacks a folder,
/// deletes many.
async fn confirmed(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    options: Options,
    stamp: &Stamp,
) -> Result<()> {
    if options.is_confirmed {
        return Ok(());
    }
    let counted = format!("{}#deletions#{scope}", caller.sub);
    if services.deletions.take(&counted, UNCONFIRMED, stamp.time).await?.is_none() {
        return Ok(());
    }
    let reason = format!(
        "{} documents were deleted one after another: send `confirm=true` if more are meant",
        UNCONFIRMED.burst
    );
    Err(Error::conflict("confirm", reason))
}

/// Returns the time until which a document can be restored that was deleted at `version`.
pub fn restorable_until(version: &str, restore_days: u32) -> Timestamp {
    announced(version) + SignedDuration::from_hours(24 * i64::from(restore_days))
}

/// Restores a deleted document: the version that could be found before is indexed again.
///
/// # Errors
/// [`Error::Missing`] if no such document was deleted, or nothing of it is kept;
/// [`Error::Conflict`] if a document of its name was announced since.
pub async fn restore(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    document: &str,
    stamp: &Stamp,
) -> Result<Restoring> {
    admit(caller, scope, services.members).await?;
    let missing = || missing(document);
    let document_id: Uuid = document.parse().map_err(|_| missing())?;
    let known = services.documents.document(scope, document_id).await?;
    known.as_ref().map_or(Ok(()), check_gone)?;
    let deleted = services.documents.deleted(scope, document_id).await?.ok_or_else(missing)?;
    let is_late = restorable_until(&deleted.version, services.restore_days) < stamp.time;
    let kept = deleted.kept.clone().filter(|_| !is_late).ok_or_else(missing)?;
    let version = stamp.id.clone();
    let record = Record {
        bytes: kept.bytes,
        attributes: kept.attributes,
        status: Status::Waiting,
        version: version.clone(),
        deleted: None,
        kept: None,
        first: version.clone(),
        prior: version.clone(),
        updated_at: stamp.time.to_string(),
        ..deleted
    };
    let charge = Charge { known: known.as_ref(), quota: services.quota };
    if services.documents.announce_within(&record, charge, None).await? != Written::Done {
        let reason = "it was announced at the same time, or its case is closed";
        return Err(Error::conflict("document", reason));
    }
    let upload = |version| Upload { scope: scope.clone(), document_id, version };
    let (old, new) = (upload(kept.version), upload(version.clone()));
    let copied = services.files.copy_hidden(&old.key(), &new.key()).await;
    if let Ok(true) = copied {
        services.documents.forget_deleted(scope, document_id).await?;
        return Ok(Restoring { document_id, version, status: DocumentState::Waiting });
    }
    let reason = match &copied {
        Ok(_) => "its file is gone: upload it again".to_owned(),
        Err(error) => format!("{error}: restore it again"),
    };
    services.documents.mark(scope, document_id, &version, &Status::Failed { reason }).await?;
    copied.and_then(|_| Err(missing()))
}

/// Checks that nothing of the document is there but an upload that failed: the files may have been
/// away for an earlier restoration.
fn check_gone(known: &Record) -> Result<()> {
    let reason = match (&known.status, &known.live) {
        (Status::Failed { .. }, None) => return Ok(()),
        (Status::Deleting, _) => "it is being deleted: try again in a minute",
        _ => "it is there: it was not deleted, or announced again since",
    };
    Err(Error::conflict("document", reason))
}

fn missing(document: &str) -> Error {
    Error::Missing { kind: "document", name: document.into() }
}

#[cfg(test)]
mod tests;
