//! Services that are elsewhere: calls of them are passed on, so that tests can make the calls fail.

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

/// A service's address, and the client that calls it.
#[derive(Clone)]
struct Service {
    client: Client<HttpConnector, Body>,
    address: Uri,
}

/// Routes the calls of AWS's services that speak JSON, such as the tables and the queues. All have one path.
pub(crate) fn aws(address: Uri) -> Router {
    // Opens a connection for each call: a reused one may end just when it is used again.
    let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector());
    Router::new().route("/", post(pass_on)).with_state(Service { client, address })
}

/// Routes every call to a service that speaks gRPC, over one connection. Its clients ask again when that ends.
pub(crate) fn grpc(address: Uri) -> Router {
    let client = Client::builder(TokioExecutor::new()).http2_only(true).build(connector());
    Router::new().fallback(pass_on).with_state(Service { client, address })
}

/// Connects without a delay for small packets, which would be 40 ms for each call.
fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector
}

/// Sends a call on with its headers unchanged: they may be signed, the host's name among them.
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
            // These two are about the connection and not about the answer.
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
