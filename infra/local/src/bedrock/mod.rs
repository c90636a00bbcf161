//! Bedrock's runtime over HTTP: real embeddings, and a chat model with scripted answers.

mod converse;
mod embed;
mod refusal;
mod rerank;
mod script;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};

use self::refusal::Refusal;
use self::script::{Outcome, Script, ScriptHolder};
use embedding::Embedder;

/// Bedrock's upper bound for the bytes of a request.
const BODY_MAX: usize = 25_000_000;

/// The state that the calls share.
#[derive(Clone)]
struct Bedrock {
    /// Absent if the process was started without a model.
    model: Option<Arc<Embedder>>,
    script: Arc<ScriptHolder>,
}

/// Routes the calls to the model, and to its script.
pub(crate) fn routes(model: Option<Embedder>) -> Router {
    let shared = Bedrock { model: model.map(Arc::new), script: Arc::default() };
    Router::new()
        .route("/model/{id}/invoke", post(embed::invoke))
        .route("/model/{id}/converse", post(converse::converse))
        .route("/script", get(script::show).post(script::set).delete(script::clear))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(shared)
}

impl Bedrock {
    /// Counts a call and runs the script's action for it; `None` if the call needs a real answer.
    async fn scripted(&self, queue: fn(&mut Script) -> &mut script::Queue) -> Option<Response> {
        let action = self.script.next(queue)?;
        if let Some(delay) = action.delay() {
            tokio::time::sleep(delay).await;
        }
        match action.outcome() {
            Outcome::Refuse { status, kind, message } => {
                Some(Refusal::new(status, kind, message).into_response())
            }
            Outcome::Malformed => {
                let json = [(CONTENT_TYPE, "application/json")];
                Some((StatusCode::OK, json, r#"{"embeddings": {"float": [[0.1, "#).into_response())
            }
            Outcome::Body(body) => Some(Json(body).into_response()),
            Outcome::Proceed => None,
        }
    }
}
