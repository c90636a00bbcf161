//! An HTTP request through rmcp, and what it lacks for clients that are less strict.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, header};
use http_body_util::{BodyExt, Full};
use lambda::{Call, FOR_THE_REPLY, Outcome, PlainReply, PlainRequest};
use ports::scope::Caller;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use handlers::{All, Handler};

use crate::backend;
use crate::challenge::{self, Refusal};
use crate::server::{Job, Server};
use crate::settings::Settings;

/// The most bytes of a request: as much as the HTTP API takes.
const BODY: usize = 1024 * 1024;

/// Answers an HTTP request of a known caller.
pub(crate) async fn answer(
    settings: &Settings,
    backend: &All,
    caller: Caller,
    request: PlainRequest,
) -> PlainReply {
    let id = match id(&request) {
        Ok(id) => id,
        Err(refusal) => return refusal,
    };
    let left = request.deadline.duration_since(SystemTime::now()).unwrap_or_default();
    let left = left.saturating_sub(FOR_THE_REPLY);
    let answering = Box::pin(answered(settings, backend, caller, request));
    match tokio::time::timeout(left, answering).await {
        Ok(reply) if lambda::fits(&reply.body) => reply,
        Ok(_) => refused(
            200,
            &id,
            -32603,
            "the answer has more than 6 MB: ask for fewer (`top_k`, `limit`)",
        ),
        Err(_) => {
            let outcome = Outcome { is_unavailable: true, is_degraded: false };
            let late = refused(504, &id, -32603, "the services did not answer in time");
            PlainReply { outcome, ..late }
        }
    }
}

/// The id of a JSON-RPC request, `null` for a notification and where there is no body.
pub(crate) fn id(request: &PlainRequest) -> Result<Value, PlainReply> {
    if request.method != "POST" {
        return Ok(Value::Null);
    }
    let body = request.body.as_deref().unwrap_or_default();
    match serde_json::from_slice::<ClientJsonRpcMessage>(body) {
        Ok(ClientJsonRpcMessage::Request(request)) => Ok(request.id.into_json_value()),
        Ok(_) => Ok(Value::Null),
        Err(error) if error.is_data() => {
            Err(refused(400, &Value::Null, -32600, "the body is no JSON-RPC message"))
        }
        Err(_) => Err(refused(400, &Value::Null, -32700, "the body is no JSON")),
    }
}

async fn answered(
    settings: &Settings,
    backend: &All,
    caller: Caller,
    request: PlainRequest,
) -> PlainReply {
    let (sender, mut jobs) = unbounded_channel();
    let server = Server::new(backend.strategies(), sender);
    let resource = settings.resource(&request.base);
    let service = service(settings, &request, server);
    let PlainRequest { method, path, headers, body, stamp, deadline, .. } = request;
    let forwarded = forwarded(&method, &path, headers, body.unwrap_or_default());
    let request_id = stamp.id.clone();
    let (outcome, has_run, unscoped) = (Cell::default(), Cell::new(false), RefCell::default());
    let context = Context { backend, caller, stamp, deadline, outcome, has_run, unscoped };
    let mut reply = std::pin::pin!(service.handle(forwarded.map(Full::new)));
    let response = loop {
        tokio::select! {
            response = &mut reply => break response,
            Some(job) = jobs.recv() => context.run(job).await,
        }
    };
    if let Some(scope) = context.unscoped.take() {
        return challenge::refused(&Refusal::NoScope { scope }, &resource, &request_id);
    }
    let (parts, body) = response.into_parts();
    let body = match body.collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(never) => match never {},
    };
    PlainReply { outcome: context.outcome.get(), ..plain(&parts, body) }
}

/// What the jobs of a request have in common.
struct Context<'a> {
    backend: &'a All,
    caller: Caller,
    stamp: ports::question::Stamp,
    deadline: SystemTime,
    outcome: Cell<Outcome>,
    has_run: Cell<bool>,
    /// The scope that the token lacks for one of the jobs.
    unscoped: RefCell<Option<String>>,
}

impl Context<'_> {
    /// Does a job in this task, which ends with the call: rmcp's own tasks would outlive it.
    async fn run(&self, job: Job) {
        // Answers and notes are kept under the id of their call: each job after the first has its
        // own.
        let stamp = if self.has_run.replace(true) { lambda::stamp() } else { self.stamp.clone() };
        let call = Call::new(job.asking, self.caller.clone(), stamp, self.deadline);
        let done = async {
            let gate = self.backend.gate();
            let gate = gate.map_err(|error| model::Error::unavailable("a setting", error))?;
            gate.admit(&call).await?;
            backend::reply(self.backend, &call).await
        };
        let done = done.await;
        if let Err(model::Error::Unscoped { scope }) = &done {
            self.unscoped.replace(Some(scope.clone()));
        }
        let is_unavailable = matches!(done, Err(model::Error::Unavailable { .. }));
        self.outcome.set(Outcome { is_unavailable, is_degraded: call.meta.is_degraded() });
        let done = done.map_err(|error| lambda::problem_of(&error, &call.stamp.id));
        let status = done.as_ref().map_or_else(|problem| problem.status, |_| 200);
        let ids = || done.as_ref().map_or(Value::Null, Value::clone);
        lambda::audit::change(&call, status, ids);
        // Whoever asked may be gone.
        let _ = job.reply.send(done);
    }
}

type Service = StreamableHttpService<Server, NeverSessionManager>;

/// Made for each request, since it costs microseconds and knows the request's address.
fn service(settings: &Settings, request: &PlainRequest, server: Server) -> Service {
    let resource = settings.resource(&request.base);
    // What stands before the gateway may call it by its own name; a gateway on this machine is
    // called by one that it does not know.
    let hosts = [host(&resource), host(&request.base)].into_iter().chain(LOOPBACK);
    let origins = settings.origins.iter().map(String::as_str);
    let local = ["http://localhost", "http://127.0.0.1", "http://[::1]"];
    let origins = origins.chain(local.into_iter().filter(|_| is_loopback(request.header("host"))));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY)
        .with_sse_keep_alive(None)
        .with_sse_retry(None)
        .with_stateless_protocol_metadata_required(false);
    StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

/// The host in an address, with its port.
fn host(address: &str) -> &str {
    address.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default()
}

/// The names of this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether a `Host` header names this machine, with or without a port.
fn is_loopback(host: Option<&str>) -> bool {
    host.is_some_and(|host| {
        LOOPBACK.iter().any(|name| {
            host.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
    })
}

/// The request as rmcp takes it: without the token, and with both media types accepted, since only
/// JSON is ever answered.
fn forwarded(
    method: &str,
    path: &str,
    headers: std::collections::HashMap<String, String>,
    body: Vec<u8>,
) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(body));
    *request.method_mut() = Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET);
    *request.uri_mut() = path.parse().unwrap_or_default();
    for (name, value) in headers {
        let name = header::HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(&value)) {
            request.headers_mut().insert(name, value);
        }
    }
    let both = HeaderValue::from_static("application/json, text/event-stream");
    request.headers_mut().insert(header::ACCEPT, both);
    request.headers_mut().remove(header::AUTHORIZATION);
    request
}

fn plain(parts: &http::response::Parts, body: String) -> PlainReply {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let mut headers: BTreeMap<String, String> =
        parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    headers.entry("content-type".into()).or_insert_with(|| "text/plain".into());
    headers.insert("cache-control".into(), "no-store".into());
    headers.insert("x-content-type-options".into(), "nosniff".into());
    // The gateway counts the body itself.
    headers.remove("content-length");
    PlainReply { status_code: parts.status.as_u16(), headers, body, outcome: Outcome::default() }
}

fn refused(status_code: u16, id: &Value, code: i32, message: &str) -> PlainReply {
    let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let headers = [("content-type", "application/json"), ("cache-control", "no-store")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    PlainReply { status_code, headers, body: error.to_string(), outcome: Outcome::default() }
}
