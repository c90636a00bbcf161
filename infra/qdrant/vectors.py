"""Vectors, between protobuf and the engine: dense, sparse, and text that BM25 turns into sparse ones."""

import functools
import json

import qdrant_edge as engine
from qdrant_client import grpc as proto
from qdrant_client.conversions.conversion import grpc_to_payload

from refusal import bad_input, unserved

BM25_MODEL = "qdrant/bm25"
BM25_OPTIONS = {"k", "b", "avg_len", "language", "lowercase", "ascii_folding", "min_token_len", "max_token_len"}
# The name of a vector that has none.
UNNAMED = ""


def parse_stored(message, schema):
    """Reads the vectors of a point to be stored in a collection of `schema`."""
    match message.WhichOneof("vectors_options"):
        case "vectors":
            named = message.vectors.vectors
        case "vector":
            named = {UNNAMED: message.vector}
        case _:
            named = {}
    stored = {}
    for name, vector in named.items():
        stored[name] = parse_vector(vector)
        schema.check(name, stored[name])
    return stored


def parse_vector(message):
    """Reads a vector, in the form used before 1.16 or since."""
    match message.WhichOneof("vector"):
        case "dense":
            return list(message.dense.data)
        case "sparse":
            return parse_sparse(message.sparse.indices, message.sparse.values)
        case "document":
            return bm25(message.document).embed_document(message.document.text)
        case None if message.HasField("indices"):
            return parse_sparse(message.indices.data, message.data)
        case None if not message.HasField("vectors_count"):
            return list(message.data)
    raise unserved("vectors other than dense, sparse and documents")


def parse_input(message, using, schema):
    """Reads the vector of a query for its neighbors in the vectors named `using`."""
    match message.WhichOneof("variant"):
        case "dense":
            vector = list(message.dense.data)
        case "sparse":
            vector = parse_sparse(message.sparse.indices, message.sparse.values)
        case "document":
            vector = bm25(message.document).embed_query(message.document.text)
        case None:
            raise bad_input("the vector to search for is missing")
        case kind:
            raise unserved(f"a query by {kind}")
    schema.check(using, vector)
    return vector


def parse_sparse(indices, values):
    if len(indices) != len(values) or len(set(indices)) != len(indices):
        raise bad_input("the indices of a sparse vector must be unique, with one value each")
    return engine.SparseVector(list(indices), list(values))


def bm25(document):
    """Returns the model that a document names, with its options."""
    if document.model.lower() != BM25_MODEL:
        raise unserved(f"the model `{document.model}`, only `{BM25_MODEL}`")
    options = grpc_to_payload(document.options)
    for name in options.keys() - BM25_OPTIONS:
        raise unserved(f"the option `{name}` of {BM25_MODEL}")
    return bm25_with(json.dumps(options, sort_keys=True))


@functools.cache
def bm25_with(options):
    try:
        return engine.Bm25(engine.Bm25Config(**json.loads(options)))
    except (TypeError, ValueError) as error:
        raise bad_input(f"options of {BM25_MODEL}: {error}") from None


def write(vector):
    """Writes stored vectors as the client reads them."""
    if not isinstance(vector, dict):
        return proto.VectorsOutput(vector=write_vector(vector))
    named = {name: write_vector(one) for name, one in vector.items()}
    return proto.VectorsOutput(vectors=proto.NamedVectorsOutput(vectors=named))


def write_vector(vector):
    if isinstance(vector, engine.SparseVector):
        return proto.VectorOutput(sparse=proto.SparseVector(indices=vector.indices, values=vector.values))
    return proto.VectorOutput(dense=proto.DenseVector(data=vector))
