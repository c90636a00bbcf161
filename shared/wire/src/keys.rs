//! API keys of programs that have no issuer of tokens.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The beginning of each key.
pub const PREFIX: &str = "plumbline_";

/// The beginning of the subject of each program with a key; the key's id follows.
pub const SUBJECT: &str = "key-";

/// The scope of a key. Each covers nothing of the others.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum KeyScope {
    /// Asking questions, reading and listing. Every key has it.
    Read,
    /// Adding, changing and deleting.
    Write,
    /// Seeing secrets in passages.
    Reveal,
}

impl KeyScope {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            KeyScope::Read => "read",
            KeyScope::Write => "write",
            KeyScope::Reveal => "reveal",
        }
    }
}

/// A key that somebody wants to have made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// The purpose, 1 to 100 characters.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// The scopes besides reading.
    #[serde(default)]
    pub scopes: Vec<KeyScope>,
    /// The groups that it stands for, each one of the maker's own.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub groups: Vec<String>,
    /// The days for which it is good, 1 to 366; 90 where absent.
    #[serde(default = "NewKey::usual_days")]
    #[schemars(range(min = 1, max = 366))]
    pub days: u16,
}

impl NewKey {
    /// The days for which a key is good where nobody says otherwise.
    pub fn usual_days() -> u16 {
        90
    }
}

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Key {
    /// A ULID.
    pub key_id: String,
    /// The purpose.
    pub name: String,
    /// The scopes.
    pub scopes: Vec<KeyScope>,
    /// The groups that it stands for.
    pub groups: Vec<String>,
    /// The maker: the subject of a token.
    pub made_by: String,
    /// The time at which it was made.
    pub made_at: Timestamp,
    /// The time of its end.
    pub ends_at: Timestamp,
    /// The time of its last use, to the hour; `null` if it was never used.
    pub last_used_at: Option<Timestamp>,
    /// The time at which it was revoked; `null` if it was not.
    pub revoked_at: Option<Timestamp>,
}

impl Key {
    /// Returns true if the key opens the API at a moment.
    pub fn is_good(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.ends_at
    }

    /// The subject by which the API knows the program with this key.
    pub fn subject(&self) -> String {
        format!("{SUBJECT}{}", self.key_id)
    }
}

/// A key that was just made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MadeKey {
    /// The key without its secret.
    #[serde(flatten)]
    pub key: Key,
    /// The text that the program sends as its token. It is shown once and stored nowhere.
    pub token: String,
}

/// All keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyList {
    /// The keys, the newest first; one that ended is listed for 90 days more.
    pub keys: Vec<Key>,
}
