//! HTTP API events to replies.

use std::time::{Instant, SystemTime};

use lambda_runtime::{LambdaEvent, service_fn};
use serde::Serialize;
use workflow::question::Stamp;
use workflow::scope::GroupSettings;
use workflow::{Error, Result};

use crate::call::Call;
use crate::event::Event;
use crate::problem::Problem;
use crate::receipt::Meta;

/// What the gateway takes as an answer (payload version 2.0).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    status_code: u16,
    headers: Headers,
    body: String,
}

#[derive(Debug, Serialize)]
struct Headers {
    #[serde(rename = "content-type")]
    content_type: &'static str,
    /// What is said to be a text is not run as a program.
    #[serde(rename = "x-content-type-options")]
    sniffing: &'static str,
}

impl Headers {
    fn of(content_type: &'static str) -> Headers {
        Headers { content_type, sniffing: "nosniff" }
    }
}

/// A report and what it cost.
#[derive(Serialize)]
struct Answer<R> {
    #[serde(flatten)]
    report: R,
    meta: Meta,
}

/// How an answer is shown.
#[derive(Debug)]
pub enum Shown<R> {
    /// As JSON, with its receipt.
    Json(R),
    /// As JSON, with its receipt: it was accepted, and is done later.
    Accepted(R),
    /// As a text of another media type.
    Text(&'static str, String),
}

/// Answers requests with `handler` until the environment ends. Callers have the groups that `groups` says how to read.
pub async fn serve<R: Serialize>(
    groups: GroupSettings,
    handler: impl AsyncFn(&Call) -> Result<R>,
) -> Result<(), crate::Error> {
    serve_shown(groups, async |call: &Call| handler(call).await.map(Shown::Json)).await
}

/// Answers requests with `handler`, each in the form that it chooses, until the environment ends.
pub async fn serve_shown<R: Serialize>(
    groups: GroupSettings,
    handler: impl AsyncFn(&Call) -> Result<Shown<R>>,
) -> Result<(), crate::Error> {
    crate::log_as_json();
    let (handler, groups) = (&handler, &groups);
    lambda_runtime::run(service_fn(async |event: LambdaEvent<Event>| {
        Ok::<_, crate::Error>(
            answer(handler, groups, (event.payload, event.context.deadline())).await,
        )
    }))
    .await
}

async fn answer<R: Serialize>(
    handler: &impl AsyncFn(&Call) -> Result<Shown<R>>,
    groups: &GroupSettings,
    (event, deadline): (Event, SystemTime),
) -> Reply {
    let begun = Instant::now();
    let stamp = stamp();
    let (id, route) = (stamp.id.clone(), event.route_key.clone());
    let reply = match Call::of(event, stamp, groups, deadline) {
        None => problem(&Problem::unknown_caller(&id)),
        Some(Err(error)) => refusal(&error, &id),
        Some(Ok(call)) => match handler(&call).await {
            Ok(Shown::Json(report)) => {
                success(200, &Answer { report, meta: call.receipt.meta(&id, begun) }, &id)
            }
            Ok(Shown::Accepted(report)) => {
                success(202, &Answer { report, meta: call.receipt.meta(&id, begun) }, &id)
            }
            Ok(Shown::Text(content_type, body)) => {
                Reply { status_code: 200, headers: Headers::of(content_type), body }
            }
            Err(error) => refusal(&error, &id),
        },
    };
    tracing::info!(
        request_id = id,
        route,
        status = reply.status_code,
        ms = begun.elapsed().as_secs_f64() * 1_000.0,
        "answered"
    );
    reply
}

/// The request's id and time, which agree to the millisecond.
fn stamp() -> Stamp {
    let id = ulid::Ulid::generate();
    let since_1970 = i64::try_from(id.timestamp_ms()).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(since_1970).unwrap_or(jiff::Timestamp::MAX);
    Stamp { id: id.to_string(), time }
}

fn success(status_code: u16, answer: &impl Serialize, id: &str) -> Reply {
    match serde_json::to_string(answer) {
        Ok(body) => Reply { status_code, headers: Headers::of("application/json"), body },
        Err(error) => refusal(&Error::unavailable("the answer", error), id),
    }
}

fn refusal(error: &Error, id: &str) -> Reply {
    if let Error::Unavailable { service, cause } = error {
        tracing::error!(
            request_id = id,
            service,
            cause = cause.to_string(),
            "a service did not answer"
        );
    }
    problem(&Problem::of(error, id))
}

fn problem(problem: &Problem) -> Reply {
    let body = serde_json::to_string(problem).unwrap_or_default();
    Reply { status_code: problem.status, headers: Headers::of("application/problem+json"), body }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// An event, and when its call ends.
    fn at(event: Event) -> (Event, SystemTime) {
        (event, SystemTime::now())
    }

    fn groups() -> GroupSettings {
        GroupSettings { claim: "groups".into(), admins: "admins".into() }
    }

    #[tokio::test(flavor = "current_thread")]
    async fn an_answer_ends_in_its_receipt_and_a_stranger_gets_401() {
        let handler = async |call: &Call| Ok(Shown::Json(json!({"caller": call.caller.sub})));
        let event = json!({"routeKey": "POST /v1/rcca", "pathParameters": null, "queryStringParameters": null, "requestContext": {"authorizer": {"jwt": {"claims": {"sub": "ann"}}}}});
        let reply = answer(&handler, &groups(), at(serde_json::from_value(event).unwrap())).await;
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((reply.status_code, &body["caller"]), (200, &json!("ann")));
        assert_eq!(body["meta"]["request_id"].as_str().unwrap().len(), 26);
        assert_eq!(answer(&handler, &groups(), at(Event::default())).await.status_code, 401);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn what_is_done_later_is_202() {
        let handler = async |_: &Call| Ok(Shown::Accepted(json!({"status": "deleting"})));
        let event = json!({"requestContext": {"authorizer": {"jwt": {"claims": {"sub": "ann"}}}}});
        let reply = answer(&handler, &groups(), at(serde_json::from_value(event).unwrap())).await;
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((reply.status_code, &body["status"]), (202, &json!("deleting")));
        assert!(body["meta"].is_object());
    }
}
