//! Tests that no secret of a document leaves the index.

use std::collections::HashMap;

use model::document::Passage;
use ports::Originals;
use qdrant_client::Payload;
use qdrant_client::qdrant::{
    DeletePayloadPointsBuilder, PointId, PointsIdsList, ScrollPointsBuilder,
    SetPayloadPointsBuilder,
};
use uuid::Uuid;

use super::*;

fn with_password() -> Passage {
    passage("# Broker\n\nSet `password: hunter2-blue` in broker.yaml and restart it.\n")
}

/// Returns a collection with these passages, each as a point of this kind.
async fn holding<const N: usize>(points: [(PointKind, &Passage); N]) -> Collection {
    let collection = Collection::fresh().unwrap();
    let client = client_of(&collection);
    let points = points.map(|(kind, passage)| Point {
        kind,
        passage: passage.clone(),
        words: passage.text.clone(),
        meaning: "broker".into(),
        vector: vec![1.0, 0.0, 0.0, 0.0],
        embedded: Embedded::of("one/4", "broker"),
    });
    let Passage { document_id, version, .. } = points[0].passage.clone();
    let ids = points.each_ref().map(|point| point.passage.id);
    client.stage(&Scope::Global, points.into()).await.unwrap();
    client.publish(&Scope::Global, document_id, &version, &ids).await.unwrap();
    collection
}

fn grant() -> Grant {
    Grant::unchecked(&[Scope::Global])
}

#[tokio::test]
async fn a_password_comes_back_masked_and_its_passage_is_the_same() {
    let passage = with_password();
    let collection = holding([(PointKind::Passage, &passage)]).await;
    let found =
        client_of(&collection).passages(&grant(), &[passage.id]).await.unwrap().swap_remove(0);
    assert!(
        !found.text.contains("hunter2") && found.text.contains("broker.yaml"),
        "{}",
        found.text
    );
    assert_eq!((found.text.len(), found.hash()), (passage.text.len(), passage.hash()));
}

#[tokio::test]
async fn a_secret_stands_in_no_field_of_a_point_but_that_of_the_original() {
    let label = || "password=hunter2-blue".to_owned();
    let passage = Passage {
        name: label(),
        title: label(),
        section: label(),
        tags: vec!["broker".into(), label()],
        author: Some(label()),
        standard: Some(label()),
        uri: Some(format!("https://broker.example/?{}", label())),
        article: Some(label()),
        ..with_password()
    };
    let other = Passage { id: Uuid::new_v4(), ..passage.clone() };
    let collection = holding([(PointKind::Passage, &passage), (PointKind::Document, &other)]).await;
    let server = qdrant_client::Qdrant::from_url(&collection.url).build().unwrap();
    let scroll = ScrollPointsBuilder::new(&collection.name).with_payload(true);
    let held = server.scroll(scroll).await.unwrap().result;
    let fields = held.into_iter().flat_map(|point| point.payload);
    let fields = fields.filter(|(_, value)| format!("{value:?}").contains("hunter2"));
    assert_eq!(fields.map(|(field, _)| field).collect::<Vec<_>>(), ["original", "original"]);
    let original = client_of(&collection).original(&grant(), passage.id).await.unwrap().unwrap();
    assert_eq!((&original.text, &original.unmasked), (&passage.text, &None));
}

/// Makes a point as the ingest wrote it before it masked secrets.
async fn unmask(collection: &Collection, passage: &Passage) {
    let server = qdrant_client::Qdrant::from_url(&collection.url).build().unwrap();
    let ids = || PointsIdsList { ids: vec![PointId::from(passage.id.to_string())] };
    let text = Payload::from(HashMap::from([("text", passage.text.as_str().into())]));
    let set = SetPayloadPointsBuilder::new(&collection.name, text).points_selector(ids());
    server.set_payload(set.wait(true)).await.unwrap();
    let keys = ["masker", "is_masked", "original"].map(String::from).to_vec();
    let delete = DeletePayloadPointsBuilder::new(&collection.name, keys).points_selector(ids());
    server.delete_payload(delete.wait(true)).await.unwrap();
}

#[tokio::test]
async fn a_passage_that_was_written_with_its_secrets_is_masked_by_each_way_to_read_it() {
    let passage = with_password();
    let collection = holding([(PointKind::Passage, &passage)]).await;
    unmask(&collection, &passage).await;
    let (client, grant, all) = (client_of(&collection), grant(), Filters::default());
    let original = client.original(&grant, passage.id).await.unwrap().unwrap();
    assert_eq!(original.text, passage.text, "the secret stands in the point");
    let mut read = client.passages(&grant, &[passage.id]).await.unwrap();
    read.extend(client.points(&grant, &[passage.id]).await.unwrap());
    read.extend(client.documents(&grant, &[passage.document_id], &[]).await.unwrap());
    read.extend(client.scan(&grant, &all, 10).await.unwrap().0);
    for brings in [Brings::Passages, Brings::PassagesOnce] {
        let by = SearchBy::Dense(vec![1.0, 0.0, 0.0, 0.0]);
        let search = Search { of: PointKind::Passage, by, depth: 5, brings };
        let found = client.search(&grant, &all, vec![search]).await.unwrap().into_iter();
        let brought = found.flat_map(|ranked| ranked.hits).filter_map(|hit| hit.passage);
        read.extend(brought.map(|passage| *passage));
    }
    assert_eq!(read.len(), 6);
    for read in read {
        assert!(
            !read.text.contains("hunter2") && read.text.contains("broker.yaml"),
            "{}",
            read.text
        );
        assert_eq!(read.hash(), passage.hash());
    }
}
