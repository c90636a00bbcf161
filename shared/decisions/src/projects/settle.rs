//! Changes the status of decisions: accepted, rejected, superseded, confirmed.

use wire::decisions::{
    Decision, DecisionMove, DecisionReply, DecisionStatus, NewDecisionMove, Reviewed,
};

use super::{ProjectContext, check, pending, read};
use model::{Error, Result};
use ports::Written;
use ports::degraded::Partial;
use ports::scope::Membership;

/// Returns the error for a decision that changed while it was to be superseded.
pub(super) fn crossed() -> Error {
    Error::conflict("supersedes", "what it supersedes changed meanwhile: read it again")
}

/// Returns the decision that `by` supersedes, with its new status.
pub(super) async fn superseded(
    context: &ProjectContext<'_>,
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
    let old = read::one(context, membership, id).await?;
    if old.status != DecisionStatus::Accepted {
        let reason = format!(
            "only an accepted decision can be superseded, and `{id}` is {}",
            old.status.name()
        );
        return Err(Error::conflict("supersedes", reason));
    }
    let moved = moved(context, old, DecisionStatus::Superseded, None)?;
    Ok(Some(Decision { superseded_by: Some(by.decision_id.clone()), ..moved }))
}

/// Returns the decision with one more status. The user who changes it has seen it, so nothing needs
/// review any more.
fn moved(
    context: &ProjectContext<'_>,
    mut decision: Decision,
    to: DecisionStatus,
    reason: Option<String>,
) -> Result<Decision> {
    let at = context.stamp.time;
    check::clock(decision.history.last().map_or(decision.recorded_at, |change| change.at), at)?;
    decision.history.push(DecisionMove { to, by: context.caller.sub.clone(), at, reason });
    for review in std::mem::take(&mut decision.needs_review) {
        let nearest_hash = review.nearest.map(|nearest| nearest.hash);
        decision.reviewed.retain(|d| d.passage_id != review.passage_id);
        decision.reviewed.push(Reviewed { passage_id: review.passage_id, nearest_hash });
    }
    let moved = Decision { status: to, version: decision.version + 1, ..decision };
    check::grown(&moved).map(|()| moved)
}

/// Accepts or rejects a proposal, or confirms a decision whose evidence changed, by the status that
/// it already has.
///
/// # Errors
/// [`Error::Conflict`] with both statuses, or with both versions if it has changed since the caller
/// read it.
pub async fn move_decision(
    context: &ProjectContext<'_>,
    project: &str,
    id: &str,
    wanted: NewDecisionMove,
) -> Result<Partial<DecisionReply>> {
    let membership = context.enter(project).await?;
    let reason = check::reason(wanted.reason)?;
    let decision = read::one(context, &membership, id).await?;
    check::version(decision.version, wanted.version)?;
    let is_review = decision.status == wanted.to && !decision.needs_review.is_empty();
    let to = if is_review { decision.status } else { decision.status.advance(wanted.to)? };
    if wanted.supersedes.is_some() && (is_review || decision.supersedes.is_some()) {
        let reason = "is only for a proposal that is accepted, and takes no other one's place yet";
        return Err(Error::invalid("supersedes", reason));
    }
    let mut decision = moved(context, decision, to, reason)?;
    let old = superseded(context, &membership, &decision, wanted.supersedes.as_deref()).await?;
    if old.is_some() {
        decision.supersedes = wanted.supersedes;
    }
    let both: Vec<&Decision> = std::iter::once(&decision).chain(&old).collect();
    if context.trail.revise(project, &both, Some(&context.stamp.id)).await? != Written::Done {
        let there = read::one(context, &membership, id).await?;
        // If the answer to a write was lost, the write is sent again and finds its own result.
        if there != decision {
            let is_other = there.version == wanted.version;
            let stale = || check::stale(there.version, wanted.version);
            return Err(if is_other { crossed() } else { stale() });
        }
    }
    let ids: Vec<&str> = both.iter().map(|b| b.decision_id.as_str()).collect();
    let degraded = pending::settle(context, project, &ids).await;
    let decided = read::with_sources(context, project, decision).await?;
    Ok(Partial { reply: DecisionReply { decided, line: Vec::new() }, degraded })
}
