//! Finds the conflicts between the documents of a knowledge base by a scheduled job, and reads the
//! results of the last job.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;
use wire::search::{Conflict, ConflictReport};

use crate::conflict::{self, Judge};
use model::document::Passage;
use model::{Error, Result};
use ports::filter::Filters;
use ports::scope::{Caller, Grant, Scope};
use ports::{ConflictStore, Documents, FoundConflicts, Index, Members, Model, scope};

/// Upper bounds for the passages that a job compares, the conflicts that it keeps, and the
/// documents that are named as changed.
const PASSAGES: usize = 40_000;
const CONFLICTS: usize = 300;
const CHANGED: usize = 100;

/// Upper bound for the pairs of statements that a model judges.
const PAIRS: usize = 2_000;

/// Upper bound for the documents on a page of the list.
const PAGE: u32 = 100;

/// The knowledge base of a job that finds conflicts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Job {
    /// The scope of its documents: `global`, `user:<id>`, `case:<id>` or `team:<id>`.
    pub knowledge: Scope,
}

/// The outcome of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The number of passages that were compared.
    pub passages: usize,
    /// The number of conflicts that were found.
    pub conflicts: usize,
}

/// Finds conflicts in a whole knowledge base and keeps them in place of those of the last job. With
/// a `model`, given with its name, it keeps the conflicts that the model confirms, otherwise those
/// that rules find.
///
/// # Errors
/// [`Error::Unavailable`] if a service does not answer. Then the conflicts of the last job stay.
pub async fn find(
    scope: &Scope,
    index: &dyn Index,
    store: &dyn ConflictStore,
    model: Option<(&dyn Model, &str)>,
    now: Timestamp,
) -> Result<Outcome> {
    let corpus = store.corpus_of(scope).await?;
    let grant = Grant::of_scheduled(scope);
    let (passages, is_whole) = index.scan(&grant, &Filters::default(), PASSAGES).await?;
    let comparable: Vec<&Passage> =
        passages.iter().filter(|passage| !passage.is_summary()).collect();
    let (mut conflicts, are_all) = if let Some((model, _)) = model {
        let judge = Judge { model, pairs: PAIRS };
        conflict::confirmed(&comparable, CONFLICTS, judge).await?
    } else {
        let found = conflict::conflicts(&comparable, CONFLICTS + 1);
        let are_all = found.len() <= CONFLICTS;
        (found, are_all)
    };
    let is_complete = is_whole && are_all;
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
        confirmed_by: model.map(|(_, name)| name.to_owned()),
    };
    store.keep_conflicts(scope, &found).await?;
    Ok(outcome)
}

fn mark_newest(conflicts: &mut [Conflict], passages: &[&Passage]) {
    let time =
        |id| passages.iter().find(|passage| passage.id == id).map(|passage| passage.written_at());
    for conflict in conflicts {
        let times: Vec<_> =
            conflict.sides.iter().map(|side| time(side.passage.passage_id)).collect();
        let newest = times.iter().flatten().max().copied();
        let is_one = times.iter().all(|time| *time == newest);
        for (side, written) in conflict.sides.iter_mut().zip(times) {
            side.is_newest = written == newest && !is_one;
        }
    }
}

/// Reads the results of the last job in a knowledge base that the caller may read, with the
/// documents that have changed since.
///
/// # Errors
/// [`Error::Missing`] if no job has run; also the errors of [`scope::grant_one`].
pub async fn read(
    caller: &Caller,
    knowledge: &str,
    members: &dyn Members,
    documents: &dyn Documents,
    index: &dyn Index,
    store: &dyn ConflictStore,
) -> Result<ConflictReport> {
    let scope = scope::named(caller, knowledge)?;
    let grant = scope::grant_one(caller, &scope, members).await?;
    let missing = || Error::Missing { kind: "list of conflicts", name: knowledge.into() };
    let (corpus, found) = store.conflicts(&scope).await?;
    let found = found.ok_or_else(missing)?;
    let mut conflicts: Vec<Conflict> = serde_json::from_str(&found.body)
        .map_err(|error| Error::unavailable("the conflicts", error))?;
    let all = conflicts.len();
    let changed_since = if corpus == found.corpus {
        Vec::new()
    } else {
        keep_standing(&mut conflicts, index, &grant).await?;
        changed(&scope, documents, found.found_at).await?
    };
    Ok(ConflictReport {
        knowledge: knowledge.into(),
        found_at: found.found_at,
        passages_compared: found.passages,
        complete: found.is_complete,
        confirmed_by: found.confirmed_by,
        outdated: all - conflicts.len(),
        conflicts,
        changed_since,
    })
}

/// Keeps the conflicts whose passages still exist. A passage has another id in each version of its
/// document, so deleted text is no longer quoted.
async fn keep_standing(
    conflicts: &mut Vec<Conflict>,
    index: &dyn Index,
    grant: &Grant,
) -> Result<()> {
    let cited = |conflict: &Conflict| -> Vec<Uuid> {
        conflict.sides.iter().map(|side| side.passage.passage_id).collect()
    };
    let ids: BTreeSet<Uuid> = conflicts.iter().flat_map(cited).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let there: BTreeSet<Uuid> =
        index.passages(grant, &ids).await?.into_iter().map(|passage| passage.id).collect();
    conflicts.retain(|conflict| cited(conflict).iter().all(|id| there.contains(id)));
    Ok(())
}

/// Returns the names of documents that were announced or deleted since, sorted.
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
            page.items.into_iter().filter(|item| is_new(&item.updated_at)).map(|item| item.name),
        );
        after = page.next;
        if after.is_none() || names.len() >= CHANGED {
            names.truncate(CHANGED);
            names.sort();
            return Ok(names);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use testing::{Corpus, FakeMembers, FakeModel, caller, stamp};

    const GUIDE: &str = "# Limits\n\nThe gateway admits at most 600 requests per minute.\n";
    const HANDBOOK: &str = "# Limits\n\nThe gateway admits at most 300 requests per minute.\n";

    async fn list(corpus: &Corpus, knowledge: &str) -> Result<ConflictReport> {
        let Corpus { documents, index, answers, .. } = corpus;
        let members = FakeMembers::default();
        read(&caller("ann"), knowledge, &members, documents, index, answers).await
    }

    #[test]
    fn a_model_confirms_what_is_kept_and_one_that_fails_leaves_the_list_of_before() {
        pollster::block_on(async {
            let corpus = Corpus::of(&[("guide.md", GUIDE), ("handbook.md", HANDBOOK)]).await;
            let now = stamp("2026-11-20T18:00:00Z").time;
            let look = async |model: &FakeModel| {
                let model = Some((model as &dyn Model, "nova"));
                find(&Scope::Global, &corpus.index, &corpus.answers, model, now).await
            };
            let form = json!({"q1": 1});
            assert_eq!(look(&FakeModel::of("grades", form)).await.unwrap().conflicts, 1);
            assert!(look(&FakeModel::default()).await.is_err());
            let found = list(&corpus, "global").await.unwrap();
            assert_eq!((found.conflicts.len(), found.confirmed_by.as_deref()), (1, Some("nova")));
            let form = json!({"q1": 0});
            assert_eq!(look(&FakeModel::of("grades", form)).await.unwrap().conflicts, 0);
        });
    }

    #[test]
    fn what_a_job_found_is_read_until_a_passage_of_it_changes() {
        pollster::block_on(async {
            let corpus = Corpus::of(&[("guide.md", GUIDE), ("handbook.md", HANDBOOK)]).await;
            let now = stamp("2026-11-20T18:00:00Z").time;
            assert!(matches!(list(&corpus, "global").await, Err(Error::Missing { .. })));
            let outcome =
                find(&Scope::Global, &corpus.index, &corpus.answers, None, now).await.unwrap();
            assert_eq!((outcome.passages, outcome.conflicts), (2, 1));
            let found = list(&corpus, "global").await.unwrap();
            assert_eq!((found.conflicts.len(), found.outdated, found.found_at), (1, 0, now));
            assert_eq!(found.confirmed_by, None);
            let upload = corpus.announce("guide.md", "01B", b"# Limits\n\nNothing here.\n").await;
            corpus.ingest(&upload).await.unwrap();
            corpus.answers.change(&Scope::Global);
            let later = list(&corpus, "global").await.unwrap();
            assert_eq!((later.conflicts.len(), later.outdated), (0, 1));
            assert!(matches!(list(&corpus, "team:pumps").await, Err(Error::Denied { .. })));
            assert!(matches!(list(&corpus, "user").await, Err(Error::Missing { .. })));
        });
    }
}
