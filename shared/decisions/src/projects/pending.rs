//! What follows once a decision is saved: it is brought into the index, and what it rests on is looked at again. Where a
//! service is away it is done later, by whoever takes tasks.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionSource, DecisionStatus, Review};

use super::{ProjectContext, point};
use ask::related;
use model::document::Chunk;
use model::object::announced;
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::scope::{Grant, Scope};
use ports::{Embedder, Index, Pending, Publisher, Reviews, Task, Written};

/// The services by which decisions can be found.
#[derive(Clone, Copy)]
pub struct Indexer<'a> {
    /// Keeps decisions, and what is pending of them.
    pub trail: &'a dyn Reviews,
    /// Embeds them.
    pub embedder: &'a dyn Embedder,
    /// Has the passages that they rest on.
    pub index: &'a dyn Index,
    /// Takes them as passages.
    pub publisher: &'a dyn Publisher,
}

/// Does what is pending of decisions that the request of `context` has written, or hands it on as a task. What is missing
/// until then.
pub(super) async fn settle(
    context: &ProjectContext<'_>,
    project: &str,
    decisions: &[&str],
) -> Vec<Degraded> {
    let mut degraded: Vec<Degraded> = Vec::new();
    for id in decisions {
        // What failed for the first fails for the next one, too, and the caller waits.
        if degraded.is_empty() {
            degraded = caught_up(&context.indexer(), project, id).await;
        }
        if !degraded.is_empty() {
            let (project_id, decision_id) = (project.to_owned(), (*id).to_owned());
            // What cannot be handed on now is found by the next sweep: it is noted with the decision.
            context.tasks.send(&[Task::Decision { project_id, decision_id }]).await.ok();
        }
    }
    degraded
}

/// Does what is pending of a decision, if anything is.
///
/// # Errors
/// The first one; what is pending stays so, and may be tried again.
pub async fn catch_up(indexer: &Indexer<'_>, project: &str, decision: &str) -> Result<()> {
    let missing = caught_up(indexer, project, decision).await;
    missing.into_iter().next().map_or(Ok(()), |m| Err(m.error))
}

/// The same; what could not be done.
async fn caught_up(indexer: &Indexer<'_>, project: &str, decision: &str) -> Vec<Degraded> {
    match read(indexer.trail, project, decision).await {
        Ok(None) => Vec::new(),
        Ok(Some((decided, pending))) => follow(indexer, project, &decided, &pending).await,
        Err(error) => vec![Degraded { part: "related decisions".into(), error }],
    }
}

/// A decision with what is pending of it; `None` where nothing is.
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

/// Does what is pending of a decision, all that can be done, and notes that it is done. What could not be done.
async fn follow(
    indexer: &Indexer<'_>,
    project: &str,
    decided: &Decided,
    pending: &Pending,
) -> Vec<Degraded> {
    let (decision, change) = (&decided.decision, &pending.change);
    let written = index(indexer, project, decision, change).await.map(drop);
    let looked = look_again(indexer, project, decided, pending).await;
    let failed = |part: &'static str, outcome: Result<()>| {
        Some(Degraded { part: part.into(), error: outcome.err()? })
    };
    let missing = [failed("related decisions", written), failed("evidence watch", looked)];
    let missing: Vec<Degraded> = missing.into_iter().flatten().collect();
    if missing.is_empty() {
        // Else it is done once more, which changes nothing.
        indexer.trail.done(project, &decision.decision_id, change).await.ok();
    }
    missing
}

/// Brings a decision into the index as of the change `version`, in place of what that has of it. Whether the decision
/// still stands so. Else what was written of it is taken away: it would stand beside what the later change writes.
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
    indexer.publisher.delete_up_to(&scope, document, version).await.map_err(|error| {
        Error::unavailable(
            "the index",
            format!("a decision that changed is still as it was: {error}"),
        )
    })?;
    Ok(false)
}

/// Marks the decision where a passage went between its being quoted and the decision's being written: the ingest that
/// took it away cannot have seen the decision.
async fn look_again(
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
            Err(Error::unavailable("the table", "a decision changed while it was looked at again"))
        }
    }
}

/// The sources whose passages stand in their documents no more. A later version of a document has other passages, some with
/// the same text.
async fn gone<'s>(
    index: &dyn Index,
    grant: &Grant,
    sources: &'s [DecisionSource],
) -> Result<Vec<&'s DecisionSource>> {
    let ids: Vec<Uuid> = sources.iter().map(|source| source.passage_id).collect();
    let found = index.chunks(grant, &ids).await?;
    let is_away =
        |source: &&DecisionSource| found.iter().all(|chunk| chunk.id != source.passage_id);
    let away: Vec<&DecisionSource> = sources.iter().filter(is_away).collect();
    if away.is_empty() {
        return Ok(away);
    }
    let documents: BTreeSet<Uuid> = away.iter().map(|a| a.document_id).collect();
    let documents: Vec<Uuid> = documents.into_iter().collect();
    let live = index.documents(grant, &documents, &[]).await?;
    let live: HashSet<String> = live.iter().map(Chunk::hash).collect();
    Ok(away.into_iter().filter(|a| !live.contains(&a.hash)).collect())
}
