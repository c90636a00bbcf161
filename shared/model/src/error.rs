//! The errors: one variant for each thing that the caller can do about it.

use std::borrow::Cow;

/// The result of all fallible functions here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a service did not answer. It is logged and never sent to the caller.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A failure, described in the caller's words.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request has an error that its sender can repair.
    #[error("invalid `{field}`: {reason}")]
    Invalid {
        /// The field with the error, by its name in the API.
        field: Cow<'static, str>,
        /// The condition that the field must meet.
        reason: String,
    },
    /// The request cannot be read at all.
    #[error("malformed `{field}`: {reason}")]
    Malformed {
        /// The field with the error, by its name in the API.
        field: Cow<'static, str>,
        /// The condition that the field must meet.
        reason: String,
    },
    /// The request does not prove who sends it.
    #[error("the sender is not known: {reason}")]
    Unproven {
        /// The flaw of the proof.
        reason: String,
    },
    /// The caller lacks a group.
    #[error("this needs the group `{group}`")]
    Denied {
        /// The group that is needed.
        group: String,
    },
    /// The caller's token lacks a scope (OAuth 2.0).
    #[error("this needs a token with the scope `{scope}`")]
    Unscoped {
        /// The scope that is needed.
        scope: String,
    },
    /// The request names something that does not exist, or that the caller may not see.
    #[error("no {kind} named `{name}`")]
    Missing {
        /// The kind of thing that the request names.
        kind: &'static str,
        /// The name in the request.
        name: String,
    },
    /// The request is valid, but does not fit the present state of what it changes.
    #[error("conflict on `{field}`: {reason}")]
    Conflict {
        /// The field that does not fit the state, by its name in the API.
        field: &'static str,
        /// The present state and the wanted one.
        reason: String,
    },
    /// The request is larger than what is accepted.
    #[error("`{field}` must be at most {limit} {unit}")]
    TooLarge {
        /// The field that is too large.
        field: &'static str,
        /// The largest size that is accepted.
        limit: u64,
        /// The unit of the limit.
        unit: &'static str,
    },
    /// The caller has used up a quota, but will have more later.
    #[error("{reason}")]
    TooMany {
        /// The quota that is used up, and the advice for the caller.
        reason: String,
        /// The seconds after which another try makes sense.
        retry_after: u64,
    },
    /// A service that we depend on failed. A later try may succeed.
    #[error("{service} did not answer")]
    Unavailable {
        /// The service, by a name that the caller may know.
        service: &'static str,
        /// The cause, for the log.
        #[source]
        cause: Cause,
    },
}

impl Error {
    /// Returns an error for a value that the caller can repair.
    pub fn invalid(field: impl Into<Cow<'static, str>>, reason: impl Into<String>) -> Error {
        Error::Invalid { field: field.into(), reason: reason.into() }
    }

    /// Returns an error for a change that does not fit the present state; `reason` names both.
    pub fn conflict(field: &'static str, reason: impl Into<String>) -> Error {
        Error::Conflict { field, reason: reason.into() }
    }

    /// Returns an error for a service that did not answer, with its cause for the log.
    pub fn unavailable(service: &'static str, cause: impl Into<Cause>) -> Error {
        Error::Unavailable { service, cause: cause.into() }
    }
}
