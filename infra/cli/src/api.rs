//! The HTTP API as its callers see it.

use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::{Agent, Body, RequestBuilder, http::Response};

use crate::address::part;

/// The API at one address, for one caller.
pub(crate) struct Api {
    agent: Agent,
    url: String,
    token: String,
}

/// Whose documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Knowledge {
    Global,
    User,
    Case(String),
    Team(String),
}

/// A request that the API refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) reason: String,
}

/// Problem details, or the gateway's own `{message}`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Problem {
    detail: Option<String>,
    message: Option<String>,
    instance: Option<String>,
}

impl FromStr for Knowledge {
    type Err = String;

    fn from_str(text: &str) -> Result<Knowledge, String> {
        match text.split_once(':') {
            None if text == "global" => Ok(Knowledge::Global),
            None if text == "user" => Ok(Knowledge::User),
            Some(("case", id)) if !id.is_empty() => Ok(Knowledge::Case(id.into())),
            Some(("team", id)) if !id.is_empty() => Ok(Knowledge::Team(id.into())),
            _ => Err("must be global, user, case:ID or team:ID".into()),
        }
    }
}

impl Knowledge {
    /// The path of its documents.
    pub(crate) fn documents(&self) -> String {
        format!("{}/documents", self.path())
    }

    /// The path that questions to it take.
    pub(crate) fn answer(&self) -> String {
        format!("{}/answer", self.path())
    }

    /// The path that queries of its records take.
    pub(crate) fn records(&self) -> String {
        format!("{}/records", self.path())
    }

    fn path(&self) -> String {
        match self {
            Knowledge::Global => "/v1/global".into(),
            Knowledge::User => "/v1/users/me".into(),
            Knowledge::Case(id) => format!("/v1/cases/{}", part(id)),
            Knowledge::Team(id) => format!("/v1/teams/{}", part(id)),
        }
    }
}

/// How long a file of 25 MiB may take: half a megabit a second.
const UPLOAD: Duration = Duration::from_mins(8);

/// Whether what is sent to an address can be read by nobody on the way: it is encrypted, or stays on this machine.
fn is_private(url: &str) -> bool {
    let Some(host) = url.strip_prefix("http://") else { return true };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|own| {
        host.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    })
}

impl Api {
    pub(crate) fn new(url: &str, token: &str) -> Result<Api> {
        if url.is_empty() || token.is_empty() {
            bail!(
                "PLUMBLINE_URL and PLUMBLINE_TOKEN must be set; `python3 infra/stack/stack.py env --state target/stack` prints them for the local stack"
            );
        }
        if !is_private(url) {
            bail!("{url} would be sent the token unencrypted: begin the address with https://");
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)));
        Ok(Api {
            agent: config.build().into(),
            url: url.trim_end_matches('/').into(),
            token: token.into(),
        })
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let request = self.signed(self.agent.get(self.address(path)));
        self.read(request.call())?.map_err(anyhow::Error::from)
    }

    /// Gets a page in another form than JSON.
    pub(crate) fn text(&self, path: &str, form: &str) -> Result<String> {
        let request = self.signed(self.agent.get(self.address(path))).header("accept", form);
        let mut response = request.call().with_context(|| self.unreachable())?;
        if response.status().is_success() {
            return response.body_mut().read_to_string().context("the answer is no text");
        }
        Err(refusal(&mut response)?.into())
    }

    /// Posts `body`; the inner result tells what the API refused.
    pub(crate) fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<Result<T, Refusal>> {
        self.read(self.signed(self.agent.post(self.address(path))).send_json(body))
    }

    /// Posts what may be sent again; what the API refuses for want of capacity (429, 503) is sent up to five times, a while apart.
    pub(crate) fn post_patiently<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<Result<T, Refusal>> {
        for seconds in [1, 2, 4, 8] {
            match self.post(path, body)? {
                Err(refusal) if matches!(refusal.status, 429 | 503) => {
                    std::thread::park_timeout(Duration::from_secs(seconds));
                }
                answer => return Ok(answer),
            }
        }
        self.post(path, body)
    }

    /// Posts what creates something; with the same `key` again it creates nothing more.
    pub(crate) fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        key: &str,
    ) -> Result<Result<T, Refusal>> {
        let request = self.signed(self.agent.post(self.address(path)));
        self.read(request.header("idempotency-key", key).send_json(body))
    }

    pub(crate) fn patch<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T> {
        let request = self.signed(self.agent.patch(self.address(path)));
        self.read(request.send_json(body))?.map_err(anyhow::Error::from)
    }

    pub(crate) fn put<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let request = self.signed(self.agent.put(self.address(path)));
        self.read(request.send_empty())?.map_err(anyhow::Error::from)
    }

    pub(crate) fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let request = self.signed(self.agent.delete(self.address(path)));
        self.read(request.call())?.map_err(anyhow::Error::from)
    }

    /// Sends a file by the request that the API signed for it.
    pub(crate) fn upload(&self, upload: &Upload, bytes: &[u8]) -> Result<Result<(), Refusal>> {
        let request = self.agent.put(&upload.url).config();
        let mut request = request.timeout_global(Some(UPLOAD)).build();
        for (name, value) in
            upload.headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("content-length"))
        {
            request = request.header(name, value);
        }
        let response = request.send(bytes).context("the upload's address does not answer")?;
        let status = response.status().as_u16();
        // What is there already was sent before, and only the answer was lost.
        Ok(if response.status().is_success() || status == 412 {
            Ok(())
        } else {
            Err(Refusal { status, reason: format!("the upload was refused with status {status}") })
        })
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    fn signed<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        request.header("authorization", format!("Bearer {}", self.token))
    }

    fn read<T: DeserializeOwned>(
        &self,
        response: Result<Response<Body>, ureq::Error>,
    ) -> Result<Result<T, Refusal>> {
        let mut response = response.with_context(|| self.unreachable())?;
        if !response.status().is_success() {
            return Ok(Err(refusal(&mut response)?));
        }
        let body: Value = json(&mut response)?;
        Ok(Ok(serde_json::from_value(body).context("the answer has another form than expected")?))
    }

    fn unreachable(&self) -> String {
        format!("{} does not answer", self.url)
    }
}

/// A signed upload.
#[derive(Debug, Deserialize)]
pub(crate) struct Upload {
    url: String,
    headers: std::collections::BTreeMap<String, String>,
}

fn json(response: &mut Response<Body>) -> Result<Value> {
    let status = response.status();
    let body = response.body_mut().read_json();
    body.with_context(|| format!("the answer with status {status} is no JSON"))
}

/// Why the API refused.
fn refusal(response: &mut Response<Body>) -> Result<Refusal> {
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
                "{}: the token is missing, wrong or expired (PLUMBLINE_TOKEN)",
                refusal.reason
            ),
            _ => anyhow::anyhow!(refusal.reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_goes_unencrypted_to_another_machine() {
        for url in [
            "https://api.example.com",
            "http://localhost:4566",
            "http://127.0.0.1/a",
            "http://[::1]",
        ] {
            assert!(is_private(url), "{url}");
        }
        for url in
            ["http://api.example.com", "http://localhost.example.com", "http://127.0.0.1.nip.io"]
        {
            assert!(!is_private(url), "{url}");
        }
    }
}
