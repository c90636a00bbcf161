"""Starts the server as a process and calls it with Qdrant's own client: `python -m unittest discover infra/qdrant`."""

import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from qdrant_client import QdrantClient, models
from qdrant_client import grpc as proto
from qdrant_client.grpc import collections_service_pb2_grpc, points_service_pb2_grpc

from refusal import Refusal
from store import Store

SERVER = Path(__file__).with_name("server.py")
CHUNKS = "chunks"
NAMES = {number: f"00000000-0000-0000-0000-{number:012}" for number in range(1, 10)}
TEXTS = (
    (1, [1.0, 0.0, 0.0], "global", True, "The weld cracked in the cold.", "2026-01-01T00:00:00Z"),
    (2, [0.9, 0.1, 0.0], "global", False, "A frozen valve stayed shut.", "2026-02-01T00:00:00Z"),
    (3, [0.0, 1.0, 0.0], "user:ada", True, "Nobody read the weld report.", "2026-03-01T00:00:00Z"),
)


def is_equal(key, value):
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def bm25(text, model="qdrant/bm25", **options):
    return models.Document(text=text, model=model, options={"avg_len": 40} | options)


class Server:
    """The server over a folder, on a port that it chooses."""

    def __init__(self, data, *options):
        self.process = subprocess.Popen([*self.command(data), *options], stderr=subprocess.PIPE, text=True)
        # gRPC may print warnings first.
        line = next(line for line in self.process.stderr if " on " in line)
        port = int(line.split(" on ")[1].split(",")[0].rpartition(":")[2])
        self.client = QdrantClient(host="127.0.0.1", grpc_port=port, prefer_grpc=True, check_compatibility=False,
                                   cloud_inference=True)
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}")

    @staticmethod
    def command(data, address="127.0.0.1:0"):
        return [sys.executable, SERVER, "--grpc", address, "--data", data]

    def end(self, number=signal.SIGTERM):
        self.client.close()
        self.channel.close()
        self.process.send_signal(number)
        ended = self.process.wait()
        self.process.stderr.close()
        return ended


def create(client):
    client.create_collection(CHUNKS, {"dense": models.VectorParams(size=3, distance=models.Distance.COSINE)},
                             sparse_vectors_config={"bm25": models.SparseVectorParams(modifier=models.Modifier.IDF)})
    kinds = {"scope": models.KeywordIndexParams(type="keyword", is_tenant=True), "live": models.PayloadSchemaType.BOOL,
             "line": models.PayloadSchemaType.INTEGER, "time": models.PayloadSchemaType.DATETIME}
    for field, kind in kinds.items():
        client.create_payload_index(CHUNKS, field, kind)


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.data.cleanup)
        cls.server = Server(cls.data.name)
        cls.addClassCleanup(lambda: cls.server.end())

    def setUp(self):
        self.client = self.server.client
        self.client.delete_collection(CHUNKS)
        create(self.client)
        self.client.upsert(CHUNKS, [
            models.PointStruct(id=NAMES[number], vector={"dense": dense, "bm25": bm25(text)}, payload={
                "scope": scope, "live": live, "line": number * 10, "text": text, "time": time})
            for number, dense, scope, live, text, time in TEXTS])

    def query(self, query, using="dense", **options):
        found = self.client.query_points(CHUNKS, query, using=using, with_payload=False, **options).points
        return [int(point.id[-12:]) for point in found]

    def count(self, *must, **other):
        return self.client.count(CHUNKS, models.Filter(must=list(must) or None, **other)).count

    def info(self):
        stub = collections_service_pb2_grpc.CollectionsStub(self.server.channel)
        return stub.Get(proto.GetCollectionInfoRequest(collection_name=CHUNKS)).result

    def refusal(self, call):
        with self.assertRaises(grpc.RpcError) as caught:
            call()
        return caught.exception.code(), caught.exception.details()

    def test_a_batch_answers_dense_and_bm25_with_filters_in_order(self):
        live = models.Filter(must=[is_equal("live", True)])
        near, alike = {"query": [1.0, 0.0, 0.0], "using": "dense"}, {"using": "bm25"}
        answers = self.client.query_batch_points(CHUNKS, [
            models.QueryRequest(**near), models.QueryRequest(**near, filter=live, with_payload=True),
            models.QueryRequest(query=bm25("welds"), **alike), models.QueryRequest(query=bm25("unheard"), **alike)])
        numbers = [[int(point.id[-12:]) for point in answer.points] for answer in answers]
        self.assertEqual((numbers[0], numbers[1], sorted(numbers[2]), numbers[3]), ([1, 2, 3], [1, 3], [1, 3], []))
        self.assertAlmostEqual(answers[0].points[0].score, 1.0, places=6)
        self.assertFalse(answers[0].points[0].payload)
        self.assertEqual(answers[1].points[1].payload["scope"], "user:ada")

    def test_document_frequencies_are_counted_within_the_corpus_that_is_named(self):
        def score(scope):
            corpus = models.IdfCorpusParams(corpus=models.Filter(must=[is_equal("scope", scope)])) if scope else None
            params = models.SearchParams(idf=corpus)
            found = self.client.query_points(CHUNKS, bm25("welds"), using="bm25", limit=1, search_params=params)
            return found.points[0].score

        scores = [score(None), score("user:ada"), score("global")]
        self.assertEqual(len(set(scores)), 3, scores)

    def test_limit_offset_threshold_prefetch_and_selectors_are_heeded(self):
        self.assertEqual(self.query([1.0, 0.0, 0.0], limit=1, offset=1), [2])
        self.assertEqual(self.query([1.0, 0.0, 0.0], score_threshold=0.5), [1, 2])
        some = models.Prefetch(limit=10, filter=models.Filter(must=[is_equal("scope", "user:ada")]))
        self.assertEqual(self.query([1.0, 0.0, 0.0], prefetch=some), [3])
        found = self.client.query_points(CHUNKS, [1.0, 0.0, 0.0], using="dense", limit=1, with_payload=["line"],
                                         with_vectors=["bm25"]).points[0]
        self.assertEqual((list(found.payload), list(found.vector)), (["line"], ["bm25"]))
        self.assertEqual(len(self.client.retrieve(CHUNKS, [NAMES[3], NAMES[9]])), 1)

    def test_every_kind_of_filter_that_is_served_selects(self):
        def has(key, **test):
            return models.FieldCondition(key=key, **test)

        either = [is_equal("line", 10), is_equal("line", 20)]
        cases = (
            (2, [is_equal("scope", "global")]),
            (3, [has("scope", match=models.MatchAny(any=["global", "user:ada"]))]),
            (1, [is_equal("line", 20)]),
            (2, [has("line", match=models.MatchAny(any=[10, 30]))]),
            (1, [has("scope", match=models.MatchExcept(**{"except": ["global", "x"]}))]),
            (2, [has("text", match=models.MatchText(text="weld"))]),
            (1, [has("line", range=models.Range(gte=20, lt=30))]),
            (2, [has("time", range=models.DatetimeRange(gte="2026-02-01T00:00:00Z"))]),
            (2, [has("time", range=models.DatetimeRange(gte="0001-01-01T00:00:00Z", lt="2026-03-01T00:00:00Z"))]),
            (3, [models.IsEmptyCondition(is_empty=models.PayloadField(key="tags"))]),
            (0, [models.IsNullCondition(is_null=models.PayloadField(key="scope"))]),
            (1, [models.HasIdCondition(has_id=[NAMES[2]])]),
            (2, [models.Filter(should=either)]),
        )
        for expected, must in cases:
            self.assertEqual(self.count(*must), expected, must)
        self.assertEqual(self.count(must_not=[is_equal("live", True)]), 1)
        self.assertEqual(self.count(should=either), 2)
        both = [is_equal("live", True), is_equal("scope", "global")]
        self.assertEqual(self.count(min_should=models.MinShould(conditions=both, min_count=2)), 1)

    def test_a_new_version_goes_live_and_the_old_one_is_deleted(self):
        live, second = is_equal("live", True), models.Filter(must=[is_equal("line", 20)])
        self.client.set_payload(CHUNKS, {"live": True}, points=second)
        self.assertEqual((self.count(live), self.count(is_equal("scope", "global"))), (3, 2))
        self.client.delete(CHUNKS, second)
        self.assertEqual(self.count(live), 2)
        self.client.delete(CHUNKS, [NAMES[1]])
        self.assertEqual(self.count(live), 1)
        self.client.delete_payload(CHUNKS, ["live"], points=[NAMES[3]])
        self.client.overwrite_payload(CHUNKS, {"line": 31}, points=[NAMES[3]])
        self.assertEqual(self.client.retrieve(CHUNKS, [NAMES[3]])[0].payload, {"line": 31})
        self.client.clear_payload(CHUNKS, [NAMES[3]])
        self.assertEqual(self.client.retrieve(CHUNKS, [NAMES[3]])[0].payload, {})

    def test_scroll_turns_pages_in_order_and_facets_count(self):
        first, following = self.client.scroll(CHUNKS, limit=2)
        second, end = self.client.scroll(CHUNKS, limit=2, offset=following)
        self.assertEqual((len(first), second[0].payload["line"], end), (2, 30, None))
        latest = models.OrderBy(key="time", direction=models.Direction.DESC)
        found, _ = self.client.scroll(CHUNKS, limit=2, order_by=latest)
        self.assertEqual([record.payload["line"] for record in found], [30, 20])
        hits = self.client.facet(CHUNKS, "scope", exact=True).hits
        self.assertEqual([(hit.value, hit.count) for hit in hits], [("global", 2), ("user:ada", 1)])
        for unindexed in (lambda: self.client.facet(CHUNKS, "text"), lambda: self.client.scroll(CHUNKS, order_by="text")):
            self.assertEqual(self.refusal(unindexed)[0], grpc.StatusCode.INVALID_ARGUMENT)

    def test_a_time_before_all_years_is_no_bound(self):
        instant = Timestamp(seconds=-377705023201)
        bound = proto.FieldCondition(key="time", datetime_range=proto.DatetimeRange(gte=instant))
        request = proto.CountPoints(collection_name=CHUNKS, filter=proto.Filter(must=[proto.Condition(field=bound)]))
        self.assertEqual(points_service_pb2_grpc.PointsStub(self.server.channel).Count(request).result.count, 3)

    def test_payloads_come_back_as_they_were(self):
        payload = {"a": None, "b": True, "c": 1, "d": 1.5, "e": ["x", [2], {"f": {}}], "g": 2**53 + 1, "h": "", "i": []}
        self.client.overwrite_payload(CHUNKS, payload, points=[NAMES[1]])
        found = self.client.retrieve(CHUNKS, [NAMES[1]])[0].payload
        self.assertEqual((found, type(found["b"]), type(found["c"])), (payload, bool, int))

    def test_what_was_answered_is_there_after_a_kill(self):
        self.server.end(signal.SIGKILL)
        type(self).server = Server(self.data.name)
        self.client = self.server.client
        self.assertEqual((self.count(), self.query(bm25("valves"), using="bm25")), (3, [2]))

    def test_what_was_written_is_there_after_a_restart(self):
        self.assertEqual(self.server.end(), 0)
        type(self).server = Server(self.data.name)
        self.client = self.server.client
        self.assertEqual(self.query([0.0, 1.0, 0.0], limit=1), [3])
        self.assertEqual(self.query(bm25("valves"), using="bm25"), [2])
        info = self.info()
        kinds = {name: index.data_type for name, index in info.payload_schema.items()}
        self.assertEqual((info.points_count, kinds), (3, {
            "scope": proto.Keyword, "live": proto.Bool, "line": proto.Integer, "time": proto.Datetime}))
        params = info.config.params
        self.assertEqual(params.vectors_config.params_map.map["dense"].size, 3)
        self.assertEqual(params.sparse_vectors_config.map["bm25"].modifier, proto.Idf)

    def test_collections_are_listed_deleted_and_not_made_twice(self):
        self.assertEqual(self.refusal(lambda: create(self.client)),
                         (grpc.StatusCode.ALREADY_EXISTS, "Wrong input: Collection `chunks` already exists!"))
        self.assertEqual([found.name for found in self.client.get_collections().collections], [CHUNKS])
        self.assertTrue(self.client.delete_collection(CHUNKS))
        self.assertFalse(self.client.collection_exists(CHUNKS))
        self.assertEqual(self.refusal(self.count),
                         (grpc.StatusCode.NOT_FOUND, "Not found: Collection `chunks` doesn't exist!"))
        create(self.client)
        self.assertEqual(self.count(), 0)

    def test_what_is_not_served_or_does_not_fit_is_refused(self):
        cases = (
            ("UNIMPLEMENTED", "other than nearest", models.FusionQuery(fusion=models.Fusion.RRF), "dense"),
            ("UNIMPLEMENTED", "acme/other", bm25("x", model="acme/other"), "bm25"),
            ("UNIMPLEMENTED", "nothing", bm25("x", nothing=1), "bm25"),
            ("INVALID_ARGUMENT", "klingon", bm25("x", language="klingon"), "bm25"),
            ("INVALID_ARGUMENT", "expected dim: 3, got 2", [1.0, 2.0], "dense"),
            ("INVALID_ARGUMENT", "none", [1.0, 2.0], "none"),
            ("INVALID_ARGUMENT", "another kind", [1.0, 2.0, 3.0], "bm25"),
            ("INVALID_ARGUMENT", "unique", models.SparseVector(indices=[1, 1], values=[1, 2]), "bm25"),
        )
        for name, reason, query, using in cases:
            code, message = self.refusal(lambda: self.query(query, using=using))
            self.assertEqual(code.name, name, message)
            self.assertIn(reason, message)
        strict = {"strict_mode_config": models.StrictModeConfig(enabled=True)}
        code, message = self.refusal(lambda: self.client.create_collection("other", {}, **strict))
        self.assertEqual((code.name, "strict_mode_config" in message), ("UNIMPLEMENTED", True))
        code, _ = self.refusal(lambda: self.client.create_collection("../other", {}))
        self.assertEqual(code.name, "INVALID_ARGUMENT")
        code, message = self.refusal(lambda: self.client.update_collection(CHUNKS, models.OptimizersConfigDiff()))
        self.assertEqual((code.name, "optimizers_config" in message), ("UNIMPLEMENTED", True))

    def test_settings_that_change_no_answer_are_kept_and_told(self):
        int8 = models.ScalarQuantization(scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8))

        changes = (({"hnsw_config": models.HnswConfigDiff(payload_m=16), "quantization_config": int8}, True),
                   ({"quantization_config": models.Disabled.DISABLED}, False))
        for change, is_quantized in changes:
            self.client.update_collection(CHUNKS, **change)
            config = self.info().config
            self.assertEqual((config.hnsw_config.payload_m, config.HasField("quantization_config")), (16, is_quantized))

    def test_other_places_and_folders_are_refused_in_one_line(self):
        with tempfile.TemporaryDirectory() as other:
            foreign, damaged, rest = (Path(other) / name for name in ("foreign", "damaged", "rest"))
            for path, file in ((foreign, "keep/letter.txt"), (damaged, "chunks/collection.pb"), (rest, "chunks/shard/x")):
                (path / file).parent.mkdir(parents=True)
                (path / file).write_text("half")
            for command, reason in (
                    (Server.command(self.data.name), "in use by another process"),
                    (Server.command(other, "0.0.0.0:6334"), "0.0.0.0:6334 is not a loopback address"),
                    (Server.command(other, "127.0.0.1:99999"), "no port from 0 to 65535"),
                    (Server.command(foreign), "keep is no collection of this program"),
                    (Server.command(damaged), "cannot open the collection in")):
                ended = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual((ended.returncode, ended.stderr.count("\n")), (1, 1), ended.stderr)
                self.assertIn(reason, ended.stderr)
            self.assertTrue((foreign / "keep/letter.txt").is_file())
            server = Server(rest)
            self.assertEqual(server.client.get_collections().collections, [])
            self.assertEqual((server.end(), (rest / "chunks").exists()), (0, False))


    def test_without_one_of_its_keys_nobody_is_let_in(self):
        with tempfile.TemporaryDirectory() as other:
            keys = Path(other) / "keys"
            server = Server(Path(other) / "data", "--keys", keys)
            collections = collections_service_pb2_grpc.CollectionsStub(server.channel)

            def code(*metadata):
                try:
                    collections.List(proto.ListCollectionsRequest(), metadata=metadata)
                except grpc.RpcError as error:
                    return error.code()
                return None

            self.assertIsNone(code(), "any does while there is no file")
            keys.write_text("one\nother\n")
            self.assertIsNone(code(("api-key", "other")))
            for metadata in ((), (("api-key", "on"),), (("key", "one"),)):
                self.assertEqual(code(*metadata), grpc.StatusCode.UNAUTHENTICATED)
            server.end()


class StoreTest(unittest.TestCase):
    def test_a_deleted_collection_writes_no_file_even_where_a_call_still_holds_it(self):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(folder)
            params = proto.VectorParams(size=3, distance=proto.Cosine)
            vectors = proto.VectorsConfig(params_map=proto.VectorParamsMap(map={"dense": params}))
            store.create(proto.CreateCollection(collection_name=CHUNKS, vectors_config=vectors))
            collection = store.get(CHUNKS)
            held = collection.shard
            self.assertTrue(store.delete(CHUNKS))
            self.assertRaises(Exception, held.flush)
            with self.assertRaisesRegex(Refusal, "deleted meanwhile"):
                collection.read(lambda shard: shard.info())
            self.assertFalse((Path(folder) / CHUNKS).exists())
            store.lock.close()


if __name__ == "__main__":
    unittest.main()
