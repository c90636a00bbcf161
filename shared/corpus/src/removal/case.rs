//! All that a closing case has.

use model::object::Upload;
use wire::cases::{Case, CaseStatus, Removed};

use super::{Outcome, Services};
use crate::file_deletion;
use crate::watch::Changed;
use model::Result;
use ports::scope::Scope;
use ports::{Record, Removal, Task};

/// How many documents are listed at a time, and how many pages of them, or of files, one message takes.
const DOCUMENTS: u32 = 100;
const PAGES: usize = 20;

/// How many cached entries are taken away at a time.
const CACHED: u32 = 100;

/// Takes away all that a closing case has, and has it closed. The documents come first: an ingest that is still at work
/// finds its document gone and takes away what it published, or published before the points go.
pub(super) async fn remove(services: &Services<'_>, case_id: &str) -> Result<Outcome> {
    let Some(case) = services.cases.case_profile(case_id).await? else {
        return Ok(Outcome::Kept);
    };
    match case.status {
        CaseStatus::Open => return Ok(Outcome::Kept),
        CaseStatus::Closed => return Ok(Outcome::Done),
        CaseStatus::Closing => {}
    }
    let mut closing = Closing {
        services,
        scope: Scope::Case(case_id.into()),
        counted: case.removed.unwrap_or_default(),
        case,
    };
    let left = closing.remove().await?;
    match left {
        Left::Nothing => services.cases.end_closing(case_id).await.map(|()| Outcome::Done),
        Left::Others => Ok(Outcome::Kept),
        Left::More => {
            services.removals.send(&[Removal::Case { case_id: case_id.into() }]).await?;
            Ok(Outcome::Continued)
        }
    }
}

/// What a message leaves to be done.
#[derive(PartialEq, Eq)]
enum Left {
    Nothing,
    /// More than one message takes.
    More,
    /// What another message of the same case is at.
    Others,
}

struct Closing<'a> {
    services: &'a Services<'a>,
    case: Case,
    scope: Scope,
    counted: Removed,
}

impl Closing<'_> {
    async fn remove(&mut self) -> Result<Left> {
        let left = self.documents().await?;
        if left != Left::Nothing {
            return Ok(left);
        }
        let points = self.services.publisher.delete_scope(&self.scope).await?;
        if !self.count(Removed { points, ..Removed::default() }).await? {
            return Ok(Left::Others);
        }
        // Record files come of the uploads, and are not counted beside them.
        let records = format!("records/{}/", self.scope);
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
            // Whoever takes these sees that the case is closing: it has no documents any more.
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
        let since = self.case.closed_at.unwrap_or(self.case.created_at);
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

    /// Counts what is gone. Whether nobody else counts: two messages that are at the same case must not count the
    /// same twice, and one of them is enough.
    async fn count(&mut self, more: Removed) -> Result<bool> {
        let (before, now) = (self.counted, self.counted.plus(more));
        self.counted = now;
        let (cases, id) = (self.services.cases, &self.case.case_id);
        if before == now || cases.count_removed(id, &before, &now).await? {
            return Ok(true);
        }
        // A write whose answer was lost is sent again, and finds itself.
        let case = cases.case_profile(id).await?;
        Ok(case.and_then(|case| case.removed) == Some(now))
    }
}
