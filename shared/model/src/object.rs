//! Uploaded objects: their keys and their size.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::scope::Scope;

/// The most bytes a document may have: 25 MiB.
pub const LARGEST: u64 = 25 * 1024 * 1024;

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
        format!("documents/{}/{}/{}", self.scope, self.document_id, self.version)
    }

    /// The key of its record file.
    pub fn records_key(&self) -> String {
        format!("records/{}/{}/{}", self.scope, self.document_id, self.version)
    }

    /// What the keys of all its document's record files begin with.
    pub fn records_folder(&self) -> String {
        format!("records/{}/{}/", self.scope, self.document_id)
    }

    /// What the keys of all its document's uploads begin with.
    pub fn folder(&self) -> String {
        format!("documents/{}/{}/", self.scope, self.document_id)
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
        let scope = Scope::parse(parts.next()?)?;
        Some(Upload { scope, document_id, version })
    }
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
        for scope in ["global", "user:auth0|a/b", "case:01J", "team:x y"] {
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
