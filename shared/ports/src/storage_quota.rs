//! How much a scope may hold.

use super::Record;
use model::Error;

/// The most documents of a scope, and their bytes, as they were announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageQuota {
    /// The most documents.
    pub documents: u64,
    /// The most bytes of all of them.
    pub bytes: u64,
}

/// More than there ever is.
const MOST: u64 = u64::MAX >> 1;

/// Seconds until a full scope is worth another try: something must be deleted first.
const LATER: u64 = 3_600;

impl StorageQuota {
    /// As much as anybody likes.
    pub const UNBOUNDED: StorageQuota = StorageQuota { documents: MOST, bytes: MOST };

    /// A scope that has no room for what was announced.
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

/// What an announcement adds to its scope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge<'a> {
    /// What is known of the document; the charge holds for nothing else.
    pub known: Option<&'a Record>,
    /// What the scope has room for.
    pub quota: StorageQuota,
}

impl Charge<'_> {
    /// How many documents are added: 1 or 0.
    pub fn documents(self) -> u64 {
        u64::from(self.known.is_none())
    }

    /// How many bytes are added; fewer than 0 where the document gets smaller.
    pub fn bytes(self, record: &Record) -> i64 {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        signed(record.bytes) - self.known.map_or(0, |known| signed(known.bytes))
    }
}
