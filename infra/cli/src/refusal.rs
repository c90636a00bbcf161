//! Requests that the API refused, and why.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use ureq::Body;
use ureq::http::Response;

/// A request that the API refused.
#[derive(Debug)]
pub struct Refusal {
    pub(crate) status: u16,
    /// The words of the API.
    pub reason: String,
}

/// Problem details, or the gateway's own `{message}`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Problem {
    detail: Option<String>,
    message: Option<String>,
    instance: Option<String>,
}

pub(crate) fn json(response: &mut Response<Body>) -> Result<Value> {
    let status = response.status();
    let body = response.body_mut().read_json();
    body.with_context(|| {
        format!("this is no address of Plumbline's API: its answer ({status}) is no JSON")
    })
}

/// Reads why the API refused.
pub(crate) fn refusal(response: &mut Response<Body>) -> Result<Refusal> {
    let status = response.status();
    let problem: Problem = serde_json::from_value(json(response)?).unwrap_or_default();
    let reason = problem
        .detail
        .or(problem.message)
        .unwrap_or_else(|| format!("refused with status {status}"));
    let reason = match problem.instance {
        Some(instance) if status.as_u16() >= 500 => format!("{reason} (request {instance})"),
        _ => reason,
    };
    Ok(Refusal { status: status.as_u16(), reason })
}

impl From<Refusal> for anyhow::Error {
    fn from(refusal: Refusal) -> anyhow::Error {
        match refusal.status {
            401 => anyhow::anyhow!(
                "{}: the token is missing, wrong or expired (plumbline login, or PLUMBLINE_TOKEN)",
                refusal.reason
            ),
            _ => anyhow::anyhow!(refusal.reason),
        }
    }
}
