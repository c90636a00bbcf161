//! What can go wrong: one variant per thing the caller can do about it.

use std::borrow::Cow;

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a service did not answer. It goes to the log and never to the caller.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A failure, told in the caller's words.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request can be repaired by whoever sent it.
    #[error("invalid `{field}`: {reason}")]
    Invalid {
        /// The field at fault, as it is named on the wire.
        field: Cow<'static, str>,
        /// What was wanted instead.
        reason: String,
    },
    /// The request cannot be read at all.
    #[error("malformed `{field}`: {reason}")]
    Malformed {
        /// The field at fault, as it is named on the wire.
        field: Cow<'static, str>,
        /// What was wanted instead.
        reason: String,
    },
    /// The caller lacks a group.
    #[error("this needs the group `{group}`")]
    Denied {
        /// The group that would be needed.
        group: String,
    },
    /// The request names something that does not exist, or that is not the caller's to see.
    #[error("no {kind} named `{name}`")]
    Missing {
        /// What was looked for.
        kind: &'static str,
        /// The name it was looked for under.
        name: String,
    },
    /// The request is sound, but not in the present state of what it changes.
    #[error("conflict on `{field}`: {reason}")]
    Conflict {
        /// The field that does not fit the state, as it is named on the wire.
        field: &'static str,
        /// Both states, the one there is and the one that was wanted.
        reason: String,
    },
    /// More than is taken at once.
    #[error("`{field}` must be at most {limit} {unit}")]
    TooLarge {
        /// The field at fault.
        field: &'static str,
        /// The largest size that is taken.
        limit: u64,
        /// What the limit counts.
        unit: &'static str,
    },
    /// The caller has used up what they may; they may have more later.
    #[error("{reason}")]
    TooMany {
        /// What was used up, and what to do.
        reason: String,
        /// Seconds until it is worth another try.
        retry_after: u64,
    },
    /// A service we lean on failed; trying again later may help.
    #[error("{service} did not answer")]
    Unavailable {
        /// The service, as the caller may know it.
        service: &'static str,
        /// What the log needs to know.
        #[source]
        cause: Cause,
    },
}

impl Error {
    /// A value that the caller can repair.
    pub fn invalid(field: impl Into<Cow<'static, str>>, reason: impl Into<String>) -> Error {
        Error::Invalid { field: field.into(), reason: reason.into() }
    }

    /// A change that does not fit the present state; `reason` names both.
    pub fn conflict(field: &'static str, reason: impl Into<String>) -> Error {
        Error::Conflict { field, reason: reason.into() }
    }

    /// A service that did not answer, with what the log needs to know.
    pub fn unavailable(service: &'static str, cause: impl Into<Cause>) -> Error {
        Error::Unavailable { service, cause: cause.into() }
    }
}
