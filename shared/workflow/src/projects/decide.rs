//! Saving decisions, and how they stand.

use std::collections::HashMap;

use uuid::Uuid;

use super::settle::{self, superseded};
use super::wire::{DecisionReply, NewDecision, NewRelated, Reference, RelatedList};
use super::{Desk, Once, check, point};
use crate::decision::{Decided, Decision, DecisionMove, DecisionSource, DecisionStatus, Review};
use crate::document::Chunk;
use crate::filter::Filters;
use crate::ports::Written;
use crate::question::{Question, TopK};
use crate::related;
use crate::retrieve::Retriever;
use crate::scope::{self, Grant, Membership};
use crate::strategy::examples::Examples;
use crate::strategy::{Degraded, Request};
use crate::{Error, Result};

/// Finds the earlier decisions nearest to one that is about to be saved, however they stand.
pub async fn related(desk: &Desk<'_>, project: &str, wanted: NewRelated) -> Result<RelatedList> {
    let membership = desk.enter(project).await?;
    check::decided(&wanted.decision)?;
    wanted.rationale.as_deref().map(check::rationale).transpose()?;
    let text = match &wanted.rationale {
        Some(rationale) => format!("{}\n{rationale}", wanted.decision),
        None => wanted.decision.clone(),
    };
    let text: String = text.chars().take(Question::LIMIT).collect();
    let most = TopK::parse(wanted.top_k)?;
    let retriever = Retriever::new(desk.embedder, desk.index);
    let found = retriever.decisions(&text, &request(desk, &membership, &text).await?).await?;
    let decisions = related::related(found, &wanted.decision, most.value());
    Ok(RelatedList { decisions })
}

async fn request(desk: &Desk<'_>, membership: &Membership, text: &str) -> Result<Request> {
    Ok(Request {
        question: Question::parse(text)?,
        queries: Vec::new(),
        examples: Examples::default(),
        top_k: TopK::DEFAULT,
        filters: Filters::default(),
        grant: scope::grant(desk.caller, &[], desk.members).await?.with(membership),
        project: None,
    })
}

/// Saves a decision. Its sources are quoted from the index as they are now; where it takes another one's place, both
/// are written or neither.
///
/// # Errors
/// [`Error::Invalid`] names what the caller can repair, such as a source that is no passage they can read;
/// [`Error::Conflict`] where what it would supersede does not hold.
pub async fn decide(
    desk: &Desk<'_>,
    project: &str,
    once: &Once<'_>,
    new: NewDecision,
) -> Result<DecisionReply> {
    let membership = desk.enter(project).await?;
    let key = once.key()?;
    if let Some(earlier) = once.earlier(desk.sender()).await? {
        return repeated(desk, project, earlier).await;
    }
    let new = check::decision(new)?;
    let grant = scope::grant(desk.caller, &new.knowledge, desk.members).await?;
    let sources = sources(desk, &grant, &new).await?;
    let decision = decision(desk, &new, sources.len())?;
    let old = match superseded(desk, &membership, &decision, new.supersedes.as_deref()).await {
        // The first request of this key may have superseded it just now.
        Err(conflict @ Error::Conflict { .. }) => match once.earlier(desk.sender()).await? {
            Some(earlier) => return repeated(desk, project, earlier).await,
            None => return Err(conflict),
        },
        old => old?,
    };
    let decided = Decided { decision, sources };
    let guard = key.map(|key| once.guard(desk.sender(), key, &decided)).transpose()?;
    let both: Vec<&Decision> = std::iter::once(&decided.decision).chain(&old).collect();
    point::stage(desk, project, &both).await?;
    match desk.trail.decide(project, &decided, old.as_ref(), guard.as_ref()).await? {
        Written::Done => {}
        Written::Stale => return Err(settle::crossed()),
        Written::Repeated => {
            return repeated(desk, project, once.repeated(desk.sender()).await?).await;
        }
    }
    let mut degraded = point::published(desk, project, &both).await;
    let looked = look_again(desk, project, &grant, &decided).await;
    degraded.extend(looked.err().map(|error| Degraded { part: "evidence watch", error }));
    Ok(DecisionReply { degraded, ..DecisionReply::of(decided) })
}

/// The answer of the request that came first. What it left unseen, if anything, is published again.
async fn repeated(desk: &Desk<'_>, project: &str, decided: Decided) -> Result<DecisionReply> {
    let own = &decided.decision;
    let both: Vec<&str> =
        std::iter::once(own.decision_id.as_str()).chain(own.supersedes.as_deref()).collect();
    let degraded = point::publish(desk, project, &both, &own.decision_id).await;
    Ok(DecisionReply { degraded, ..DecisionReply::of(decided) })
}

/// Marks the decision where a passage went between its being quoted and the decision's being written: the ingest that
/// took it away cannot have seen the decision.
async fn look_again(
    desk: &Desk<'_>,
    project: &str,
    grant: &Grant,
    decided: &Decided,
) -> Result<()> {
    if decided.sources.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = decided.sources.iter().map(|source| source.chunk_id).collect();
    let found = desk.index.chunks(grant, &ids).await?;
    let gone =
        decided.sources.iter().filter(|own| found.iter().all(|chunk| chunk.id != own.chunk_id));
    let review = |source: &DecisionSource| Review {
        chunk_id: source.chunk_id,
        document_id: source.document_id,
        name: source.name.clone(),
        was: source.quote.clone(),
        nearest: None,
        since: desk.stamp.time,
    };
    let needs_review: Vec<Review> = gone.map(review).collect();
    if needs_review.is_empty() {
        return Ok(());
    }
    let version = decided.decision.version + 1;
    let marked = Decision { version, needs_review, ..decided.decision.clone() };
    // Whoever changes it meanwhile is an ingest that marks it, or somebody who looks at it.
    desk.trail.revise(project, &[&marked]).await.map(drop)
}

fn decision(desk: &Desk<'_>, new: &NewDecision, source_count: usize) -> Result<Decision> {
    let now = desk.stamp.time;
    let status = new.status.unwrap_or(DecisionStatus::Accepted);
    if status == DecisionStatus::Superseded {
        let reason = "must be proposed, accepted or rejected: the decision that takes its place supersedes it";
        return Err(Error::invalid("status", reason));
    }
    let by = desk.caller.sub.clone();
    Ok(Decision {
        decision_id: desk.stamp.id.clone(),
        decision: new.decision.clone(),
        alternatives: new.alternatives.clone(),
        rationale: new.rationale.clone(),
        status,
        decided_at: check::past("decided_at", new.decided_at.unwrap_or(now), now)?,
        recorded_at: now,
        by: by.clone(),
        supersedes: new.supersedes.clone(),
        superseded_by: None,
        source_count,
        version: 1,
        history: vec![DecisionMove { to: status, by, at: now, reason: None }],
        needs_review: Vec::new(),
        reviewed: Vec::new(),
    })
}

/// The passages that are named, as they are now.
async fn sources(desk: &Desk<'_>, grant: &Grant, new: &NewDecision) -> Result<Vec<DecisionSource>> {
    if new.sources.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = new.sources.iter().map(|source| source.chunk_id).collect();
    let found = desk.index.chunks(grant, &ids).await?;
    let found: HashMap<Uuid, Chunk> = found.into_iter().map(|chunk| (chunk.id, chunk)).collect();
    let source = |(place, source): (usize, &Reference)| {
        let chunk = found.get(&source.chunk_id).ok_or_else(|| {
            let reason = format!("`{}` is no passage that can be found", source.chunk_id);
            Error::invalid(format!("sources[{place}].chunk_id"), reason)
        })?;
        Ok(quoted(chunk, source.relevance))
    };
    new.sources.iter().enumerate().map(source).collect()
}

fn quoted(chunk: &Chunk, relevance: f64) -> DecisionSource {
    DecisionSource {
        chunk_id: chunk.id,
        relevance,
        document_id: chunk.document_id,
        name: chunk.name.clone(),
        document_title: chunk.title.clone(),
        section_title: Some(chunk.section.clone()).filter(|section| !section.is_empty()),
        uri: chunk.uri.clone(),
        lines: chunk.lines,
        hash: chunk.hash(),
        quote: chunk.text.clone(),
    }
}
