//! Follows lines of decisions, in which each replaces the one before.

use wire::decisions::{Decision, SuccessionLink};

use model::Result;
use ports::Trail;

/// Upper bound for the decisions that are followed each way. `superseded` is a final status, so
/// that no line is a circle.
const LONGEST: usize = 30;

/// Returns the line of decisions to which `decision` belongs, the oldest first; empty if it belongs
/// to none.
pub async fn line(
    trail: &dyn Trail,
    project: &str,
    decision: &Decision,
) -> Result<Vec<SuccessionLink>> {
    let before = follow(trail, project, decision, |f| f.supersedes.clone()).await?;
    let after = follow(trail, project, decision, |f| f.superseded_by.clone()).await?;
    if before.is_empty() && after.is_empty() {
        return Ok(Vec::new());
    }
    let mut line: Vec<SuccessionLink> = before.into_iter().rev().collect();
    line.push(SuccessionLink::of(decision));
    line.extend(after);
    Ok(line)
}

/// Returns the decisions to which `step` leads, one after the other.
async fn follow(
    trail: &dyn Trail,
    project: &str,
    decision: &Decision,
    step: impl Fn(&Decision) -> Option<String>,
) -> Result<Vec<SuccessionLink>> {
    let (mut line, mut wanted) = (Vec::new(), step(decision));
    while let Some(id) = wanted.filter(|_| line.len() < LONGEST) {
        let Some(found) = trail.decisions_named(project, &[id]).await?.pop() else { break };
        line.push(SuccessionLink::of(&found));
        wanted = step(&found);
    }
    Ok(line)
}
