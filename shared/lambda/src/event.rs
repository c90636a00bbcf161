//! The fields of an HTTP API event (payload version 2.0) that are read. Each may be absent or
//! `null`, and claims may have any type, so that an unusual field does not fail the whole event.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use model::Result;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::authorizer::Keyed;
use crate::call::malformed;

/// An HTTP API event.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Event {
    pub(crate) route_key: String,
    pub(crate) raw_path: String,
    pub(crate) path_parameters: Option<HashMap<String, String>>,
    pub(crate) query_string_parameters: Option<HashMap<String, String>>,
    pub(crate) headers: Option<HashMap<String, String>>,
    pub(crate) body: Option<String>,
    pub(crate) is_base64_encoded: bool,
    pub(crate) request_context: RequestContext,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RequestContext {
    /// The gateway's id of the request, which is also in its access log.
    #[serde(rename = "requestId")]
    pub(crate) request_id: String,
    /// The domain name under which the API was called, as the gateway knows it.
    #[serde(rename = "domainName")]
    pub(crate) domain_name: String,
    pub(crate) stage: String,
    pub(crate) http: Http,
    authorizer: Option<Authorizer>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Http {
    pub(crate) method: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Authorizer {
    jwt: Option<Jwt>,
    /// The outcome of the authorizer of API keys.
    lambda: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Jwt {
    claims: Option<Map<String, Value>>,
}

impl RequestContext {
    /// Returns the program whose key the gateway's authorizer found good.
    pub(crate) fn keyed(&self) -> Option<Keyed> {
        Keyed::deserialize(self.authorizer.as_ref()?.lambda.as_ref()?).ok()
    }

    /// Returns the claims that the gateway's authorizer found in the token.
    pub(crate) fn claims(&self) -> Option<&Map<String, Value>> {
        self.authorizer.as_ref()?.jwt.as_ref()?.claims.as_ref()
    }
}

/// Returns the body of an event as bytes.
pub(crate) fn body(text: Option<String>, is_base64_encoded: bool) -> Result<Vec<u8>> {
    match (text, is_base64_encoded) {
        (None, _) => Ok(Vec::new()),
        (Some(text), false) => Ok(text.into_bytes()),
        (Some(text), true) => BASE64_STANDARD
            .decode(text)
            .map_err(|_| malformed("body", "is not what its encoding says")),
    }
}
