//! Uploaded objects: their keys and their size.

use jiff::Timestamp;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::scope::Scope;

/// The most bytes a document may have: 25 MiB.
pub const LARGEST: u64 = 25 * 1024 * 1024;

/// What is written otherwise in the part of a key that names a scope: so no scope's folder stands in another's, whatever a group
/// or a person is called.
const ENCODED: &AsciiSet = &CONTROLS.add(b'/').add(b'%');

/// An upload that has arrived; its object's key says it all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upload {
    /// Among whose documents it stands.
    pub scope: Scope,
    /// The document.
    pub document_id: Uuid,
    /// The upload, a ULID.
    pub version: String,
}

impl Upload {
    /// The key of its object.
    pub fn key(&self) -> String {
        format!("{}{}", self.folder(), self.version)
    }

    /// The key of its record file.
    pub fn records_key(&self) -> String {
        format!("{}{}", self.records_folder(), self.version)
    }

    /// What the keys of all its document's record files begin with.
    pub fn records_folder(&self) -> String {
        format!("records/{}/{}/", encoded(&self.scope), self.document_id)
    }

    /// What the keys of all its document's uploads begin with.
    pub fn folder(&self) -> String {
        format!("{}{}/", Upload::folder_of(&self.scope), self.document_id)
    }

    /// What the keys of all uploads of a scope begin with, and of no other's.
    pub fn folder_of(scope: &Scope) -> String {
        format!("documents/{}/", encoded(scope))
    }

    /// Reads an object's key; `None` where it is of no upload.
    pub fn parse(key: &str) -> Option<Upload> {
        key.strip_prefix("documents/").and_then(Upload::parse_rest)
    }

    /// Reads the key of an upload or of its record file; `None` where it is neither.
    pub fn of_file(key: &str) -> Option<Upload> {
        let rest = key.strip_prefix("documents/").or_else(|| key.strip_prefix("records/"))?;
        Upload::parse_rest(rest)
    }

    fn parse_rest(rest: &str) -> Option<Upload> {
        let mut parts = rest.rsplitn(3, '/');
        let version = parts.next().filter(|version| !version.is_empty())?.to_owned();
        let document_id = parts.next()?.parse().ok()?;
        let scope = percent_decode_str(parts.next()?).decode_utf8().ok()?;
        let scope = Scope::parse(&scope)?;
        Some(Upload { scope, document_id, version })
    }
}

fn encoded(scope: &Scope) -> String {
    utf8_percent_encode(&scope.to_string(), ENCODED).to_string()
}

/// When an upload was announced, as its ULID tells.
pub fn announced(version: &str) -> Timestamp {
    let ulid = ulid::Ulid::from_string(version).unwrap_or_default();
    let since_1970 = i64::try_from(ulid.timestamp_ms()).unwrap_or_default();
    Timestamp::from_millisecond(since_1970).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_reads_back_from_its_key_whatever_the_user_is_called() {
        for scope in ["global", "user:auth0|a/b", "case:01J", "team:x y", "team:a%2Fb", "team:ä"] {
            let upload = Upload {
                scope: Scope::parse(scope).unwrap(),
                document_id: Uuid::from_u128(7),
                version: "01A".into(),
            };
            assert_eq!(Upload::parse(&upload.key()), Some(upload.clone()));
            assert_eq!(Upload::parse(&upload.records_key()), None);
            assert_eq!(Upload::of_file(&upload.records_key()), Some(upload));
        }
    }

    #[test]
    fn no_scopes_folder_stands_in_anothers() {
        let scopes = ["team:a", "team:a/b", "team:a%2Fb", "team:a/", "team:a%", "team:a/b/c"];
        let folders = scopes.map(|scope| Upload::folder_of(&Scope::parse(scope).unwrap()));
        for (place, one) in folders.iter().enumerate() {
            let mut others = folders.iter().enumerate().filter(|(other, _)| *other != place);
            assert!(others.all(|(_, other)| !other.starts_with(one.as_str())), "{folders:?}");
        }
    }

    #[test]
    fn foreign_keys_are_no_uploads() {
        for key in [
            "",
            "x.md",
            "documents/global/x/01A",
            "documents/nobody/00000000-0000-0000-0000-000000000007/01A",
            "documents/global/7/",
        ] {
            assert_eq!(Upload::parse(key), None, "{key}");
        }
    }
}
