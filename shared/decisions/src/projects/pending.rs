//! The work that follows after a decision is saved: it is indexed, and its sources are checked
//! again. If a service does not answer, a task does the work later.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionSource, DecisionStatus, Review};

use super::{ProjectContext, point};
use ask::related;
use model::document::Passage;
use model::object::announced;
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::scope::{Grant, Scope};
use ports::{Embedder, Index, Pending, Publisher, Reviews, Task, Written};

/// The services that index decisions.
#[derive(Clone, Copy)]
pub struct Indexer<'a> {
    /// The store of decisions and their pending work.
    pub trail: &'a dyn Reviews,
    /// The embedder of decisions.
    pub embedder: &'a dyn Embedder,
    /// The index of the passages that they cite.
    pub index: &'a dyn Index,
    /// The index to which they are written as passages.
    pub publisher: &'a dyn Publisher,
}

/// Does the pending work of decisions that the request of `context` has written, or sends a task
/// for it. Returns what is missing until then.
pub(super) async fn settle(
    context: &ProjectContext<'_>,
    project: &str,
    decisions: &[&str],
) -> Vec<Degraded> {
    let mut degraded: Vec<Degraded> = Vec::new();
    for id in decisions {
        // What failed for the first decision would fail for the next one, too, and the caller is
        // waiting.
        if degraded.is_empty() {
            degraded = caught_up(&context.indexer(), project, id).await;
        }
        if !degraded.is_empty() {
            let (project_id, decision_id) = (project.to_owned(), (*id).to_owned());
            // If no task can be sent now, the next sweep finds the work: it is recorded with the
            // decision.
            context.tasks.send(&[Task::Decision { project_id, decision_id }]).await.ok();
        }
    }
    degraded
}

/// Does the pending work of a decision, if there is any.
///
/// # Errors
/// Returns the first error; the work stays pending and may be tried again.
pub async fn catch_up(indexer: &Indexer<'_>, project: &str, decision: &str) -> Result<()> {
    let missing = caught_up(indexer, project, decision).await;
    missing.into_iter().next().map_or(Ok(()), |m| Err(m.error))
}

/// Does the same and returns what could not be done.
async fn caught_up(indexer: &Indexer<'_>, project: &str, decision: &str) -> Vec<Degraded> {
    match read(indexer.trail, project, decision).await {
        Ok(None) => Vec::new(),
        Ok(Some((decided, pending))) => follow(indexer, project, &decided, &pending).await,
        Err(error) => vec![Degraded { part: "related decisions".into(), error }],
    }
}

/// Returns a decision with its pending work; `None` if there is none.
async fn read(
    trail: &dyn Reviews,
    project: &str,
    decision: &str,
) -> Result<Option<(Decided, Pending)>> {
    let Some(pending) = trail.pending(project, decision).await? else { return Ok(None) };
    let found = trail.decisions_named(project, &[decision.to_owned()]).await?.pop();
    let Some(found) = found else { return Ok(None) };
    let sources = trail.sources(project, decision, decision).await?;
    let sources = sources.into_iter().map(|(_, source)| source).collect();
    Ok(Some((Decided { decision: found, sources }, pending)))
}

/// Does as much as possible of a decision's pending work, and records that it is done. Returns what
/// could not be done.
async fn follow(
    indexer: &Indexer<'_>,
    project: &str,
    decided: &Decided,
    pending: &Pending,
) -> Vec<Degraded> {
    let (decision, change) = (&decided.decision, &pending.change);
    let written = index(indexer, project, decision, change).await.map(drop);
    let rechecked = recheck_sources(indexer, project, decided, pending).await;
    let failed = |part: &'static str, outcome: Result<()>| {
        Some(Degraded { part: part.into(), error: outcome.err()? })
    };
    let missing = [failed("related decisions", written), failed("evidence watch", rechecked)];
    let missing: Vec<Degraded> = missing.into_iter().flatten().collect();
    if missing.is_empty() {
        // If this fails, the work is repeated, which changes nothing.
        indexer.trail.done(project, &decision.decision_id, change).await.ok();
    }
    missing
}

/// Indexes a decision as of the change `version`, and replaces what the index has of it. Returns
/// false if the decision has changed meanwhile. What was written is then removed, because it would
/// exist besides what the later change writes.
pub async fn index(
    indexer: &Indexer<'_>,
    project: &str,
    decision: &Decision,
    version: &str,
) -> Result<bool> {
    point::write(indexer, project, decision, version).await?;
    let id = decision.decision_id.clone();
    let document = related::document(project, &id);
    let now = indexer.trail.decisions_named(project, &[id]).await?;
    if now.first().is_some_and(|now| now.status == decision.status) {
        return Ok(true);
    }
    let scope = Scope::Project(project.into());
    let point = related::passage(project, decision, version).id;
    indexer.publisher.delete_up_to(&scope, document, version, &[point]).await.map_err(|error| {
        Error::unavailable(
            "the index",
            format!("a decision that changed is still as it was: {error}"),
        )
    })?;
    Ok(false)
}

/// Marks the decision if a passage was removed after it was quoted and before the decision was
/// written. The ingest that removed the passage cannot have seen the decision.
async fn recheck_sources(
    indexer: &Indexer<'_>,
    project: &str,
    decided: &Decided,
    pending: &Pending,
) -> Result<()> {
    let (decision, sources) = (&decided.decision, &decided.sources);
    let holds = matches!(decision.status, DecisionStatus::Proposed | DecisionStatus::Accepted);
    if !holds || sources.is_empty() || pending.scopes.is_empty() {
        return Ok(());
    }
    let is_open = |source: &&DecisionSource| {
        decision.needs_review.iter().all(|review| review.passage_id != source.passage_id)
            && decision.reviewed.iter().all(|seen| seen.passage_id != source.passage_id)
    };
    let review = |source: &DecisionSource| Review {
        passage_id: source.passage_id,
        document_id: source.document_id,
        file: source.file.clone(),
        was: source.quote.clone(),
        nearest: None,
        since: announced(&pending.change),
    };
    let gone = gone(indexer.index, &Grant::of_pending(pending), sources).await?;
    let gone: Vec<Review> = gone.into_iter().filter(is_open).map(review).collect();
    if gone.is_empty() {
        return Ok(());
    }
    let needs_review = decision.needs_review.iter().cloned().chain(gone).collect();
    let marked = Decision { version: decision.version + 1, needs_review, ..decision.clone() };
    match indexer.trail.revise(project, &[&marked], None).await? {
        Written::Done => Ok(()),
        Written::Stale | Written::Repeated => {
            Err(Error::unavailable("the table", "a decision changed while it was indexed at again"))
        }
    }
}

/// Returns the sources whose passages are not in their documents any more. A later version of a
/// document has other passages, some with the same text.
async fn gone<'s>(
    index: &dyn Index,
    grant: &Grant,
    sources: &'s [DecisionSource],
) -> Result<Vec<&'s DecisionSource>> {
    let ids: Vec<Uuid> = sources.iter().map(|source| source.passage_id).collect();
    let found = index.passages(grant, &ids).await?;
    let is_away =
        |source: &&DecisionSource| found.iter().all(|passage| passage.id != source.passage_id);
    let away: Vec<&DecisionSource> = sources.iter().filter(is_away).collect();
    if away.is_empty() {
        return Ok(away);
    }
    let documents: BTreeSet<Uuid> = away.iter().map(|a| a.document_id).collect();
    let documents: Vec<Uuid> = documents.into_iter().collect();
    let live = index.documents(grant, &documents, &[]).await?;
    let live: HashSet<String> = live.iter().map(Passage::hash).collect();
    Ok(away.into_iter().filter(|a| !live.contains(&a.hash)).collect())
}
