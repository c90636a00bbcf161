//! Requests over HTTP, from this machine alone.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use bytes::Bytes;
use handlers::{Alerts, Handler};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use lambda::{Asking, Call, PlainReply, PlainRequest};
use mcp::Mcp;
use model::Error;
use model::object::LARGEST;
use ports::question::Stamp;
use tokio::net::TcpListener;
use wire::route::Route;

use crate::marks::Marks;
use crate::session::Session;
use crate::store::files::{PATH, Uploads};
use crate::store::queue::Queues;

mod browser;
mod caller;

/// The time after which an answer is given up.
const LONGEST: Duration = Duration::from_secs(30);

/// All that requests need.
pub(crate) struct Server {
    pub(crate) mcp: Mcp,
    pub(crate) routes: Router,
    /// The token of the person whose program it is.
    pub(crate) token: String,
    pub(crate) session: Session,
    pub(crate) uploads: Uploads,
    pub(crate) queues: Queues,
    pub(crate) marks: Marks,
    pub(crate) reach: Reach,
    pub(crate) alerts: Alerts,
    /// The teams of the person whose program it is: those of the routes of alerts.
    pub(crate) teams: Vec<String>,
}

/// The routes of each path, by method.
pub(crate) type Router = matchit::Router<HashMap<&'static str, Route>>;

/// Returns all routes of the API.
pub(crate) fn routes() -> Result<Router> {
    let mut by_path: HashMap<String, HashMap<&'static str, Route>> = HashMap::new();
    for route in Route::all() {
        let entry = route.entry();
        by_path.entry(entry.path).or_default().insert(entry.method, route);
    }
    let mut routes = Router::new();
    for (path, methods) in by_path {
        routes.insert(path, methods)?;
    }
    Ok(routes)
}

/// The addresses of the server, and who else is let in.
pub(crate) struct Reach {
    /// The address at which it listens.
    pub(crate) address: SocketAddr,
    /// The address by which people come.
    pub(crate) url: String,
    /// True if an issuer's tokens let people in, besides the one token.
    pub(crate) has_issuer: bool,
}

impl Server {
    /// Answers requests until the process ends.
    pub(crate) async fn serve(self, listener: TcpListener) {
        let server = Rc::new(self);
        loop {
            // Such as too many open connections: others end meanwhile.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            let server = Rc::clone(&server);
            tokio::task::spawn_local(async move {
                let answer = service_fn(|request| {
                    let server = Rc::clone(&server);
                    async move { Ok::<_, Infallible>(server.answer(request).await) }
                });
                let mut connection = http1::Builder::new();
                connection.timer(TokioTimer::new());
                // A client that goes away in the middle is its own affair.
                let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let stamp = lambda::stamp();
        let id = stamp.id.clone();
        let reply = match Box::pin(self.reply(request, stamp)).await {
            Ok(reply) => reply,
            Err(error) => lambda::refusal(&error, &id),
        };
        let mut response = Response::builder().status(reply.status_code);
        for (name, value) in &reply.headers {
            response = response.header(name, value);
        }
        response.body(Full::new(Bytes::from(reply.body))).unwrap_or_default()
    }

    async fn reply(&self, request: Request<Incoming>, stamp: Stamp) -> model::Result<PlainReply> {
        let (parts, body) = request.into_parts();
        self.check_host(&parts.headers)?;
        let path = parts.uri.path();
        if parts.method == Method::PUT && path.starts_with(PATH) {
            return self.receive(&parts, body, &stamp).await;
        }
        if browser::has(path) {
            return Box::pin(self.in_a_browser(&parts, body)).await;
        }
        let missing = || Error::Missing { kind: "route", name: format!("{} {path}", parts.method) };
        let found = self.routes.at(path).map_err(|_| missing())?;
        let route = *found.value.get(parts.method.as_str()).ok_or_else(missing)?;
        let mut plain = PlainRequest {
            route: Some(route),
            method: parts.method.to_string(),
            path: path.to_owned(),
            headers: texts(&parts.headers),
            body: Ok(Vec::new()),
            base: self.reach.url.clone(),
            keyed: None,
            stamp,
            deadline: SystemTime::now() + LONGEST,
        };
        if self.is_open(route) {
            return Ok(self.mcp.answer(plain).await);
        }
        if matches!(route, Route::Alerts(_)) {
            plain.body = whole(body, BODY).await;
            let name = found.params.get("route").map(decoded).unwrap_or_default();
            return Ok(Box::pin(self.alerts.answer(&name, plain)).await);
        }
        let caller = match self.identified(&plain).await {
            Ok(caller) => caller,
            Err(refused) => return Ok(refused),
        };
        let body = whole(body, BODY).await?;
        if matches!(route, Route::Mcp(_)) {
            plain.body = Ok(body);
            return Ok(self.mcp.answer_caller(caller, plain).await);
        }
        let PlainRequest { headers, stamp, deadline, .. } = plain;
        let query = query_of(&parts);
        let parameters = found.params.iter();
        let parameters = parameters.map(|(name, value)| (name.to_owned(), decoded(value)));
        let parameters = parameters.collect();
        let asking = Asking { route, parameters, query, headers, body };
        self.handled(Call::new(asking, caller, stamp, deadline)).await
    }

    /// Answers a call of a caller who is known.
    async fn handled(&self, call: Call) -> model::Result<PlainReply> {
        let handlers = self.mcp.handlers();
        let gate = handlers.gate().map_err(|error| Error::unavailable("a setting", error))?;
        let gate = if call.caller.sub == caller::OWNER { gate.unlimited() } else { gate };
        let handle = async |call: &Call| handlers.handle(call).await;
        Ok(Box::pin(lambda::reply(&gate, handle, call)).await)
    }

    /// Keeps a file whose address was signed.
    async fn receive(
        &self,
        parts: &Parts,
        body: Incoming,
        stamp: &Stamp,
    ) -> model::Result<PlainReply> {
        let not_signed = || Error::Malformed {
            field: "signature".into(),
            reason: "is not of this address, or too old: announce the document again".into(),
        };
        let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
        let signed = self.uploads.signed(path, query, stamp.time).ok_or_else(not_signed)?;
        let content_type = parts.headers.get("content-type").and_then(|it| it.to_str().ok());
        let bytes = whole(body, usize::try_from(LARGEST).unwrap_or(usize::MAX)).await?;
        if content_type != Some(&signed.content_type) || bytes.len() != signed.bytes {
            return Err(Error::Malformed {
                field: "body".into(),
                reason: "has another type or length than was announced".into(),
            });
        }
        self.uploads.receive(&signed, &bytes)?;
        self.queues.wake();
        let (headers, body, outcome) = Default::default();
        Ok(PlainReply { status_code: 200, headers, body, outcome })
    }
}

/// The most bytes of a body that is no file: 1 MiB, as API Gateway's callers have it, and one more
/// to tell.
const BODY: usize = 1024 * 1024 + 1;

/// Reads a whole body.
async fn whole(body: Incoming, most: usize) -> model::Result<Vec<u8>> {
    let read = Limited::new(body, most).collect().await;
    let read =
        read.map_err(|_| Error::TooLarge { field: "body", limit: most as u64, unit: "bytes" });
    Ok(read?.to_bytes().to_vec())
}

fn query_of(parts: &Parts) -> HashMap<String, String> {
    let query = parts.uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn texts(headers: &HeaderMap) -> HashMap<String, String> {
    let texts = headers.iter().filter_map(|(name, value)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    });
    texts.collect()
}

fn decoded(value: &str) -> String {
    percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned()
}
