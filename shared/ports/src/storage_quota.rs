//! The storage quota of a scope.

use super::Record;
use model::Error;

/// Upper bounds for the documents of a scope, and for their bytes as announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageQuota {
    /// Upper bound for the number of documents.
    pub documents: u64,
    /// Upper bound for the bytes of all documents.
    pub bytes: u64,
}

/// A number larger than any real amount.
const MOST: u64 = u64::MAX >> 1;

/// The seconds until another try makes sense for a full scope: something must be deleted first.
const LATER: u64 = 3_600;

impl StorageQuota {
    /// A quota without limits.
    pub const UNBOUNDED: StorageQuota = StorageQuota { documents: MOST, bytes: MOST };

    /// Returns the error for a scope without room for an announced document.
    pub fn full(self) -> Error {
        let bound = |most: u64, of: &str| (most < MOST).then(|| format!("{most} {of}"));
        let bounds = [bound(self.documents, "documents"), bound(self.bytes, "bytes")];
        let bounds = bounds.into_iter().flatten().collect::<Vec<_>>().join(" with ");
        let reason = format!(
            "there is no room for it: at most {bounds} are kept here; delete what is not needed"
        );
        Error::TooMany { reason, retry_after: LATER }
    }
}

/// The amount that an announcement adds to its scope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge<'a> {
    /// The known item of the document; the charge is valid only for this state.
    pub known: Option<&'a Record>,
    /// The quota of the scope.
    pub quota: StorageQuota,
}

impl Charge<'_> {
    /// Returns the number of documents that are added: 1 or 0.
    pub fn documents(self) -> u64 {
        u64::from(self.known.is_none())
    }

    /// Returns the number of bytes that are added; negative if the document gets smaller.
    pub fn bytes(self, record: &Record) -> i64 {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        signed(record.bytes) - self.known.map_or(0, |known| signed(known.bytes))
    }
}
