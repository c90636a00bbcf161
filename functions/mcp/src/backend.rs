//! The replies of the HTTP API, for the tools' calls.

use std::time::Instant;

use handlers::{All, Handler};
use lambda::{Call, Response};
use model::{Error, Result};
use serde::Serialize;
use serde_json::{Value, json};
use wire::fit::{self, Form};
use wire::meta::Reply;

/// What the HTTP API would reply to a call, whole: its budget is for each form of it.
///
/// # Errors
/// What it would refuse.
pub(crate) async fn reply(handlers: &All, call: &Call) -> Result<Value> {
    let begun = Instant::now();
    let report = match handlers.handle(call).await? {
        Response::Fitted(report) | Response::Json(report) | Response::Accepted(report) => report,
        Response::Text(_, text) => json!({ "text": text }),
    };
    let explain = call.form()?.explain;
    let meta = call.meta.finish(&call.stamp.id, begun);
    let reply = lambda::flagged(as_json(Reply { report, left_out: None, meta })?);
    Ok(fit::fitted(reply, Form { explain, max_bytes: fit::MOST }))
}

fn as_json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::unavailable("the answer", error))
}
