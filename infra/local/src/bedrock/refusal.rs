//! Errors in Bedrock's form: the type in a header, the message in the body.

use std::fmt::Display;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A call that was not answered.
pub(super) struct Refusal {
    status: StatusCode,
    kind: String,
    message: String,
}

impl Refusal {
    /// Returns a refusal of any kind.
    pub(super) fn new(status: StatusCode, kind: String, message: String) -> Refusal {
        Refusal { status, kind, message }
    }

    /// Refuses a request that its sender can repair.
    pub(super) fn invalid(message: impl Display) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "ValidationException".to_owned(), message.to_string())
    }

    /// Refuses because the process was started without the model.
    pub(super) fn no_model() -> Refusal {
        let message = "plumbline-local was started without --model".to_owned();
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "ServiceUnavailableException".to_owned(),
            message,
        )
    }

    /// Refuses because of an internal failure, which is logged.
    pub(super) fn internal(cause: impl Display) -> Refusal {
        eprintln!("plumbline-local: a model call failed: {cause:#}");
        let message = "The model failed".to_owned();
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "InternalServerException".to_owned(),
            message,
        )
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, [("x-amzn-errortype", self.kind)], Json(json!({ "message": self.message })))
            .into_response()
    }
}
