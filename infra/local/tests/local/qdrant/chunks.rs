//! A small collection in the product's own shape, and queries to it.

use qdrant_client::qdrant::{
    CountPointsBuilder, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, Distance,
    Document, FieldType, Filter, KeywordIndexParamsBuilder, Modifier, NamedVectors, PointStruct,
    Query, QueryPointsBuilder, ScoredPoint, SparseVectorParamsBuilder, SparseVectorsConfigBuilder,
    UpsertPointsBuilder, Vector, VectorParamsBuilder, VectorsConfigBuilder,
};
use qdrant_client::{Payload, Qdrant, QdrantError};
use serde_json::json;
use tempfile::TempDir;
use tonic::Code;

use super::server::Server;

pub(crate) const CHUNKS: &str = "chunks";

/// A collection of three points in the product's own shape, in a process over a folder of its own.
pub(crate) struct Fixture {
    pub(crate) client: Qdrant,
    pub(crate) server: Server,
    pub(crate) data: TempDir,
}

pub(crate) async fn filled() -> Fixture {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let client = server.client();
    create(&client).await;
    let points = [
        (
            1,
            [1.0, 0.0, 0.0],
            "global",
            true,
            "The weld cracked in the cold.",
            "2026-01-01T00:00:00Z",
        ),
        (
            2,
            [0.9, 0.1, 0.0],
            "global",
            false,
            "A frozen valve stayed shut.",
            "2026-02-01T00:00:00Z",
        ),
        (
            3,
            [0.0, 1.0, 0.0],
            "user:ada",
            true,
            "Nobody read the weld report.",
            "2026-03-01T00:00:00Z",
        ),
    ];
    let points = points.map(|(number, dense, scope, live, text, time)| {
        let payload =
            json!({"scope": scope, "live": live, "line": number * 10, "text": text, "time": time});
        PointStruct::new(id(number), vectors(dense, text), Payload::try_from(payload).unwrap())
    });
    client.upsert_points(UpsertPointsBuilder::new(CHUNKS, points).wait(true)).await.unwrap();
    Fixture { client, server, data }
}

pub(crate) async fn create(client: &Qdrant) {
    let mut dense = VectorsConfigBuilder::default();
    dense.add_named_vector_params("dense", VectorParamsBuilder::new(3, Distance::Cosine));
    let mut sparse = SparseVectorsConfigBuilder::default();
    sparse.add_named_vector_params(
        "bm25",
        SparseVectorParamsBuilder::default().modifier(Modifier::Idf),
    );
    let collection =
        CreateCollectionBuilder::new(CHUNKS).vectors_config(dense).sparse_vectors_config(sparse);
    client.create_collection(collection).await.unwrap();
    let tenant = CreateFieldIndexCollectionBuilder::new(CHUNKS, "scope", FieldType::Keyword)
        .field_index_params(KeywordIndexParamsBuilder::default().is_tenant(true));
    client.create_field_index(tenant).await.unwrap();
    let others =
        [("live", FieldType::Bool), ("line", FieldType::Integer), ("time", FieldType::Datetime)];
    for (field, kind) in others {
        client
            .create_field_index(CreateFieldIndexCollectionBuilder::new(CHUNKS, field, kind))
            .await
            .unwrap();
    }
}

pub(crate) fn id(number: u32) -> String {
    format!("00000000-0000-0000-0000-{number:012}")
}

pub(crate) fn bm25(text: &str) -> Document {
    let options = [("avg_len".to_owned(), 40.into())].into();
    Document { text: text.to_owned(), model: "qdrant/bm25".to_owned(), options }
}

fn vectors(dense: [f32; 3], text: &str) -> NamedVectors {
    NamedVectors::default()
        .add_vector("dense", dense.to_vec())
        .add_vector("bm25", Vector::from(bm25(text)))
}

pub(crate) fn near(dense: [f32; 3]) -> QueryPointsBuilder {
    QueryPointsBuilder::new(CHUNKS).query(dense.to_vec()).using("dense")
}

pub(crate) fn alike(document: Document) -> QueryPointsBuilder {
    QueryPointsBuilder::new(CHUNKS).query(Query::new_nearest(document)).using("bm25")
}

pub(crate) fn numbers(points: &[ScoredPoint]) -> Vec<u32> {
    points
        .iter()
        .map(|point| {
            let text = format!("{:?}", point.id.clone().unwrap().point_id_options.unwrap());
            text.trim_end_matches("\")").rsplit('-').next().unwrap().parse().unwrap()
        })
        .collect()
}

pub(crate) async fn count(client: &Qdrant, filter: Filter) -> u64 {
    let request = CountPointsBuilder::new(CHUNKS).filter(filter).exact(true);
    client.count(request).await.unwrap().result.unwrap().count
}

pub(crate) fn code<T: std::fmt::Debug>(answer: Result<T, QdrantError>) -> (Code, String) {
    match answer.unwrap_err() {
        QdrantError::ResponseError { status } => (status.code(), status.message().to_owned()),
        other => panic!("not an answer of the server: {other}"),
    }
}
