//! Calls on collections as wholes.

use std::time::Instant;

use qdrant_client::qdrant::{
    CollectionDescription, CollectionExists, CollectionExistsRequest, CollectionExistsResponse,
    CollectionInfo, CollectionOperationResponse, CollectionStatus, CreateCollection,
    DeleteCollection, GetCollectionInfoRequest, GetCollectionInfoResponse, HealthCheckReply,
    HealthCheckRequest, ListCollectionsRequest, ListCollectionsResponse, OptimizerStatus,
    PayloadSchemaInfo,
};
use qdrant_edge::EdgeShard;
use tonic::Status;

use crate::schema;
use crate::store::Store;

/// The version of the server whose behavior is followed; clients compare it with their own.
const VERSION: &str = "1.17.0";

/// Returns the name and version of this server.
pub(crate) fn health_check(
    _store: &Store,
    _request: HealthCheckRequest,
) -> Result<HealthCheckReply, Status> {
    Ok(HealthCheckReply {
        title: "plumbline-qdrant (qdrant-edge)".to_owned(),
        version: VERSION.to_owned(),
        commit: None,
    })
}

/// Describes a collection.
pub(crate) fn get(
    store: &Store,
    request: GetCollectionInfoRequest,
) -> Result<GetCollectionInfoResponse, Status> {
    let started = Instant::now();
    let result = store.get(&request.collection_name)?.read(|shard| Ok(info(shard)))?;
    Ok(GetCollectionInfoResponse { result: Some(result), time: started.elapsed().as_secs_f64() })
}

fn info(shard: &EdgeShard) -> CollectionInfo {
    let info = shard.info();
    let indexes = info.payload_schema.into_iter().map(|(path, index)| {
        let schema = PayloadSchemaInfo {
            data_type: schema::write_index(index.data_type).into(),
            params: None,
            points: Some(index.points as u64),
        };
        (path.to_string(), schema)
    });
    CollectionInfo {
        status: CollectionStatus::Green.into(),
        optimizer_status: Some(OptimizerStatus { ok: true, error: String::new() }),
        segments_count: info.segments_count as u64,
        config: Some(schema::write(&shard.config())),
        payload_schema: indexes.collect(),
        points_count: Some(info.points_count as u64),
        indexed_vectors_count: Some(info.indexed_vectors_count as u64),
        ..CollectionInfo::default()
    }
}

/// Names all collections.
pub(crate) fn list(
    store: &Store,
    _request: ListCollectionsRequest,
) -> Result<ListCollectionsResponse, Status> {
    let started = Instant::now();
    let collections =
        store.names().into_iter().map(|name| CollectionDescription { name }).collect();
    Ok(ListCollectionsResponse { collections, time: started.elapsed().as_secs_f64() })
}

/// Returns whether a collection exists.
pub(crate) fn collection_exists(
    store: &Store,
    request: CollectionExistsRequest,
) -> Result<CollectionExistsResponse, Status> {
    let started = Instant::now();
    let exists = store.get(&request.collection_name).is_ok();
    Ok(CollectionExistsResponse {
        result: Some(CollectionExists { exists }),
        time: started.elapsed().as_secs_f64(),
    })
}

/// Makes a collection.
pub(crate) fn create(
    store: &Store,
    request: CreateCollection,
) -> Result<CollectionOperationResponse, Status> {
    let started = Instant::now();
    let name = request.collection_name.clone();
    store.create(&name, schema::parse(request)?)?;
    Ok(CollectionOperationResponse { result: true, time: started.elapsed().as_secs_f64() })
}

/// Deletes a collection; one that is not there is answered with `false`.
pub(crate) fn delete(
    store: &Store,
    request: DeleteCollection,
) -> Result<CollectionOperationResponse, Status> {
    let started = Instant::now();
    let result = store.delete(&request.collection_name)?;
    Ok(CollectionOperationResponse { result, time: started.elapsed().as_secs_f64() })
}
