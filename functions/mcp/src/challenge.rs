//! Turns a caller without a good token away, and tells where to get one (RFC 6750, RFC 9728).

use std::collections::BTreeMap;

use lambda::{Outcome, PlainReply};
use serde_json::json;
use wire::problem::{Problem, ProblemCode};

use crate::settings::Settings;

/// Why a caller is turned away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no token.
    NoToken,
    /// The token is not one that is accepted: expired, for another service, or not signed by the
    /// issuer.
    BadToken,
    /// The token lacks a scope.
    NoScope {
        /// The scope.
        scope: String,
    },
    /// The issuer's keys could not be fetched.
    NoKeys,
}

/// The metadata of this server as a protected resource (RFC 9728), the same at each address.
pub(crate) fn metadata(settings: &Settings, resource: &str) -> String {
    let metadata = json!({
        "resource": resource,
        "authorization_servers": [settings.issuer],
        "scopes_supported": settings.scopes,
        "bearer_methods_supported": ["header"],
        "resource_name": "Plumbline",
    });
    metadata.to_string()
}

/// The reply to a caller who is turned away. API Gateway renames `www-authenticate`, so the address
/// of the metadata is in the body, too.
pub(crate) fn refused(refusal: &Refusal, resource: &str, request_id: &str) -> PlainReply {
    let base = resource.strip_suffix("/mcp").unwrap_or(resource);
    let metadata = format!("{base}/.well-known/oauth-protected-resource/mcp");
    let (status, title, detail, error) = match refusal {
        Refusal::NoToken => {
            (401, "Unauthorized", "the request carries no bearer token", String::new())
        }
        Refusal::BadToken => (
            401,
            "Unauthorized",
            "the token has expired, is for another service, or is not signed by this deployment's issuer",
            ", error=\"invalid_token\"".into(),
        ),
        Refusal::NoScope { scope } => (
            403,
            "Forbidden",
            "the token lacks a scope",
            format!(", error=\"insufficient_scope\", scope=\"{scope}\""),
        ),
        Refusal::NoKeys => {
            (503, "Service Unavailable", "the issuer of tokens did not answer", String::new())
        }
    };
    let problem = Problem {
        kind: "about:blank".into(),
        code: match status {
            401 => ProblemCode::Unauthorized,
            403 => ProblemCode::Forbidden,
            _ => ProblemCode::Unavailable,
        },
        title: title.into(),
        status,
        detail: format!("{detail}; {metadata} says where tokens come from"),
        instance: request_id.into(),
        errors: Vec::new(),
    };
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    headers.insert("content-type".into(), "application/problem+json".into());
    headers.insert("cache-control".into(), "no-store".into());
    if status != 503 {
        let challenge = format!("Bearer resource_metadata=\"{metadata}\"{error}");
        headers.insert("www-authenticate".into(), challenge);
    }
    let body = serde_json::to_string(&problem).unwrap_or_default();
    let outcome = Outcome { is_unavailable: status == 503, ..Outcome::default() };
    PlainReply { status_code: status, headers, body, outcome }
}
