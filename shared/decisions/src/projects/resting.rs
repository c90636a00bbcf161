//! Lists the decisions that cite a document.

use std::collections::HashMap;

use uuid::Uuid;
use wire::decisions::{Decided, Decision, RestingDecision, RestingList};
use wire::projects::Project;

use super::{ProjectContext, read};
use model::{Error, Result};
use ports::Resting;

/// Lists the decisions that cite a document, among the caller's projects.
pub async fn resting(context: &ProjectContext<'_>, document: &str) -> Result<RestingList> {
    let missing = || Error::Missing { kind: "document", name: document.into() };
    let document: Uuid = document.parse().map_err(|_| missing())?;
    let mine = own_projects(context).await?;
    let mut by_project: HashMap<&str, Vec<Resting>> = HashMap::new();
    for resting in context.trail.resting_on(document).await? {
        if let Some((id, _)) = mine.get_key_value(&resting.project) {
            by_project.entry(id).or_default().push(resting);
        }
    }
    let mut decisions = Vec::new();
    for (id, restings) in by_project {
        decisions.extend(decisions_of(context, &mine[id], &restings).await?);
    }
    decisions.sort_by(|a: &RestingDecision, b| {
        b.decided.decision.decision_id.cmp(&a.decided.decision.decision_id)
    });
    read::cut_by_size(&mut decisions, |c| SIZE + c.decided.decision.rationale.len());
    Ok(RestingList { decisions })
}

/// The approximate bytes of a decision on the page, without its rationale.
const SIZE: usize = 8_000;

/// The number of projects that are read at once.
const PAGE: u32 = 100;

/// Returns the caller's projects by id.
async fn own_projects(context: &ProjectContext<'_>) -> Result<HashMap<String, Project>> {
    let (mut projects, mut after) = (HashMap::new(), None);
    loop {
        let page = context.projects.projects(&context.caller.sub, PAGE, after.as_deref()).await?;
        projects.extend(page.items.into_iter().map(|item| (item.project_id.clone(), item)));
        after = page.next;
        if after.is_none() {
            return Ok(projects);
        }
    }
}

/// Returns the decisions of one project that cite the document.
async fn decisions_of(
    context: &ProjectContext<'_>,
    project: &Project,
    restings: &[Resting],
) -> Result<Vec<RestingDecision>> {
    let mut ids: Vec<String> = restings.iter().map(|restings| restings.decision.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let found = context.trail.decisions_named(&project.project_id, &ids).await?;
    let resting_decision = |decision: Decision| {
        let sources = restings.iter().filter(|restings| restings.decision == decision.decision_id);
        let sources = sources.map(|source| source.source.clone()).collect();
        RestingDecision {
            project_id: project.project_id.clone(),
            project_name: project.name.clone(),
            decided: Decided { decision, sources },
        }
    };
    Ok(found.into_iter().map(resting_decision).collect())
}
