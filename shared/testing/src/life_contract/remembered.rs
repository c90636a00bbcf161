//! The contract of what is remembered of deleted documents.

use jiff::Timestamp;

use super::announced;
use crate::documents_contract::record;
use crate::sample::live;
use ports::scope::Scope;
use ports::{DocumentCleanup, Record, Status};

/// Checks what is remembered of deleted documents.
pub(super) async fn remembered(documents: &impl DocumentCleanup) {
    let names = ["kept.md", "waiting.md", "erased.md"];
    let records = names.map(|name| record(name, "03A"));
    let ids = records.each_ref().map(|record| record.document_id);
    let scope = Scope::Global;
    for (record, is_final) in records.iter().zip([false, false, true]) {
        assert!(announced(documents, record).await);
        let id = record.document_id;
        if record.name != "waiting.md" {
            assert!(documents.settle(&scope, id, &live("03A", record)).await.unwrap());
        }
        assert!(documents.begin_deletion(&scope, id, "03B", is_final).await.unwrap());
        assert_eq!(documents.deleted(&scope, id).await.unwrap(), None, "not yet");
        documents.finish_deletion(&scope, id, "03B", Timestamp::MAX).await.unwrap();
    }
    let deleted = async |id| documents.deleted(&scope, id).await.unwrap();
    let [kept, waiting, erased] =
        [deleted(ids[0]).await, deleted(ids[1]).await, deleted(ids[2]).await].map(Option::unwrap);
    assert_eq!(
        (kept.name.as_str(), kept.kept.clone()),
        ("kept.md", Some(live("03A", &records[0])))
    );
    assert_eq!((kept.status.clone(), kept.live.clone()), (Status::Deleted, None));
    assert_eq!((waiting.name.as_str(), waiting.kept.clone()), ("waiting.md", None));
    assert_eq!((erased.name.as_str(), erased.kept.clone()), ("", None));
    let keys = ids.map(|id| (scope.clone(), id));
    assert_eq!(documents.documents_named(&keys).await.unwrap().len(), 3);
    assert!(kept.is_deleted_since("03A") && !kept.is_deleted_since("03C"));

    let mut listed = documents.all_deleted(&scope, 2, None).await.unwrap();
    assert_eq!(listed.items.len(), 2);
    listed.items.extend(documents.all_deleted(&scope, 2, listed.next).await.unwrap().items);
    let of_these = |records: &[Record]| {
        records.iter().filter(|record| ids.contains(&record.document_id)).count()
    };
    assert_eq!(of_these(&listed.items), 3);
    let there = documents.documents(&scope, 100, None).await.unwrap();
    assert_eq!(of_these(&there.items), 0);

    assert!(documents.make_final(&scope, ids[0]).await.unwrap());
    let bare = deleted(ids[0]).await.unwrap();
    assert_eq!((bare.name.as_str(), bare.kept, bare.is_final), ("", None, true));
    assert!(announced(documents, &record("kept.md", "03D")).await);
    let both = documents.documents_named(&keys[..1]).await.unwrap();
    assert_eq!(both.iter().map(|one| one.version.as_str()).collect::<Vec<_>>(), ["03D"]);
    for id in ids {
        documents.forget_deleted(&scope, id).await.unwrap();
        assert_eq!(deleted(id).await, None);
        assert!(!documents.make_final(&scope, id).await.unwrap());
    }
    assert!(documents.delete_record(&scope, ids[0]).await.unwrap());
}
