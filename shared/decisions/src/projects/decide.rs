//! Saves decisions.

use wire::decisions::{
    Decided, Decision, DecisionMove, DecisionReply, DecisionStatus, NewDecision, NewRelated,
    RelatedList,
};

use super::settle::{self, superseded};
use super::{Once, ProjectContext, check, pending, quote};
use ask::{related, search};
use model::{Error, Result};
use ports::degraded::Partial;
use ports::question::{Question, TopK};
use ports::{Pending, Written, scope};

/// Finds the earlier decisions nearest to one that is about to be saved, whatever their status.
pub async fn related(
    context: &ProjectContext<'_>,
    project: &str,
    wanted: NewRelated,
) -> Result<RelatedList> {
    let membership = context.enter(project).await?;
    check::decided(&wanted.decision)?;
    wanted.rationale.as_deref().map(check::rationale).transpose()?;
    let text = match &wanted.rationale {
        Some(rationale) => format!("{}\n{rationale}", wanted.decision),
        None => wanted.decision.clone(),
    };
    let text: String = text.chars().take(Question::LIMIT).collect();
    let most = TopK::parse(wanted.top_k)?;
    let grant = scope::grant(context.caller, &[], context.members).await?.with(&membership);
    let text = Question::parse(&text)?;
    let found = search::decisions(context.embedder, context.index, &grant, text.as_str()).await?;
    let decisions = related::related(found, &wanted.decision, most.value());
    Ok(RelatedList { decisions })
}

/// Saves a decision. Its sources are quoted from the index as it is now, or from stored answers
/// while the index does not answer. If the decision supersedes another one, either both are written
/// or neither. The decision can be found once it is in the index.
///
/// # Errors
/// [`Error::Invalid`] for an error that the caller can repair, such as a source that is not a
/// passage they can read; [`Error::Conflict`] if the decision to be superseded is not in force.
pub async fn decide(
    context: &ProjectContext<'_>,
    project: &str,
    once: &Once<'_>,
    new: NewDecision,
) -> Result<Partial<DecisionReply>> {
    let membership = context.enter(project).await?;
    let key = once.key()?;
    if let Some(earlier) = once.earlier(context.sender()).await? {
        return settled(context, project, earlier).await;
    }
    let new = check::decision(new)?;
    let grant = scope::grant(context.caller, &new.knowledge, context.members).await?;
    let sources = quote::sources(context, &grant, &new).await?;
    let decision = decision(context, &new, sources.len())?;
    let old = match superseded(context, &membership, &decision, new.supersedes.as_deref()).await {
        // An earlier request with this key may have superseded it just now.
        Err(conflict @ Error::Conflict { .. }) => match once.earlier(context.sender()).await? {
            Some(earlier) => return settled(context, project, earlier).await,
            None => return Err(conflict),
        },
        old => old?,
    };
    let decided = Decided { decision, sources };
    check::size(&decided)?;
    let guard = key.map(|key| once.guard(context.sender(), key, &decided)).transpose()?;
    let pending = Pending { change: context.stamp.id.clone(), scopes: grant.scopes().to_vec() };
    let trail = context.trail;
    match trail.decide(project, &decided, &pending, old.as_ref(), guard.as_ref()).await? {
        Written::Done => {}
        Written::Stale => return Err(settle::crossed()),
        Written::Repeated => {
            return settled(context, project, once.repeated(context.sender()).await?).await;
        }
    }
    settled(context, project, decided).await
}

/// Returns the answer to a request: to this one, or to an earlier one with the same key. Pending
/// work of the decision is done, or tried again.
async fn settled(
    context: &ProjectContext<'_>,
    project: &str,
    decided: Decided,
) -> Result<Partial<DecisionReply>> {
    let decision = &decided.decision;
    let both: Vec<&str> = std::iter::once(decision.decision_id.as_str())
        .chain(decision.supersedes.as_deref())
        .collect();
    let degraded = pending::settle(context, project, &both).await;
    Ok(Partial { reply: DecisionReply { decided, line: Vec::new() }, degraded })
}

fn decision(
    context: &ProjectContext<'_>,
    new: &NewDecision,
    source_count: usize,
) -> Result<Decision> {
    let now = context.stamp.time;
    let status = new.status.unwrap_or(DecisionStatus::Accepted);
    if status == DecisionStatus::Superseded {
        let reason = "must be proposed, accepted or rejected: the decision that takes its place supersedes it";
        return Err(Error::invalid("status", reason));
    }
    let by = context.caller.sub.clone();
    Ok(Decision {
        decision_id: context.stamp.id.clone(),
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
