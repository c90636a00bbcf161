//! Lines of decisions, each in the place of the one before.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Result;
use crate::decision::{Decision, DecisionStatus};
use crate::ports::Trail;

/// A decision in its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Link {
    /// A ULID.
    pub decision_id: String,
    /// What was chosen.
    pub decision: String,
    /// How it stands.
    pub status: DecisionStatus,
    /// When it was decided.
    pub decided_at: Timestamp,
}

/// The longest line that is followed, each way. `superseded` is final, so that none goes in a circle.
const LONGEST: usize = 30;

/// The line in which `decision` stands, the oldest first; empty where it stands alone.
pub async fn line(trail: &dyn Trail, project: &str, decision: &Decision) -> Result<Vec<Link>> {
    let mut line = vec![link(decision)];
    let mut before = decision.supersedes.clone();
    while let Some(own) = next(trail, project, &line, before).await? {
        line.insert(0, link(&own));
        before = own.supersedes;
    }
    let mut after = decision.superseded_by.clone();
    while let Some(own) = next(trail, project, &line, after).await? {
        line.push(link(&own));
        after = own.superseded_by;
    }
    Ok(if line.len() > 1 { line } else { Vec::new() })
}

async fn next(
    trail: &dyn Trail,
    project: &str,
    line: &[Link],
    wanted: Option<String>,
) -> Result<Option<Decision>> {
    let wanted = wanted.filter(|_| line.len() < 2 * LONGEST);
    let Some(id) = wanted else { return Ok(None) };
    Ok(trail.decisions_named(project, &[id]).await?.pop())
}

pub(crate) fn link(decision: &Decision) -> Link {
    Link {
        decision_id: decision.decision_id.clone(),
        decision: decision.decision.clone(),
        status: decision.status,
        decided_at: decision.decided_at,
    }
}
