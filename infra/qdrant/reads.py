"""Calls that read points, and those on collections as wholes."""

from uuid import UUID

import qdrant_edge as engine
from qdrant_client import grpc as proto

import filters
import points
import vectors
from ids import parse_id, write_id
from message import optional, refuse_fields
from refusal import bad_input, unserved
from schema import write_index

# The version of the server whose calls are served; clients compare it with their own.
VERSION = "1.19.0"
# The number of results for a caller that sets no limit.
DEFAULT_LIMIT = 10
DIRECTIONS = {proto.Asc: engine.Direction.Asc, proto.Desc: engine.Direction.Desc}


def health_check(_store, _request):
    return proto.HealthCheckReply(title="stand-in for Qdrant (qdrant-edge)", version=VERSION)


def collection_info(store, request):
    """Describes a collection."""
    collection = store.get(request.collection_name)
    info = collection.read(lambda shard: shard.info())
    return proto.GetCollectionInfoResponse(result=proto.CollectionInfo(
        status=proto.Green,
        optimizer_status=proto.OptimizerStatus(ok=True),
        segments_count=info.segments_count,
        config=collection.schema.write(),
        payload_schema={path: write_index(index) for path, index in info.payload_schema.items()},
        points_count=info.points_count,
        indexed_vectors_count=info.indexed_vectors_count,
    ))


def list_collections(store, _request):
    found = [proto.CollectionDescription(name=name) for name in sorted(store.collections)]
    return proto.ListCollectionsResponse(collections=found)


def collection_exists(store, request):
    exists = request.collection_name in store.collections
    return proto.CollectionExistsResponse(result=proto.CollectionExists(exists=exists))


def query(store, request):
    """Finds the points nearest to a vector."""
    return proto.QueryResponse(result=nearest(store.get(request.collection_name), request))


def query_batch(store, request):
    """Answers several queries at once, in their order."""
    collection = store.get(request.collection_name)
    for one in request.query_points:
        if one.collection_name != request.collection_name:
            raise bad_input(f"a batch names one collection, but a query names `{one.collection_name}`")
    results = [proto.BatchResult(result=nearest(collection, one)) for one in request.query_points]
    return proto.QueryBatchResponse(result=results)


def nearest(collection, request):
    query = parse_query(request, collection.schema)
    scored = collection.read(lambda shard: shard.query(query))
    # The engine finds the points of the offset as well but does not leave them out.
    return [points.write_scored(point) for point in scored[request.offset:]]


def parse_query(request, schema):
    refuse_fields(request, "lookup_from", "shard_key_selector")
    return engine.QueryRequest(
        limit=parse_limit(request) + request.offset,
        query=parse_nearest(request, schema) if request.HasField("query") else None,
        prefetches=[parse_prefetch(prefetch) for prefetch in request.prefetch],
        filter=filters.parse_of(request),
        score_threshold=optional(request, "score_threshold"),
        params=parse_params(request),
        with_vector=points.parse_with_vectors(request),
        with_payload=points.parse_with_payload(request, default=False),
    )


def parse_nearest(request, schema):
    match request.query.WhichOneof("variant"):
        case "nearest":
            vector = vectors.parse_input(request.query.nearest, request.using, schema)
            return engine.Query.Nearest(vector, using=request.using)
        case None:
            raise bad_input("the query is empty or unknown")
    raise unserved("queries other than nearest")


def parse_prefetch(prefetch):
    """Reads a prefetch: points in the order of their ids, among which the query then searches."""
    refuse_fields(prefetch, "query", "using", "prefetch", "lookup_from")
    return engine.Prefetch(
        limit=parse_limit(prefetch),
        params=parse_params(prefetch),
        filter=filters.parse_of(prefetch),
        score_threshold=optional(prefetch, "score_threshold"),
    )


def parse_limit(request):
    limit = optional(request, "limit")
    if limit == 0:
        raise bad_input("limit must be at least 1")
    return DEFAULT_LIMIT if limit is None else limit


def parse_params(request):
    if not request.HasField("params"):
        return None
    params = request.params
    refuse_fields(params, "acorn")
    corpus = filters.parse(params.idf.corpus) if params.HasField("idf") and params.idf.HasField("corpus") else None
    # Nothing is ever left unindexed here, so `indexed_only` has nothing to leave out.
    return engine.SearchParams(hnsw_ef=optional(params, "hnsw_ef"), exact=params.exact,
                               idf=engine.IdfParams(corpus=corpus) if corpus is not None else None)


def scroll(store, request):
    """Reads points page by page, by id or by a payload key."""
    refuse_fields(request, "shard_key_selector")
    page = engine.ScrollRequest(
        offset=parse_id(request.offset) if request.HasField("offset") else None,
        limit=parse_limit(request),
        filter=filters.parse_of(request),
        with_payload=points.parse_with_payload(request, default=True),
        with_vector=points.parse_with_vectors(request),
        order_by=parse_order(request.order_by) if request.HasField("order_by") else None,
    )
    records, following = store.get(request.collection_name).read(lambda shard: shard.scroll(page))
    response = proto.ScrollResponse(result=[points.write_record(record) for record in records])
    if following is not None:
        response.next_page_offset.CopyFrom(write_id(following))
    return response


def parse_order(order):
    start = order.start_from.WhichOneof("value")
    if start == "datetime":
        raise unserved("start_from as text, only as a timestamp")
    value = getattr(order.start_from, start) if start else None
    return engine.OrderBy(
        order.key,
        direction=DIRECTIONS[order.direction] if order.HasField("direction") else None,
        start_from=filters.parse_instant(value) if start == "timestamp" else value,
    )


def count(store, request):
    """Counts points."""
    refuse_fields(request, "shard_key_selector")
    is_exact = request.exact if request.HasField("exact") else True
    wanted = engine.CountRequest(exact=is_exact, filter=filters.parse_of(request))
    counted = store.get(request.collection_name).read(lambda shard: shard.count(wanted))
    return proto.CountResponse(result=proto.CountResult(count=counted))


def get(store, request):
    """Reads points by their ids; those that are not there are left out."""
    refuse_fields(request, "shard_key_selector")
    ids = [parse_id(point_id) for point_id in request.ids]
    wanted = points.parse_with_payload(request, default=True), points.parse_with_vectors(request)
    records = store.get(request.collection_name).read(lambda shard: shard.retrieve(ids, *wanted))
    return proto.GetResponse(result=[points.write_record(record) for record in records])


def facet(store, request):
    """Counts points by the values of a payload key, which needs an index."""
    refuse_fields(request, "shard_key_selector")
    wanted = engine.FacetRequest(
        request.key, limit=parse_limit(request), exact=request.exact, filter=filters.parse_of(request))
    hits = store.get(request.collection_name).read(lambda shard: shard.facet(wanted).hits)
    return proto.FacetResponse(hits=[proto.FacetHit(value=facet_value(hit.value), count=hit.count) for hit in hits])


def facet_value(value):
    match value:
        case bool():
            return proto.FacetValue(bool_value=value)
        case int():
            return proto.FacetValue(integer_value=value)
        case UUID() | str():
            return proto.FacetValue(string_value=str(value))
