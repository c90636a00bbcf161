"""Qdrant's gRPC services in front of its own engine, for a machine that has no Qdrant server.

    target/venv/bin/python infra/qdrant/server.py --grpc 127.0.0.1:6334 --data target/stack/qdrant

Read `main`, then the tables of the calls that are served (every other call is refused as unimplemented), `store.py` (the
folders on disk), `reads.py` and `writes.py` (the calls), and `filters.py`, `points.py`, `vectors.py` and `schema.py`
(protobuf to engine and back).
"""

import argparse
import ipaddress
import queue
import signal
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from qdrant_client.grpc import collections_service_pb2_grpc, points_service_pb2_grpc, qdrant_pb2_grpc

import reads
import writes
from refusal import Refusal, from_engine, internal
from store import Store

# Seconds between flushes. Each write is in the engine's log when it is answered; a flush shortens the log.
FLUSH_EVERY = 10
# Seconds that calls under way have to end after a signal.
GRACE = 3
# The engine holds Python's lock while it works, so a call may wait for others; more threads let short calls pass long ones.
WORKERS = 64
# A batch of points is larger than gRPC's own bound of 4 MiB.
OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1), ("grpc.so_reuseport", 0)]

QDRANT = {"HealthCheck": reads.health_check}
COLLECTIONS = {
    "Get": reads.collection_info,
    "List": reads.list_collections,
    "CollectionExists": reads.collection_exists,
    "Create": writes.create_collection,
    "Update": writes.update_collection,
    "Delete": writes.delete_collection,
}
POINTS = {
    "Get": reads.get,
    "Scroll": reads.scroll,
    "Count": reads.count,
    "Query": reads.query,
    "QueryBatch": reads.query_batch,
    "Facet": reads.facet,
    "Upsert": writes.upsert,
    "Delete": writes.delete,
    "SetPayload": writes.set_payload,
    "OverwritePayload": writes.overwrite_payload,
    "DeletePayload": writes.delete_payload,
    "ClearPayload": writes.clear_payload,
    "CreateFieldIndex": writes.create_field_index,
    "DeleteFieldIndex": writes.delete_field_index,
}


def main():
    parser = argparse.ArgumentParser(description="Serves Qdrant's gRPC on this machine.")
    parser.add_argument("--grpc", required=True, metavar="ADDRESS", help="serve here; port 0 takes a free one")
    parser.add_argument("--data", required=True, metavar="DIR", help="folder of the collections")
    parser.add_argument("--keys", metavar="FILE", help="the keys that open it, one a line, read at each call; any does while there is no file")
    options = parser.parse_args()
    try:
        serve(options)
    except (OSError, RuntimeError, ValueError) as error:
        sys.exit(f"qdrant: {error}")


def serve(options):
    """Serves until a signal asks to end."""
    host = parse_host(options.grpc)
    # Unlike an event, a simple queue may be used in a handler of signals.
    signals = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: signals.put(received))
    store = Store(options.data)
    interceptors = [Keys(Path(options.keys))] if options.keys else []
    server = grpc.server(ThreadPoolExecutor(WORKERS), options=OPTIONS, interceptors=interceptors)
    add_services(server, store)
    port = server.add_insecure_port(options.grpc)
    server.start()
    print(f"qdrant: grpc on {host}:{port}, data in {options.data}", file=sys.stderr, flush=True)
    while True:
        try:
            signals.get(timeout=FLUSH_EVERY)
            break
        except queue.Empty:
            flush(store)
    server.stop(GRACE).wait()
    store.flush()


class Keys(grpc.ServerInterceptor):
    """Refuses calls that have none of the keys in a file."""

    def __init__(self, file):
        self.file = file

    def intercept_service(self, continuation, handler_call_details):
        try:
            keys = self.file.read_text().split()
        except FileNotFoundError:
            return continuation(handler_call_details)
        if dict(handler_call_details.invocation_metadata).get("api-key") in keys:
            return continuation(handler_call_details)
        return grpc.unary_unary_rpc_method_handler(
            lambda _request, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, "Invalid API key or JWT"))


def parse_host(address):
    """Reads the host of an address, which must be of this machine."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"{address} has no port from 0 to 65535")
    if not ipaddress.ip_address(host.strip("[]")).is_loopback:
        raise ValueError(f"{address} is not a loopback address: this serves one machine only")
    return host


def flush(store):
    """Flushes; a failure is printed, and the next flush tries again."""
    try:
        store.flush()
    except Exception as error:
        print(f"qdrant: flushing the collections failed: {error}", file=sys.stderr, flush=True)


def add_services(server, store):
    services = ((qdrant_pb2_grpc, "Qdrant", QDRANT), (collections_service_pb2_grpc, "Collections", COLLECTIONS),
                (points_service_pb2_grpc, "Points", POINTS))
    for module, name, calls in services:
        methods = {call: method(store, function) for call, function in calls.items()}
        servicer = type(name, (getattr(module, f"{name}Servicer"),), methods)()
        getattr(module, f"add_{name}Servicer_to_server")(servicer, server)


def method(store, function):
    """Makes a method of a service from a function that takes the store and the request."""
    def call(_servicer, request, context):
        try:
            return function(store, request)
        except Refusal as error:
            refusal = error
        except Exception as error:
            # The engine checks paths and numbers while a request is read.
            refusal = from_engine(error)
        except BaseException as error:
            # A panic of the engine is no exception to Python.
            traceback.print_exc()
            refusal = internal(error)
        context.abort(refusal.code, refusal.message)
    return call


if __name__ == "__main__":
    main()
