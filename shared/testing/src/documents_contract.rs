//! The contract of the list of documents.

use model::document::{Attributes, Origin, document_id};
use ports::scope::Scope;
use ports::{Documents, Record, Status};

use super::sample::live;

/// Returns an announced document of everyone's knowledge base.
pub fn record(name: &str, version: &str) -> Record {
    let attributes = Attributes {
        title: Some("Pump".into()),
        tags: vec!["seal".into()],
        source: Some(Origin::Docs),
        ..Attributes::default()
    };
    Record {
        scope: Scope::Global,
        document_id: document_id(&Scope::Global, name),
        name: name.into(),
        content_type: "text/markdown".into(),
        bytes: 12,
        attributes,
        status: Status::Waiting,
        version: version.into(),
        live: None,
        deleted: None,
        kept: None,
        is_final: false,
        first: version.into(),
        prior: version.into(),
        updated_at: "2026-11-20T18:00:00Z".into(),
    }
}

/// Checks that records are returned unchanged, that a lower version never replaces a higher one,
/// and that lists have pages.
pub async fn documents_contract(documents: &impl Documents) {
    let first = record("first.md", "01A");
    let id = first.document_id;
    assert_eq!(documents.document(&Scope::Global, id).await.unwrap(), None);
    documents.announce(&first, None).await.unwrap();
    let get = async || documents.document(&Scope::Global, id).await.unwrap().unwrap();
    assert_eq!(get().await, first);
    assert_eq!(
        documents.document(&Scope::User("bob".into()), id).await.unwrap(),
        None,
        "another scope has another document"
    );

    documents.mark(&Scope::Global, id, "01A", &Status::Indexing).await.unwrap();
    assert_eq!(get().await.status, Status::Indexing);
    let failed = Status::Failed { reason: "is not UTF-8 text".into() };
    documents.mark(&Scope::Global, id, "01A", &failed).await.unwrap();
    assert_eq!(get().await.status, failed);
    let live = |version: &str| live(version, &first);
    documents.announce(&record("first.md", "01C"), None).await.unwrap();
    documents.settle(&Scope::Global, id, &live("01C")).await.unwrap();
    documents.mark(&Scope::Global, id, "01B", &failed).await.unwrap();
    documents.settle(&Scope::Global, id, &live("01B")).await.unwrap();
    assert_eq!(
        (get().await.status, get().await.live),
        (Status::Indexed, Some(live("01C"))),
        "a lower version changes nothing"
    );
    documents.announce(&record("first.md", "01E"), None).await.unwrap();
    assert_eq!(
        (get().await.status, get().await.live),
        (Status::Waiting, Some(live("01C"))),
        "what is live stays while the next one waits"
    );
    documents.settle(&Scope::Global, id, &live("01D")).await.unwrap();
    assert_eq!(
        (get().await.status, get().await.live),
        (Status::Waiting, Some(live("01D"))),
        "one between does not end the waiting"
    );

    for name in ["second.md", "third.md"] {
        documents.announce(&record(name, "01A"), None).await.unwrap();
    }
    let page = documents.documents(&Scope::Global, 2, None).await.unwrap();
    assert_eq!(page.items.len(), 2);
    let rest = documents.documents(&Scope::Global, 2, page.next).await.unwrap();
    assert_eq!((rest.items.len(), rest.next), (1, None));
    assert!(!page.items.contains(&rest.items[0]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FakeDocuments;

    #[test]
    fn the_fake_documents_keep_the_contract() {
        pollster::block_on(documents_contract(&FakeDocuments::default()));
    }
}
