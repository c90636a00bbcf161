//! Several people, whose tokens an issuer signs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::time::SystemTime;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

use crate::running::{Folders, Running, has_model, wait};

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// An issuer of tokens.
struct Issuer {
    url: String,
    key: EcdsaKeyPair,
}

impl Issuer {
    /// Starts an issuer that tells its configuration and its key.
    fn start() -> Issuer {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let key = EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random).unwrap();
        let (x, y) = key.public_key().as_ref()[1..].split_at(32);
        let (x, y) = (encoded(x), encoded(y));
        let keys = json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "one", "x": x, "y": y}]});
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let about = json!({"issuer": url, "jwks_uri": format!("{url}/keys")});
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, mut asked) = (stream.unwrap(), [0; 1024]);
                let length = stream.read(&mut asked).unwrap();
                let is_keys = asked[..length].starts_with(b"GET /keys");
                let body = if is_keys { &keys } else { &about }.to_string();
                let head = format!("content-length: {}\r\nconnection: close", body.len());
                write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}").unwrap();
            }
        });
        Issuer { url, key }
    }

    fn token(&self, sub: &str, groups: &[&str], audience: &str) -> String {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let header = json!({"alg": "ES256", "kid": "one"}).to_string();
        let claims = json!({"sub": sub, "groups": groups, "aud": audience, "iss": self.url, "exp": now + 600});
        let signed = format!("{}.{}", encoded(header), encoded(claims.to_string()));
        let signature = self.key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", encoded(signature))
    }
}

/// Makes a request; returns the status and the reply.
fn call(running: &Running, token: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = config.build().into();
    let request = ureq::http::Request::builder().method(method);
    let request = request.uri(format!("{}{path}", running.url));
    let request = request.header("authorization", format!("Bearer {token}"));
    let request = request.header("content-type", "application/json");
    let bytes = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).unwrap() };
    let mut answer = agent.run(request.body(bytes).unwrap()).unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap_or_default())
}

#[test]
fn people_of_an_issuer_have_documents_of_their_own_and_share_those_of_everyone() {
    if !has_model() {
        return;
    }
    let (folders, issuer) = (Folders::new(), Issuer::start());
    folders.write("pump.md", "# Pump\n\nThe valve of the pump is blue.\n");
    let url = "https://plumbline.example";
    let people = ["--issuer", &issuer.url, "--audience", "plumbline", "--public-url", url];
    let running = folders.start_with(&people);
    wait(|| running.documents().values().any(|one| one["status"] == "indexed").then_some(()));
    let ana = issuer.token("ana", &[], "plumbline");
    let question = json!({"question": "what color is the valve?"});
    let (status, reply) = call(&running, &ana, "POST", "/v1/global/answer", &question);
    assert_eq!(status, 200, "{reply}");
    assert!(reply.to_string().contains("The valve of the pump is blue."), "{reply}");
    let document = json!({"name": "a.md", "content_type": "text/markdown", "bytes": 5});
    let announced = |token: &str, base: &str| {
        call(&running, token, "POST", &format!("/v1/{base}/documents"), &document)
    };
    assert_eq!(announced(&ana, "global").0, 403, "everyone's are for administrators");
    let (status, reply) = announced(&ana, "users/me");
    assert_eq!(status, 200, "{reply}");
    assert!(reply.to_string().contains(url), "uploads go where people come: {reply}");
    let listed = |token: &str| {
        let (_, list) = call(&running, token, "GET", "/v1/users/me/documents", &Value::Null);
        list["documents"].as_array().unwrap().len()
    };
    assert_eq!((listed(&ana), listed(&issuer.token("bo", &[], "plumbline"))), (1, 0));
    let keeper = issuer.token("cy", &["knowledge-admins"], "plumbline");
    assert_eq!(announced(&keeper, "global").0, 200);
    let refused = [
        issuer.token("ana", &[], "another"),
        issuer.token("me", &[], "plumbline"),
        Issuer::start().token("ana", &[], "plumbline"),
        "7".into(),
    ];
    for token in refused {
        assert_eq!(call(&running, &token, "GET", "/v1/knowledge", &Value::Null).0, 401);
    }
    let host = |name: &str| {
        let request = ureq::get(format!("{}/openapi.json", running.url)).header("host", name);
        request.config().http_status_as_error(false).build().call().unwrap().status().as_u16()
    };
    assert_eq!([host("plumbline.example"), host("other.example")], [200, 400]);
    let place = "/.well-known/oauth-protected-resource/mcp";
    let (_, about) = call(&running, "", "GET", place, &Value::Null);
    assert_eq!(about["authorization_servers"][0], issuer.url.as_str());
    assert_eq!(about["resource"], format!("{url}/mcp"));
}

#[test]
fn without_an_issuer_nothing_says_where_tokens_come_from() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    let running = folders.start();
    let place = "/.well-known/oauth-protected-resource/mcp";
    assert_eq!(call(&running, "", "GET", place, &Value::Null).0, 401);
}

#[test]
fn scopes_and_rates_hold_for_people_of_an_issuer_and_not_for_the_owner() {
    if !has_model() {
        return;
    }
    let (folders, issuer) = (Folders::new(), Issuer::start());
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline"));
    command.env("READ_SCOPE", "plumbline/read").env("CALLER_RATE", "1").env("CALLER_BURST", "1");
    let people = ["--issuer", &issuer.url, "--audience", "plumbline"];
    let running = Running::of(command, &folders.documents, &folders.state, &people);
    let ana = issuer.token("ana", &[], "plumbline");
    assert_eq!(call(&running, &ana, "GET", "/v1/knowledge", &Value::Null).0, 403);
    for _ in 0..3 {
        assert_eq!(call(&running, &running.token, "GET", "/v1/knowledge", &Value::Null).0, 200);
    }
}
