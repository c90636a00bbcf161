//! Signing in through a browser: the authorization code flow with PKCE (RFC 7636), for anyone who
//! gives a name.
//!
//! Codes and refresh tokens are texts signed by the issuer, so that nothing has to be stored.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, Query, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Issuer, TokenRequest, failure};

/// The request with which a browser signs in.
#[derive(Deserialize)]
pub(super) struct Request {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    state: String,
    code_challenge: String,
    code_challenge_method: String,
    /// The user who signs in.
    #[serde(default = "demo")]
    login_hint: String,
    /// Their groups, separated by commas.
    #[serde(default = "admins")]
    groups: String,
}

fn demo() -> String {
    "demo".into()
}

fn admins() -> String {
    "knowledge-admins".into()
}

/// The content of a code or a refresh token.
#[derive(Serialize, Deserialize)]
struct Proof {
    sub: String,
    groups: String,
    client_id: String,
    redirect_uri: String,
    /// Empty for a refresh token.
    challenge: String,
    exp: i64,
}

/// Redirects the browser back with a code.
pub(super) async fn authorize(
    State(issuer): State<Arc<Issuer>>,
    request: Result<Query<Request>, QueryRejection>,
) -> Response {
    let request = match request {
        Ok(Query(request)) => request,
        Err(err) => return failure(StatusCode::BAD_REQUEST, &err.body_text()),
    };
    if request.response_type != "code" || request.code_challenge_method != "S256" {
        return failure(StatusCode::BAD_REQUEST, "response_type is code, with a challenge by S256");
    }
    let proof = Proof {
        sub: request.login_hint,
        groups: request.groups,
        client_id: request.client_id,
        redirect_uri: request.redirect_uri.clone(),
        challenge: request.code_challenge,
        exp: super::now() + 60,
    };
    match seal(&issuer, &proof) {
        Ok(code) => {
            let state = request.state.replace('&', "%26");
            Redirect::to(&format!("{}?code={code}&state={state}", request.redirect_uri))
                .into_response()
        }
        Err(err) => failure(StatusCode::INTERNAL_SERVER_ERROR, &err.to_string()),
    }
}

/// The request that exchanges a code or a refresh token for tokens, or asks for a token of a
/// program.
#[derive(Deserialize)]
pub(super) struct Exchange {
    grant_type: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    code_verifier: String,
    #[serde(default)]
    redirect_uri: String,
    #[serde(default)]
    refresh_token: String,
}

/// Returns tokens for a code or a refresh token, or a token for a program that shows its secret
/// (RFC 6749, 4.4).
pub(super) async fn exchange(
    State(issuer): State<Arc<Issuer>>,
    headers: HeaderMap,
    request: Result<Form<Exchange>, FormRejection>,
) -> Response {
    let request = match request {
        Ok(Form(request)) => request,
        Err(err) => return failure(StatusCode::BAD_REQUEST, &err.body_text()),
    };
    if request.grant_type == "client_credentials" {
        return of_client(&issuer, &headers, request.scope);
    }
    let Some(proof) = proven(&issuer, &request) else {
        let refused = json!({"error": "invalid_grant", "error_description": "it proves nothing"});
        return (StatusCode::BAD_REQUEST, Json(refused)).into_response();
    };
    match tokens(&issuer, proof) {
        Ok(answer) => answer.into_response(),
        Err(err) => failure(StatusCode::INTERNAL_SERVER_ERROR, &err.to_string()),
    }
}

fn of_client(issuer: &Issuer, headers: &HeaderMap, scope: String) -> Response {
    let Some(client) = client(headers) else {
        let refused = json!({"error": "invalid_client"});
        return (StatusCode::UNAUTHORIZED, Json(refused)).into_response();
    };
    let aud = "machines".to_owned();
    let request = TokenRequest { aud, scope, ..TokenRequest::of(client, String::new()) };
    match super::sign(issuer, request) {
        Ok(token) => {
            let expires_in = super::an_hour();
            Json(json!({"access_token": token, "token_type": "Bearer", "expires_in": expires_in}))
                .into_response()
        }
        Err(err) => failure(StatusCode::INTERNAL_SERVER_ERROR, &err.to_string()),
    }
}

/// Returns the program that shows its secret, which is `secret of NAME` here.
fn client(headers: &HeaderMap) -> Option<String> {
    let shown = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let shown = String::from_utf8(BASE64_STANDARD.decode(shown).ok()?).ok()?;
    let (name, secret) = shown.split_once(':')?;
    (secret.replace('+', " ") == format!("secret of {name}")).then(|| name.to_owned())
}

/// Returns what the request proves; `None` if a secret is missing, wrong, from another client or
/// too old.
fn proven(issuer: &Issuer, request: &Exchange) -> Option<Proof> {
    let is_code = request.grant_type == "authorization_code";
    let sealed = if is_code { &request.code } else { &request.refresh_token };
    let proof = open(issuer, sealed)?;
    let is_known = match request.grant_type.as_str() {
        "authorization_code" => {
            proof.redirect_uri == request.redirect_uri
                && proof.challenge == challenge(&request.code_verifier)
        }
        "refresh_token" => proof.challenge.is_empty(),
        _ => false,
    };
    (is_known && proof.client_id == request.client_id).then_some(proof)
}

fn tokens(issuer: &Issuer, proof: Proof) -> anyhow::Result<Json<serde_json::Value>> {
    let token = super::sign(issuer, TokenRequest::of(proof.sub.clone(), proof.groups.clone()))?;
    let refresh =
        Proof { challenge: String::new(), exp: super::now() + 24 * super::an_hour(), ..proof };
    Ok(Json(json!({
        "access_token": token, "token_type": "Bearer", "expires_in": super::an_hour(),
        "refresh_token": seal(issuer, &refresh)?,
    })))
}

fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

fn seal(issuer: &Issuer, proof: &Proof) -> anyhow::Result<String> {
    let key = issuer.signing()?;
    Ok(encode(&Header::new(Algorithm::RS256), proof, &key.signing)?)
}

fn open(issuer: &Issuer, sealed: &str) -> Option<Proof> {
    let key = DecodingKey::from_jwk(&issuer.signing().ok()?.public).ok()?;
    Some(decode::<Proof>(sealed, &key, &Validation::new(Algorithm::RS256)).ok()?.claims)
}
