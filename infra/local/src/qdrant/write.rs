//! Calls that change points. Each is done when it is answered, whatever `wait` says.

use std::time::Instant;

use qdrant_client::qdrant::{
    ClearPayloadPoints, CreateFieldIndexCollection, DeleteFieldIndexCollection,
    DeletePayloadPoints, DeletePoints, PointStruct, PointsOperationResponse, SetPayloadPoints,
    UpdateResult, UpdateStatus, UpsertPoints,
};
use qdrant_edge::{
    CreateIndex, DeletePayloadOp, EdgeConfig, FieldIndexOperations, PayloadOps,
    PointInsertOperations, PointOperations, PointStructPersisted, SetPayloadOp, UpdateOperation,
};
use tonic::Status;

use crate::point::{Selection, parse_id, parse_path, parse_payload, parse_selection};
use crate::schema;
use crate::status::{bad_input, refuse_if};
use crate::store::Store;
use crate::vector::{self, Bm25};

/// Inserts points or replaces those with the same ids.
pub(crate) fn upsert(
    store: &Store,
    request: UpsertPoints,
) -> Result<PointsOperationResponse, Status> {
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    refuse_if(request.update_filter.is_some(), "update_filter of an upsert")?;
    refuse_if(request.update_mode.unwrap_or_default() != 0, "update_mode of an upsert")?;
    let collection = store.get(&request.collection_name)?;
    let config = collection.read(|shard| Ok(shard.config().clone()))?;
    let points = request
        .points
        .into_iter()
        .map(|point| stored(point, &config, &store.bm25))
        .collect::<Result<Vec<_>, _>>()?;
    if points.is_empty() {
        return Err(bad_input("Empty update request"));
    }
    let insert = PointOperations::UpsertPoints(PointInsertOperations::PointsList(points));
    apply(store, &request.collection_name, UpdateOperation::PointOperation(insert))
}

fn stored(
    point: PointStruct,
    config: &EdgeConfig,
    bm25: &Bm25,
) -> Result<PointStructPersisted, Status> {
    Ok(PointStructPersisted {
        id: parse_id(point.id.ok_or_else(|| bad_input("a point id is required"))?)?,
        vector: vector::parse_stored(point.vectors, config, bm25)?,
        payload: Some(parse_payload(point.payload)),
    })
}

/// Deletes points.
pub(crate) fn delete(
    store: &Store,
    request: DeletePoints,
) -> Result<PointsOperationResponse, Status> {
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let deletion = match parse_selection(request.points)? {
        Selection::Ids(ids) => PointOperations::DeletePoints { ids },
        Selection::Filter(filter) => PointOperations::DeletePointsByFilter(filter),
    };
    apply(store, &request.collection_name, UpdateOperation::PointOperation(deletion))
}

/// Sets some keys of payloads and leaves the others.
pub(crate) fn set_payload(
    store: &Store,
    request: SetPayloadPoints,
) -> Result<PointsOperationResponse, Status> {
    let name = request.collection_name.clone();
    let change = PayloadOps::SetPayload(payload_change(request)?);
    apply(store, &name, UpdateOperation::PayloadOperation(change))
}

/// Replaces whole payloads.
pub(crate) fn overwrite_payload(
    store: &Store,
    request: SetPayloadPoints,
) -> Result<PointsOperationResponse, Status> {
    let name = request.collection_name.clone();
    let change = PayloadOps::OverwritePayload(payload_change(request)?);
    apply(store, &name, UpdateOperation::PayloadOperation(change))
}

fn payload_change(request: SetPayloadPoints) -> Result<SetPayloadOp, Status> {
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let (points, filter) = match parse_selection(request.points_selector)? {
        Selection::Ids(ids) => (Some(ids), None),
        Selection::Filter(filter) => (None, Some(filter)),
    };
    let key = request.key.map(|key| parse_path(&key)).transpose()?;
    Ok(SetPayloadOp { payload: parse_payload(request.payload), points, filter, key })
}

/// Removes some keys of payloads.
pub(crate) fn delete_payload(
    store: &Store,
    request: DeletePayloadPoints,
) -> Result<PointsOperationResponse, Status> {
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let (points, filter) = match parse_selection(request.points_selector)? {
        Selection::Ids(ids) => (Some(ids), None),
        Selection::Filter(filter) => (None, Some(filter)),
    };
    let keys = request.keys.iter().map(|key| parse_path(key)).collect::<Result<_, _>>()?;
    let change = PayloadOps::DeletePayload(DeletePayloadOp { keys, points, filter });
    apply(store, &request.collection_name, UpdateOperation::PayloadOperation(change))
}

/// Empties payloads.
pub(crate) fn clear_payload(
    store: &Store,
    request: ClearPayloadPoints,
) -> Result<PointsOperationResponse, Status> {
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let change = match parse_selection(request.points)? {
        Selection::Ids(points) => PayloadOps::ClearPayload { points },
        Selection::Filter(filter) => PayloadOps::ClearPayloadByFilter(filter),
    };
    apply(store, &request.collection_name, UpdateOperation::PayloadOperation(change))
}

/// Makes an index over a payload key; one that is there is made anew.
pub(crate) fn create_field_index(
    store: &Store,
    request: CreateFieldIndexCollection,
) -> Result<PointsOperationResponse, Status> {
    let index = CreateIndex {
        field_name: parse_path(&request.field_name)?,
        field_schema: Some(schema::parse_index(request.field_type, request.field_index_params)?),
    };
    let change = FieldIndexOperations::CreateIndex(index);
    apply(store, &request.collection_name, UpdateOperation::FieldIndexOperation(change))
}

/// Drops the index over a payload key.
pub(crate) fn delete_field_index(
    store: &Store,
    request: DeleteFieldIndexCollection,
) -> Result<PointsOperationResponse, Status> {
    let change = FieldIndexOperations::DeleteIndex(parse_path(&request.field_name)?);
    apply(store, &request.collection_name, UpdateOperation::FieldIndexOperation(change))
}

fn apply(
    store: &Store,
    name: &str,
    operation: UpdateOperation,
) -> Result<PointsOperationResponse, Status> {
    let started = Instant::now();
    store.get(name)?.write(operation)?;
    let result = UpdateResult { operation_id: None, status: UpdateStatus::Completed.into() };
    Ok(PointsOperationResponse {
        result: Some(result),
        time: started.elapsed().as_secs_f64(),
        usage: None,
    })
}
