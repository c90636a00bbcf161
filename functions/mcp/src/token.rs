//! Bearer tokens (RFC 6750): JSON Web Tokens by RS256 or ES256 (RFC 7519), checked with ring.

use std::sync::Arc;

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::signature::{Error as WrongSignature, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, Validation, decode, decode_header};
use lambda::PlainRequest;
use ports::scope::Caller;
use ring::signature as sign;
use serde_json::{Map, Value};

use crate::challenge::Refusal;
use crate::keys::Keys;
use crate::settings::Settings;

/// The seconds that two clocks may differ.
const LEEWAY: u64 = 60;

/// The caller of a request whose token is good, or whose key the gateway found good.
pub(crate) async fn caller(
    request: &PlainRequest,
    settings: &Settings,
    keys: &Arc<Keys>,
    resource: &str,
) -> Result<Caller, Refusal> {
    if let Some(keyed) = &request.keyed {
        return keyed.caller(&settings.groups.admins).ok_or(Refusal::BadToken);
    }
    let token = request.header("authorization").and_then(lambda::bearer).ok_or(Refusal::NoToken)?;
    let id = decode_header(token).ok().and_then(|header| header.kid).ok_or(Refusal::BadToken)?;
    let key = found(keys, id).await.map_err(|cause| {
        tracing::error!(cause, "the issuer's keys could not be fetched");
        Refusal::NoKeys
    })?;
    let key = key.ok_or(Refusal::BadToken)?;
    let claims = claims(token, &key, settings, resource).map_err(|_| Refusal::BadToken)?;
    let caller = lambda::caller_of(&claims, &settings.groups).ok_or(Refusal::BadToken)?;
    match &settings.read_scope {
        Some(scope) if !caller.scopes.contains(scope) => {
            Err(Refusal::NoScope { scope: scope.clone() })
        }
        _ => Ok(caller),
    }
}

/// Finds a key. Other requests go on while it waits for the issuer.
async fn found(keys: &Arc<Keys>, id: String) -> Result<Option<Jwk>, String> {
    let keys = Arc::clone(keys);
    let found = tokio::task::spawn_blocking(move || keys.find(&id)).await;
    found.unwrap_or_else(|error| Err(error.to_string()))
}

/// The claims of a token that is signed with `key`, by our issuer, for us, and holds now.
///
/// For us is what names the deployment's audience or the address of this server (RFC 8707). Amazon
/// Cognito leaves `aud` out of access tokens and names the client instead, as API Gateway takes it.
fn claims(
    token: &str,
    key: &Jwk,
    settings: &Settings,
    resource: &str,
) -> Result<Map<String, Value>, Error> {
    let mut validation = Validation::new(algorithm(key).ok_or(ErrorKind::UnsupportedAlgorithm)?);
    validation.set_issuer(&[&settings.issuer]);
    validation.set_required_spec_claims(&["exp", "iss"]);
    validation.validate_nbf = true;
    validation.validate_aud = false;
    validation.leeway = LEEWAY;
    let claims: Map<String, Value> =
        decode(token, &DecodingKey::from_jwk(key)?, &validation)?.claims;
    let is_known = |audience: &str| settings.audiences.iter().any(|own| own == audience);
    let is_ours = |audience: &str| audience == resource || is_known(audience);
    let is_for_us = match claims.get("aud") {
        Some(Value::String(audience)) => is_ours(audience),
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).any(is_ours),
        Some(_) => false,
        None => claims.get("client_id").and_then(Value::as_str).is_some_and(is_known),
    };
    if is_for_us { Ok(claims) } else { Err(ErrorKind::InvalidAudience.into()) }
}

/// The algorithm is the key's, never the token's own.
fn algorithm(key: &Jwk) -> Option<Algorithm> {
    if key.common.public_key_use == Some(PublicKeyUse::Encryption) {
        return None;
    }
    match &key.algorithm {
        AlgorithmParameters::RSA(_) => Some(Algorithm::RS256),
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
            Some(Algorithm::ES256)
        }
        _ => None,
    }
}

/// ring as the cryptography of jsonwebtoken, since TLS links it already.
static RING: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: |algorithm, key| match algorithm {
        Algorithm::RS256 | Algorithm::ES256 => Ok(Box::new(Ring(*algorithm, key.clone()))),
        _ => Err(ErrorKind::UnsupportedAlgorithm.into()),
    },
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes ring the cryptography; once, before the first token comes.
pub(crate) fn install() {
    // A second call finds it installed.
    let _ = RING.install_default();
}

struct Ring(Algorithm, DecodingKey);

impl Verifier<Vec<u8>> for Ring {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), WrongSignature> {
        let verified = match (self.0, self.1.kind()) {
            (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
                let key = sign::RsaPublicKeyComponents { n, e };
                key.verify(&sign::RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
            (Algorithm::ES256, DecodingKeyKind::SecretOrDer(point)) => {
                let key = sign::UnparsedPublicKey::new(&sign::ECDSA_P256_SHA256_FIXED, point);
                key.verify(message, signature)
            }
            _ => return Err(WrongSignature::new()),
        };
        verified.map_err(|_| WrongSignature::new())
    }
}

impl JwtVerifier for Ring {
    fn algorithm(&self) -> Algorithm {
        self.0
    }
}

#[cfg(test)]
mod tests;
