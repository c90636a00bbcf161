//! Decisions of all projects into the index again: into a collection that is filled beside the first, or after the index
//! was lost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Desk;
use super::point;
use crate::decision::Decision;
use crate::related;
use crate::scope::{Scope, admit};
use crate::{Error, Result, cursor};

/// Asks for decisions to be indexed again, as many as one request can do.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgainRequest {
    /// Where to go on, from the reply before.
    pub cursor: Option<String>,
}

/// The decisions that a request came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgainReply {
    /// Decisions that are in the index as they stand.
    pub indexed: u32,
    /// Decisions that changed meanwhile: ask again.
    pub changed: u32,
    /// Where the next request goes on; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The most decisions of one request: each takes a dozen calls where there are two collections.
const MOST: u32 = 20;

/// The list that the cursors belong to.
const LIST: &str = "decisions";

/// Writes decisions of all projects into the index in place of what it has of them. Of what has a vector nothing is
/// embedded.
///
/// # Errors
/// [`Error::Denied`] for those who may not fill everyone's knowledge base.
pub async fn index_again(desk: &Desk<'_>, request: &AgainRequest) -> Result<AgainReply> {
    admit(desk.caller, &Scope::Global, desk.members).await?;
    let after = request.cursor.as_deref().map(|own| cursor::read(LIST, own)).transpose()?;
    let page = desk.trail.decisions_of_all(MOST, after.as_deref()).await?;
    let mut reply = AgainReply::default();
    for (project, decision) in &page.items {
        point::again(desk, project, decision).await?;
        if is_as_it_was(desk, project, decision).await? {
            reply.indexed += 1;
        } else {
            reply.changed += 1;
        }
    }
    reply.cursor = page.next.map(|last| cursor::write(LIST, &last));
    Ok(reply)
}

/// Whether the decision stands as it did when it was read. Else what was written of it is taken away: it would stand
/// beside what the change wrote, or in its place.
async fn is_as_it_was(desk: &Desk<'_>, project: &str, decision: &Decision) -> Result<bool> {
    let id = decision.decision_id.clone();
    let document = related::document(project, &id);
    let now = desk.trail.decisions_named(project, &[id]).await?;
    if now.first().is_some_and(|now| now.status == decision.status) {
        return Ok(true);
    }
    let scope = Scope::Project(project.into());
    desk.publisher.withdraw(&scope, document, &desk.stamp.id).await.map_err(|error| {
        Error::unavailable(
            "the index",
            format!("a decision that changed is still as it was: {error}"),
        )
    })?;
    Ok(false)
}

#[cfg(test)]
mod tests;
