//! Requests to addresses of others: messages about cases, and certificates of SNS.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use model::{Error, Result};
use tokio::time::timeout;

use crate::aws::describe;
use crate::env;

/// The name by which the caller may know whoever is asked.
const SERVICE: &str = "another service";

/// The time for a request, and the most bytes of a reply.
const LONGEST: Duration = Duration::from_secs(20);
const MOST: usize = 1 << 20;

/// A client of web addresses, which is made when it is first used. It follows no redirection.
#[derive(Default)]
pub struct Web(OnceLock<Connected>);

type Connected = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

impl Web {
    /// Reads what is at an address; `None` if it refuses to show that (4xx).
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is no answer, or one that is no success or too long.
    pub async fn get(&self, url: &str) -> Result<Option<Vec<u8>>> {
        let response = self.sent(url, Request::get(url), Bytes::new()).await?;
        if response.status().is_client_error() {
            return Ok(None);
        }
        let response = taken(response)?;
        let body = Limited::new(response.into_body(), MOST).collect();
        let body =
            timeout(LONGEST, body).await.map_err(|_| unavailable("its reply is too slow"))?;
        let body = body.map_err(|_| unavailable("its reply broke off or is too long"))?;
        Ok(Some(body.to_bytes().to_vec()))
    }

    /// Sends JSON to an address.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it is not taken.
    pub async fn post(
        &self,
        url: &str,
        headers: &HashMap<String, String>,
        body: String,
    ) -> Result<()> {
        let mut request = Request::post(url).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        taken(self.sent(url, request, body.into()).await?).map(drop)
    }

    fn client(&self) -> Result<&Connected> {
        if let Some(client) = self.0.get() {
            return Ok(client);
        }
        let none = || unavailable("this machine has no root certificates");
        let client = connector().ok_or_else(none)?;
        Ok(self.0.get_or_init(|| client))
    }

    async fn sent(
        &self,
        url: &str,
        request: hyper::http::request::Builder,
        body: Bytes,
    ) -> Result<Response<Incoming>> {
        // The address is not told: it may be a secret.
        let address: Uri = url.parse().map_err(|_| unavailable("its address is none"))?;
        if address.scheme_str() != Some("https") && !env::is_on_this_machine(&address) {
            return Err(unavailable("its address must begin with https://"));
        }
        let request = request.body(Full::from(body));
        let request = request.map_err(|_| unavailable("its address or a header is none"))?;
        let client = self.client()?;
        let sent = timeout(LONGEST, client.request(request)).await;
        let sent = sent.map_err(|_| unavailable("it did not answer in time"))?;
        sent.map_err(|error| unavailable(describe(&error)))
    }
}

fn taken(response: Response<Incoming>) -> Result<Response<Incoming>> {
    match response.status() {
        status if status.is_success() => Ok(response),
        status => Err(unavailable(format!("it answered {}", status.as_u16()))),
    }
}

fn unavailable(cause: impl Into<model::error::Cause>) -> Error {
    Error::unavailable(SERVICE, cause)
}

/// Returns a client of web addresses; `None` on a machine without root certificates.
pub(crate) fn connector() -> Option<Connected> {
    let roots = HttpsConnectorBuilder::new().with_native_roots().ok()?;
    let connector = roots.https_or_http().enable_http1().build();
    Some(Client::builder(TokioExecutor::new()).build(connector))
}
