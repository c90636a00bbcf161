//! The meaning of Qdrant's errors. Its client sends each request once more by itself, over a new
//! connection, where the first one broke or went silent, as it does while a function is frozen.

use model::{Error, Result};
use qdrant_client::QdrantError;
use tonic::Code;

use super::SERVICE;
use crate::env::SettingError;

/// Takes a collection that is not there yet as an empty one.
pub(super) fn unless_missing<T>(answer: Result<T, QdrantError>) -> Result<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(QdrantError::ResponseError { status }) if status.code() == Code::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// Names the cause for the log, without the headers of an answer: a proxy may send the key back in
/// them.
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
