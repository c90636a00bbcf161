//! AWS's other services: passes calls on to them, so that the calls can be made to fail.

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

/// The services' address, and the client that calls them.
#[derive(Clone)]
struct Aws {
    client: Client<HttpConnector, Body>,
    address: Uri,
}

/// Routes the calls of the services that speak JSON, such as the tables and the queues. All have one path.
pub(crate) fn routes(address: Uri) -> Router {
    // Opens a connection for each call: a reused one may end just when it is used again.
    let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build_http();
    Router::new().route("/", post(pass_on)).with_state(Aws { client, address })
}

/// Sends a call on with its headers unchanged: they are signed, the host's name among them.
async fn pass_on(State(aws): State<Aws>, mut request: Request) -> Response {
    *request.uri_mut() = aws.address.clone();
    match aws.client.request(request).await {
        Ok(answer) => {
            let mut answer = answer.map(Body::new);
            // These two are about the connection and not about the answer.
            for name in [CONNECTION, TRANSFER_ENCODING] {
                answer.headers_mut().remove(name);
            }
            answer
        }
        Err(err) => {
            eprintln!("plumbline-local: {} did not answer: {err}", aws.address);
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}
