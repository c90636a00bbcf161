"""Calls that change points and collections. Each is done when it is answered, whatever `wait` says."""

from qdrant_client import grpc as proto
from qdrant_client.conversions.conversion import grpc_to_payload
from qdrant_edge import UpdateOperation

import filters
import points
from message import optional, refuse_fields
from refusal import bad_input
from schema import parse_index


def create_collection(store, request):
    store.create(request)
    return proto.CollectionOperationResponse(result=True)


def update_collection(store, request):
    store.update(request)
    return proto.CollectionOperationResponse(result=True)


def delete_collection(store, request):
    """Deletes a collection; one that is not there is answered with `false`."""
    return proto.CollectionOperationResponse(result=store.delete(request.collection_name))


def upsert(store, request):
    """Inserts points or replaces those with the same ids."""
    refuse_fields(request, "shard_key_selector", "update_filter", "update_mode")
    schema = store.get(request.collection_name).schema
    stored = [points.parse_point(point, schema) for point in request.points]
    if not stored:
        raise bad_input("Empty update request")
    return apply(store, request, UpdateOperation.upsert_points(stored))


def delete(store, request):
    """Deletes points."""
    return by_selector(store, request, request.points, UpdateOperation.delete_points,
                       UpdateOperation.delete_points_by_filter)


def set_payload(store, request):
    """Sets some keys of payloads and leaves the others."""
    return by_selector(store, request, request.points_selector, UpdateOperation.set_payload,
                       UpdateOperation.set_payload_by_filter, *change(request))


def overwrite_payload(store, request):
    """Replaces whole payloads."""
    return by_selector(store, request, request.points_selector, UpdateOperation.overwrite_payload,
                       UpdateOperation.overwrite_payload_by_filter, *change(request))


def change(request):
    return grpc_to_payload(request.payload), optional(request, "key")


def delete_payload(store, request):
    """Removes some keys of payloads."""
    return by_selector(store, request, request.points_selector, UpdateOperation.delete_payload,
                       UpdateOperation.delete_payload_by_filter, list(request.keys))


def clear_payload(store, request):
    """Empties payloads."""
    return by_selector(store, request, request.points, UpdateOperation.clear_payload,
                       UpdateOperation.clear_payload_by_filter)


def by_selector(store, request, selector, by_ids, by_filter, *values):
    """Applies an operation to the points that a selector names, by their ids or by a filter."""
    refuse_fields(request, "shard_key_selector")
    ids, condition = filters.parse_selector(selector)
    operation = by_ids(ids, *values) if condition is None else by_filter(condition, *values)
    return apply(store, request, operation)


def create_field_index(store, request):
    """Makes an index over a payload key; one that is there is made anew."""
    return apply(store, request, UpdateOperation.create_field_index(request.field_name, parse_index(request)))


def delete_field_index(store, request):
    """Drops the index over a payload key."""
    return apply(store, request, UpdateOperation.delete_field_index(request.field_name))


def apply(store, request, operation):
    store.get(request.collection_name).write(operation)
    return proto.PointsOperationResponse(result=proto.UpdateResult(status=proto.Completed))
