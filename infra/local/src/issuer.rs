//! A token issuer: discovery, keys that can be rotated, and a token for anyone who asks.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use jsonwebtoken::jwk::{Jwk, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey, LineEnding};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

mod authorize;

const KEY_FILE: &str = "issuer.pem";
const KEY_BITS: usize = 2048;

/// The issuer's address and keys.
pub(crate) struct Issuer {
    url: String,
    /// The keys. All are published, and the last one signs.
    keys: RwLock<Vec<Key>>,
}

#[derive(Clone)]
struct Key {
    signing: EncodingKey,
    public: Jwk,
    id: String,
}

impl Key {
    fn of(pem: &str) -> anyhow::Result<Key> {
        let signing =
            EncodingKey::from_rsa_pem(pem.as_bytes()).context("the issuer's key is unreadable")?;
        let mut public = Jwk::from_encoding_key(&signing, Algorithm::RS256)?;
        let id = public.thumbprint(ThumbprintHash::SHA256);
        public.common.key_id = Some(id.clone());
        Ok(Key { signing, public, id })
    }

    fn fresh() -> anyhow::Result<Key> {
        Key::of(&new_key()?)
    }
}

impl Issuer {
    /// Creates an issuer for `url`, with the key in `folder` (created if missing) or with a new
    /// key.
    pub(crate) fn new(url: &str, folder: Option<&Path>) -> anyhow::Result<Issuer> {
        let pem = match folder {
            Some(folder) => stored_key(folder)?,
            None => new_key()?,
        };
        let keys = RwLock::new(vec![Key::of(&pem)?]);
        Ok(Issuer { url: url.trim_end_matches('/').to_owned(), keys })
    }

    fn published(&self) -> Vec<Key> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the key that signs.
    fn signing(&self) -> anyhow::Result<Key> {
        self.published().pop().context("the issuer has no key")
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Key>)) {
        change(&mut self.keys.write().unwrap_or_else(PoisonError::into_inner));
    }
}

fn stored_key(folder: &Path) -> anyhow::Result<String> {
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

/// Routes the issuer's calls.
pub(crate) fn routes(issuer: Issuer) -> Router {
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/jwks.json", get(keys))
        .route("/keys", post(rotate).delete(withdraw))
        .route("/authorize", get(authorize::authorize))
        .route("/token", get(token).post(authorize::exchange))
        .with_state(Arc::new(issuer))
}

/// Returns the discovery document. It names the address of the keys with the host of the request,
/// because some callers know this machine under another name.
async fn discovery(State(issuer): State<Arc<Issuer>>, headers: HeaderMap) -> Json<Value> {
    let url = &issuer.url;
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let here = host.map_or_else(|| url.clone(), |host| format!("http://{host}"));
    Json(json!({
        "issuer": url,
        "jwks_uri": format!("{here}/jwks.json"),
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "response_types_supported": ["code", "token"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": all_scopes().split(' ').collect::<Vec<_>>(),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": ["iss", "sub", "aud", "iat", "exp", "groups"],
    }))
}

async fn keys(State(issuer): State<Arc<Issuer>>) -> Json<Value> {
    let keys: Vec<Jwk> = issuer.published().into_iter().map(|key| key.public).collect();
    Json(json!({ "keys": keys }))
}

/// Signs with a new key from now on. The earlier keys stay published.
async fn rotate(State(issuer): State<Arc<Issuer>>) -> StatusCode {
    match spawn_blocking(Key::fresh).await {
        Ok(Ok(key)) => {
            issuer.change(|keys| keys.push(key));
            StatusCode::OK
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Removes all keys except the first one, which signs again.
async fn withdraw(State(issuer): State<Arc<Issuer>>) -> StatusCode {
    issuer.change(|keys| keys.truncate(1));
    StatusCode::OK
}

/// A request for a token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenRequest {
    sub: String,
    /// The groups, separated by commas.
    #[serde(default)]
    groups: String,
    #[serde(default = "audience")]
    aud: String,
    /// The lifetime in seconds; a token with a negative lifetime has already expired.
    #[serde(default = "an_hour")]
    expires_in: i64,
    /// Another issuer than the true one, to test that it is refused.
    iss: Option<String>,
    /// The seconds until the token becomes valid.
    not_before: Option<i64>,
    /// The scopes, separated by blanks; all of them unless the request says otherwise.
    #[serde(default = "all_scopes")]
    scope: String,
    /// The kind of token, as Cognito names it: `access`, or `id` for one that opens no service.
    token_use: Option<String>,
    #[serde(default)]
    signed_by: Signer,
}

/// The owner of the key that signs.
#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Signer {
    #[default]
    Issuer,
    /// Another party, whose key is not published.
    Stranger,
    /// Another party that claims to use the issuer's key.
    Forger,
}

impl TokenRequest {
    /// Returns a request for a token that lasts an hour.
    fn of(sub: String, groups: String) -> TokenRequest {
        let (aud, expires_in) = (audience(), an_hour());
        TokenRequest {
            sub,
            groups,
            aud,
            expires_in,
            iss: None,
            not_before: None,
            scope: all_scopes(),
            token_use: None,
            signed_by: Signer::Issuer,
        }
    }
}

/// Returns the seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

fn audience() -> String {
    "plumbline".to_owned()
}

fn all_scopes() -> String {
    "openid plumbline/read plumbline/write plumbline/reveal".to_owned()
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
    #[serde(skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_use: Option<String>,
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
    let signed = spawn_blocking(move || sign(&issuer, request)).await;
    match signed.map_err(anyhow::Error::from).flatten() {
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
    let now = now();
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
        // A token that expired in the past was issued before that time.
        iat: now.min(now.saturating_add(request.expires_in)),
        exp: now.saturating_add(request.expires_in),
        nbf: request.not_before.map(|seconds| now.saturating_add(seconds)),
        scope: request.scope,
        token_use: request.token_use,
    };
    let issuers_key = issuer.signing()?;
    let key = match request.signed_by {
        Signer::Issuer => issuers_key,
        Signer::Stranger => Key::fresh()?,
        Signer::Forger => Key { id: issuers_key.id, ..Key::fresh()? },
    };
    let header = Header { kid: Some(key.id), ..Header::new(Algorithm::RS256) };
    Ok(encode(&header, &claims, &key.signing)?)
}
