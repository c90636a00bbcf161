//! The schema of a collection: its vectors and its payload indexes.

use std::collections::HashMap;

use qdrant_client::qdrant::payload_index_params::IndexParams;
use qdrant_client::qdrant::vectors_config::Config;
use qdrant_client::qdrant::{
    CollectionConfig, CollectionParams, CreateCollection, Distance as ProtoDistance, FieldType,
    Modifier as ProtoModifier, PayloadIndexParams, PayloadSchemaType as ProtoSchema,
    SparseVectorConfig, SparseVectorParams, VectorParams, VectorParamsMap, VectorsConfig,
};
use qdrant_edge::{
    DEFAULT_VECTOR_NAME, Distance, EdgeConfig, EdgeSparseVectorParams, EdgeVectorParams, Modifier,
    PayloadFieldSchema, PayloadSchemaType,
};
use serde_json::json;
use tonic::Status;

use crate::filter::count;
use crate::status::{bad_input, refuse_if, unserved};

/// Reads the configuration of a collection to be created. Settings of the index graph, of replication and of places on
/// disk change no answer here and are ignored.
pub(crate) fn parse(request: CreateCollection) -> Result<EdgeConfig, Status> {
    refuse_if(request.quantization_config.is_some(), "quantization")?;
    refuse_if(request.sharding_method.unwrap_or_default() != 0, "custom sharding")?;
    refuse_if(request.strict_mode_config.is_some(), "strict mode")?;
    refuse_if(!request.metadata.is_empty(), "metadata of a collection")?;
    let vectors = match request.vectors_config.and_then(|config| config.config) {
        Some(Config::Params(params)) => {
            HashMap::from([(DEFAULT_VECTOR_NAME.to_owned(), dense(params)?)])
        }
        Some(Config::ParamsMap(named)) => named
            .map
            .into_iter()
            .map(|(name, params)| Ok((name, dense(params)?)))
            .collect::<Result<_, Status>>()?,
        None => HashMap::new(),
    };
    let sparse_vectors = request
        .sparse_vectors_config
        .into_iter()
        .flat_map(|config| config.map)
        .map(|(name, params)| Ok((name, sparse(params)?)))
        .collect::<Result<_, Status>>()?;
    Ok(EdgeConfig { vectors, sparse_vectors, ..EdgeConfig::default() })
}

fn dense(params: VectorParams) -> Result<EdgeVectorParams, Status> {
    refuse_if(params.quantization_config.is_some(), "quantization")?;
    refuse_if(params.multivector_config.is_some(), "multi-dense vectors")?;
    // 0 is the default and 1 a float of 32 bits.
    refuse_if(params.datatype.unwrap_or_default() > 1, "vectors of a datatype other than float32")?;
    let distance = match ProtoDistance::try_from(params.distance) {
        Ok(ProtoDistance::Cosine) => Distance::Cosine,
        Ok(ProtoDistance::Euclid) => Distance::Euclid,
        Ok(ProtoDistance::Dot) => Distance::Dot,
        Ok(ProtoDistance::Manhattan) => Distance::Manhattan,
        Ok(ProtoDistance::UnknownDistance) | Err(_) => {
            return Err(bad_input("the distance of a vector is unknown"));
        }
    };
    match count(params.size)? {
        0 => Err(bad_input("the size of a vector must be at least 1")),
        size => Ok(EdgeVectorParams::builder(size, distance).build()),
    }
}

fn sparse(params: SparseVectorParams) -> Result<EdgeSparseVectorParams, Status> {
    let modifier = match params.modifier.map(ProtoModifier::try_from) {
        None | Some(Ok(ProtoModifier::None)) => Modifier::None,
        Some(Ok(ProtoModifier::Idf)) => Modifier::Idf,
        Some(Err(_)) => return Err(bad_input("the modifier of a sparse vector is unknown")),
    };
    Ok(EdgeSparseVectorParams { modifier: Some(modifier), ..EdgeSparseVectorParams::default() })
}

/// Writes a configuration as the client reads it.
pub(crate) fn write(config: &EdgeConfig) -> CollectionConfig {
    let vectors = match config.vectors.get(DEFAULT_VECTOR_NAME) {
        Some(only) => Config::Params(write_dense(only)),
        None => Config::ParamsMap(VectorParamsMap {
            map: config
                .vectors
                .iter()
                .map(|(name, params)| (name.clone(), write_dense(params)))
                .collect(),
        }),
    };
    let sparse = config.sparse_vectors.iter().map(|(name, params)| {
        let modifier = params.modifier.map(|modifier| match modifier {
            Modifier::None => ProtoModifier::None.into(),
            Modifier::Idf => ProtoModifier::Idf.into(),
        });
        (name.clone(), SparseVectorParams { index: None, modifier })
    });
    let params = CollectionParams {
        shard_number: 1,
        vectors_config: Some(VectorsConfig { config: Some(vectors) }),
        sparse_vectors_config: Some(SparseVectorConfig { map: sparse.collect() }),
        ..CollectionParams::default()
    };
    CollectionConfig { params: Some(params), ..CollectionConfig::default() }
}

fn write_dense(params: &EdgeVectorParams) -> VectorParams {
    let distance = match params.distance {
        Distance::Cosine => ProtoDistance::Cosine,
        Distance::Euclid => ProtoDistance::Euclid,
        Distance::Dot => ProtoDistance::Dot,
        Distance::Manhattan => ProtoDistance::Manhattan,
    };
    VectorParams { size: params.size as u64, distance: distance.into(), ..VectorParams::default() }
}

/// Reads the schema of a payload index.
pub(crate) fn parse_index(
    field_type: Option<i32>,
    params: Option<PayloadIndexParams>,
) -> Result<PayloadFieldSchema, Status> {
    if let Some(params) = params.and_then(|params| params.index_params) {
        return parse_index_params(params);
    }
    let kind = match field_type.map(FieldType::try_from) {
        Some(Ok(FieldType::Keyword)) => PayloadSchemaType::Keyword,
        Some(Ok(FieldType::Integer)) => PayloadSchemaType::Integer,
        Some(Ok(FieldType::Float)) => PayloadSchemaType::Float,
        Some(Ok(FieldType::Bool)) => PayloadSchemaType::Bool,
        Some(Ok(FieldType::Datetime)) => PayloadSchemaType::Datetime,
        Some(Ok(FieldType::Uuid)) => PayloadSchemaType::Uuid,
        Some(Ok(FieldType::Text)) => PayloadSchemaType::Text,
        Some(Ok(FieldType::Geo)) => return Err(unserved("the geo index")),
        Some(Err(_)) | None => {
            return Err(bad_input("the field type of the index is missing or unknown"));
        }
    };
    Ok(PayloadFieldSchema::FieldType(kind))
}

/// Reads the parameters that change answers. Where the index lies and how a graph uses it do not change them.
fn parse_index_params(params: IndexParams) -> Result<PayloadFieldSchema, Status> {
    let params = match params {
        IndexParams::KeywordIndexParams(keyword) => {
            refuse_if(
                keyword.prefix.is_some() || keyword.nested.is_some(),
                "prefix and nested keyword indexes",
            )?;
            json!({"type": "keyword", "is_tenant": keyword.is_tenant})
        }
        IndexParams::IntegerIndexParams(integer) => json!({
            "type": "integer",
            "lookup": integer.lookup,
            "range": integer.range,
            "is_principal": integer.is_principal,
        }),
        IndexParams::DatetimeIndexParams(time) => {
            json!({"type": "datetime", "is_principal": time.is_principal})
        }
        IndexParams::FloatIndexParams(float) => {
            json!({"type": "float", "is_principal": float.is_principal})
        }
        IndexParams::UuidIndexParams(uuid) => json!({"type": "uuid", "is_tenant": uuid.is_tenant}),
        IndexParams::BoolIndexParams(_) => json!({"type": "bool"}),
        IndexParams::TextIndexParams(_) => return Err(unserved("parameters of a text index")),
        IndexParams::GeoIndexParams(_) => return Err(unserved("the geo index")),
    };
    serde_json::from_value(params)
        .map_err(|err| bad_input(format!("the parameters of the index: {err}")))
}

/// Writes the type of a payload index.
pub(crate) fn write_index(kind: PayloadSchemaType) -> ProtoSchema {
    match kind {
        PayloadSchemaType::Keyword => ProtoSchema::Keyword,
        PayloadSchemaType::Integer => ProtoSchema::Integer,
        PayloadSchemaType::Float => ProtoSchema::Float,
        PayloadSchemaType::Geo => ProtoSchema::Geo,
        PayloadSchemaType::Text => ProtoSchema::Text,
        PayloadSchemaType::Bool => ProtoSchema::Bool,
        PayloadSchemaType::Datetime => ProtoSchema::Datetime,
        PayloadSchemaType::Uuid => ProtoSchema::Uuid,
    }
}
