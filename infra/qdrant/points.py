"""Points, between protobuf and the engine."""

import qdrant_edge as engine
from qdrant_client import grpc as proto
from qdrant_client.conversions.conversion import grpc_to_payload, payload_to_grpc

import vectors
from ids import parse_id, write_id


def parse_point(point, schema):
    """Reads a point to be stored in a collection of `schema`."""
    return engine.Point(parse_id(point.id), vectors.parse_stored(point.vectors, schema), grpc_to_payload(point.payload))


def parse_with_payload(request, default):
    """Reads how much of the payload is wanted."""
    match request.with_payload.WhichOneof("selector_options"):
        case "enable":
            return request.with_payload.enable
        case "include":
            return engine.PayloadSelector.Include(list(request.with_payload.include.fields))
        case "exclude":
            return engine.PayloadSelector.Exclude(list(request.with_payload.exclude.fields))
    return default


def parse_with_vectors(request):
    """Reads which vectors are wanted; none by default."""
    match request.with_vectors.WhichOneof("selector_options"):
        case "enable":
            return request.with_vectors.enable
        case "include":
            return list(request.with_vectors.include.names)
    return False


def write_scored(point):
    """Writes a point that was found by nearness."""
    return proto.ScoredPoint(score=point.score, version=point.version, **fields_of(point))


def write_record(record):
    """Writes a point that was read by id or by page."""
    return proto.RetrievedPoint(**fields_of(record))


def fields_of(point):
    fields = {"id": write_id(point.id), "payload": payload_to_grpc(point.payload or {})}
    if point.vector is not None:
        fields["vectors"] = vectors.write(point.vector)
    if point.order_value is not None:
        kind = "int" if isinstance(point.order_value, int) else "float"
        fields["order_value"] = proto.OrderValue(**{kind: point.order_value})
    return fields
