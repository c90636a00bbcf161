//! Faults on command: calls that are not answered, that get a wrong answer, or whose caller is
//! killed. Tests set them at `/faults`.
//!
//! Read [`with_faults`], then [`Rule`] and [`Strike`]. A fault ends after a number of calls, or
//! when the rules are removed.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing};
use http_body_util::{BodyExt, Full};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use self::caller::Caller;

mod caller;

/// Makes calls of `routes` fail according to the rules set at `/faults`. The routes are served at
/// `server`.
pub(crate) fn with_faults(routes: Router, server: SocketAddr) -> Router {
    let faults =
        Arc::new(Faults { script: Mutex::default(), taken_back: watch::Sender::new(()), server });
    let control = Router::new()
        .route("/faults", routing::get(show).post(set).delete(clear))
        .with_state(faults.clone());
    routes.layer(from_fn_with_state(faults, pass)).merge(control)
}

struct Faults {
    script: Mutex<Script>,
    /// The signal to held calls that their rules are removed.
    taken_back: watch::Sender<()>,
    server: SocketAddr,
}

#[derive(Default)]
struct Script {
    rules: Vec<Rule>,
    /// The number of calls that were struck since the rules were set.
    struck: u64,
}

/// A rule that selects the calls to strike, and the way to strike them. If several rules match a
/// call, the first one applies.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    /// A part of the call's name: of `x-amz-target` if there is one, else of the path.
    #[serde(default)]
    call: String,
    /// A part of the request's content.
    #[serde(default)]
    has: String,
    /// The calling Lambda function; without it, any caller matches.
    #[serde(default)]
    function: Option<String>,
    /// True if calls that only read are passed on, and not counted.
    #[serde(default)]
    writes: bool,
    /// The number of calls that pass before.
    #[serde(default)]
    skip: u32,
    /// The number of calls that are struck after that.
    #[serde(default = "once")]
    times: u32,
    /// True if the call is carried out before the strike, so that only its answer is lost.
    #[serde(default)]
    carried_out: bool,
    strike: Strike,
}

fn once() -> u32 {
    1
}

/// The fate of a struck call.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Strike {
    /// The call gets no answer until the rules are removed; then it continues.
    Hold,
    /// The caller, a Lambda function, is killed.
    Kill,
    /// The gRPC call is told that it was carried out, and is not.
    Pretend,
    /// The call gets this answer instead.
    Answer {
        status: u16,
        /// The type of an AWS error.
        #[serde(rename = "type", default)]
        kind: Option<String>,
        /// The body: a text is sent unchanged, `null` as an empty body.
        #[serde(default)]
        body: Value,
    },
}

/// The properties of a call that rules can match.
struct Call {
    method: Method,
    name: String,
    content: Bytes,
    caller: Option<Caller>,
}

impl Rule {
    fn is_for(&self, call: &Call) -> bool {
        let has = self.has.as_bytes();
        self.function.as_deref().is_none_or(|name| call.function() == Some(name))
            && !(self.writes && call.only_reads())
            && call.name.contains(&self.call)
            && (has.is_empty() || call.content.windows(has.len()).any(|part| part == has))
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.times == 0 {
            return Err("`times` must be at least 1");
        }
        match &self.strike {
            Strike::Answer { status, .. } if !(200..600).contains(status) => {
                Err("`status` must be from 200 to 599")
            }
            _ => Ok(()),
        }
    }
}

impl Call {
    fn function(&self) -> Option<&str> {
        self.caller.as_ref()?.function.as_deref()
    }

    /// Returns true if the call changes nothing, by its HTTP method or the name of its operation.
    fn only_reads(&self) -> bool {
        let operation = self.name.rsplit(['.', '/']).next().unwrap_or_default();
        self.method.is_safe()
            || ["Get", "BatchGet", "Query", "Scroll", "Count", "invoke"]
                .iter()
                .any(|read| operation.starts_with(read))
    }
}

impl Faults {
    /// Returns the strike for the call, if any, and true if the call is carried out first.
    fn next(&self, call: &Call) -> Option<(Strike, bool)> {
        let mut script = self.lock();
        let at = script.rules.iter().position(|rule| rule.is_for(call))?;
        let rule = script.rules.get_mut(at)?;
        if rule.skip > 0 {
            rule.skip -= 1;
            return None;
        }
        let due = (rule.strike.clone(), rule.carried_out);
        rule.times -= 1;
        if rule.times == 0 {
            script.rules.remove(at);
        }
        Some(due)
    }

    /// Replaces the rules, and releases held calls.
    fn replace(&self, rules: Vec<Rule>) -> Value {
        let mut script = self.lock();
        *script = Script { rules, struck: 0 };
        self.taken_back.send_replace(());
        state_json(&script)
    }

    async fn call(&self, parts: &Parts, content: Bytes) -> Call {
        let target = parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let name = target.unwrap_or_else(|| parts.uri.path()).to_owned();
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
        let server = self.server;
        let caller = spawn_blocking(move || Caller::between(peer?, server)).await.ok().flatten();
        Call { method: parts.method.clone(), name, content, caller }
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes a call on, or strikes it.
async fn pass(State(faults): State<Arc<Faults>>, request: Request, next: Next) -> Response {
    let is_idle = faults.lock().rules.is_empty();
    if is_idle {
        return next.run(request).await;
    }
    // Subscribes before the rules are read, because they may be removed at any time.
    let mut taken_back = faults.taken_back.subscribe();
    let (parts, body) = request.into_parts();
    let Ok(content) = to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let call = faults.call(&parts, content.clone()).await;
    let due = faults.next(&call);
    let request = Request::from_parts(parts, Body::from(content));
    let Some((strike, is_carried_out)) = due else { return next.run(request).await };
    let mut left = Some(request);
    let mut answer = None;
    if is_carried_out && let Some(request) = left.take() {
        answer = Some(next.clone().run(request).await);
    }
    // Counts before the strike, because this task ends with the connection of the killed caller.
    faults.lock().struck += 1;
    if matches!(strike, Strike::Kill) && !killed(call).await {
        faults.lock().struck -= 1;
        return (StatusCode::NOT_IMPLEMENTED, "no Lambda function calls").into_response();
    }
    match strike {
        Strike::Answer { status, kind, body } => forced_answer(status, kind, body),
        Strike::Pretend => empty_reply(),
        // The connection ends with the killed caller.
        Strike::Kill => std::future::pending().await,
        Strike::Hold => {
            taken_back.changed().await.ok();
            match (answer, left) {
                (Some(answer), _) => answer,
                (None, Some(request)) => next.run(request).await,
                (None, None) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            }
        }
    }
}

/// Kills the caller; returns true if it was a function and has been killed.
async fn killed(call: Call) -> bool {
    spawn_blocking(move || call.caller.is_some_and(|caller| caller.kill())).await.unwrap_or(false)
}

/// Returns the reply of a gRPC call with a message of no fields.
fn empty_reply() -> Response {
    let trailers = HeaderMap::from_iter([(
        HeaderName::from_static("grpc-status"),
        HeaderValue::from_static("0"),
    )]);
    // A byte that says "not compressed", and four for the length.
    let message = Full::new(Bytes::from_static(&[0; 5]));
    let body = Body::new(message.with_trailers(std::future::ready(Some(Ok(trailers)))));
    ([("content-type", "application/grpc")], body).into_response()
}

fn forced_answer(status: u16, kind: Option<String>, body: Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = kind.map(|kind| [("x-amzn-errortype", kind)]);
    match body {
        Value::Null => (status, headers, ()).into_response(),
        Value::String(text) => (status, headers, text).into_response(),
        body => (status, headers, Json(body)).into_response(),
    }
}

/// Sets the rules, and replaces those that were left.
async fn set(State(faults): State<Arc<Faults>>, body: Bytes) -> (StatusCode, Json<Value>) {
    let refuse = |reason: String| (StatusCode::BAD_REQUEST, Json(json!({ "message": reason })));
    let rules: Vec<Rule> = match serde_json::from_slice(&body) {
        Ok(rules) => rules,
        Err(err) => return refuse(format!("not a list of faults: {err}")),
    };
    if let Some(reason) = rules.iter().find_map(|rule| rule.check().err()) {
        return refuse(format!("not a list of faults: {reason}"));
    }
    (StatusCode::OK, Json(faults.replace(rules)))
}

/// Returns the rules that are left, and the number of calls that they struck.
async fn show(State(faults): State<Arc<Faults>>) -> Json<Value> {
    Json(state_json(&faults.lock()))
}

/// Removes the rules.
async fn clear(State(faults): State<Arc<Faults>>) -> Json<Value> {
    Json(faults.replace(Vec::new()))
}

fn state_json(script: &Script) -> Value {
    json!({"rules": script.rules, "struck": script.struck})
}
