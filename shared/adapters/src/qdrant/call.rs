//! Calls of Qdrant, and what their errors mean.

use qdrant_client::QdrantError;
use tonic::Code;
use workflow::{Error, Result};

use super::SERVICE;
use crate::env::SettingError;

/// Sends a request that may be sent twice. A connection that went silent while the function was frozen shows itself
/// on its first use, and the second attempt opens a new one.
pub(super) async fn twice<T, F: Future<Output = Result<T, QdrantError>>>(
    send: impl Fn() -> F,
) -> Result<T, QdrantError> {
    match send().await {
        Err(QdrantError::ResponseError { status }) if is_passing(status.code()) => send().await,
        answer => answer,
    }
}

fn is_passing(code: Code) -> bool {
    matches!(
        code,
        Code::Unavailable
            | Code::Cancelled
            | Code::DeadlineExceeded
            | Code::Unknown
            | Code::Internal
    )
}

/// Takes a collection that is not there yet as an empty one.
pub(super) fn unless_missing<T>(answer: Result<T, QdrantError>) -> Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(QdrantError::ResponseError { status }) if status.code() == Code::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// Names the cause for the log, without the headers of an answer: a proxy may send the key back in them.
pub(super) fn failed(error: QdrantError) -> Error {
    match error {
        QdrantError::ResponseError { status }
        | QdrantError::ResourceExhaustedError { status, .. } => {
            Error::unavailable(SERVICE, format!("{}: {}", status.code(), status.message()))
        }
        error => Error::unavailable(SERVICE, error),
    }
}

pub(super) fn unset(error: SettingError) -> Error {
    Error::unavailable(SERVICE, error)
}
