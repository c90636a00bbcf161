//! Lists what may be searched: knowledge bases with their contents, and their documents by name,
//! title and type.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use uuid::Uuid;
use wire::cases::{Case, CaseStatus};
use wire::documents::{DocumentList, DocumentState, DocumentStatus};
use wire::knowledge::{KnowledgeBase, KnowledgeList};

use crate::deletion::restorable_until;
use crate::upload::status_of;
use model::{Error, Result};
use ports::scope::{Caller, Scope};
use ports::{Cases, DocumentCleanup, Members, Page, Record, Status, cursor, scope};

/// Upper bound for the documents of a knowledge base that are examined.
const MOST: usize = 20_000;

/// The number of cases in one read.
const CASES: u32 = 100;

/// The number of documents in one read.
const PAGE: u32 = 1_000;

/// The services that the catalog reads.
#[derive(Clone, Copy)]
pub struct Services<'a> {
    /// The store of the documents' items.
    pub documents: &'a dyn DocumentCleanup,
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The store of the caller's cases.
    pub cases: &'a dyn Cases,
    /// The days in which a deleted document can be restored.
    pub restore_days: u32,
}

/// Selects the documents to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Words of their name, title or type; without words, all documents are listed.
    pub words: Option<&'a str>,
    /// The number of documents, 1 to 100; 100 if absent.
    pub limit: Option<&'a str>,
    /// The start of the page; cannot be combined with `words`.
    pub cursor: Option<&'a str>,
    /// True for documents that were deleted and can be restored, in place of those that are there.
    pub is_deleted: bool,
}

/// Lists the knowledge bases that the caller may search and that have documents, with their
/// contents.
///
/// # Errors
/// [`Error::Unavailable`] if the table does not answer.
pub async fn knowledge(services: Services<'_>, caller: &Caller) -> Result<KnowledgeList> {
    let groups: BTreeSet<&String> = caller.groups.iter().collect();
    let open = open_cases(services, caller, &groups).await?;
    let of_cases = open.into_iter().map(|case| (Scope::Case(case.case_id), Some(case.title)));
    let of_teams = groups.into_iter().map(|group| (Scope::Team(group.clone()), None));
    let own = [(Scope::Global, None), (Scope::User(caller.sub.clone()), None)];
    let all = own.into_iter().chain(of_teams).chain(of_cases);
    let read = all.map(|(scope, title)| summary(services, caller, scope, title));
    let all = try_join_all(read).await?;
    let is_empty = |base: &KnowledgeBase| base.documents + base.reading + base.failed == 0;
    let all = all.into_iter().flatten();
    Ok(KnowledgeList { knowledge: all.filter(|base| !is_empty(base)).collect() })
}

/// Returns the open cases of the caller and of the caller's teams, the oldest of each first.
async fn open_cases(
    services: Services<'_>,
    caller: &Caller,
    teams: &BTreeSet<&String>,
) -> Result<Vec<Case>> {
    let cases = services.cases;
    let mut open = BTreeMap::new();
    let mut of_each: Vec<Option<&String>> = vec![None];
    of_each.extend(teams.iter().map(|team| Some(*team)));
    for team in of_each {
        let mut after: Option<String> = None;
        loop {
            let page = match team {
                None => cases.cases(&caller.sub, CASES, after.as_deref()).await?,
                Some(team) => cases.team_cases(team, CASES, after.as_deref()).await?,
            };
            let of_page = page.items.into_iter().filter(|case| case.status == CaseStatus::Open);
            open.extend(of_page.map(|case| (case.case_id.clone(), case)));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    Ok(open.into_values().collect())
}

/// Returns the contents of a knowledge base; `None` if the caller may not read it, such as a case
/// that is just being closed.
async fn summary(
    services: Services<'_>,
    caller: &Caller,
    scope: Scope,
    title: Option<String>,
) -> Result<Option<KnowledgeBase>> {
    match scope::grant_one(caller, &scope, services.members).await {
        Err(Error::Unavailable { service, cause }) => {
            return Err(Error::Unavailable { service, cause });
        }
        Err(_) => return Ok(None),
        Ok(_) => {}
    }
    let mut base =
        KnowledgeBase { knowledge: scope.knowledge(), title, ..KnowledgeBase::default() };
    let (records, is_whole) = all(services, &scope, false).await?;
    base.is_partial = !is_whole;
    for record in records {
        match record.status {
            Status::Waiting | Status::Indexing => base.reading += 1,
            Status::Failed { .. } => base.failed += 1,
            Status::Indexed | Status::Deleting | Status::Deleted => {}
        }
        let Some(live) = record.live else { continue };
        base.documents += 1;
        base.passages += u64::from(live.passages);
        base.records += live.records;
        let Some(about) = live.about else { continue };
        count(&mut base.document_types, about.document_type.name());
        count(&mut base.sources, about.source.name());
        about.language.iter().for_each(|language| count(&mut base.languages, language));
        if let Some((first, last)) = about.time {
            let (first, last) = (first.to_string(), last.to_string());
            base.time = Some(match base.time.take() {
                Some((earliest, latest)) => (earliest.min(first), latest.max(last)),
                None => (first, last),
            });
        }
    }
    Ok(Some(base))
}

fn count(counts: &mut BTreeMap<String, usize>, name: &str) {
    *counts.entry(name.to_owned()).or_default() += 1;
}

/// Returns the documents of a knowledge base, with true if these are all.
async fn all(
    services: Services<'_>,
    scope: &Scope,
    is_deleted: bool,
) -> Result<(Vec<Record>, bool)> {
    let mut records = Vec::new();
    let mut after = None;
    while records.len() < MOST {
        let page = page(services, scope, is_deleted, PAGE, after).await?;
        records.extend(page.items);
        after = page.next;
        if after.is_none() {
            return Ok((records, true));
        }
    }
    Ok((records, false))
}

/// Returns a page of the documents that are there, or of those that can be restored.
async fn page(
    services: Services<'_>,
    scope: &Scope,
    is_deleted: bool,
    limit: u32,
    after: Option<Uuid>,
) -> Result<Page<Record>> {
    if !is_deleted {
        return services.documents.documents(scope, limit, after).await;
    }
    let mut page = services.documents.all_deleted(scope, limit, after).await?;
    page.items.retain(|record| record.kept.is_some());
    Ok(page)
}

fn status(services: Services<'_>, record: Record) -> DocumentStatus {
    let until = (record.status == Status::Deleted)
        .then(|| restorable_until(&record.version, services.restore_days).to_string());
    DocumentStatus { restorable_until: until, ..status_of(record) }
}

/// Lists documents of a knowledge base that the caller may read.
///
/// # Errors
/// Fails as [`scope::grant_one`] does, and with [`Error::Malformed`] for an invalid limit or
/// cursor, or a cursor with `words`.
pub async fn documents(
    services: Services<'_>,
    caller: &Caller,
    scope: &Scope,
    wanted: Wanted<'_>,
) -> Result<DocumentList> {
    scope::grant_one(caller, scope, services.members).await?;
    let limit = cursor::limit(wanted.limit, 100)?;
    if let Some(words) = wanted.words.filter(|words| !words.trim().is_empty()) {
        if wanted.cursor.is_some() {
            let reason = "must be absent where `words` are given";
            return Err(Error::Malformed { field: "cursor".into(), reason: reason.into() });
        }
        return having(services, scope, words, wanted.is_deleted, limit as usize).await;
    }
    let list = format!("{scope}{}", if wanted.is_deleted { " deleted" } else { "" });
    let after = wanted.cursor.map(|cursor| cursor::read(&list, cursor)).transpose()?;
    let after = after.map(|id| id.parse()).transpose().map_err(|_| Error::Malformed {
        field: "cursor".into(),
        reason: "must be one that this list gave".into(),
    })?;
    let page = page(services, scope, wanted.is_deleted, limit, after).await?;
    let cursor = page.next.map(|last| cursor::write(&list, &last.to_string()));
    let documents = page.items.into_iter().map(|record| status(services, record)).collect();
    Ok(DocumentList { documents, found: None, cursor })
}

/// Returns the documents that contain all `words` in their name, title or type, ordered by name.
async fn having(
    services: Services<'_>,
    scope: &Scope,
    words: &str,
    is_deleted: bool,
    limit: usize,
) -> Result<DocumentList> {
    let words: Vec<String> =
        text::composed::text(words).split_whitespace().map(str::to_lowercase).collect();
    let (records, _) = all(services, scope, is_deleted).await?;
    let has = |document: &DocumentStatus| {
        let kind = document.document_type.map_or("", |kind| kind.name());
        let title = document.title.as_deref().unwrap_or_default();
        let text = format!("{}\n{title}\n{kind}", document.name).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let is_there = |document: &DocumentStatus| document.status != DocumentState::Deleting;
    let statuses = records.into_iter().map(|record| status(services, record));
    let mut found: Vec<DocumentStatus> =
        statuses.filter(|document| is_there(document) && has(document)).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    let count = found.len();
    found.truncate(limit);
    Ok(DocumentList { documents: found, found: Some(count), cursor: None })
}

#[cfg(test)]
mod tests;
