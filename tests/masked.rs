//! Tests that no secret of a document leaves the index.

use super::*;

#[tokio::test]
async fn a_password_comes_back_masked_and_its_passage_is_the_same() {
    let collection = Collection::fresh().unwrap();
    let client = client_of(&collection);
    let passage =
        passage("# Broker\n\nSet `password: hunter2-blue` in broker.yaml and restart it.\n");
    let point = Point {
        kind: PointKind::Passage,
        passage: passage.clone(),
        words: passage.text.clone(),
        meaning: "broker".into(),
        vector: vec![1.0, 0.0, 0.0, 0.0],
        embedded: Embedded::of("one/4", "broker"),
    };
    client.stage(&Scope::Global, vec![point]).await.unwrap();
    client.publish(&Scope::Global, passage.document_id, &passage.version).await.unwrap();
    let grant = Grant::unchecked(&[Scope::Global]);
    let found = client.passages(&grant, &[passage.id]).await.unwrap().swap_remove(0);
    assert!(
        !found.text.contains("hunter2") && found.text.contains("broker.yaml"),
        "{}",
        found.text
    );
    assert_eq!((found.text.len(), found.hash()), (passage.text.len(), passage.hash()));
}
