use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::SystemTime;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ports::question::Stamp;
use ports::scope::GroupSettings;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use super::*;

const RESOURCE: &str = "https://api.example/mcp";

/// An issuer on this machine with one key.
struct Issuer {
    address: String,
    key: EcdsaKeyPair,
}

impl Issuer {
    fn start() -> Issuer {
        install();
        let random = SystemRandom::new();
        let pkcs8 =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random)
                .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let point = key.public_key().as_ref();
        let (x, y) = (encoded(&point[1..33]), encoded(&point[33..]));
        let keys = json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "one", "x": x, "y": y}]});
        let configuration = json!({"issuer": address, "jwks_uri": format!("{address}/jwks.json")});
        std::thread::spawn(move || serve(&listener, &keys.to_string(), &configuration.to_string()));
        Issuer { address, key }
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let head = format!(
            "{}.{}",
            encoded(header.to_string().as_bytes()),
            encoded(claims.to_string().as_bytes())
        );
        let signature = self.key.sign(&SystemRandom::new(), head.as_bytes()).unwrap();
        format!("{head}.{}", encoded(signature.as_ref()))
    }

    fn settings(&self) -> Settings {
        let groups =
            GroupSettings { claim: "groups".into(), admins: "admins".into(), scope_prefix: None };
        Settings::of_tests(&self.address, "plumbline,machines", groups)
    }

    /// A token whose claims are good but for those that are given here.
    fn good_but(&self, changed: &Value) -> String {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let mut claims = json!({
            "iss": self.address, "aud": "plumbline", "sub": "ann", "exp": now + 600, "groups": ["ops", "eu west"],
        });
        for (name, value) in changed.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        self.token(&json!({"alg": "ES256", "kid": "one"}), &claims)
    }
}

fn serve(listener: &TcpListener, keys: &str, configuration: &str) {
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut head = [0; 1024];
        let read = stream.read(&mut head).unwrap();
        let body = if head[..read].starts_with(b"GET /jwks") { keys } else { configuration };
        let reply = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(reply.as_bytes()).unwrap();
    }
}

fn encoded(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn request(authorization: &str) -> PlainRequest {
    PlainRequest {
        route: None,
        method: "POST".into(),
        path: "/mcp".into(),
        headers: HashMap::from([("authorization".into(), authorization.into())]),
        body: Ok(Vec::new()),
        base: "https://api.example".into(),
        keyed: None,
        stamp: Stamp { id: "01A".into(), time: "2026-11-20T18:00:00Z".parse().unwrap() },
        deadline: SystemTime::now(),
    }
}

fn asked(issuer: &Issuer, settings: &Settings, token: &str) -> Result<Caller, Refusal> {
    let keys = Arc::new(Keys::of(&issuer.address));
    known(&request(&format!("Bearer {token}")), settings, &keys)
}

#[tokio::main(flavor = "current_thread")]
async fn known(
    request: &PlainRequest,
    settings: &Settings,
    keys: &Arc<Keys>,
) -> Result<Caller, Refusal> {
    caller(request, settings, keys, RESOURCE).await
}

#[test]
fn a_good_token_names_the_caller_and_their_groups() {
    let issuer = Issuer::start();
    let settings = issuer.settings();
    for audience in [json!("plumbline"), json!(RESOURCE), json!(["other", RESOURCE])] {
        let token = issuer.good_but(&json!({"aud": audience}));
        let caller = asked(&issuer, &settings, &token).unwrap();
        assert_eq!((caller.sub.as_str(), caller.groups.len()), ("ann", 2));
    }
    for client in ["plumbline", "machines"] {
        let of_cognito = issuer.good_but(&json!({"aud": null, "client_id": client}));
        assert!(asked(&issuer, &settings, &of_cognito).is_ok());
    }
}

#[test]
fn any_other_token_is_refused() {
    let issuer = Issuer::start();
    let settings = issuer.settings();
    for changed in [
        json!({"exp": 1_000}),
        json!({"exp": null}),
        json!({"nbf": 9_999_999_999_u64}),
        json!({"iss": "https://other.example"}),
        json!({"iss": null}),
        json!({"aud": "other"}),
        json!({"aud": 7}),
        json!({"aud": null}),
        json!({"aud": null, "client_id": "other"}),
        json!({"aud": "other", "client_id": "plumbline"}),
        json!({"aud": format!("{RESOURCE}/")}),
        json!({"token_use": "id"}),
        json!({"typ": "ID"}),
        json!({"nonce": "n"}),
        json!({"at_hash": "h"}),
        json!({"sub": null}),
        json!({"sub": ""}),
    ] {
        let refused = asked(&issuer, &settings, &issuer.good_but(&changed));
        assert_eq!(refused.unwrap_err(), Refusal::BadToken, "{changed}");
    }
    let good = issuer.good_but(&json!({}));
    let (head, signature) = good.rsplit_once('.').unwrap();
    let unsigned = issuer.token(&json!({"alg": "none", "kid": "one"}), &json!({"sub": "ann"}));
    let of_another_key =
        issuer.token(&json!({"alg": "ES256", "kid": "two"}), &json!({"sub": "ann"}));
    for token in [
        head,
        &format!("{head}."),
        &format!("{head}.{}", &signature[4..]),
        &unsigned,
        &of_another_key,
        "a",
    ] {
        assert_eq!(asked(&issuer, &settings, token).unwrap_err(), Refusal::BadToken, "{token}");
    }
}

#[test]
fn a_scope_that_is_demanded_must_be_there() {
    let issuer = Issuer::start();
    let settings = Settings { read_scope: Some("plumbline/ask".into()), ..issuer.settings() };
    let with = |changed: Value| issuer.good_but(&changed);
    let refused = asked(&issuer, &settings, &with(json!({"scope": "openid plumbline/asking"})));
    assert_eq!(refused.unwrap_err(), Refusal::NoScope { scope: "plumbline/ask".into() });
    assert!(asked(&issuer, &settings, &with(json!({"scope": "openid plumbline/ask"}))).is_ok());
    assert!(asked(&issuer, &settings, &with(json!({"scp": "plumbline/ask"}))).is_ok());
}

#[test]
fn without_a_token_or_an_issuer_the_caller_learns_which() {
    let issuer = Issuer::start();
    let keys = Arc::new(Keys::of(&issuer.address));
    let settings = issuer.settings();
    for header in ["", "Basic YTpi", "Bearer"] {
        let refused = known(&request(header), &settings, &keys);
        assert_eq!(refused.unwrap_err(), Refusal::NoToken, "{header}");
    }
    let gone = Arc::new(Keys::of("http://127.0.0.1:9"));
    let token = format!("Bearer {}", issuer.good_but(&json!({})));
    let refused = known(&request(&token), &settings, &gone);
    assert_eq!(refused.unwrap_err(), Refusal::NoKeys);
}
