//! Turns events into replies for a function that identifies its callers itself, because the gateway
//! checks no token for it.

use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

use lambda_runtime::{LambdaEvent, service_fn};
use model::Result;
use ports::question::Stamp;
use serde::Serialize;
use tracing::Instrument;
use wire::route::Route;

use crate::authorizer::Keyed;
use crate::event::{self, Event};
use crate::http::{LoggedRequest, Outcome, answered, stamp};

/// An HTTP request as received.
#[derive(Debug)]
pub struct PlainRequest {
    /// The route; `None` for one that there is not.
    pub route: Option<Route>,
    /// The method, in capitals.
    pub method: String,
    /// The path, without the stage.
    pub path: String,
    /// The headers; the gateway sends names in lower case.
    pub headers: HashMap<String, String>,
    /// The body, or the reason why it cannot be read.
    pub body: Result<Vec<u8>>,
    /// The address of the API without a slash at its end, as the gateway knows it:
    /// `https://{domain}`, followed by the stage if the API has one in its paths.
    pub base: String,
    /// The program whose key the gateway found good, if it asked for one.
    pub keyed: Option<Keyed>,
    /// The time and the id of the request.
    pub stamp: Stamp,
    /// The time at which the platform ends the call.
    pub deadline: SystemTime,
}

/// The reply to an HTTP request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlainReply {
    /// The status code.
    pub status_code: u16,
    /// The headers, by name in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
    /// The outcome for the metrics.
    #[serde(skip)]
    pub outcome: Outcome,
}

impl PlainRequest {
    fn of(event: Event, stamp: Stamp, deadline: SystemTime) -> PlainRequest {
        let context = event.request_context;
        let keyed = context.keyed();
        let stage = match context.stage.as_str() {
            "" | "$default" => String::new(),
            stage => format!("/{stage}"),
        };
        let path = event.raw_path.strip_prefix(&stage).unwrap_or(&event.raw_path).to_owned();
        PlainRequest {
            route: Route::parse(&event.route_key),
            method: context.http.method,
            path,
            headers: event.headers.unwrap_or_default(),
            body: event::body(event.body, event.is_base64_encoded),
            base: format!("https://{}{stage}", context.domain_name),
            keyed,
            stamp,
            deadline,
        }
    }

    /// Returns a header; `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// Answers requests with `handler` until the environment ends.
///
/// # Errors
/// Returns the platform's error if it cannot be reached.
pub async fn serve_plain(
    handler: impl AsyncFn(PlainRequest) -> PlainReply,
) -> std::result::Result<(), crate::Error> {
    crate::log_as_json();
    let handler = &handler;
    lambda_runtime::run(service_fn(async |event: LambdaEvent<Event>| {
        Ok::<_, crate::Error>(logged(handler, event).await)
    }))
    .await
}

async fn logged(
    handler: &impl AsyncFn(PlainRequest) -> PlainReply,
    LambdaEvent { payload: event, context }: LambdaEvent<Event>,
) -> PlainReply {
    let stamp = stamp();
    let request = LoggedRequest::of(&event, &stamp);
    let span = request.span();
    let plain = PlainRequest::of(event, stamp, context.deadline());
    let reply = handler(plain).instrument(span).await;
    answered(&context, &request, reply.status_code, reply.outcome, Vec::new());
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(event: serde_json::Value) -> PlainRequest {
        PlainRequest::of(serde_json::from_value(event).unwrap(), stamp(), SystemTime::now())
    }

    #[test]
    fn the_address_of_the_api_has_its_stage_and_the_path_has_not() {
        let context =
            json!({"domainName": "a.example", "stage": "$default", "http": {"method": "POST"}});
        let plain = request(json!({"rawPath": "/mcp", "requestContext": context}));
        assert_eq!((plain.base.as_str(), plain.path.as_str()), ("https://a.example", "/mcp"));
        let context = json!({"domainName": "a.example", "stage": "v1"});
        let staged = request(json!({"rawPath": "/v1/mcp", "requestContext": context}));
        assert_eq!((staged.base.as_str(), staged.path.as_str()), ("https://a.example/v1", "/mcp"));
    }
}
