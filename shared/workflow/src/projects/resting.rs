//! Which decisions rest on a document.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use uuid::Uuid;

use super::Desk;
use super::wire::{RestingDecision, RestingList};
use crate::decision::{Decided, Decision};
use crate::ports::Resting;
use crate::{Error, Result};

/// Lists the decisions that rest on a document, among the caller's projects.
pub async fn resting(desk: &Desk<'_>, document: &str) -> Result<RestingList> {
    let missing = || Error::Missing { kind: "document", name: document.into() };
    let document: Uuid = document.parse().map_err(|_| missing())?;
    let mut by_project: HashMap<String, Vec<Resting>> = HashMap::new();
    for own in desk.trail.resting_on(document).await? {
        by_project.entry(own.project.clone()).or_default().push(own);
    }
    let shown = by_project.iter().map(|(project, own)| shown(desk, project, own));
    let mut decisions: Vec<RestingDecision> =
        try_join_all(shown).await?.into_iter().flatten().collect();
    decisions.sort_by(|a, b| b.decided.decision.decision_id.cmp(&a.decided.decision.decision_id));
    Ok(RestingList { decisions })
}

/// The decisions of one project that rest on the document; none where the caller does not belong to it.
async fn shown(desk: &Desk<'_>, project: &str, own: &[Resting]) -> Result<Vec<RestingDecision>> {
    let project = match desk.enter(project).await {
        Ok(membership) => membership.into_project(),
        Err(Error::Missing { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut ids: Vec<String> = own.iter().map(|own| own.decision.clone()).collect();
    ids.dedup();
    let found = desk.trail.decisions_named(&project.project_id, &ids).await?;
    let shown = |decision: Decision| {
        let sources = own.iter().filter(|own| own.decision == decision.decision_id);
        let sources = sources.map(|own| own.source.clone()).collect();
        RestingDecision {
            project_id: project.project_id.clone(),
            project_name: project.name.clone(),
            decided: Decided { decision, sources },
        }
    };
    Ok(found.into_iter().map(shown).collect())
}
