//! What may be searched: knowledge bases with what they hold, and their documents by name, title and type.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join_all;
use wire::cases::Case;
use wire::documents::{DocumentList, DocumentState, DocumentStatus};
use wire::knowledge::{KnowledgeBase, KnowledgeList};

use crate::upload::status_of;
use model::{Error, Result};
use ports::scope::{Caller, Scope};
use ports::{Cases, Documents, Members, Record, Status, cursor, scope};

/// The most documents of a knowledge base that are looked at.
const MOST: usize = 20_000;

/// The cases that one read brings.
const CASES: u32 = 100;

/// The documents that one read brings.
const PAGE: u32 = 1_000;

/// What the catalog reads from.
#[derive(Clone, Copy)]
pub struct Services<'a> {
    /// The documents' items.
    pub documents: &'a dyn Documents,
    /// Who belongs to a case.
    pub members: &'a dyn Members,
    /// The caller's cases.
    pub cases: &'a dyn Cases,
}

/// Which documents are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Words of their name, title or type; all of them where there are none.
    pub words: Option<&'a str>,
    /// How many, 1 to 100; 100 where absent.
    pub limit: Option<&'a str>,
    /// Where the page begins; not with `words`.
    pub cursor: Option<&'a str>,
}

/// Lists the knowledge bases that the caller may search and that have documents, with what they hold.
///
/// # Errors
/// [`Error::Unavailable`] where the table does not answer.
pub async fn knowledge(services: Services<'_>, caller: &Caller) -> Result<KnowledgeList> {
    let open = open_cases(services, caller).await?;
    let of_cases = open.into_iter().map(|case| (Scope::Case(case.case_id), Some(case.title)));
    let groups: BTreeSet<&String> = caller.groups.iter().collect();
    let of_teams = groups.into_iter().map(|group| (Scope::Team(group.clone()), None));
    let own = [(Scope::Global, None), (Scope::User(caller.sub.clone()), None)];
    let all = own.into_iter().chain(of_teams).chain(of_cases);
    let read = all.map(|(scope, title)| summary(services, caller, scope, title));
    let all = try_join_all(read).await?;
    let is_empty = |base: &KnowledgeBase| base.documents + base.reading + base.failed == 0;
    let all = all.into_iter().flatten();
    Ok(KnowledgeList { knowledge: all.filter(|base| !is_empty(base)).collect() })
}

/// The caller's open cases, the oldest first.
async fn open_cases(services: Services<'_>, caller: &Caller) -> Result<Vec<Case>> {
    let (mut open, mut after) = (Vec::new(), None);
    loop {
        let page = services.cases.cases(&caller.sub, CASES, after.as_deref()).await?;
        open.extend(page.items.into_iter().filter(|case| case.status.require_open().is_ok()));
        after = page.next;
        if after.is_none() {
            return Ok(open);
        }
    }
}

/// What a knowledge base holds; `None` where the caller may not read it, such as a case that is just being closed.
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
    let (records, is_whole) = all(services.documents, &scope).await?;
    base.is_partial = !is_whole;
    for record in records {
        match record.status {
            Status::Waiting | Status::Indexing => base.reading += 1,
            Status::Failed { .. } => base.failed += 1,
            Status::Indexed | Status::Deleting => {}
        }
        let Some(live) = record.live else { continue };
        base.documents += 1;
        base.passages += u64::from(live.chunks);
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

/// The documents of a knowledge base, and whether these are all.
async fn all(documents: &dyn Documents, scope: &Scope) -> Result<(Vec<Record>, bool)> {
    let mut records = Vec::new();
    let mut after = None;
    while records.len() < MOST {
        let page = documents.documents(scope, PAGE, after).await?;
        records.extend(page.items);
        after = page.next;
        if after.is_none() {
            return Ok((records, true));
        }
    }
    Ok((records, false))
}

/// Lists documents of a knowledge base that the caller may read.
///
/// # Errors
/// As [`scope::grant_one`], and [`Error::Malformed`] for a limit or cursor of another form, or a cursor with `words`.
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
        return having(services.documents, scope, words, limit as usize).await;
    }
    let list = scope.to_string();
    let after = wanted.cursor.map(|cursor| cursor::read(&list, cursor)).transpose()?;
    let after = after.map(|id| id.parse()).transpose().map_err(|_| Error::Malformed {
        field: "cursor".into(),
        reason: "must be one that this list gave".into(),
    })?;
    let page = services.documents.documents(scope, limit, after).await?;
    let cursor = page.next.map(|last| cursor::write(&list, &last.to_string()));
    let documents = page.items.into_iter().map(status_of).collect();
    Ok(DocumentList { documents, found: None, cursor })
}

/// The documents that have all `words` in their name, title or type, by name.
async fn having(
    documents: &dyn Documents,
    scope: &Scope,
    words: &str,
    limit: usize,
) -> Result<DocumentList> {
    let words: Vec<String> =
        text::composed::text(words).split_whitespace().map(str::to_lowercase).collect();
    let (records, _) = all(documents, scope).await?;
    let has = |document: &DocumentStatus| {
        let kind = document.document_type.map_or("", |kind| kind.name());
        let title = document.title.as_deref().unwrap_or_default();
        let text = format!("{}\n{title}\n{kind}", document.name).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let is_there = |document: &DocumentStatus| document.status != DocumentState::Deleting;
    let statuses = records.into_iter().map(status_of);
    let mut found: Vec<DocumentStatus> =
        statuses.filter(|document| is_there(document) && has(document)).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    let count = found.len();
    found.truncate(limit);
    Ok(DocumentList { documents: found, found: Some(count), cursor: None })
}

#[cfg(test)]
mod tests;
