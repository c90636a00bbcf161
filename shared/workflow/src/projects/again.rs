//! Decisions of all projects into the index again: into a collection that is filled beside the first, or after the index
//! was lost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Desk, pending};
use crate::scope::{Scope, admit};
use crate::{Result, cursor};

/// Asks for decisions to be indexed again, as many as one request can do.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReindexDecisionsRequest {
    /// Where to go on, from the reply before.
    pub cursor: Option<String>,
}

/// The decisions that a request came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReindexDecisionsReply {
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
/// [`Error::Denied`](crate::Error::Denied) for those who may not fill everyone's knowledge base.
pub async fn index_again(
    desk: &Desk<'_>,
    request: &ReindexDecisionsRequest,
) -> Result<ReindexDecisionsReply> {
    admit(desk.caller, &Scope::Global, desk.members).await?;
    let after = request.cursor.as_deref().map(|own| cursor::read(LIST, own)).transpose()?;
    let page = desk.trail.decisions_of_all(MOST, after.as_deref()).await?;
    let mut reply = ReindexDecisionsReply::default();
    for (project, decision) in &page.items {
        let version = &desk.stamp.id;
        if pending::index(&desk.indexer(), project, decision, version).await? {
            reply.indexed += 1;
        } else {
            reply.changed += 1;
        }
    }
    reply.cursor = page.next.map(|last| cursor::write(LIST, &last));
    Ok(reply)
}

#[cfg(test)]
mod tests;
