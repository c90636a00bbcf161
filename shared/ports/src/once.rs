//! A request that takes effect once, however often it is sent.

use jiff::SignedDuration;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::question::Stamp;
use crate::scope::Caller;
use crate::{Guard, Requests};
use model::{Error, Result};

/// The time for which an answer is stored.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Upper bound for the characters of a caller's key.
const LONGEST: usize = 255;

/// A request as received.
#[derive(Debug, Clone, Copy)]
pub struct Once<'a> {
    /// The route and its parameters. The same key on another route is another request.
    pub route: &'a str,
    /// The caller's `Idempotency-Key`, if any.
    pub key: Option<&'a str>,
    /// The body.
    pub body: &'a [u8],
}

/// The sender and the time of a request, with the store of earlier ones.
#[derive(Clone, Copy)]
pub struct Sender<'a> {
    /// The sender.
    pub caller: &'a Caller,
    /// The id and the time of the request.
    pub stamp: &'a Stamp,
    /// The store of earlier requests.
    pub requests: &'a dyn Requests,
}

impl Once<'_> {
    /// Returns the key as it is stored.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid key.
    pub fn key(&self) -> Result<Option<String>> {
        let Some(key) = self.key else { return Ok(None) };
        let is_key = !key.is_empty() && key.len() <= LONGEST;
        if !is_key || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            let reason = format!("must have 1 to {LONGEST} visible ASCII characters");
            return Err(Error::invalid("Idempotency-Key", reason));
        }
        Ok(Some(format!("{}#{key}", self.route)))
    }

    /// Returns the answer to an earlier request with this key.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the key came with another body.
    pub async fn earlier<T: DeserializeOwned>(&self, sender: Sender<'_>) -> Result<Option<T>> {
        let Some(key) = self.key()? else { return Ok(None) };
        let kept = sender.requests.kept(&sender.caller.sub, &key, sender.stamp.time).await?;
        let Some(kept) = kept else { return Ok(None) };
        if kept.hash != hash(self.body) {
            let reason = "was sent with another body before, and is kept for 24 hours";
            return Err(Error::conflict("Idempotency-Key", reason));
        }
        let answer = serde_json::from_str(&kept.answer);
        answer.map(Some).map_err(|error| Error::unavailable("the table", error))
    }

    /// Returns the answer to the first of two simultaneous requests.
    pub async fn repeated<T: DeserializeOwned>(&self, sender: Sender<'_>) -> Result<T> {
        let earlier = self.earlier(sender).await?;
        earlier.ok_or_else(|| Error::unavailable("the table", "a kept answer is not there"))
    }

    /// Returns the guard that prevents a second effect.
    pub fn guard(&self, sender: Sender<'_>, key: String, answer: &impl Serialize) -> Result<Guard> {
        let answer = serde_json::to_string(answer)
            .map_err(|error| Error::unavailable("the answer", error))?;
        Ok(Guard {
            user: sender.caller.sub.clone(),
            key,
            hash: hash(self.body),
            answer,
            at: sender.stamp.time,
            until: sender.stamp.time + KEPT,
        })
    }
}

fn hash(body: &[u8]) -> String {
    model::document::hexadecimal(&Sha256::digest(body))
}
