//! Writes the decisions of all projects to the index again: to a collection that is filled besides
//! the first, or after the index was lost.

use wire::decisions::{ReindexDecisionsReply, ReindexDecisionsRequest};

use super::{ProjectContext, pending};
use model::Result;
use ports::cursor;
use ports::scope::{Scope, admit};

/// Upper bound for the decisions of one request. Each takes a dozen calls if there are two
/// collections.
const MOST: u32 = 20;

/// The list that the cursors belong to.
const LIST: &str = "decisions";

/// Writes decisions of all projects to the index and replaces those that it has. Texts that have a
/// vector are not embedded again.
///
/// # Errors
/// [`Error::Denied`](model::Error::Denied) for callers who may not fill everyone's knowledge base.
pub async fn index_again(
    context: &ProjectContext<'_>,
    request: &ReindexDecisionsRequest,
) -> Result<ReindexDecisionsReply> {
    admit(context.caller, &Scope::Global, context.members).await?;
    let after = request.cursor.as_deref().map(|r| cursor::read(LIST, r)).transpose()?;
    let page = context.trail.decisions_of_all(MOST, after.as_deref()).await?;
    let mut reply = ReindexDecisionsReply::default();
    for (project, decision) in &page.items {
        let version = &context.stamp.id;
        if pending::index(&context.indexer(), project, decision, version).await? {
            reply.indexed += 1;
        } else {
            reply.changed += 1;
        }
    }
    reply.cursor = page.next.map(|last| cursor::write(LIST, &last));
    Ok(reply)
}
