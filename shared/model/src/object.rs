//! The keys and the size of uploaded objects.

use jiff::Timestamp;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::scope::Scope;

/// Upper bound for the bytes of a document: 25 MiB.
pub const LARGEST: u64 = 25 * 1024 * 1024;

/// The characters that are encoded in the part of a key that names a scope. The folder of one scope
/// is therefore never inside another's, whatever a group or a user is called.
const ENCODED: &AsciiSet = &CONTROLS.add(b'/').add(b'%');

/// An upload that has arrived. Its object's key contains all of this data.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upload {
    /// The scope of the document.
    pub scope: Scope,
    /// The id of the document.
    pub document_id: Uuid,
    /// The upload, a ULID.
    pub version: String,
}

impl Upload {
    /// Returns the key of the uploaded object.
    pub fn key(&self) -> String {
        format!("{}{}", self.folder(), self.version)
    }

    /// Returns the key of the record file.
    pub fn records_key(&self) -> String {
        format!("{}{}", self.records_folder(), self.version)
    }

    /// Returns the common prefix of the keys of all record files of the document.
    pub fn records_folder(&self) -> String {
        format!("{}{}/", Upload::records_folder_of(&self.scope), self.document_id)
    }

    /// Returns the common prefix of the keys of all record files of a scope.
    pub fn records_folder_of(scope: &Scope) -> String {
        format!("records/{}/", encoded(scope))
    }

    /// Returns the common prefix of the keys of all uploads of the document.
    pub fn folder(&self) -> String {
        format!("{}{}/", Upload::folder_of(&self.scope), self.document_id)
    }

    /// Returns the common prefix of the keys of all uploads of a scope. No other scope's keys have
    /// it.
    pub fn folder_of(scope: &Scope) -> String {
        format!("documents/{}/", encoded(scope))
    }

    /// Parses an object's key; `None` if it is not the key of an upload.
    pub fn parse(key: &str) -> Option<Upload> {
        key.strip_prefix("documents/").and_then(Upload::parse_rest)
    }

    /// Parses the key of an upload or of its record file; `None` if it is neither.
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

/// Returns the time at which an upload was announced, taken from its ULID.
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
