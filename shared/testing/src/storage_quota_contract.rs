//! The contract of the storage quota of a scope.

use super::documents_contract::record;
use model::Error;
use ports::{Charge, DocumentCleanup, Record, StorageQuota, Written};

const ROOM: StorageQuota = StorageQuota { documents: 2, bytes: 30 };

/// Checks that a scope is limited in documents and bytes, and that what grows, shrinks and is
/// deleted is counted.
///
/// # Panics
/// Panics if the table breaks the contract.
pub async fn storage_quota_contract(documents: &impl DocumentCleanup) {
    let of = |name: &str, version: &str, bytes: u64| Record { bytes, ..record(name, version) };
    let announce = async |record: Record| {
        let known = documents.document(&record.scope, record.document_id).await.unwrap();
        let charge = Charge { known: known.as_ref(), quota: ROOM };
        documents.announce_within(&record, charge, None).await
    };
    let is_full = |result: Result<Written, Error>| matches!(result, Err(Error::TooMany { .. }));
    assert!(is_full(announce(of("huge.md", "01A", 31)).await), "it alone is too large");
    assert_eq!(announce(of("a.md", "01A", 12)).await.unwrap(), Written::Done);
    assert_eq!(announce(of("b.md", "01A", 12)).await.unwrap(), Written::Done);
    assert!(is_full(announce(of("c.md", "01A", 1)).await), "a third document");
    assert_eq!(announce(of("b.md", "01B", 18)).await.unwrap(), Written::Done);
    assert!(is_full(announce(of("b.md", "01C", 19)).await), "a byte too many");
    assert_eq!(announce(of("b.md", "01D", 2)).await.unwrap(), Written::Done, "smaller");

    let stranger = Charge { known: None, quota: ROOM };
    let late = documents.announce_within(&of("b.md", "01E", 2), stranger, None).await;
    assert_eq!(late.unwrap(), Written::Stale, "another version is there than the one charged for");

    let again = |record: Record, known: Record| async move {
        let charge = Charge { known: Some(&known), quota: StorageQuota::UNBOUNDED };
        documents.announce_within(&record, charge, None).await.unwrap()
    };
    let (smaller, larger) = (of("b.md", "01D", 2), of("b.md", "01E", 18));
    assert_eq!(again(larger, smaller).await, Written::Done, "it is charged without a bound, too");
    assert!(is_full(announce(of("a.md", "01B", 13)).await), "a byte too many with what is charged");
    let never = of("e.md", "01A", 1);
    assert_eq!(
        again(of("e.md", "01B", 1), never).await,
        Written::Stale,
        "there is no such document"
    );

    let gone = of("a.md", "01A", 12);
    assert!(documents.begin_deletion(&gone.scope, gone.document_id, "01F", false).await.unwrap());
    assert!(is_full(announce(of("c.md", "01F", 1)).await), "it is not forgotten yet");
    documents
        .finish_deletion(&gone.scope, gone.document_id, "01F", jiff::Timestamp::MAX)
        .await
        .unwrap();
    documents
        .finish_deletion(&gone.scope, gone.document_id, "01F", jiff::Timestamp::MAX)
        .await
        .unwrap();
    assert_eq!(announce(of("c.md", "01G", 12)).await.unwrap(), Written::Done);
    assert!(is_full(announce(of("d.md", "01G", 1)).await), "it went once only");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FakeDocuments;

    #[test]
    fn the_table_in_memory_keeps_its_promise() {
        pollster::block_on(storage_quota_contract(&FakeDocuments::default()));
    }
}
