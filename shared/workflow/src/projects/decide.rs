//! Saving decisions, and how they stand.

use std::collections::HashMap;

use uuid::Uuid;

use super::wire::{
    DecisionReply, NewDecision, NewDecisionMove, NewRelated, Reference, RelatedList,
};
use super::{Desk, Once, check, point, read};
use crate::decision::{Decided, Decision, DecisionMove, DecisionSource, DecisionStatus};
use crate::document::Chunk;
use crate::filter::Filters;
use crate::ports::Written;
use crate::question::{Question, TopK};
use crate::related;
use crate::retrieve::Retriever;
use crate::scope::{self, Membership};
use crate::strategy::{Degraded, Request};
use crate::{Error, Result};

/// Finds the earlier decisions nearest to one that is about to be saved, however they stand.
pub async fn related(desk: &Desk<'_>, project: &str, wanted: NewRelated) -> Result<RelatedList> {
    let membership = desk.enter(project).await?;
    let text = match &wanted.rationale {
        Some(rationale) => format!("{}\n{rationale}", wanted.decision),
        None => wanted.decision.clone(),
    };
    let text: String = text.chars().take(Question::LIMIT).collect();
    check::decided(&wanted.decision)?;
    let most = TopK::parse(wanted.top_k)?;
    let retriever = Retriever { embedder: desk.embedder, index: desk.index };
    let found = retriever.decisions(&text, &request(desk, &membership, &text).await?).await?;
    let decisions = related::related(found, &wanted.decision, most.value());
    Ok(RelatedList { decisions })
}

async fn request(desk: &Desk<'_>, membership: &Membership, text: &str) -> Result<Request> {
    Ok(Request {
        question: Question::parse(text)?,
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
    if let Some(earlier) = once.earlier::<Decided>(desk).await? {
        return Ok(DecisionReply::of(earlier));
    }
    let new = check::decision(new)?;
    let sources = sources(desk, &new).await?;
    let decision = decision(desk, &new, sources.len())?;
    let old = superseded(desk, &membership, &decision, decision.supersedes.as_deref()).await?;
    let decided = Decided { decision, sources };
    let guard = key.map(|key| once.guard(desk, key, &decided)).transpose()?;
    let both: Vec<&Decision> = std::iter::once(&decided.decision).chain(&old).collect();
    point::stage(desk, project, &both).await?;
    match desk.trail.decide(project, &decided, old.as_ref(), guard.as_ref()).await? {
        Written::Done => {}
        Written::Stale => return Err(check_again(old.as_ref())),
        Written::Repeated => return once.repeated(desk).await.map(DecisionReply::of),
    }
    let shown = point::publish(desk, project, &both).await;
    Ok(DecisionReply { degraded: unseen(shown), ..DecisionReply::of(decided) })
}

fn check_again(old: Option<&Decision>) -> Error {
    let there = old.map_or("another decision of this id", |_| "what it supersedes");
    Error::conflict("supersedes", format!("{there} changed meanwhile: read it again"))
}

/// The decision is saved, and only its being found is missing.
fn unseen(shown: Result<()>) -> Vec<Degraded> {
    shown.err().into_iter().map(|error| Degraded { part: "related decisions", error }).collect()
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
async fn sources(desk: &Desk<'_>, new: &NewDecision) -> Result<Vec<DecisionSource>> {
    if new.sources.is_empty() {
        return Ok(Vec::new());
    }
    let grant = scope::grant(desk.caller, &new.knowledge, desk.members).await?;
    let ids: Vec<Uuid> = new.sources.iter().map(|source| source.chunk_id).collect();
    let found = desk.index.chunks(&grant, &ids).await?;
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

/// What `by` takes the place of, as it stands then.
async fn superseded(
    desk: &Desk<'_>,
    membership: &Membership,
    by: &Decision,
    wanted: Option<&str>,
) -> Result<Option<Decision>> {
    let Some(id) = wanted else { return Ok(None) };
    if id == by.decision_id {
        return Err(Error::invalid("supersedes", "must not be the decision itself"));
    }
    if by.status != DecisionStatus::Accepted {
        let reason =
            format!("only an accepted decision supersedes another, not a {} one", by.status.name());
        return Err(Error::invalid("supersedes", reason));
    }
    let old = read::one(desk, membership, id).await?;
    if old.status != DecisionStatus::Accepted {
        let reason = format!(
            "only an accepted decision can be superseded, and `{id}` is {}",
            old.status.name()
        );
        return Err(Error::conflict("supersedes", reason));
    }
    let moved = moved(desk, old, DecisionStatus::Superseded, None)?;
    Ok(Some(Decision { superseded_by: Some(by.decision_id.clone()), ..moved }))
}

/// The decision with one status more. Whoever changes it has looked at it, so nothing needs review any more.
fn moved(
    desk: &Desk<'_>,
    mut decision: Decision,
    to: DecisionStatus,
    reason: Option<String>,
) -> Result<Decision> {
    let at = desk.stamp.time;
    check::clock(decision.history.last().map_or(decision.recorded_at, |own| own.at), at)?;
    decision.history.push(DecisionMove { to, by: desk.caller.sub.clone(), at, reason });
    decision.reviewed.append(&mut decision.needs_review);
    Ok(Decision { status: to, version: decision.version + 1, ..decision })
}

/// Accepts or rejects a proposal; or confirms a decision whose evidence changed, by the status that it has already.
///
/// # Errors
/// [`Error::Conflict`] names both statuses, or both versions where it has changed since the caller read it.
pub async fn move_decision(
    desk: &Desk<'_>,
    project: &str,
    id: &str,
    wanted: NewDecisionMove,
) -> Result<DecisionReply> {
    let membership = desk.enter(project).await?;
    let reason = check::reason(wanted.reason)?;
    let own = read::one(desk, &membership, id).await?;
    check::version(own.version, wanted.version)?;
    let is_review = own.status == wanted.to && !own.needs_review.is_empty();
    let to = if is_review { own.status } else { own.status.advance(wanted.to)? };
    let mut own = moved(desk, own, to, reason)?;
    let old = superseded(desk, &membership, &own, wanted.supersedes.as_deref()).await?;
    if old.is_some() {
        own.supersedes = wanted.supersedes;
    }
    let both: Vec<&Decision> = std::iter::once(&own).chain(&old).collect();
    point::stage(desk, project, &both).await?;
    if desk.trail.revise(project, &both).await? != Written::Done {
        let there = read::one(desk, &membership, id).await?;
        return Err(check::stale(there.version, wanted.version));
    }
    let shown = point::publish(desk, project, &both).await;
    let decided = read::with_sources(desk, project, own).await?;
    Ok(DecisionReply { degraded: unseen(shown), ..DecisionReply::of(decided) })
}
