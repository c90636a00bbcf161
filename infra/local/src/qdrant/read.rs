//! Calls that read points.

use std::time::Instant;

use qdrant_client::qdrant::query::Variant;
use qdrant_client::qdrant::{
    BatchResult, CountPoints, CountResponse, CountResult, Direction as ProtoDirection, FacetCounts,
    FacetHit, FacetResponse, FacetValue as ProtoFacetValue, GetPoints, GetResponse,
    OrderBy as ProtoOrderBy, PrefetchQuery, QueryBatchPoints, QueryBatchResponse, QueryPoints,
    QueryResponse, ScoredPoint, ScrollPoints, ScrollResponse, SearchParams as Params, facet_value,
    start_from,
};
use qdrant_edge::external::ordered_float::OrderedFloat;
use qdrant_edge::external::uuid::Uuid;
use qdrant_edge::{
    CountRequest, DEFAULT_VECTOR_NAME, Direction, EdgeConfig, EdgeShard, FacetRequest, FacetValue,
    NamedQuery, OrderBy, OrderByInterface, Prefetch, QueryEnum, QueryRequest, ScoringQuery,
    ScrollRequest, SearchParams, StartFrom, WithPayloadInterface,
};
use tonic::Status;

use crate::filter::{self, count as number, instant};
use crate::point::{
    parse_id, parse_path, parse_with_payload, parse_with_vectors, write_id, write_record,
    write_scored,
};
use crate::status::{bad_input, from_engine, refuse_if, unserved};
use crate::store::Store;
use crate::vector::{self, Bm25};

/// The number of results for a caller that sets no limit.
const DEFAULT_LIMIT: usize = 10;

/// Finds the points nearest to a vector.
pub(crate) fn query(store: &Store, request: QueryPoints) -> Result<QueryResponse, Status> {
    let started = Instant::now();
    let collection = store.get(&request.collection_name)?;
    let result = collection.read(|shard| nearest(shard, request, &store.bm25))?;
    Ok(QueryResponse { result, time: started.elapsed().as_secs_f64(), usage: None })
}

/// Answers several queries at once, in their order.
pub(crate) fn query_batch(
    store: &Store,
    request: QueryBatchPoints,
) -> Result<QueryBatchResponse, Status> {
    let started = Instant::now();
    let collection = store.get(&request.collection_name)?;
    let queries = request.query_points;
    if let Some(stray) =
        queries.iter().find(|query| query.collection_name != request.collection_name)
    {
        return Err(bad_input(format!(
            "a batch names one collection, but a query names `{}`",
            stray.collection_name
        )));
    }
    let result = collection.read(|shard| {
        let answer = |query| Ok(BatchResult { result: nearest(shard, query, &store.bm25)? });
        queries.into_iter().map(answer).collect::<Result<_, Status>>()
    })?;
    Ok(QueryBatchResponse { result, time: started.elapsed().as_secs_f64(), usage: None })
}

fn nearest(
    shard: &EdgeShard,
    request: QueryPoints,
    bm25: &Bm25,
) -> Result<Vec<ScoredPoint>, Status> {
    let mut request = parse_query(request, &shard.config(), bm25)?;
    // The engine finds the points of the offset as well but does not leave them out.
    let offset = std::mem::take(&mut request.offset);
    request.limit = request.limit.saturating_add(offset);
    let points = shard.query(request).map_err(|err| from_engine(&err))?;
    Ok(points.into_iter().skip(offset).map(write_scored).collect())
}

fn parse_query(
    request: QueryPoints,
    config: &EdgeConfig,
    bm25: &Bm25,
) -> Result<QueryRequest, Status> {
    refuse_if(request.lookup_from.is_some(), "lookup_from")?;
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let using = request.using.as_deref().unwrap_or(DEFAULT_VECTOR_NAME);
    let query = match request.query.map(|query| query.variant) {
        Some(Some(Variant::Nearest(input))) => {
            let sought = vector::parse_sought(input, using, config, bm25)?;
            Some(ScoringQuery::Vector(QueryEnum::Nearest(NamedQuery::new(sought, using))))
        }
        Some(Some(_)) => return Err(unserved("queries other than nearest")),
        Some(None) => return Err(bad_input("the query is empty or unknown")),
        None => None,
    };
    Ok(QueryRequest {
        prefetches: request.prefetch.into_iter().map(parse_prefetch).collect::<Result<_, _>>()?,
        query,
        filter: request.filter.map(filter::parse).transpose()?,
        score_threshold: request.score_threshold.map(OrderedFloat),
        limit: limit(request.limit)?,
        offset: number(request.offset.unwrap_or_default())?,
        params: request.params.as_ref().map(params).transpose()?,
        with_vector: parse_with_vectors(request.with_vectors),
        with_payload: parse_with_payload(request.with_payload)?
            .unwrap_or(WithPayloadInterface::Bool(false)),
    })
}

/// Reads a prefetch: points in the order of their ids, among which the query then searches.
fn parse_prefetch(prefetch: PrefetchQuery) -> Result<Prefetch, Status> {
    refuse_if(prefetch.query.is_some() || prefetch.using.is_some(), "prefetch by a query")?;
    refuse_if(!prefetch.prefetch.is_empty(), "a prefetch within another")?;
    refuse_if(prefetch.lookup_from.is_some(), "lookup_from")?;
    Ok(Prefetch {
        prefetches: Vec::new(),
        query: None,
        limit: limit(prefetch.limit)?,
        params: prefetch.params.as_ref().map(params).transpose()?,
        filter: prefetch.filter.map(filter::parse).transpose()?,
        score_threshold: prefetch.score_threshold.map(OrderedFloat),
    })
}

fn limit(limit: Option<u64>) -> Result<usize, Status> {
    match limit.map(number).transpose()? {
        Some(0) => Err(bad_input("limit must be at least 1")),
        limit => Ok(limit.unwrap_or(DEFAULT_LIMIT)),
    }
}

fn params(params: &Params) -> Result<SearchParams, Status> {
    refuse_if(params.quantization.is_some(), "quantization")?;
    refuse_if(params.acorn.is_some(), "the search parameter acorn")?;
    refuse_if(params.idf.is_some(), "the search parameter idf")?;
    Ok(SearchParams {
        hnsw_ef: params.hnsw_ef.map(number).transpose()?,
        exact: params.exact.unwrap_or_default(),
        // Nothing is ever left unindexed here, so `indexed_only` has nothing to leave out.
        ..SearchParams::default()
    })
}

/// Reads points page by page, by id or by a payload key.
pub(crate) fn scroll(store: &Store, request: ScrollPoints) -> Result<ScrollResponse, Status> {
    let started = Instant::now();
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let page = ScrollRequest {
        offset: request.offset.map(parse_id).transpose()?,
        limit: Some(limit(request.limit.map(u64::from))?),
        filter: request.filter.map(filter::parse).transpose()?,
        with_payload: parse_with_payload(request.with_payload)?,
        with_vector: parse_with_vectors(request.with_vectors),
        order_by: request.order_by.map(order_by).transpose()?,
    };
    let collection = store.get(&request.collection_name)?;
    let (records, next) =
        collection.read(|shard| shard.scroll(page).map_err(|err| from_engine(&err)))?;
    Ok(ScrollResponse {
        next_page_offset: next.map(write_id),
        result: records.into_iter().map(write_record).collect(),
        time: started.elapsed().as_secs_f64(),
        usage: None,
    })
}

fn order_by(order: ProtoOrderBy) -> Result<OrderByInterface, Status> {
    let direction = match order.direction.map(ProtoDirection::try_from) {
        None => None,
        Some(Ok(ProtoDirection::Asc)) => Some(Direction::Asc),
        Some(Ok(ProtoDirection::Desc)) => Some(Direction::Desc),
        Some(Err(_)) => return Err(bad_input("the direction of order_by is unknown")),
    };
    let start_from = match order.start_from.and_then(|start| start.value) {
        None => None,
        Some(start_from::Value::Float(float)) => Some(StartFrom::Float(float)),
        Some(start_from::Value::Integer(integer)) => Some(StartFrom::Integer(integer)),
        Some(start_from::Value::Timestamp(time)) => Some(StartFrom::Datetime(instant(time)?)),
        Some(start_from::Value::Datetime(_)) => {
            return Err(unserved("start_from as text, only as a timestamp"));
        }
    };
    Ok(OrderByInterface::Struct(OrderBy { key: parse_path(&order.key)?, direction, start_from }))
}

/// Counts points.
pub(crate) fn count(store: &Store, request: CountPoints) -> Result<CountResponse, Status> {
    let started = Instant::now();
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let counted = CountRequest {
        filter: request.filter.map(filter::parse).transpose()?,
        exact: request.exact.unwrap_or(true),
    };
    let collection = store.get(&request.collection_name)?;
    let count = collection.read(|shard| shard.count(counted).map_err(|err| from_engine(&err)))?;
    Ok(CountResponse {
        result: Some(CountResult { count: count as u64 }),
        time: started.elapsed().as_secs_f64(),
        usage: None,
    })
}

/// Reads points by their ids; those that are not there are left out.
pub(crate) fn get(store: &Store, request: GetPoints) -> Result<GetResponse, Status> {
    let started = Instant::now();
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let ids = request.ids.into_iter().map(parse_id).collect::<Result<Vec<_>, _>>()?;
    let with_payload = parse_with_payload(request.with_payload)?;
    let with_vectors = parse_with_vectors(request.with_vectors);
    let collection = store.get(&request.collection_name)?;
    let records = collection.read(|shard| {
        shard.retrieve(&ids, with_payload, Some(with_vectors)).map_err(|err| from_engine(&err))
    })?;
    Ok(GetResponse {
        result: records.into_iter().map(write_record).collect(),
        time: started.elapsed().as_secs_f64(),
        usage: None,
    })
}

/// Counts points by the values of a payload key, which needs an index.
pub(crate) fn facet(store: &Store, request: FacetCounts) -> Result<FacetResponse, Status> {
    let started = Instant::now();
    refuse_if(request.shard_key_selector.is_some(), "shard keys")?;
    let counted = FacetRequest {
        key: parse_path(&request.key)?,
        limit: limit(request.limit)?,
        filter: request.filter.map(filter::parse).transpose()?,
        exact: request.exact.unwrap_or_default(),
    };
    let collection = store.get(&request.collection_name)?;
    let found = collection.read(|shard| shard.facet(counted).map_err(|err| from_engine(&err)))?;
    let hits = found.hits.into_iter().map(|hit| {
        let variant = match hit.value {
            FacetValue::Keyword(keyword) => facet_value::Variant::StringValue(keyword),
            FacetValue::Int(integer) => facet_value::Variant::IntegerValue(integer),
            FacetValue::Uuid(uuid) => {
                facet_value::Variant::StringValue(Uuid::from_u128(uuid).to_string())
            }
            FacetValue::Bool(flag) => facet_value::Variant::BoolValue(flag),
        };
        FacetHit {
            value: Some(ProtoFacetValue { variant: Some(variant) }),
            count: hit.count as u64,
        }
    });
    Ok(FacetResponse { hits: hits.collect(), time: started.elapsed().as_secs_f64(), usage: None })
}
