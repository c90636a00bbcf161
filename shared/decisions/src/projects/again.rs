//! Decisions of all projects into the index again: into a collection that is filled beside the first, or after the index
//! was lost.

use wire::decisions::{ReindexDecisionsReply, ReindexDecisionsRequest};

use super::{ProjectContext, pending};
use model::Result;
use ports::cursor;
use ports::scope::{Scope, admit};

/// The most decisions of one request: each takes a dozen calls where there are two collections.
const MOST: u32 = 20;

/// The list that the cursors belong to.
const LIST: &str = "decisions";

/// Writes decisions of all projects into the index in place of what it has of them. Of what has a vector nothing is
/// embedded.
///
/// # Errors
/// [`Error::Denied`](model::Error::Denied) for those who may not fill everyone's knowledge base.
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
