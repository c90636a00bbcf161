"""Ids of points, between protobuf and the engine."""

from uuid import UUID

from qdrant_client import grpc as proto

from refusal import bad_input


def parse_id(point_id):
    """Reads a number or a UUID."""
    kind = point_id.WhichOneof("point_id_options")
    if kind is None:
        raise bad_input("a point id is required")
    if kind == "num":
        return point_id.num
    try:
        return UUID(point_id.uuid)
    except ValueError:
        raise bad_input(f"unable to parse UUID: {point_id.uuid}") from None


def write_id(point_id):
    """Writes an id as the client reads it."""
    return proto.PointId(num=point_id) if isinstance(point_id, int) else proto.PointId(uuid=str(point_id))
