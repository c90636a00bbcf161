//! The token issuer.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Value, json};

use crate::spawn::{Local, delete};

/// Checks a token as a gateway would: its key by discovery, then its issuer, audience and time.
fn verified(local: &Local, token: &str) -> Result<Value, jsonwebtoken::errors::Error> {
    let (_, discovery) = local.get("/.well-known/openid-configuration");
    let path = discovery["jwks_uri"].as_str().unwrap().strip_prefix(local.http()).unwrap();
    let keys: JwkSet = serde_json::from_value(local.get(path).1).unwrap();
    let key = keys.find(&decode_header(token)?.kid.unwrap()).unwrap();
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_issuer(&[discovery["issuer"].as_str().unwrap()]);
    validation.set_audience(&["plumbline"]);
    validation.validate_nbf = true;
    Ok(decode::<Value>(token, &DecodingKey::from_jwk(key)?, &validation)?.claims)
}

fn token(local: &Local, query: &str) -> String {
    let (status, answer) = local.get(&format!("/token?{query}"));
    assert_eq!(status, 200, "{answer}");
    answer["access_token"].as_str().unwrap().to_owned()
}

#[test]
fn a_token_verifies_and_carries_its_claims() {
    let local = Local::start(&[]);
    let claims = verified(&local, &token(&local, "sub=ada&groups=team-a,admins")).unwrap();
    assert_eq!(claims["sub"], "ada");
    assert_eq!(claims["groups"], json!(["team-a", "admins"]));
}

#[test]
fn expired_misaddressed_and_foreign_tokens_do_not_verify() {
    let local = Local::start(&[]);
    for query in [
        "sub=ada&expires_in=-3600",
        "sub=ada&aud=other",
        "sub=ada&iss=http://elsewhere",
        "sub=ada&not_before=3600",
        "sub=ada&signed_by=forger",
    ] {
        assert!(verified(&local, &token(&local, query)).is_err(), "{query}");
    }
    let stranger = token(&local, "sub=ada&signed_by=stranger");
    let keys: JwkSet = serde_json::from_value(local.get("/jwks.json").1).unwrap();
    assert!(keys.find(&decode_header(&stranger).unwrap().kid.unwrap()).is_none());
}

#[test]
fn a_rotated_key_signs_beside_the_one_before_until_it_is_withdrawn() {
    let local = Local::start(&[]);
    let before = token(&local, "sub=ada");
    assert_eq!(local.post("/keys", &Value::Null).0, 200);
    let after = token(&local, "sub=ada");
    let id = |token: &str| decode_header(token).unwrap().kid.unwrap();
    assert_ne!(id(&before), id(&after));
    for signed in [&before, &after] {
        assert_eq!(verified(&local, signed).unwrap()["sub"], "ada");
    }
    delete(&format!("{}/keys", local.http()));
    let keys: JwkSet = serde_json::from_value(local.get("/jwks.json").1).unwrap();
    assert!(keys.find(&id(&after)).is_none());
    assert_eq!(id(&token(&local, "sub=ada")), id(&before));
}

#[test]
fn a_token_for_nobody_is_refused() {
    let local = Local::start(&[]);
    let (status, answer) = local.get("/token?groups=a");
    assert_eq!(status, 400);
    assert!(answer["error_description"].as_str().unwrap().contains("sub"), "{answer}");
}

#[test]
fn a_kept_key_outlives_a_restart_and_the_issuer_is_named_as_told() {
    let keys = tempfile::tempdir().unwrap();
    let arguments =
        ["--keys", keys.path().to_str().unwrap(), "--issuer-url", "http://127.0.0.1:1/issuer/"];
    let first = Local::start(&arguments).get("/jwks.json").1;
    let again = Local::start(&arguments);
    assert_eq!(first, again.get("/jwks.json").1);
    assert_eq!(
        again.get("/.well-known/openid-configuration").1["issuer"],
        "http://127.0.0.1:1/issuer"
    );
}
