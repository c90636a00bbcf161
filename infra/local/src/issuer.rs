//! A token issuer: discovery, keys, and a token for whoever asks.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use jsonwebtoken::jwk::{Jwk, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey, LineEnding};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const KEY_FILE: &str = "issuer.pem";
const KEY_BITS: usize = 2048;

/// Who issues, and with which key.
pub(crate) struct Issuer {
    url: String,
    signing_key: EncodingKey,
    public_key: Jwk,
    key_id: String,
}

impl Issuer {
    /// Issues as `url`, with the key in `folder` (made if it is not there) or else with a new one.
    pub(crate) fn new(url: &str, folder: Option<&Path>) -> anyhow::Result<Issuer> {
        let pem = match folder {
            Some(folder) => kept_key(folder)?,
            None => new_key()?,
        };
        let signing_key =
            EncodingKey::from_rsa_pem(pem.as_bytes()).context("the issuer's key is unreadable")?;
        let mut public_key = Jwk::from_encoding_key(&signing_key, Algorithm::RS256)?;
        let key_id = public_key.thumbprint(ThumbprintHash::SHA256);
        public_key.common.key_id = Some(key_id.clone());
        Ok(Issuer { url: url.trim_end_matches('/').to_owned(), signing_key, public_key, key_id })
    }
}

fn kept_key(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join(KEY_FILE);
    if path.exists() {
        return fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()));
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let pem = new_key()?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(pem.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(pem)
}

fn new_key() -> anyhow::Result<String> {
    let key = RsaPrivateKey::new(&mut rand::thread_rng(), KEY_BITS)?;
    Ok(key.to_pkcs8_pem(LineEnding::LF)?.to_string())
}

/// The issuer's calls.
pub(crate) fn routes(issuer: Issuer) -> Router {
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/jwks.json", get(keys))
        .route("/token", get(token))
        .with_state(Arc::new(issuer))
}

async fn discovery(State(issuer): State<Arc<Issuer>>) -> Json<Value> {
    let url = &issuer.url;
    Json(json!({
        "issuer": url,
        "jwks_uri": format!("{url}/jwks.json"),
        "authorization_endpoint": format!("{url}/token"),
        "token_endpoint": format!("{url}/token"),
        "response_types_supported": ["token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": ["iss", "sub", "aud", "iat", "exp", "groups"],
    }))
}

async fn keys(State(issuer): State<Arc<Issuer>>) -> Json<Value> {
    Json(json!({ "keys": [issuer.public_key] }))
}

/// Whom a token is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenRequest {
    sub: String,
    /// Separated by commas.
    #[serde(default)]
    groups: String,
    #[serde(default = "audience")]
    aud: String,
    /// Seconds; with a negative number the token has expired already.
    #[serde(default = "an_hour")]
    expires_in: i64,
    /// Another issuer than the true one, to see it refused.
    iss: Option<String>,
}

fn audience() -> String {
    "plumbline".to_owned()
}

fn an_hour() -> i64 {
    3600
}

#[derive(Serialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: String,
    groups: Vec<String>,
    iat: i64,
    exp: i64,
}

async fn token(
    State(issuer): State<Arc<Issuer>>,
    request: Result<Query<TokenRequest>, QueryRejection>,
) -> Response {
    let request = match request {
        Ok(Query(request)) => request,
        Err(err) => return failure(StatusCode::BAD_REQUEST, &err.body_text()),
    };
    let expires_in = request.expires_in;
    match sign(&issuer, request) {
        Ok(token) => {
            Json(json!({"access_token": token, "token_type": "Bearer", "expires_in": expires_in}))
                .into_response()
        }
        Err(err) => failure(StatusCode::INTERNAL_SERVER_ERROR, &err.to_string()),
    }
}

fn failure(status: StatusCode, reason: &str) -> Response {
    (status, Json(json!({"error": "invalid_request", "error_description": reason}))).into_response()
}

fn sign(issuer: &Issuer, request: TokenRequest) -> anyhow::Result<String> {
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())?;
    let claims = Claims {
        iss: request.iss.unwrap_or_else(|| issuer.url.clone()),
        sub: request.sub,
        aud: request.aud,
        groups: request
            .groups
            .split(',')
            .filter(|group| !group.is_empty())
            .map(str::to_owned)
            .collect(),
        // A token that expired in the past was issued before that.
        iat: now.min(now.saturating_add(request.expires_in)),
        exp: now.saturating_add(request.expires_in),
    };
    let header = Header { kid: Some(issuer.key_id.clone()), ..Header::new(Algorithm::RS256) };
    Ok(encode(&header, &claims, &issuer.signing_key)?)
}
