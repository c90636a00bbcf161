//! Checks who sends alerts.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use model::{Error, Result};
use ring::hmac;

use crate::Vendors;
use crate::route::{AlertRoute, Auth};
use crate::vendor::{Signature, secret};

/// The headers of a request; their names are compared in any capitals.
pub type Headers = HashMap<String, String>;

/// The secrets by the names that routes have for them.
pub type Secrets = HashMap<String, String>;

/// The farthest that the time of a signature may be from now. What is older was perhaps sent again
/// by somebody who listened.
const WINDOW: SignedDuration = SignedDuration::from_mins(5);

/// Checks that a request comes from the sender of a route with a key or a signature.
///
/// # Errors
/// [`Error::Unproven`] if it does not, or if the secret is not set.
pub fn check(
    route: &AlertRoute,
    vendors: &Vendors,
    secrets: &Secrets,
    headers: &Headers,
    body: &[u8],
    now: Timestamp,
) -> Result<()> {
    let name = route.secret.as_deref().unwrap_or_default();
    let key = secrets.get(name).filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| unproven("this route has no secret yet"))?;
    let signature = vendors.get(&route.vendor).and_then(|vendor| vendor.signature.as_ref());
    match (route.auth, signature) {
        (Auth::Hmac, Some(signature)) => signature.check(key, headers, body, now),
        (Auth::Bearer, _) if has_key(headers, key) => Ok(()),
        _ => Err(unproven("the key in `authorization` is not this route's")),
    }
}

/// Returns the headers that sign a body as a vendor signs it. `id` stays the same when it is sent
/// again, so that a receiver takes it once.
///
/// # Errors
/// [`Error::Invalid`] for a vendor that is unknown, or that does not sign.
pub fn signed(
    vendors: &Vendors,
    vendor: &str,
    key: &str,
    id: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<Headers> {
    let known = vendors.get(vendor).and_then(|vendor| vendor.signature.as_ref());
    let signature = known.ok_or_else(|| Error::invalid("vendor", "is unknown or does not sign"))?;
    Ok(signature.headers(key, id, body, now))
}

fn unproven(reason: &str) -> Error {
    Error::Unproven { reason: reason.into() }
}

fn header<'h>(headers: &'h Headers, name: &str) -> Option<&'h str> {
    let mut headers = headers.iter();
    headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Compares by a keyed hash, whose time says nothing of the key.
fn has_key(headers: &Headers, key: &str) -> bool {
    let given = header(headers, "authorization").and_then(|value| value.trim().split_once(' '));
    let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let mac = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    let wanted = hmac::sign(&mac, key.as_bytes());
    given.is_some_and(|(_, given)| {
        hmac::verify(&mac, given.trim().as_bytes(), wanted.as_ref()).is_ok()
    })
}

impl Signature {
    fn check(&self, key: &str, headers: &Headers, body: &[u8], now: Timestamp) -> Result<()> {
        let given = header(headers, &self.header);
        let given =
            given.ok_or_else(|| unproven(&format!("the header `{}` is missing", self.header)))?;
        let mut values = Vec::new();
        for name in &self.headers {
            let value = header(headers, name);
            let reason = || unproven(&format!("the header `{name}` is missing: it is signed, too"));
            values.push(value.ok_or_else(reason)?);
        }
        let content = self.content(&values, body);
        let mac = hmac::Key::new(hmac::HMAC_SHA256, &secret(key));
        let is_right =
            self.signatures(given).iter().any(|tag| hmac::verify(&mac, &content, tag).is_ok());
        if !is_right {
            return Err(unproven(&format!("`{}` is no signature of this body", self.header)));
        }
        self.check_time(headers, now)
    }

    fn check_time(&self, headers: &Headers, now: Timestamp) -> Result<()> {
        let Some(name) = &self.timestamp else { return Ok(()) };
        let seconds = header(headers, name).and_then(|value| value.trim().parse().ok());
        let at = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        let at = at.ok_or_else(|| unproven(&format!("`{name}` must be seconds since 1970")))?;
        if at.duration_since(now).abs() <= WINDOW {
            return Ok(());
        }
        let minutes = WINDOW.as_mins();
        Err(unproven(&format!("`{name}` is more than {minutes} minutes from now: sign it again")))
    }

    /// Returns the signatures in a header, which may have several, separated by commas or blanks.
    fn signatures(&self, given: &str) -> Vec<Vec<u8>> {
        // A prefix may have a comma itself.
        let parts: Vec<&str> = match self.prefix.as_str() {
            "" => given.split([' ', ',']).collect(),
            prefix => given.split(prefix).skip(1).collect(),
        };
        let bare = parts.iter().map(|part| part.trim().trim_end_matches(','));
        let bare = bare.filter_map(|part| part.split([' ', ',']).next());
        bare.filter_map(|part| self.encoding.decode(part)).collect()
    }

    fn content(&self, values: &[&str], body: &[u8]) -> Vec<u8> {
        let mut content = Vec::with_capacity(body.len() + 100);
        for value in values {
            content.extend_from_slice(value.as_bytes());
            content.extend_from_slice(self.separator.as_bytes());
        }
        content.extend_from_slice(body);
        content
    }

    fn headers(&self, key: &str, id: &str, body: &[u8], now: Timestamp) -> Headers {
        let seconds = now.as_second().to_string();
        let value = |name: &String| {
            let is_time = Some(name) == self.timestamp.as_ref();
            if is_time { seconds.as_str() } else { id }
        };
        let values: Vec<&str> = self.headers.iter().map(value).collect();
        let mac = hmac::Key::new(hmac::HMAC_SHA256, &secret(key));
        let tag = hmac::sign(&mac, &self.content(&values, body));
        let signature = format!("{}{}", self.prefix, self.encoding.encode(tag.as_ref()));
        let beside = self.headers.iter().cloned().zip(values.into_iter().map(str::to_owned));
        beside.chain([(self.header.clone(), signature)]).collect()
    }
}

#[cfg(test)]
mod tests;
