//! Removes all data of a scope: of a case, or of a user.

use jiff::Timestamp;
use model::object::Upload;
use wire::cases::Removed;

use super::Services;
use crate::file_deletion;
use crate::watch::Changed;
use model::Result;
use ports::scope::Scope;
use ports::{Record, Task};

/// The number of documents in one page, and the number of pages of documents, or of files, that one
/// message removes.
const DOCUMENTS: u32 = 100;
const PAGES: usize = 20;

/// The number of cached entries that are removed at once.
const CACHED: u32 = 100;

/// The work that is left after a message.
#[derive(PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    /// There is more than one message can remove.
    More,
    /// Another message for the same scope removes the rest.
    Others,
}

/// A scope that is removed as a whole.
pub(super) struct Whole<'a> {
    pub services: &'a Services<'a>,
    pub scope: Scope,
    /// The time from which its documents count as removed.
    pub since: Timestamp,
    /// The counts that a case keeps; `None` for another scope.
    pub counts: Option<Counts>,
}

/// The data of a case that was removed so far.
pub(super) struct Counts {
    pub case_id: String,
    pub counted: Removed,
}

impl Whole<'_> {
    /// Removes all data of the scope. The documents come first: an ingest that is still running
    /// then either finds its document gone and removes what it published, or has published before
    /// the points are removed.
    pub(super) async fn remove(&mut self) -> Result<Left> {
        let left = self.documents().await?;
        if left != Left::Nothing {
            return Ok(left);
        }
        let points = self.services.publisher.delete_scope(&self.scope).await?;
        if !self.count(Removed { points, ..Removed::default() }).await? {
            return Ok(Left::Others);
        }
        // Record files come from uploads and are not counted separately.
        let records = Upload::records_folder_of(&self.scope);
        if !file_deletion::folder(self.services.files, &records, PAGES).await?.is_whole {
            return Ok(Left::More);
        }
        let folder = Upload::folder_of(&self.scope);
        let erased = file_deletion::folder(self.services.files, &folder, PAGES).await?;
        if !self.count(Removed { files: erased.files, ..Removed::default() }).await? {
            return Ok(Left::Others);
        }
        if !erased.is_whole {
            return Ok(Left::More);
        }
        if !self.cached().await? {
            return Ok(Left::Others);
        }
        self.services.documents.delete_corpus_counter(&self.scope).await?;
        Ok(Left::Nothing)
    }

    async fn documents(&mut self) -> Result<Left> {
        for _ in 0..PAGES {
            let page = self.services.documents.documents(&self.scope, DOCUMENTS, None).await?;
            // The task finds that the scope has no documents any more.
            let tasks: Vec<Task> =
                page.items.iter().map(|item| self.changed(item).task()).collect();
            self.services.tasks.send(&tasks).await?;
            let mut documents = 0;
            for item in &page.items {
                let is_gone =
                    self.services.documents.delete_record(&item.scope, item.document_id).await?;
                documents += u64::from(is_gone);
            }
            if !self.count(Removed { documents, ..Removed::default() }).await? {
                return Ok(Left::Others);
            }
            if page.next.is_none() {
                return Ok(Left::Nothing);
            }
        }
        Ok(Left::More)
    }

    fn changed(&self, record: &Record) -> Changed {
        let since = self.since;
        Changed { scope: record.scope.clone(), document: record.document_id, since }
    }

    async fn cached(&mut self) -> Result<bool> {
        loop {
            let cached = self.services.documents.delete_cached(&self.scope, CACHED).await?;
            if cached == 0 {
                return Ok(true);
            }
            if !self.count(Removed { cached: cached.into(), ..Removed::default() }).await? {
                return Ok(false);
            }
        }
    }

    /// Adds to the counts of removed data. Returns false if another message counts at the same
    /// time: two messages for the same case must not count twice, and one of them is enough.
    async fn count(&mut self, more: Removed) -> Result<bool> {
        let Some(Counts { case_id: id, counted }) = &mut self.counts else { return Ok(true) };
        let (before, now) = (*counted, counted.plus(more));
        *counted = now;
        let cases = self.services.cases;
        if before == now || cases.count_removed(id, &before, &now).await? {
            return Ok(true);
        }
        // If the answer to a write was lost, the write is sent again and finds its own result.
        let case = cases.case_profile(id).await?;
        Ok(case.and_then(|case| case.removed) == Some(now))
    }
}
