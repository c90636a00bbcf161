//! The Model Context Protocol on standard input and output: each message is one line, and is handed
//! to the server over HTTP.
//!
//! Source: Model Context Protocol 2025-11-25, "Transports", stdio.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use ureq::Agent;

/// The header that says which version of the protocol was agreed on.
const VERSION: &str = "mcp-protocol-version";

/// The longest time for one answer.
const LONGEST: Duration = Duration::from_mins(1);

/// Hands messages to the server at `url` and prints its answers, until the input ends.
///
/// # Errors
/// Says why the server does not answer, or the output takes no more.
pub(crate) fn bridge(url: &str, token: &str) -> Result<()> {
    let config = Agent::config_builder().http_status_as_error(false);
    let agent: Agent = config.timeout_global(Some(LONGEST)).build().into();
    let (address, authorization) = (format!("{url}/mcp"), format!("Bearer {token}"));
    let mut version: Option<String> = None;
    for line in stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let mut request = agent.post(&address).header("authorization", &authorization);
        request = request.header("content-type", "application/json");
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(version) = &version {
            request = request.header(VERSION, version);
        }
        let answer = request.send(line.as_bytes());
        let mut answer = answer.with_context(|| format!("{url} does not answer"))?;
        let answer = answer.body_mut().read_to_string()?;
        if let Ok(json) = serde_json::from_str::<Value>(&answer) {
            let agreed = json["result"]["protocolVersion"].as_str();
            version = agreed.map(str::to_owned).or(version);
            let mut output = stdout().lock();
            writeln!(output, "{json}").and_then(|()| output.flush())?;
        }
    }
    Ok(())
}
