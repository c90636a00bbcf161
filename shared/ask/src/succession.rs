//! Lines of decisions, each in the place of the one before.

use wire::decisions::{Decision, SuccessionLink};

use model::Result;
use ports::Trail;

/// The longest line that is followed, each way. `superseded` is final, so that none goes in a circle.
const LONGEST: usize = 30;

/// The line in which `decision` stands, the oldest first; empty where it stands alone.
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

/// The decisions one after the other that `step` leads to.
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
