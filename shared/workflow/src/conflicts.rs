//! Where the documents of a knowledge base disagree: looked for by a scheduled job, and read as it was found last.

use jiff::Timestamp;
use serde::Deserialize;
use wire::search::{Conflict, ConflictReport};

use crate::conflict;
use crate::document::Chunk;
use crate::filter::Filters;
use crate::ports::{ConflictStore, Documents, FoundConflicts, Index, Members};
use crate::scope::{self, Caller, Grant, Scope};
use crate::{Error, Result};

/// The most passages that a job compares, the most conflicts that it keeps, and the most documents that are named as changed.
const PASSAGES: usize = 40_000;
const CONFLICTS: usize = 300;
const CHANGED: usize = 100;

/// The most documents of a page of the list.
const PAGE: u32 = 100;

/// A knowledge base whose conflicts are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Job {
    /// Whose documents: `global`, `user:<id>`, `case:<id>` or `team:<id>`.
    pub knowledge: Scope,
}

/// What came of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// How many passages were compared.
    pub passages: usize,
    /// How many conflicts were found.
    pub conflicts: usize,
}

/// Looks for conflicts in the whole of a knowledge base and keeps them, in place of those of the job before.
///
/// # Errors
/// [`Error::Unavailable`] where a service does not answer.
pub async fn find(
    scope: &Scope,
    index: &dyn Index,
    store: &dyn ConflictStore,
    now: Timestamp,
) -> Result<Outcome> {
    let corpus = store.corpus_of(scope).await?;
    let grant = Grant::of_scheduled(scope);
    let (chunks, is_whole) = index.scan(&grant, &Filters::default(), PASSAGES).await?;
    let comparable: Vec<&Chunk> = chunks.iter().filter(|chunk| !chunk.is_summary()).collect();
    let mut conflicts = conflict::conflicts(&comparable, CONFLICTS + 1);
    let is_complete = is_whole && conflicts.len() <= CONFLICTS;
    conflicts.truncate(CONFLICTS);
    mark_newest(&mut conflicts, &comparable);
    let outcome = Outcome { passages: comparable.len(), conflicts: conflicts.len() };
    let body = serde_json::to_string(&conflicts)
        .map_err(|error| Error::unavailable("the conflicts", error))?;
    let found = FoundConflicts {
        body,
        found_at: now,
        corpus,
        passages: comparable.len() as u64,
        is_complete,
    };
    store.keep_conflicts(scope, &found).await?;
    Ok(outcome)
}

fn mark_newest(conflicts: &mut [Conflict], chunks: &[&Chunk]) {
    let time = |id| chunks.iter().find(|chunk| chunk.id == id).map(|chunk| chunk.written_at());
    for conflict in conflicts {
        let times: Vec<_> = conflict.sides.iter().map(|side| time(side.source.chunk_id)).collect();
        let newest = times.iter().flatten().max().copied();
        let is_one = times.iter().all(|own| *own == newest);
        for (side, own) in conflict.sides.iter_mut().zip(times) {
            side.is_newest = own == newest && !is_one;
        }
    }
}

/// Reads what the last job found in a knowledge base that the caller may read, and which documents changed since.
///
/// # Errors
/// [`Error::Missing`] where no job has run, and as [`scope::grant_one`].
pub async fn read(
    caller: &Caller,
    knowledge: &str,
    members: &dyn Members,
    documents: &dyn Documents,
    store: &dyn ConflictStore,
) -> Result<ConflictReport> {
    let scope = scope::named(caller, knowledge)?;
    scope::grant_one(caller, &scope, members).await?;
    let missing = || Error::Missing { kind: "list of conflicts of", name: knowledge.into() };
    let (corpus, found) = store.conflicts(&scope).await?;
    let found = found.ok_or_else(missing)?;
    let conflicts: Vec<Conflict> = serde_json::from_str(&found.body)
        .map_err(|error| Error::unavailable("the conflicts", error))?;
    let changed_since = if corpus == found.corpus {
        Vec::new()
    } else {
        changed(&scope, documents, found.found_at).await?
    };
    Ok(ConflictReport {
        knowledge: knowledge.into(),
        found_at: found.found_at,
        passages: found.passages,
        complete: found.is_complete,
        conflicts,
        changed_since,
    })
}

/// The names of documents that were announced or deleted since, in the order of their names.
async fn changed(
    scope: &Scope,
    documents: &dyn Documents,
    since: Timestamp,
) -> Result<Vec<String>> {
    let (mut names, mut after) = (Vec::new(), None);
    loop {
        let page = documents.documents(scope, PAGE, after).await?;
        let is_new = |at: &str| at.parse::<Timestamp>().is_ok_and(|at| at > since);
        names.extend(
            page.items.into_iter().filter(|own| is_new(&own.updated_at)).map(|own| own.name),
        );
        after = page.next;
        if after.is_none() || names.len() >= CHANGED {
            names.truncate(CHANGED);
            names.sort();
            return Ok(names);
        }
    }
}
