"""The schema of a collection: its vectors and its payload indexes.

Settings of the index graph, of replication, of places on disk and of quantized vectors beside the original ones are kept and
told, and change no answer here.
"""

import qdrant_edge as engine
from qdrant_client import grpc as proto

from message import optional, refuse_fields
from refusal import bad_input, unserved
from vectors import UNNAMED

DISTANCES = {
    proto.Cosine: engine.Distance.Cosine,
    proto.Euclid: engine.Distance.Euclid,
    proto.Dot: engine.Distance.Dot,
    proto.Manhattan: engine.Distance.Manhattan,
}
MODIFIERS = {proto.Modifier.Value("None"): None, proto.Idf: engine.Modifier.Idf}
KINDS = {
    proto.FieldTypeKeyword: engine.PayloadSchemaType.Keyword,
    proto.FieldTypeInteger: engine.PayloadSchemaType.Integer,
    proto.FieldTypeFloat: engine.PayloadSchemaType.Float,
    proto.FieldTypeBool: engine.PayloadSchemaType.Bool,
    proto.FieldTypeDatetime: engine.PayloadSchemaType.Datetime,
    proto.FieldTypeUuid: engine.PayloadSchemaType.Uuid,
    proto.FieldTypeText: engine.PayloadSchemaType.Text,
}
# The parameters of an index that change answers. Where it lies and how a graph uses it do not change them.
PARAMETERS = {
    "keyword_index_params": (engine.KeywordIndexParams, ("is_tenant",)),
    "integer_index_params": (engine.IntegerIndexParams, ("lookup", "range", "is_principal")),
    "datetime_index_params": (engine.DatetimeIndexParams, ("is_principal",)),
    "float_index_params": (engine.FloatIndexParams, ("is_principal",)),
    "uuid_index_params": (engine.UuidIndexParams, ("is_tenant",)),
    "bool_index_params": (engine.BoolIndexParams, ()),
}


class Schema:
    """The vectors of a collection, as they were asked for."""

    def __init__(self, request):
        """Reads the request that makes a collection."""
        refuse_fields(request, "sharding_method", "strict_mode_config", "metadata")
        self.request = request
        self.dense = {name: parse_dense(params) for name, params in by_name(request.vectors_config).items()}
        self.sparse = {name: parse_sparse(params) for name, params in request.sparse_vectors_config.map.items()}

    def config(self):
        """Returns the schema as the engine takes it."""
        return engine.EdgeConfig(vectors=self.dense, sparse_vectors=self.sparse)

    def check(self, name, vector):
        """Refuses a vector that does not fit the collection, before anything is written."""
        is_sparse = isinstance(vector, engine.SparseVector)
        if name not in self.dense and name not in self.sparse:
            raise bad_input(f"Not existing vector name error: {name}")
        if is_sparse != (name in self.sparse):
            raise bad_input(f"the vector `{name}` is of another kind in this collection")
        if not is_sparse and len(vector) != self.dense[name].size:
            raise bad_input(f"Vector dimension error: expected dim: {self.dense[name].size}, got {len(vector)}")

    def write(self):
        """Writes the schema as the client reads it."""
        params = proto.CollectionParams(shard_number=1)
        params.vectors_config.SetInParent()
        for field in ("vectors_config", "sparse_vectors_config"):
            if self.request.HasField(field):
                getattr(params, field).CopyFrom(getattr(self.request, field))
        if self.request.HasField("replication_factor"):
            params.replication_factor = self.request.replication_factor
        config = proto.CollectionConfig(params=params, hnsw_config=self.request.hnsw_config)
        if self.request.HasField("quantization_config"):
            config.quantization_config.CopyFrom(self.request.quantization_config)
        return config


def changed(request, change):
    """Returns the request that would have made a collection as it is after a change of its settings."""
    refuse_fields(change, "optimizers_config", "sparse_vectors_config", "strict_mode_config", "metadata")
    made = proto.CreateCollection()
    made.CopyFrom(request)
    made.hnsw_config.MergeFrom(change.hnsw_config)
    if change.params.HasField("replication_factor"):
        made.replication_factor = change.params.replication_factor
    match change.quantization_config.WhichOneof("quantization"):
        case "disabled":
            made.ClearField("quantization_config")
        case "scalar":
            made.quantization_config.scalar.CopyFrom(change.quantization_config.scalar)
        case None:
            pass
        case other:
            raise unserved(f"the quantization `{other}`")
    return made


def by_name(config):
    """Returns the dense vectors of a configuration by their names."""
    match config.WhichOneof("config"):
        case "params":
            return {UNNAMED: config.params}
        case "params_map":
            return config.params_map.map
    return {}


def parse_dense(params):
    refuse_fields(params, "quantization_config", "multivector_config")
    # 0 is the default and 1 a float of 32 bits.
    if params.datatype > 1:
        raise unserved("vectors of a datatype other than float32")
    if params.distance not in DISTANCES:
        raise bad_input("the distance of a vector is unknown")
    if params.size == 0:
        raise bad_input("the size of a vector must be at least 1")
    return engine.EdgeVectorParams(params.size, DISTANCES[params.distance])


def parse_sparse(params):
    if params.modifier not in MODIFIERS:
        raise bad_input("the modifier of a sparse vector is unknown")
    return engine.EdgeSparseVectorParams(modifier=MODIFIERS[params.modifier])


def parse_index(request):
    """Reads the schema of a payload index."""
    kind = request.field_index_params.WhichOneof("index_params")
    if kind:
        return parse_parameters(kind, getattr(request.field_index_params, kind))
    if request.HasField("field_type") and request.field_type == proto.FieldTypeGeo:
        raise unserved("the geo index")
    if not request.HasField("field_type") or request.field_type not in KINDS:
        raise bad_input("the field type of the index is missing or unknown")
    return KINDS[request.field_type]


def parse_parameters(kind, message):
    if kind not in PARAMETERS:
        raise unserved(f"`{kind}`")
    if kind == "keyword_index_params":
        refuse_fields(message, "prefix", "nested")
    make, names = PARAMETERS[kind]
    return make(**{name: optional(message, name) for name in names})


def write_index(index):
    """Writes a payload index as the client reads it."""
    name = str(index.data_type).rpartition(".")[2]
    return proto.PayloadSchemaInfo(data_type=proto.PayloadSchemaType.Value(name), points=index.points)
