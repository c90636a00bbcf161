//! Requests over HTTP, from this machine alone.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use bytes::Bytes;
use handlers::Handler;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use lambda::{Asking, Call, PlainReply, PlainRequest};
use mcp::Mcp;
use model::Error;
use model::object::LARGEST;
use ports::question::Stamp;
use ports::scope::Caller;
use tokio::net::TcpListener;
use wire::route::{McpRoute, Route};

use crate::page::{PAGES, Pages};
use crate::session::{self, Session};
use crate::settings::ADMINS;
use crate::store::files::{PATH, Uploads};
use crate::store::queue::Queues;

/// The time after which an answer is given up.
const LONGEST: Duration = Duration::from_secs(30);

/// The name of the one caller.
const CALLER: &str = "me";

/// All that requests need.
pub(crate) struct Server {
    mcp: Mcp,
    routes: matchit::Router<HashMap<&'static str, Route>>,
    token: String,
    session: Session,
    uploads: Uploads,
    queues: Queues,
    address: SocketAddr,
}

impl Server {
    /// Makes a server that listens at `address`, for callers with this token.
    pub(crate) fn new(
        mcp: Mcp,
        token: &str,
        session: Session,
        (uploads, queues): (Uploads, Queues),
        address: SocketAddr,
    ) -> Result<Server> {
        let mut by_path: HashMap<String, HashMap<&'static str, Route>> = HashMap::new();
        for route in Route::all() {
            let entry = route.entry();
            by_path.entry(entry.path).or_default().insert(entry.method, route);
        }
        let mut routes = matchit::Router::new();
        for (path, methods) in by_path {
            routes.insert(path, methods)?;
        }
        Ok(Server { mcp, routes, token: token.into(), session, uploads, queues, address })
    }

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
        let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
        if parts.method == Method::PUT && path.starts_with(PATH) {
            return self.receive((path, query), &parts.headers, body, &stamp).await;
        }
        let query: HashMap<String, String> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        if parts.method == Method::GET && PAGES.contains(&path) {
            return Ok(Box::pin(self.page(path, &query, &parts.headers)).await);
        }
        let missing = || Error::Missing { kind: "route", name: format!("{} {path}", parts.method) };
        let found = self.routes.at(path).map_err(|_| missing())?;
        let route = *found.value.get(parts.method.as_str()).ok_or_else(missing)?;
        match route {
            Route::Mcp(McpRoute::ReadOpenapi) => return Ok(mcp::document()),
            Route::Mcp(McpRoute::ReadDocs) => return Ok(mcp::page()),
            _ => {}
        }
        let Some(caller) = self.caller(&parts.headers) else {
            return Ok(lambda::unknown_caller(&stamp.id));
        };
        let body = whole(body, BODY).await?;
        let headers = texts(&parts.headers);
        let deadline = SystemTime::now() + LONGEST;
        if matches!(route, Route::Mcp(_)) {
            let plain = PlainRequest {
                route: Some(route),
                method: parts.method.to_string(),
                path: path.to_owned(),
                headers,
                body: Ok(body),
                base: format!("http://{}", self.address),
                stamp,
                deadline,
            };
            return Ok(self.mcp.answer_caller(caller, plain).await);
        }
        let parameters = found.params.iter();
        let parameters = parameters.map(|(name, value)| (name.to_owned(), decoded(value)));
        let parameters = parameters.collect();
        let call =
            Call::new(Asking { route, parameters, query, headers, body }, caller, stamp, deadline);
        let handlers = self.mcp.handlers();
        let gate = handlers.gate().map_err(|error| Error::unavailable("a setting", error))?;
        let handle = async |call: &Call| handlers.handle(call).await;
        Ok(Box::pin(lambda::reply(&gate, handle, call)).await)
    }

    /// Returns a page for the person whose browser has the session.
    async fn page(
        &self,
        path: &str,
        query: &HashMap<String, String>,
        headers: &HeaderMap,
    ) -> PlainReply {
        if let Some(key) = query.get("key") {
            return self.session.opened(key);
        }
        if !self.session.is_in(headers) {
            return session::unknown();
        }
        let address = format!("http://{}", self.address);
        let call = |asking| {
            Call::new(asking, Server::person(), lambda::stamp(), SystemTime::now() + LONGEST)
        };
        let pages = Pages { handlers: self.mcp.handlers(), address: &address, call };
        session::page(200, pages.at(path, query).await)
    }

    /// The one person who asks.
    fn person() -> Caller {
        Caller {
            sub: CALLER.into(),
            groups: vec![ADMINS.into()],
            scopes: Vec::new(),
            admin_group: ADMINS.into(),
        }
    }

    /// Refuses names that are not this machine's: a page of another site could have its own name
    /// lead here, and then read what is answered.
    fn check_host(&self, headers: &HeaderMap) -> model::Result<()> {
        let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
        let port = self.address.port();
        let is_here = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| host.eq_ignore_ascii_case(&format!("{name}:{port}")));
        if is_here {
            return Ok(());
        }
        Err(Error::Malformed { field: "host".into(), reason: "is not this machine".into() })
    }

    /// The one caller, if the request has the token.
    fn caller(&self, headers: &HeaderMap) -> Option<Caller> {
        let header = headers.get("authorization")?.to_str().ok()?;
        let (scheme, token) = header.split_once(' ')?;
        // The time of the comparison says nothing of the token.
        let is_known = ring::digest::digest(&ring::digest::SHA256, token.trim().as_bytes())
            .as_ref()
            == ring::digest::digest(&ring::digest::SHA256, self.token.as_bytes()).as_ref();
        (scheme.eq_ignore_ascii_case("bearer") && is_known).then(Server::person)
    }

    /// Keeps a file whose address was signed.
    async fn receive(
        &self,
        (path, query): (&str, &str),
        headers: &HeaderMap,
        body: Incoming,
        stamp: &Stamp,
    ) -> model::Result<PlainReply> {
        let not_signed = || Error::Malformed {
            field: "signature".into(),
            reason: "is not of this address, or too old: announce the document again".into(),
        };
        let signed = self.uploads.signed(path, query, stamp.time).ok_or_else(not_signed)?;
        let content_type = headers.get("content-type").and_then(|it| it.to_str().ok());
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

fn texts(headers: &HeaderMap) -> HashMap<String, String> {
    let texts = headers.iter().filter_map(|(name, value)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    });
    texts.collect()
}

fn decoded(value: &str) -> String {
    percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned()
}
