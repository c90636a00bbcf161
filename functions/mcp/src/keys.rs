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
    /// When the issuer was asked last.
    asked: Option<Instant>,
    /// Why it did not answer then.
    failure: Option<String>,
}

/// The part of an OpenID configuration that is read (OpenID Connect Discovery 1.0, 3).
#[derive(Deserialize)]
struct Configuration {
    jwks_uri: String,
}

impl Keys {
    /// The keys of this issuer, of which none is fetched yet.
    pub(crate) fn of(issuer: &str) -> Keys {
        Keys { issuer: issuer.into(), kept: Mutex::default() }
    }

    /// The key with this id; `None` where the issuer has none. It waits for the issuer where it
    /// must: nothing else is to be done meanwhile.
    ///
    /// # Errors
    /// A reason for the log, where the issuer does not answer.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Jwk>, String> {
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = kept.keys.as_ref().and_then(|keys| keys.find(id)).cloned();
        let patience = if known.is_some() { AT_LEAST_EVERY } else { AT_MOST_EVERY };
        if kept.asked.is_none_or(|at| at.elapsed() >= patience) {
            kept.asked = Some(Instant::now());
            kept.failure = match fetch(&self.issuer) {
                Ok(keys) => {
                    kept.keys = Some(keys);
                    None
                }
                // The keys from before are good while it is away.
                Err(failure) => Some(failure),
            };
        }
        match (kept.keys.as_ref().and_then(|keys| keys.find(id)), &kept.failure) {
            (None, Some(failure)) => Err(failure.clone()),
            (key, _) => Ok(key.cloned()),
        }
    }
}

fn fetch(issuer: &str) -> Result<JwkSet, String> {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).build().into();
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let configuration: Configuration = get(&agent, &address)?;
    get(&agent, &configuration.jwks_uri)
}

fn get<T: serde::de::DeserializeOwned>(agent: &ureq::Agent, address: &str) -> Result<T, String> {
    let failed = |error: ureq::Error| format!("{address}: {error}");
    let mut answer = agent.get(address).call().map_err(failed)?;
    answer.body_mut().with_config().limit(BYTES).read_json().map_err(failed)
}
