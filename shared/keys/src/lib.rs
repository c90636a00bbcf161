//! API keys of programs: who may make one, what it allows, and whether it is good.
//!
//! A token is `plumbline_`, the key's id, `_` and 43 random characters (256 bits, base64url). Only
//! its SHA-256 is stored: nobody can guess so long a secret, so that it needs no slow hash.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use model::document::hexadecimal;
use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::Caller;
use ports::{ApiKeys, StoredKey};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use wire::keys::{Key, KeyList, KeyScope, MadeKey, NewKey, PREFIX};

/// The most characters of a name.
const NAME: usize = 100;

/// The most days for which a key is good.
const DAYS: u16 = 366;

/// The most groups of a key.
const GROUPS: usize = 20;

/// The most keys that are good at a time.
const KEYS: usize = 200;

/// A use is noted again after this time.
const NOTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// Makes a key. It stands for no group that its maker lacks.
///
/// # Errors
/// [`Error::Denied`] without the group of administrators, for one who comes with a key, and for a
/// group that the maker lacks; [`Error::Invalid`] with the field that is wrong; [`Error::Conflict`]
/// if there are too many keys.
pub async fn make(
    keys: &dyn ApiKeys,
    caller: &Caller,
    stamp: &Stamp,
    new: NewKey,
) -> Result<MadeKey> {
    require_keeper(caller)?;
    let name = new.name.trim();
    if name.is_empty() || name.chars().count() > NAME {
        return Err(Error::invalid("name", format!("must have 1 to {NAME} characters")));
    }
    if !(1..=DAYS).contains(&new.days) {
        return Err(Error::invalid("days", format!("must be from 1 to {DAYS}")));
    }
    if new.groups.len() > GROUPS {
        return Err(Error::invalid("groups", format!("must be at most {GROUPS}")));
    }
    new.groups.iter().try_for_each(|group| caller.require(group))?;
    let stored = keys.api_keys().await?;
    if stored.iter().filter(|stored| stored.key.is_good(stamp.time)).count() >= KEYS {
        return Err(Error::conflict("keys", format!("there are {KEYS} good keys: revoke some")));
    }
    let mut scopes = [vec![KeyScope::Read], new.scopes].concat();
    scopes.sort();
    scopes.dedup();
    let key = Key {
        key_id: stamp.id.clone(),
        name: name.into(),
        scopes,
        groups: new.groups,
        made_by: caller.sub.clone(),
        made_at: stamp.time,
        ends_at: stamp.time + SignedDuration::from_hours(24 * i64::from(new.days)),
        last_used_at: None,
        revoked_at: None,
    };
    let token = format!("{PREFIX}{}_{}", key.key_id, secret()?);
    keys.add_key(&StoredKey { key: key.clone(), hash: hash(&token) }).await?;
    Ok(MadeKey { key, token })
}

/// Lists the keys, the newest first.
///
/// # Errors
/// [`Error::Denied`] without the group of administrators.
pub async fn list(keys: &dyn ApiKeys, caller: &Caller) -> Result<KeyList> {
    require_keeper(caller)?;
    let stored = keys.api_keys().await?;
    let mut keys: Vec<Key> = stored.into_iter().map(|stored| stored.key).collect();
    keys.sort_by(|a, b| b.key_id.cmp(&a.key_id));
    Ok(KeyList { keys })
}

/// Revokes a key; one that was revoked stays as it is.
///
/// # Errors
/// [`Error::Denied`] without the group of administrators; [`Error::Missing`] if there is no such
/// key.
pub async fn revoke(keys: &dyn ApiKeys, caller: &Caller, id: &str, now: Timestamp) -> Result<Key> {
    require_keeper(caller)?;
    let missing = || Error::Missing { kind: "key", name: id.into() };
    let mut key = keys.api_key(id).await?.ok_or_else(missing)?.key;
    if key.revoked_at.is_none() {
        if !keys.revoke_key(id, now).await? {
            return Err(missing());
        }
        key.revoked_at = Some(now);
    }
    Ok(key)
}

/// Returns the key of a token; `None` if there is none, or it is not good any more. An hour after
/// its last use it notes the next one.
///
/// # Errors
/// [`Error::Unavailable`] if the store does not answer; that a use cannot be noted is no error.
pub async fn find(keys: &dyn ApiKeys, token: &str, now: Timestamp) -> Result<Option<Key>> {
    let Some(id) = id_of(token) else { return Ok(None) };
    let stored = keys.api_key(id).await?;
    // The time of the comparison says nothing of the token: its hash is compared.
    let stored = stored.filter(|stored| stored.hash == hash(token) && stored.key.is_good(now));
    let Some(StoredKey { key, .. }) = stored else { return Ok(None) };
    if key.last_used_at.is_none_or(|at| now >= at + NOTED_EVERY) {
        // The program is let in all the same.
        let _ = keys.note_key_use(&key.key_id, now).await;
    }
    Ok(Some(key))
}

/// Returns the program that has a key, as the API knows it.
pub fn caller(key: &Key, admin_group: &str) -> Caller {
    Caller {
        sub: key.subject(),
        groups: key.groups.clone(),
        scopes: key.scopes.iter().map(|scope| scope.name().to_owned()).collect(),
        has_key: true,
        admin_group: admin_group.into(),
    }
}

/// Returns the id of the key in a token; `None` for what is no token of a key.
fn id_of(token: &str) -> Option<&str> {
    let (id, secret) = token.strip_prefix(PREFIX)?.split_once('_')?;
    let is_id = !id.is_empty() && id.len() <= 26 && id.bytes().all(|b| b.is_ascii_alphanumeric());
    (is_id && !secret.is_empty()).then_some(id)
}

/// Keys are made, seen and revoked by people who keep the deployment: a key makes no other one.
fn require_keeper(caller: &Caller) -> Result<()> {
    if caller.has_key {
        return Err(Error::Denied { group: caller.admin_group.clone() });
    }
    caller.require(&caller.admin_group)
}

fn secret() -> Result<String> {
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| Error::unavailable("the source of random numbers", "it gave none"))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

fn hash(token: &str) -> String {
    hexadecimal(digest(&SHA256, token.as_bytes()).as_ref())
}

#[cfg(test)]
mod tests;
