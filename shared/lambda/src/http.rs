//! Turns HTTP API events into replies.

use std::time::{Instant, SystemTime};

use lambda_runtime::{LambdaEvent, service_fn};
use model::Result;
use ports::question::Stamp;
use serde::Serialize;
use serde_json::{Value, json};
use tracing::Instrument;

use crate::audit;
use crate::call::Call;
use crate::deadline::{self, FOR_THE_REPLY};
use crate::event::Event;
use crate::gate::Gate;
use crate::metric::{self, Figure};
use crate::problem::Refusal;
use crate::reply::{Reply, Response};

/// Answers requests that pass the gate with `handler`, which chooses the form of each reply, until
/// the environment ends.
///
/// # Errors
/// Returns the platform's error if it cannot be reached.
pub async fn serve_http<R: Serialize>(
    gate: Gate<'_>,
    handler: impl AsyncFn(&Call) -> Result<Response<R>>,
) -> Result<(), crate::Error> {
    crate::log_as_json();
    let (handler, gate) = (&handler, &gate);
    lambda_runtime::run(service_fn(async |event: LambdaEvent<Event>| {
        Ok::<_, crate::Error>(logged(handler, gate, event).await)
    }))
    .await
}

/// Answers a request and logs its outcome in one line.
async fn logged<R: Serialize>(
    handler: &impl AsyncFn(&Call) -> Result<Response<R>>,
    gate: &Gate<'_>,
    LambdaEvent { payload: event, context }: LambdaEvent<Event>,
) -> Reply {
    let stamp = stamp();
    let request = LoggedRequest::of(&event, &stamp);
    let span = request.span();
    let answering = Box::pin(answer(handler, gate, event, stamp, context.deadline()));
    let Answered { reply, is_degraded, figures, audit } = answering.instrument(span).await;
    let outcome = Outcome { is_degraded, is_unavailable: reply.status_code == 503 };
    answered(&context, &request, reply.status_code, outcome, figures);
    if let Some(line) = audit {
        metric::write(&line);
    }
    reply
}

/// The reply to a request, and what is logged of it.
pub(crate) struct Answered {
    pub(crate) reply: Reply,
    /// True if a part of the answer is missing.
    pub(crate) is_degraded: bool,
    /// The figures of the answer.
    figures: Vec<Figure>,
    /// The audit line of a request that changes something.
    audit: Option<Value>,
}

impl Answered {
    /// Returns what is left of a request that is turned away before it is known.
    fn refused(reply: Reply) -> Answered {
        Answered { reply, is_degraded: false, figures: Vec::new(), audit: None }
    }
}

/// The data of a request that the log has.
pub(crate) struct LoggedRequest {
    /// The request's own id.
    id: String,
    /// The gateway's id of the request.
    gateway_id: String,
    /// The route as the gateway writes it.
    route: String,
    /// The moment at which the work began.
    begun: Instant,
}

impl LoggedRequest {
    /// Returns the data of a request whose work begins now.
    pub(crate) fn of(event: &Event, stamp: &Stamp) -> LoggedRequest {
        LoggedRequest {
            id: stamp.id.clone(),
            gateway_id: event.request_context.request_id.clone(),
            route: event.route_key.clone(),
            begun: Instant::now(),
        }
    }

    /// Returns the span that adds the ids to the lines which are written during the work.
    pub(crate) fn span(&self) -> tracing::Span {
        let LoggedRequest { id, gateway_id, .. } = self;
        tracing::info_span!("request", request_id = id, gateway_id)
    }
}

/// The outcome of a request, for the metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// True if a part of the answer is missing.
    pub is_degraded: bool,
    /// True if a service that the answer needs did not answer.
    pub is_unavailable: bool,
}

/// Writes the line with the status code and the outcome of a request, and with `more` figures.
pub(crate) fn answered(
    context: &lambda_runtime::Context,
    request: &LoggedRequest,
    status: u16,
    outcome: Outcome,
    more: Vec<Figure>,
) {
    let LoggedRequest { id, gateway_id, route, begun } = request;
    let fields = json!({
        "message": "answered", "request_id": id, "gateway_id": gateway_id, "route": route, "status": status,
    });
    let count = |is: bool| if is { 1.0 } else { 0.0 };
    let figures = [
        Figure { name: "Duration", unit: "Milliseconds", value: ms(*begun) },
        Figure { name: "Degraded", unit: "Count", value: count(outcome.is_degraded) },
        Figure { name: "Unavailable", unit: "Count", value: count(outcome.is_unavailable) },
    ];
    let figures: Vec<Figure> = figures.into_iter().chain(more).collect();
    metric::write(&metric::line(context, fields, &figures));
}

fn ms(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1_000.0
}

async fn answer<R: Serialize>(
    handler: &impl AsyncFn(&Call) -> Result<Response<R>>,
    gate: &Gate<'_>,
    event: Event,
    stamp: Stamp,
    deadline: SystemTime,
) -> Answered {
    let id = stamp.id.clone();
    match Call::of(event, stamp, gate.groups(), deadline) {
        None => Answered::refused(Reply::problem(Refusal::unknown_caller(&id))),
        Some(Err(error)) => Answered::refused(Reply::refusal(&error, &id)),
        Some(Ok(call)) => answer_call(handler, gate, call).await,
    }
}

pub(crate) async fn answer_call<R: Serialize>(
    handler: &impl AsyncFn(&Call) -> Result<Response<R>>,
    gate: &Gate<'_>,
    call: Call,
) -> Answered {
    let begun = Instant::now();
    let admitted = async {
        let form = call.form()?;
        gate.admit(&call).await?;
        Ok((handler(&call).await?, form))
    };
    let response = deadline::until(call.deadline() - FOR_THE_REPLY, admitted).await;
    let is_degraded = call.meta.is_degraded();
    let reply = Reply::of(&call, response, begun, gate.replies()).await;
    let body = || serde_json::from_str(&reply.body).unwrap_or_default();
    let audit = audit::line_of_change(&call, reply.status_code, body);
    Answered { reply, is_degraded, figures: call.meta.take_figures(), audit }
}

/// Returns the request's id and time, which agree to the millisecond.
pub fn stamp() -> Stamp {
    let id = ulid::Ulid::generate();
    let since_1970 = i64::try_from(id.timestamp_ms()).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(since_1970).unwrap_or(jiff::Timestamp::MAX);
    Stamp { id: id.to_string(), time }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::gate::tests::Counting;
    use crate::reply::BODY;
    /// Returns the reply to an event whose work must end within `left`.
    async fn reply_within(
        handler: &impl AsyncFn(&Call) -> Result<Response<Value>>,
        event: Event,
        left: Duration,
    ) -> Reply {
        let end = SystemTime::now() + FOR_THE_REPLY + left;
        answer(handler, &Counting::gate(&Counting(0)), event, stamp(), end).await.reply
    }

    async fn reply(
        handler: &impl AsyncFn(&Call) -> Result<Response<Value>>,
        event: Event,
    ) -> Reply {
        reply_within(handler, event, Duration::from_mins(1)).await
    }

    fn anns() -> Event {
        of_ann("POST /v1/rcca")
    }

    fn of_ann(route: &str) -> Event {
        let event = json!({"routeKey": route, "pathParameters": null, "queryStringParameters": null, "requestContext": {"authorizer": {"jwt": {"claims": {"sub": "ann"}}}}});
        serde_json::from_value(event).unwrap()
    }

    #[tokio::test(flavor = "current_thread")]
    async fn what_would_last_longer_than_the_call_is_503_with_its_problem() {
        let handler = async |_: &Call| std::future::pending::<Result<Response<Value>>>().await;
        let reply = reply_within(&handler, anns(), Duration::from_millis(30)).await;
        assert_eq!(reply.status_code, 503);
        assert_eq!(reply.headers.content_type, "application/problem+json");
    }

    #[tokio::test(flavor = "current_thread")]
    async fn an_answer_that_is_too_large_for_the_platform_is_422_with_what_to_ask_for() {
        let of = async |size: usize| {
            let handler = async |_: &Call| Ok(Response::Json(json!({"text": "\"".repeat(size)})));
            reply(&handler, anns()).await
        };
        assert_eq!(of(BODY / 5).await.status_code, 200);
        let reply = of(BODY / 4).await;
        assert_eq!(reply.status_code, 422);
        assert!(reply.body.contains("top_k"), "{}", reply.body);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn an_answer_ends_in_its_receipt_and_a_stranger_gets_401() {
        let handler = async |call: &Call| Ok(Response::Json(json!({"caller": call.caller.sub})));
        let reply = reply(&handler, anns()).await;
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((reply.status_code, &body["caller"]), (200, &json!("ann")));
        assert_eq!(body["meta"]["request_id"].as_str().unwrap().len(), 26);
        assert_eq!(super::tests::reply(&handler, Event::default()).await.status_code, 401);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn each_change_is_audited_also_one_that_is_refused_and_a_question_is_not() {
        let handler = async |_: &Call| Ok(Response::Json(json!({"project_id": "01P"})));
        let audit = async |route: &str, wait: i64| {
            let end = SystemTime::now() + FOR_THE_REPLY + Duration::from_mins(1);
            let (counting, event) = (Counting(wait), of_ann(route));
            answer(&handler, &counting.gate(), event, stamp(), end).await.audit
        };
        let line = audit("POST /v1/projects", 0).await.unwrap();
        assert_eq!((&line["caller"], &line["status"]), (&json!("ann"), &json!(200)));
        assert_eq!(line["ids"], json!({"project_id": "01P"}));
        assert_eq!(audit("POST /v1/projects", 2_000).await.unwrap()["status"], 429);
        assert_eq!(audit("POST /v1/rcca", 0).await, None);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_route_that_there_is_not_is_404() {
        let handler = async |_: &Call| Ok(Response::Json(json!({})));
        let reply = reply(&handler, of_ann("POST /v1/another")).await;
        assert_eq!(reply.status_code, 404);
        assert!(reply.body.contains("POST /v1/another"), "{}", reply.body);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_caller_without_tokens_gets_429_and_learns_how_long_to_wait() {
        let handler = async |_: &Call| Ok(Response::Json(json!({})));
        let end = SystemTime::now() + Duration::from_mins(1);
        let used_up = Counting(1_200);
        let reply =
            super::answer(&handler, &Counting::gate(&used_up), anns(), stamp(), end).await.reply;
        assert_eq!((reply.status_code, reply.headers.retry_after.as_deref()), (429, Some("2")));
        assert!(reply.body.contains("600 requests a minute"), "{}", reply.body);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn what_is_done_later_is_202() {
        let handler = async |_: &Call| Ok(Response::Accepted(json!({"status": "deleting"})));
        let reply = reply(&handler, anns()).await;
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((reply.status_code, &body["status"]), (202, &json!("deleting")));
        assert!(body["meta"].is_object());
    }
}
