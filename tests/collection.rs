//! Tests that a collection that was made otherwise gets what it lacks.

use ports::Standing;
use qdrant_client::Qdrant as Client;
use qdrant_client::qdrant::{
    CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, Distance, FieldType, Modifier,
    SparseVectorParamsBuilder, SparseVectorsConfigBuilder, VectorParamsBuilder,
    VectorsConfigBuilder,
};

use super::*;

/// Makes a collection as the first versions did, without indexes.
async fn made_otherwise(collection: &Collection) -> Client {
    let client = Client::from_url(&collection.url).build().unwrap();
    let mut dense = VectorsConfigBuilder::default();
    dense.add_named_vector_params("dense", VectorParamsBuilder::new(4, Distance::Cosine));
    let mut sparse = SparseVectorsConfigBuilder::default();
    sparse.add_named_vector_params(
        "bm25",
        SparseVectorParamsBuilder::default().modifier(Modifier::Idf),
    );
    let create = CreateCollectionBuilder::new(&collection.name);
    let create = create.vectors_config(dense).sparse_vectors_config(sparse);
    client.create_collection(create).await.unwrap();
    client
}

fn point() -> Point {
    Point {
        kind: PointKind::Passage,
        passage: passage("# Pump\n\nIt ran dry.\n"),
        words: "pump".into(),
        meaning: "pump".into(),
        vector: vec![1.0, 0.0, 0.0, 0.0],
        embedded: Embedded::of("one/4", "pump"),
    }
}

#[tokio::test]
async fn a_collection_whose_creation_broke_off_gets_the_indexes_that_it_lacks() {
    let collection = Collection::fresh().unwrap();
    let client = made_otherwise(&collection).await;
    let indexes = async || {
        let about = client.collection_info(&collection.name).await.unwrap();
        about.result.unwrap().payload_schema.len()
    };
    assert_eq!(indexes().await, 0);
    client_of(&collection).stage(&Scope::Global, vec![point()]).await.unwrap();
    assert_eq!(indexes().await, 27);
}

#[tokio::test]
async fn a_collection_of_earlier_settings_is_used_told_and_changed_when_all_is_indexed_again() {
    let collection = Collection::fresh().unwrap();
    let client = made_otherwise(&collection).await;
    let keyword = FieldType::Keyword;
    let index = CreateFieldIndexCollectionBuilder::new(&collection.name, "document_id", keyword);
    client.create_field_index(index.wait(true)).await.unwrap();
    let ours = client_of(&collection);
    let point = point();
    let (document, version) = (point.passage.document_id, point.passage.version.clone());
    let ids = [point.passage.id];
    ours.stage(&Scope::Global, vec![point]).await.unwrap();
    ours.publish(&Scope::Global, document, &version, &ids).await.unwrap();
    let grant = Grant::unchecked(&[Scope::Global]);
    let found = async || ours.documents(&grant, &[document], &[]).await.unwrap().len();
    let differs = async || ours.contents().await.unwrap().unwrap().differs;
    assert_eq!(found().await, 1);
    let told = differs().await;
    for setting in ["hnsw payload_m", "quantization is none and not int8", "document_id"] {
        assert!(told.iter().any(|difference| difference.contains(setting)), "{told:?}");
    }
    ours.configure().await.unwrap();
    assert_eq!(differs().await, [""; 0]);
    assert_eq!(found().await, 1);
}
