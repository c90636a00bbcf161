//! Ids, payloads and selectors, between protobuf and the engine.

use std::collections::HashMap;

use qdrant_client::qdrant::point_id::PointIdOptions;
use qdrant_client::qdrant::points_selector::PointsSelectorOneOf;
use qdrant_client::qdrant::with_payload_selector::SelectorOptions as PayloadOptions;
use qdrant_client::qdrant::with_vectors_selector::SelectorOptions as VectorOptions;
use qdrant_client::qdrant::{
    OrderValue as ProtoOrderValue, PointId as ProtoId, PointsSelector, RetrievedPoint,
    ScoredPoint as ProtoScored, Value, WithPayloadSelector, WithVectorsSelector, order_value,
};
use qdrant_edge::external::uuid::Uuid;
use qdrant_edge::{
    Filter, JsonPath, OrderValue, Payload, PayloadSelector, PayloadSelectorExclude,
    PayloadSelectorInclude, PointId, Record, ScoredPoint, WithPayloadInterface, WithVector,
};
use tonic::Status;

use crate::filter;
use crate::status::bad_input;
use crate::vector;

/// The points an operation is about.
pub(crate) enum Selection {
    /// Those with these ids.
    Ids(Vec<PointId>),
    /// Those that pass this filter.
    Filter(Filter),
}

/// Reads which points an operation is about.
pub(crate) fn parse_selection(selector: Option<PointsSelector>) -> Result<Selection, Status> {
    match selector.and_then(|selector| selector.points_selector_one_of) {
        Some(PointsSelectorOneOf::Points(list)) => {
            list.ids.into_iter().map(parse_id).collect::<Result<_, _>>().map(Selection::Ids)
        }
        Some(PointsSelectorOneOf::Filter(filter)) => filter::parse(filter).map(Selection::Filter),
        None => Err(bad_input("a points selector is required")),
    }
}

/// Reads a number or a UUID.
pub(crate) fn parse_id(id: ProtoId) -> Result<PointId, Status> {
    match id.point_id_options {
        Some(PointIdOptions::Num(number)) => Ok(PointId::NumId(number)),
        Some(PointIdOptions::Uuid(text)) => Uuid::parse_str(&text)
            .map(PointId::Uuid)
            .map_err(|_| bad_input(format!("unable to parse UUID: {text}"))),
        None => Err(bad_input("a point id is required")),
    }
}

/// Writes an id as the client reads it.
pub(crate) fn write_id(id: PointId) -> ProtoId {
    let options = match id {
        PointId::NumId(number) => PointIdOptions::Num(number),
        PointId::Uuid(uuid) => PointIdOptions::Uuid(uuid.to_string()),
    };
    ProtoId { point_id_options: Some(options) }
}

/// Reads a path into a payload, `a.b[].c`.
pub(crate) fn parse_path(path: &str) -> Result<JsonPath, Status> {
    path.parse().map_err(|()| bad_input(format!("`{path}` is not a payload key")))
}

/// Reads a payload.
pub(crate) fn parse_payload(payload: HashMap<String, Value>) -> Payload {
    Payload(payload.into_iter().map(|(key, value)| (key, value.into())).collect())
}

fn write_payload(payload: Option<Payload>) -> HashMap<String, Value> {
    payload
        .into_iter()
        .flat_map(|payload| payload.0)
        .map(|(key, value)| (key, value.into()))
        .collect()
}

/// Reads how much of the payload is wanted; `None` is left to the call's own default.
pub(crate) fn parse_with_payload(
    selector: Option<WithPayloadSelector>,
) -> Result<Option<WithPayloadInterface>, Status> {
    let Some(options) = selector.and_then(|selector| selector.selector_options) else {
        return Ok(None);
    };
    let paths = |fields: &[String]| {
        fields.iter().map(|field| parse_path(field)).collect::<Result<Vec<_>, _>>()
    };
    Ok(Some(match options {
        PayloadOptions::Enable(is_wanted) => WithPayloadInterface::Bool(is_wanted),
        PayloadOptions::Include(include) => WithPayloadInterface::Selector(
            PayloadSelector::Include(PayloadSelectorInclude::new(paths(&include.fields)?)),
        ),
        PayloadOptions::Exclude(exclude) => WithPayloadInterface::Selector(
            PayloadSelector::Exclude(PayloadSelectorExclude::new(paths(&exclude.fields)?)),
        ),
    }))
}

/// Reads which vectors are wanted; none by default.
pub(crate) fn parse_with_vectors(selector: Option<WithVectorsSelector>) -> WithVector {
    match selector.and_then(|selector| selector.selector_options) {
        Some(VectorOptions::Enable(is_wanted)) => WithVector::Bool(is_wanted),
        Some(VectorOptions::Include(include)) => WithVector::Selector(include.names),
        None => WithVector::Bool(false),
    }
}

/// Writes a point that was found by nearness.
pub(crate) fn write_scored(point: ScoredPoint) -> ProtoScored {
    ProtoScored {
        id: Some(write_id(point.id)),
        payload: write_payload(point.payload),
        score: point.score,
        version: point.version,
        vectors: point.vector.map(vector::write),
        shard_key: None,
        order_value: point.order_value.map(write_order_value),
    }
}

/// Writes a point that was read by id or by page.
pub(crate) fn write_record(record: Record) -> RetrievedPoint {
    RetrievedPoint {
        id: Some(write_id(record.id)),
        payload: write_payload(record.payload),
        vectors: record.vector.map(vector::write),
        shard_key: None,
        order_value: record.order_value.map(write_order_value),
    }
}

fn write_order_value(value: OrderValue) -> ProtoOrderValue {
    let variant = match value {
        OrderValue::Int(integer) => order_value::Variant::Int(integer),
        OrderValue::Float(float) => order_value::Variant::Float(float),
    };
    ProtoOrderValue { variant: Some(variant) }
}
