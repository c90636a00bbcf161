//! The fields of an HTTP API event (payload version 2.0) that are read. Each may be absent or `null`, and claims may
//! be of any type, so that an odd one does not fail the whole event.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// An HTTP API event.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Event {
    pub(crate) route_key: String,
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
    /// The gateway's id of the request, which its access log has.
    #[serde(rename = "requestId")]
    pub(crate) request_id: String,
    authorizer: Option<Authorizer>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Authorizer {
    jwt: Option<Jwt>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Jwt {
    claims: Option<Map<String, Value>>,
}

impl RequestContext {
    /// What the gateway's authorizer found in the token.
    pub(crate) fn claims(&self) -> Option<&Map<String, Value>> {
        self.authorizer.as_ref()?.jwt.as_ref()?.claims.as_ref()
    }
}
