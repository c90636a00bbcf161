//! Turns responses into the replies that the gateway accepts.

use std::time::Instant;

use ask::kept_reply;
use model::{Error, Result};
use ports::SearchCache;
use serde::Serialize;
use serde_json::Value;
use wire::fit::{self, Form};
use wire::meta;

use crate::call::Call;
use crate::flagged::flagged;
use crate::http::Outcome;
use crate::plain::PlainReply;
use crate::problem::Refusal;

/// The response to a request, in its chosen form.
#[derive(Debug)]
pub enum Response<R> {
    /// JSON with `meta`.
    Json(R),
    /// JSON with `meta`, within the caller's budget of bytes.
    Fitted(R),
    /// JSON with `meta`, for a request that was accepted and is done later.
    Accepted(R),
    /// A text of another media type.
    Text(&'static str, String),
}

/// A reply in the form that the gateway accepts (payload version 2.0).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    pub(crate) status_code: u16,
    pub(crate) headers: Headers,
    pub(crate) body: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Headers {
    #[serde(rename = "content-type")]
    pub(crate) content_type: &'static str,
    /// The header which prevents that a browser runs a text as a program.
    #[serde(rename = "x-content-type-options")]
    sniffing: &'static str,
    /// The header which prevents that a proxy stores what only one caller may read.
    #[serde(rename = "cache-control")]
    caching: &'static str,
    #[serde(rename = "retry-after", skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<String>,
    /// The scope that the token lacks (RFC 6750, 3.1). API Gateway renames this header.
    #[serde(rename = "www-authenticate", skip_serializing_if = "Option::is_none")]
    pub(crate) challenge: Option<String>,
}

impl Headers {
    fn of(content_type: &'static str) -> Headers {
        Headers {
            content_type,
            sniffing: "nosniff",
            caching: "no-store",
            retry_after: None,
            challenge: None,
        }
    }
}

impl Reply {
    /// Returns the reply to a call: its response, cut to the caller's budget of bytes if it is
    /// fitted, or its refusal. A reply that was cut is stored whole in `replies`.
    pub(crate) async fn of<R: Serialize>(
        call: &Call,
        response: Result<(Response<R>, Form)>,
        begun: Instant,
        replies: Option<&dyn SearchCache>,
    ) -> Reply {
        let id = call.stamp.id.as_str();
        let with_meta = |report| {
            let meta = call.meta.finish(id, begun);
            json(&meta::Reply { report, left_out: None, meta })
        };
        match response {
            Ok((Response::Fitted(report), form)) => {
                match fitted(call, report, form, begun, replies).await {
                    Ok(reply) => success(200, Ok(reply), id),
                    Err(error) => Reply::refusal(&error, id),
                }
            }
            Ok((Response::Json(report), _)) => success(200, with_meta(report), id),
            Ok((Response::Accepted(report), _)) => success(202, with_meta(report), id),
            Ok((Response::Text(content_type, body), _)) => sized(200, content_type, body, id),
            Err(error) => Reply::refusal(&error, id),
        }
    }

    /// Returns the reply with its headers by name.
    pub(crate) fn plain(self, outcome: Outcome) -> PlainReply {
        let headers = serde_json::to_value(&self.headers).unwrap_or_default();
        let headers = headers.as_object().into_iter().flatten();
        let headers =
            headers.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        PlainReply {
            status_code: self.status_code,
            headers: headers.collect(),
            body: self.body,
            outcome,
        }
    }

    /// Returns the reply for a refused call, and logs the error.
    pub(crate) fn refusal(error: &Error, id: &str) -> Reply {
        Reply::problem(Refusal::logged(error, id))
    }

    pub(crate) fn problem(Refusal { problem, retry_after, scope }: Refusal) -> Reply {
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let retry_after = retry_after.map(|seconds| seconds.to_string());
        let challenge =
            scope.map(|scope| format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\""));
        let headers = Headers { retry_after, challenge, ..Headers::of("application/problem+json") };
        Reply { status_code: problem.status, headers, body }
    }
}

/// Returns a report with its `meta`, within the caller's budget. If parts had to be left out, the
/// whole reply is stored in `replies`, and `meta.answer_id` is its id; but not if a part of the
/// answer is missing or a project is named.
///
/// # Errors
/// [`Error::Unavailable`] for a report that cannot be written as JSON.
async fn fitted(
    call: &Call,
    report: impl Serialize,
    form: Form,
    begun: Instant,
    replies: Option<&dyn SearchCache>,
) -> Result<Value> {
    let meta = call.meta.finish(&call.stamp.id, begun);
    let report = serde_json::to_value(report);
    let report = report.map_err(|error| Error::unavailable("the answer", error))?;
    let mut reply = json(&meta::Reply { report: &report, left_out: None, meta })?;
    let fitted = fit::fitted(reply.clone(), form);
    if fitted.get("left_out").is_none() || call.route.entry().method != "POST" {
        return Ok(fitted);
    }
    let is_whole = !call.meta.is_degraded() && call.has_time();
    let knowledge = call.knowledge().filter(|_| is_whole);
    let Some((replies, knowledge)) = replies.zip(knowledge) else {
        return Ok(fitted);
    };
    let kept = kept_reply::keep(replies, &call.caller, &call.stamp, knowledge, report);
    match kept.await {
        Ok(()) => {
            reply["meta"]["answer_id"] = call.stamp.id.as_str().into();
            Ok(fit::fitted(reply, form))
        }
        // Without an id, the reply advises the caller to ask again.
        Err(error) => {
            tracing::warn!(%error, "a reply could not be kept");
            Ok(fitted)
        }
    }
}

/// Upper bound for the bytes of a body, counted as a string within JSON. The platform's limit for a
/// reply is 6 MB.
pub(crate) const BODY: usize = 5_900_000;

/// Returns a reply as JSON, with what it holds of orders flagged.
fn json(reply: &impl Serialize) -> Result<Value> {
    let reply = serde_json::to_value(reply);
    reply.map(flagged).map_err(|error| Error::unavailable("the answer", error))
}

fn success(status_code: u16, answer: Result<Value>, id: &str) -> Reply {
    match answer {
        Ok(body) => sized(status_code, "application/json", body.to_string(), id),
        Err(error) => Reply::refusal(&error, id),
    }
}

/// Returns a reply with this body, or a refusal if it is too large for the platform.
fn sized(status_code: u16, content_type: &'static str, body: String, id: &str) -> Reply {
    if !fits(&body) {
        return Reply::problem(Refusal::too_much(id));
    }
    Reply { status_code, headers: Headers::of(content_type), body }
}

/// Returns true if the platform accepts a body of this size.
pub fn fits(body: &str) -> bool {
    // A byte becomes at most six bytes.
    body.len() <= BODY / 6 || quoted(body) <= BODY
}

/// Returns the number of bytes of a text as a string within JSON.
fn quoted(body: &str) -> usize {
    let more = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 1,
        0..=31 => 5,
        _ => 0,
    };
    body.len() + body.bytes().map(more).sum::<usize>()
}
