use std::sync::Arc;

use ports::scope::Scope;
use ports::{Embedded, Point, Publisher};
use testing::{cleanup_contract, index_contract};

use super::*;

fn index(folder: &tempfile::TempDir) -> LocalIndex {
    let store = Store::open(&folder.path().join("store.db")).unwrap();
    LocalIndex::open(Arc::new(store)).unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn the_index_keeps_its_contracts() {
    let folder = tempfile::tempdir().unwrap();
    index_contract(&index(&folder)).await;
    let folder = tempfile::tempdir().unwrap();
    cleanup_contract(&index(&folder)).await;
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_written_is_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let passage = testing::passage("The key is AKIAZ7QW3ERT5YUI8OPA.");
    let (document, id) = (passage.document_id, passage.id);
    let point = Point {
        kind: PointKind::Passage,
        words: passage.text.clone(),
        meaning: passage.text.clone(),
        vector: vec![0.6, 0.8],
        embedded: Embedded::of("two/2", &passage.text),
        passage,
    };
    {
        let index = index(&folder);
        index.stage(&Scope::Global, vec![point.clone()]).await.unwrap();
        index.publish(&Scope::Global, document, "01A", &[id]).await.unwrap();
    }
    let index = index(&folder);
    let grant = Grant::unchecked(&[Scope::Global]);
    let passages = index.passages(&grant, &[id]).await.unwrap();
    assert_eq!(passages.len(), 1);
    assert!(!passages[0].text.contains("AKIA"), "{}", passages[0].text);
    let original = index.original(&grant, id).await.unwrap().unwrap();
    assert_eq!(original.text, point.passage.text);
    let embeddings = index.embeddings(&grant, &[id]).await.unwrap();
    assert_eq!(embeddings[0].vector, point.vector);
    index.delete_up_to(&Scope::Global, document, "01A", &[]).await.unwrap();
    assert_eq!(self::index(&folder).contents().await.unwrap().unwrap().items, 0);
}
