//! What a request that fails is answered with: problem details (RFC 9457).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a request failed, as problem details (RFC 9457, `application/problem+json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Always `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// What a program can act on, the same in every release.
    pub code: ProblemCode,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this request.
    pub detail: String,
    /// The id of the request, as the log has it.
    pub instance: String,
    /// The fields that can be repaired.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
}

/// A kind of problem, by what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The request cannot be read: repair its form.
    Malformed,
    /// The request carries no token that was checked: sign in. Of alerts: no proof of their sender.
    Unauthorized,
    /// The caller lacks a group: ask an administrator.
    Forbidden,
    /// The request names something that does not exist, or that is not the caller's to see.
    NotFound,
    /// The request does not fit the present state: read that again.
    Conflict,
    /// The request is larger than what is taken.
    TooLarge,
    /// A field is at fault: repair it.
    Invalid,
    /// The caller asked too much: wait.
    RateLimited,
    /// A service did not answer: try again later.
    Unavailable,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldProblem {
    /// The field.
    pub field: String,
    /// What it must be.
    pub reason: String,
}

/// What API Gateway answers itself: to a token that it does not accept, a path or a method that it
/// does not know, and more requests than it lets through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GatewayMessage {
    /// The reason in a word or two.
    pub message: String,
}
