//! The HTTP API as its callers see it.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use oauth2::url::Url;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};
use wire::documents::UploadRequest;

mod credentials;

pub use crate::knowledge::Knowledge;
pub use crate::refusal::Refusal;
use crate::refusal::{json, refusal};
use credentials::{Token, known};

/// The API at one address, for one caller.
pub struct Api {
    agent: Agent,
    url: String,
    token: Token,
    /// The beginning of the addresses of uploads, and the one that leads there from here, where it
    /// is another one.
    uploads: Option<(String, String)>,
}

/// The most tries of a request that the API has no capacity for, and the longest time that it may
/// say to wait before.
const TRIES: usize = 20;
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The time that a file of 25 MiB may take: half a megabit a second.
const UPLOAD: Duration = Duration::from_mins(8);

/// Returns true if nobody on the way can read what is sent to an address: it is encrypted, or stays
/// on this machine.
fn is_private(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    url.scheme() == "https" || (url.scheme() == "http" && is_local && url.username().is_empty())
}

/// Says that an address does not answer, and what to do where it is of this machine.
fn silence(url: &str) -> String {
    let advice =
        if url.starts_with("http://") { " (`plumbline serve` and a folder start it)" } else { "" };
    format!("{url} does not answer{advice}")
}

/// Returns the status with which the API at an address answers whom it does not know.
pub(crate) fn status_without_token(url: &str) -> Result<u16> {
    refuse_open_address(url)?;
    let config = Agent::config_builder().http_status_as_error(false);
    let agent: Agent = config.timeout_global(Some(Duration::from_secs(20))).build().into();
    let response = agent.get(format!("{}/v1/health", url.trim_end_matches('/'))).call();
    Ok(response.with_context(|| silence(url))?.status().as_u16())
}

/// Refuses an address to which a token or a password would go unencrypted.
pub(crate) fn refuse_open_address(url: &str) -> Result<()> {
    if !is_private(url) {
        bail!("{url} would be sent what is secret unencrypted: begin the address with https://");
    }
    Ok(())
}

impl Api {
    /// Returns the API at an address for a token; where they are empty, those of the sign-in.
    ///
    /// # Errors
    /// Says that nobody is signed in, or that the token would be sent unencrypted.
    pub fn new(url: &str, token: &str) -> Result<Api> {
        let (url, token) = known(url, token)?;
        refuse_open_address(&url)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)));
        let url = url.trim_end_matches('/').to_owned();
        Ok(Api { agent: config.build().into(), url, token, uploads: None })
    }

    /// Has uploads whose addresses begin with `public` go to `near` instead.
    #[must_use]
    pub fn with_uploads_at(self, public: String, near: String) -> Api {
        Api { uploads: Some((public, near)), ..self }
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.ask(path)?.map_err(anyhow::Error::from)
    }

    /// Gets what is at `path`; the inner result tells what the API refused.
    pub(crate) fn ask<T: DeserializeOwned>(&self, path: &str) -> Result<Result<T, Refusal>> {
        read(self.send("GET", path, &[], &[])?)
    }

    /// Gets a page in another form than JSON.
    pub(crate) fn text(&self, path: &str, form: &str) -> Result<String> {
        text(self.send("GET", path, &[("accept", form)], &[])?)
    }

    /// Posts `body`; the inner result tells what the API refused.
    pub fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<Result<T, Refusal>> {
        read(self.send("POST", path, &[JSON], &serde_json::to_vec(body)?)?)
    }

    /// Posts `body` as it is, with headers that prove the sender in the place of the token.
    pub(crate) fn post_as<T: DeserializeOwned>(
        &self,
        path: &str,
        headers: &HashMap<String, String>,
        body: &[u8],
    ) -> Result<Result<T, Refusal>> {
        let request = Request::builder().method("POST").uri(format!("{}{path}", self.url));
        let request = request.header(JSON.0, JSON.1);
        let request = headers.iter().fold(request, |all, (name, value)| all.header(name, value));
        let response = self.agent.run(request.body(body)?);
        read(response.with_context(|| silence(&self.url))?)
    }

    /// Posts `body` and gets the reply in another form than JSON.
    pub(crate) fn post_text(
        &self,
        path: &str,
        body: &impl Serialize,
        form: &str,
    ) -> Result<String> {
        let headers = [JSON, ("accept", form)];
        text(self.send("POST", path, &headers, &serde_json::to_vec(body)?)?)
    }

    /// Posts what may be sent again where a service does not answer (503): up to five times, a
    /// while apart.
    pub(crate) fn post_patiently<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<Result<T, Refusal>> {
        for seconds in [1, 2, 4, 8] {
            match self.post(path, body)? {
                Err(Refusal { status: 503, .. }) => {
                    std::thread::park_timeout(Duration::from_secs(seconds));
                }
                answer => return Ok(answer),
            }
        }
        self.post(path, body)
    }

    /// Posts what creates something; with the same `key` again it creates nothing more.
    pub fn post_once<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        key: &str,
    ) -> Result<Result<T, Refusal>> {
        let headers = [JSON, ("idempotency-key", key)];
        read(self.send("POST", path, &headers, &serde_json::to_vec(body)?)?)
    }

    pub(crate) fn patch<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T> {
        let body = serde_json::to_vec(body)?;
        read(self.send("PATCH", path, &[JSON], &body)?)?.map_err(anyhow::Error::from)
    }

    pub(crate) fn put<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        read(self.send("PUT", path, &[], &[])?)?.map_err(anyhow::Error::from)
    }

    pub(crate) fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.delete_one(path)?.map_err(anyhow::Error::from)
    }

    /// Deletes what is at `path`; the inner result tells what the API refused.
    pub(crate) fn delete_one<T: DeserializeOwned>(&self, path: &str) -> Result<Result<T, Refusal>> {
        read(self.send("DELETE", path, &[], &[])?)
    }

    /// Makes a request with the token; what the API has no capacity for is made again when it says.
    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Response<Body>> {
        let mut tries = 0;
        loop {
            let token = format!("Bearer {}", self.token.read()?);
            let request = Request::builder().method(method).uri(format!("{}{path}", self.url));
            let request =
                headers.iter().fold(request, |header, (name, value)| header.header(*name, *value));
            let request = request.header("authorization", token).body(body)?;
            let response = self.agent.run(request);
            let response = response.with_context(|| silence(&self.url))?;
            tries += 1;
            match wait(&response).filter(|_| tries < TRIES) {
                Some(pause) => std::thread::park_timeout(pause),
                None => return Ok(response),
            }
        }
    }

    /// Sends a file by the request that the API signed for it.
    pub(crate) fn upload(
        &self,
        upload: &UploadRequest,
        bytes: &[u8],
    ) -> Result<Result<(), Refusal>> {
        let near = self.uploads.as_ref().and_then(|(public, near)| {
            Some(format!("{near}{}", upload.url.strip_prefix(public.as_str())?))
        });
        let url = near.unwrap_or_else(|| upload.url.clone());
        let request = self.agent.put(&url).config();
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
}

const JSON: (&str, &str) = ("content-type", "application/json");

/// Returns the time that the API says to wait for capacity; `None` where it says nothing, or longer
/// than anybody waits.
fn wait(response: &Response<Body>) -> Option<Duration> {
    let value = response.headers().get("retry-after").filter(|_| response.status() == 429)?;
    let pause = Duration::from_secs(value.to_str().ok()?.parse().ok()?);
    Some(pause).filter(|x| *x <= LONGEST_WAIT)
}

fn text(mut response: Response<Body>) -> Result<String> {
    if response.status().is_success() {
        return response.body_mut().read_to_string().context("the answer is no text");
    }
    Err(refusal(&mut response)?.into())
}

fn read<T: DeserializeOwned>(mut response: Response<Body>) -> Result<Result<T, Refusal>> {
    if !response.status().is_success() {
        return Ok(Err(refusal(&mut response)?));
    }
    let body: Value = json(&mut response)?;
    Ok(Ok(serde_json::from_value(body).context("the answer has another form than expected")?))
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
        for url in [
            "http://api.example.com",
            "HTTP://api.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1.nip.io",
            "http://127.0.0.1:x@evil.example.com",
            "file:///etc/passwd",
        ] {
            assert!(!is_private(url), "{url}");
        }
    }
}
