//! Services elsewhere: calls to them are passed on, so that tests can make the calls fail.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, TRANSFER_ENCODING};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// A service's address, and the client for it.
#[derive(Clone)]
struct Service {
    client: Client<HttpConnector, Body>,
    address: Uri,
}

/// Routes the calls to AWS services: to those that use JSON, such as tables and queues, which all
/// have the same path, and to buckets, whose calls have a path that nothing else here has.
pub(crate) fn aws(address: Uri) -> Router {
    // Opens a connection for each call, because a reused one may end just when it is used again.
    let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector());
    let service = Service { client, address };
    Router::new().route("/", post(pass_on)).fallback(pass_on).with_state(service)
}

/// Routes every call to a gRPC service over one connection. Its clients retry when the connection
/// ends.
pub(crate) fn grpc(address: Uri) -> Router {
    let client = Client::builder(TokioExecutor::new()).http2_only(true).build(connector());
    Router::new().fallback(pass_on).with_state(Service { client, address })
}

/// Connects without a delay for small packets, which would cost 40 ms in each call.
fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector
}

/// Passes a call on with its headers unchanged: they may be signed, including the host's name.
async fn pass_on(State(service): State<Service>, mut request: Request) -> Response {
    let mut parts = service.address.clone().into_parts();
    parts.path_and_query = request.uri().path_and_query().cloned();
    match Uri::from_parts(parts) {
        Ok(uri) => *request.uri_mut() = uri,
        Err(err) => return (StatusCode::BAD_REQUEST, err.to_string()).into_response(),
    }
    match service.client.request(request).await {
        Ok(answer) => {
            let mut answer = answer.map(Body::new);
            // These two headers concern the connection and not the answer.
            for name in [CONNECTION, TRANSFER_ENCODING] {
                answer.headers_mut().remove(name);
            }
            answer
        }
        Err(err) => {
            eprintln!("plumbline-local: {} did not answer: {err}", service.address);
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}
