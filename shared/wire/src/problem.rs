//! What a request that fails is answered with: problem details (RFC 9457).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a request failed, as problem details (RFC 9457, `application/problem+json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Always `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: String,
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

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldProblem {
    /// The field.
    pub field: String,
    /// What it must be.
    pub reason: String,
}

/// What API Gateway answers itself: to a token that it does not accept, a path or a method that it does not know, and more
/// requests than it lets through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GatewayMessage {
    /// The reason in a word or two.
    pub message: String,
}
