//! The keys that tokens are signed with, fetched from their issuer and kept apart from checking.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, JwkSet};
use serde::Deserialize;

/// A key that is not known has the keys fetched again, at most this often, whether the issuer
/// answers or not.
const AT_MOST_EVERY: Duration = Duration::from_mins(1);

/// Keys are fetched again after this long, so that one that was withdrawn is.
const AT_LEAST_EVERY: Duration = Duration::from_mins(15);

/// Keys are forgotten when the issuer has not confirmed them for this long.
const KEPT: Duration = Duration::from_hours(2);

/// The longest that the issuer may take for one of its two answers.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The most bytes of an issuer's answer.
const BYTES: u64 = 256 * 1024;

/// The keys of an issuer.
pub(crate) struct Keys {
    issuer: String,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    keys: Option<JwkSet>,
    /// When they were fetched.
    fetched: Option<Instant>,
    /// When the issuer was asked last.
    asked: Option<Instant>,
    /// Why it did not answer then.
    failure: Option<String>,
}

/// The part of an OpenID configuration that is read (OpenID Connect Discovery 1.0, 3).
#[derive(Deserialize)]
struct Configuration {
    issuer: String,
    jwks_uri: String,
}

impl Keys {
    /// The keys of this issuer, of which none is fetched yet.
    pub(crate) fn of(issuer: &str) -> Keys {
        Keys { issuer: issuer.into(), kept: Mutex::default() }
    }

    /// The key with this id; `None` where the issuer has none. It blocks while it waits for the
    /// issuer.
    ///
    /// # Errors
    /// A reason for the log, where the issuer does not answer.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Jwk>, String> {
        self.find_at(id, Instant::now())
    }

    fn find_at(&self, id: &str, now: Instant) -> Result<Option<Jwk>, String> {
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = kept.keys.as_ref().and_then(|keys| keys.find(id)).cloned();
        let patience = if known.is_some() { AT_LEAST_EVERY } else { AT_MOST_EVERY };
        if kept.asked.is_none_or(|at| now - at >= patience) {
            kept.asked = Some(now);
            kept.failure = match fetch(&self.issuer) {
                Ok(keys) => {
                    (kept.keys, kept.fetched) = (Some(keys), kept.asked);
                    None
                }
                // The keys from before are good for a while.
                Err(failure) => Some(failure),
            };
        }
        if kept.fetched.is_some_and(|at| now - at >= KEPT) {
            kept.keys = None;
        }
        match (kept.keys.as_ref().and_then(|keys| keys.find(id)), &kept.failure) {
            (None, Some(failure)) => Err(failure.clone()),
            (key, _) => Ok(key.cloned()),
        }
    }
}

/// Fetches the keys of an issuer. No answer may send elsewhere.
fn fetch(issuer: &str) -> Result<JwkSet, String> {
    let config = ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).max_redirects(0);
    let agent: ureq::Agent = config.max_redirects_will_error(true).build().into();
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    get(&agent, &address_of_keys(issuer, get(&agent, &address)?)?)
}

/// Returns the address of the keys. The configuration must name the same issuer (OpenID Connect
/// Discovery 1.0, 4.3), and its keys come encrypted where it did.
fn address_of_keys(issuer: &str, configuration: Configuration) -> Result<String, String> {
    let Configuration { issuer: named, jwks_uri } = configuration;
    if named != issuer {
        return Err(format!("the configuration of {issuer} is for another issuer, {named}"));
    }
    if issuer.starts_with("https://") && !jwks_uri.starts_with("https://") {
        return Err(format!("the keys of {issuer} would come without encryption, from {jwks_uri}"));
    }
    Ok(jwks_uri)
}

fn get<T: serde::de::DeserializeOwned>(agent: &ureq::Agent, address: &str) -> Result<T, String> {
    let failed = |error: ureq::Error| format!("{address}: {error}");
    let mut answer = agent.get(address).call().map_err(failed)?;
    answer.body_mut().with_config().limit(BYTES).read_json().map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;
    use serde_json::json;

    fn configuration(issuer: &str, jwks_uri: &str) -> Configuration {
        Configuration { issuer: issuer.into(), jwks_uri: jwks_uri.into() }
    }

    /// Starts a server that gives these replies one after another, and then is gone.
    fn server(listener: TcpListener, replies: Vec<String>) {
        thread::spawn(move || {
            for reply in replies {
                let (mut stream, _) = listener.accept().unwrap();
                let _ = stream.read(&mut [0; 1024]).unwrap();
                stream.write_all(reply.as_bytes()).unwrap();
            }
        });
    }

    fn ok(body: &str) -> String {
        let length = body.len();
        format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
    }

    #[test]
    fn keys_of_another_issuer_and_keys_without_encryption_are_refused() {
        let of = |issuer: &str, jwks_uri: &str| {
            address_of_keys("https://issuer.example", configuration(issuer, jwks_uri))
        };
        let keys = "https://keys.example/jwks.json";
        assert_eq!(of("https://issuer.example", keys).unwrap(), keys);
        assert!(of("https://issuer.example/other", keys).is_err());
        assert!(of("https://issuer.example", "http://keys.example/jwks.json").is_err());
    }

    #[test]
    fn a_redirect_is_not_followed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = format!("http://{}", elsewhere.local_addr().unwrap());
        let body = json!({"issuer": issuer, "jwks_uri": format!("{there}/jwks.json")});
        server(elsewhere, vec![ok(&body.to_string()), ok(r#"{"keys": []}"#)]);
        let moved = format!(
            "HTTP/1.1 302 Found\r\nlocation: {there}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        server(listener, vec![moved]);
        assert!(Keys::of(&issuer).find("one").is_err());
    }

    #[test]
    fn keys_that_the_issuer_no_longer_confirms_are_forgotten_after_two_hours() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let body = json!({"issuer": issuer, "jwks_uri": format!("{issuer}/jwks.json")});
        let key = json!({"kty": "EC", "crv": "P-256", "kid": "one", "x": "AA", "y": "AA"});
        let keys = json!({"keys": [key]});
        server(listener, vec![ok(&body.to_string()), ok(&keys.to_string())]);
        let (keys, now) = (Keys::of(&issuer), Instant::now());
        assert!(keys.find_at("one", now).unwrap().is_some());
        assert!(keys.find_at("one", now + Duration::from_mins(119)).unwrap().is_some());
        assert!(keys.find_at("one", now + KEPT).is_err());
    }
}
