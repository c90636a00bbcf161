//! All that a closing case has.

use super::{Outcome, Services};
use crate::case::{Case, CaseStatus, Removed};
use crate::ports::{Record, Removal};
use crate::scope::Scope;
use crate::watch::{Changed, watch};
use crate::{Result, erase};

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
    let scope = Scope::Case(case_id.into());
    if !documents(services, &case, &scope).await? {
        return continued(services, case_id).await;
    }
    let points = services.publisher.clear(&scope).await?;
    count(services, case_id, Removed { points, ..Removed::default() }).await?;
    let erased = erase::folder(services.files, &format!("documents/{scope}/"), PAGES).await?;
    count(services, case_id, Removed { files: erased.files, ..Removed::default() }).await?;
    if !erased.is_whole {
        return continued(services, case_id).await;
    }
    cached(services, case_id, &scope).await?;
    services.documents.erase_corpus(&scope).await?;
    services.cases.end_closing(case_id).await?;
    Ok(Outcome::Done)
}

/// Takes the case's documents away, as many as one message takes. Whether that was all.
async fn documents(services: &Services<'_>, case: &Case, scope: &Scope) -> Result<bool> {
    for _ in 0..PAGES {
        let page = services.documents.documents(scope, DOCUMENTS, None).await?;
        let mut documents = 0;
        for record in &page.items {
            documents += u64::from(document(services, case, record).await?);
        }
        count(services, &case.case_id, Removed { documents, ..Removed::default() }).await?;
        if page.next.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn document(services: &Services<'_>, case: &Case, record: &Record) -> Result<bool> {
    let Record { scope, document_id, .. } = record;
    let since = case.closed_at.unwrap_or(case.created_at);
    watch(services.reviews, Changed { scope, document: *document_id, live: &[], since }).await?;
    services.documents.erase(scope, *document_id).await
}

async fn cached(services: &Services<'_>, case_id: &str, scope: &Scope) -> Result<()> {
    loop {
        let cached = u64::from(services.documents.erase_cached(scope, CACHED).await?);
        if cached == 0 {
            return Ok(());
        }
        count(services, case_id, Removed { cached, ..Removed::default() }).await?;
    }
}

async fn count(services: &Services<'_>, case_id: &str, more: Removed) -> Result<()> {
    if more == Removed::default() {
        return Ok(());
    }
    services.cases.count_removed(case_id, &more).await
}

async fn continued(services: &Services<'_>, case_id: &str) -> Result<Outcome> {
    services.removals.send(&[Removal::Case { case_id: case_id.into() }]).await?;
    Ok(Outcome::Continued)
}
