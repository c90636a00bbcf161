//! Indexes documents again that were read by an older reader, embedded by another model, or put
//! into another collection.
//!
//! The document is announced again with a copy of its file, and its ingest does the rest. Searches
//! find the earlier version until the new one replaces it. Texts that the index has a vector of are
//! not embedded again.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use uuid::Uuid;
use wire::documents::{ReindexReply, ReindexRequest};

use model::object::{Upload, announced};
use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::{Caller, Scope, admit, named};
use ports::{
    Charge, DocumentCleanup, Hiding, Indexing, Members, Record, Status, StorageQuota, Task, Tasks,
    Written, cursor,
};

/// The services that a reindex needs.
pub struct Services<'a> {
    /// The store of documents.
    pub documents: &'a dyn DocumentCleanup,
    /// The store of their files.
    pub files: &'a dyn Hiding,
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The work that is done later.
    pub tasks: &'a dyn Tasks,
    /// The way in which documents are indexed now.
    pub indexing: &'a Indexing,
}

/// Upper bound for the documents that one request begins with. Each takes two writes and a copy.
pub const MOST: u32 = 50;

/// The common prefix of the keys of all uploads.
const FOLDER: &str = "documents/";

/// Begins to index documents again that are not indexed as they would be now. For `all`, the
/// collection gets the settings that it would be made with now, too.
///
/// # Errors
/// [`Error::Denied`] and [`Error::Missing`] as for other changes of the knowledge base; `all` needs
/// the same rights as `global`.
pub async fn run(
    services: &Services<'_>,
    caller: &Caller,
    request: &ReindexRequest,
    stamp: &Stamp,
) -> Result<ReindexReply> {
    let only = admitted(services, caller, &request.knowledge).await?;
    let folder = only.as_ref().map_or(FOLDER.into(), Upload::folder_of);
    let before = request.announced_before.as_deref().map(time).transpose()?;
    let after = request.cursor.as_deref().map(|r| cursor::read(&folder, r)).transpose()?;
    let after = after.map(|key| format!("{folder}{key}"));
    if only.is_none() && request.cursor.is_none() && !request.only_count {
        services.tasks.send(&[Task::Configure {}]).await?;
    }
    let page = services.files.present(&folder, after.as_deref()).await?;
    let uploads: Vec<(&String, Upload)> =
        page.items.iter().filter_map(|key| Some((key, Upload::parse(key)?))).collect();
    let records = records(services, &uploads).await?;
    let mut reply = ReindexReply::default();
    let mut last = None;
    for (key, upload) in &uploads {
        if reply.begun == MOST {
            break;
        }
        if let Some(record) = records.get(&(upload.scope.clone(), upload.document_id)) {
            let is_late = before.is_some_and(|before| announced(&upload.version) < before);
            let only_count = request.only_count;
            let candidate = Candidate { upload, record, is_late, only_count };
            if request.failed {
                candidate.count_if_latest(services, stamp, &mut reply).await?;
            } else {
                candidate.count_if_live(services, stamp, &mut reply).await?;
            }
        }
        last = Some(*key);
    }
    let is_cut = last != page.items.last() && !uploads.is_empty();
    let next = if is_cut { last.cloned() } else { page.next };
    reply.cursor = next.and_then(|key| Some(cursor::write(&folder, key.strip_prefix(&folder)?)));
    Ok(reply)
}

/// Returns the scope whose documents the caller may index again; `None` for all scopes.
async fn admitted(
    services: &Services<'_>,
    caller: &Caller,
    knowledge: &str,
) -> Result<Option<Scope>> {
    if knowledge == "all" {
        admit(caller, &Scope::Global, services.members).await?;
        return Ok(None);
    }
    let scope = named(caller, knowledge).map_err(|_| {
        let all = "must be one of `all`, `global`, `user`, `case:<id>`, `team:<id>`";
        Error::invalid("knowledge", format!("`{knowledge}` {all}"))
    })?;
    admit(caller, &scope, services.members).await?;
    Ok(Some(scope))
}

/// Returns the items of these uploads' documents.
async fn records(
    services: &Services<'_>,
    uploads: &[(&String, Upload)],
) -> Result<HashMap<(Scope, Uuid), Record>> {
    let keys: BTreeSet<(Scope, Uuid)> =
        uploads.iter().map(|(_, upload)| (upload.scope.clone(), upload.document_id)).collect();
    let keys: Vec<(Scope, Uuid)> = keys.into_iter().collect();
    let records = services.documents.documents_named(&keys).await?;
    Ok(records
        .into_iter()
        .map(|record| ((record.scope.clone(), record.document_id), record))
        .collect())
}

fn time(text: &str) -> Result<Timestamp> {
    let refused = |_| Error::invalid("announced_before", "must be an RFC 3339 time");
    text.parse().map_err(refused)
}

/// A document that is examined through one of its uploads.
struct Candidate<'a> {
    upload: &'a Upload,
    record: &'a Record,
    /// True if it must be looked up in the index.
    is_late: bool,
    only_count: bool,
}

impl Candidate<'_> {
    /// Counts the document by its latest upload, whether it was ever found or not, and begins to
    /// index it again if that failed.
    async fn count_if_latest(
        &self,
        services: &Services<'_>,
        stamp: &Stamp,
        reply: &mut ReindexReply,
    ) -> Result<()> {
        let Candidate { upload, record, only_count, .. } = *self;
        if upload.version != record.version {
            return Ok(());
        }
        let count = match &record.status {
            Status::Deleting | Status::Deleted => return Ok(()),
            Status::Waiting | Status::Indexing => &mut reply.waiting,
            Status::Indexed => &mut reply.current,
            Status::Failed { .. } if only_count => &mut reply.failed,
            Status::Failed { .. } => match begin(services, upload, record, stamp).await? {
                Begun::Yes => &mut reply.begun,
                Begun::Otherwise => &mut reply.waiting,
                Begun::FileGone => &mut reply.failed,
            },
        };
        *count += 1;
        Ok(())
    }

    /// Counts the document by the upload that is found, and begins to index it again if that is
    /// needed.
    async fn count_if_live(
        &self,
        services: &Services<'_>,
        stamp: &Stamp,
        reply: &mut ReindexReply,
    ) -> Result<()> {
        let Candidate { upload, record, is_late, only_count } = *self;
        let Some(live) = record.live.as_ref().filter(|live| live.version == upload.version) else {
            return Ok(());
        };
        let count = match &record.status {
            Status::Deleting | Status::Deleted => return Ok(()),
            Status::Waiting | Status::Indexing => &mut reply.waiting,
            _ if live.indexing.covers(services.indexing) && !is_late => &mut reply.current,
            Status::Failed { .. } if only_count => &mut reply.failed,
            Status::Indexed if only_count => &mut reply.outdated,
            Status::Failed { .. } | Status::Indexed => {
                // The latest upload may have failed, with another size and other attributes.
                let of_live = Record {
                    bytes: live.bytes,
                    attributes: live.attributes.clone(),
                    ..record.clone()
                };
                match begin(services, upload, &of_live, stamp).await? {
                    Begun::Yes => &mut reply.begun,
                    Begun::Otherwise => &mut reply.waiting,
                    Begun::FileGone => &mut reply.failed,
                }
            }
        };
        *count += 1;
        Ok(())
    }
}

enum Begun {
    Yes,
    /// The document was announced or deleted at the same time, or its case was closed.
    Otherwise,
    FileGone,
}

/// Announces the document again, with a copy of the file of this upload. `record` has the size and
/// the attributes of that file.
async fn begin(
    services: &Services<'_>,
    upload: &Upload,
    record: &Record,
    stamp: &Stamp,
) -> Result<Begun> {
    let version = stamp.id.clone();
    let new = Record {
        status: Status::Waiting,
        version: version.clone(),
        updated_at: stamp.time.to_string(),
        ..record.clone()
    };
    // The size of this file may differ from the one that was charged to the scope.
    let charge = Charge { known: Some(record), quota: StorageQuota::UNBOUNDED };
    if services.documents.announce_within(&new, charge, None).await? != Written::Done {
        return Ok(Begun::Otherwise);
    }
    let copy = Upload { version: version.clone(), ..upload.clone() };
    let copied = services.files.copy(&upload.key(), &copy.key()).await;
    if matches!(copied, Ok(true)) {
        return Ok(Begun::Yes);
    }
    let reason = match &copied {
        Ok(_) => "its file is gone: upload it again".to_owned(),
        Err(error) => format!("{error}: have it indexed again"),
    };
    let status = Status::Failed { reason };
    services.documents.mark(&upload.scope, upload.document_id, &version, &status).await?;
    copied.map(|_| Begun::FileGone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ports::Documents;
    use testing::{Corpus, FakeFiles, FakeMembers, stamp};

    #[test]
    fn a_document_whose_file_is_gone_is_told_and_stays_to_be_found() {
        let (corpus, nothing, members) = (
            pollster::block_on(Corpus::of(&[("pump.md", "The pump hums.\n")])),
            FakeFiles::default(),
            FakeMembers::default(),
        );
        let services = Services {
            documents: &corpus.documents,
            files: &nothing,
            members: &members,
            tasks: &corpus.tasks,
            indexing: &Indexing::default(),
        };
        pollster::block_on(async {
            let id = model::document::document_id(&Scope::Global, "pump.md");
            let record = corpus.documents.document(&Scope::Global, id).await.unwrap().unwrap();
            let version = record.version.clone();
            let upload = Upload { scope: Scope::Global, document_id: id, version };
            let stamp = stamp("2026-11-21T08:00:00Z");
            assert!(matches!(
                begin(&services, &upload, &record, &stamp).await,
                Ok(Begun::FileGone)
            ));
            let reason = "its file is gone: upload it again".to_owned();
            assert_eq!(corpus.status(&upload).await, Status::Failed { reason });
        });
        assert!(corpus.index.held().iter().any(|point| point.passage.name == "pump.md"));
    }
}
