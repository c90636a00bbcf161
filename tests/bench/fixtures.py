"""Fixed answers in the shapes of our own calls, for a copy of the performance harness.

    <harness>/venv/bin/python tests/bench/fixtures.py <harness>

Writes into <harness>/fixtures what the stub answers with: one Cohere batch of four vectors of 1,024 dimensions, a
QueryBatch per workflow (explore's hits bring their passages, each once; the others' carry ids only) and a Scroll of ten
documents of five passages each; the texts are the harness's own corpus.json. And <workflow>.jsonl, our events.
"""

import json
import random
import sys
import uuid
from pathlib import Path

from qdrant_client import grpc

DOCUMENTS, PASSAGES = 10, 5
ASPECTS = [("lead", 40), ("lead", 40), ("passage", 40), ("passage", 40)] + [("passage", 20)] * 6
RANKINGS = {
    "rcca": [("lead", 60), ("lead", 60), ("passage", 60), ("lead", 60), ("passage", 60)] + [("passage", 20)] * 6,
    "trade": ASPECTS,
    "explore": ASPECTS,
}
# Three alternatives or facets: with the question that is four texts to embed.
BODIES = {
    "rcca": {"question": "pump pressure drop hazard"},
    "trade": {"question": "incident pump hazard", "alternatives": ["Option A", "Option B", "fuel cell"]},
    "explore": {"question": "incident pump hazard", "facets": ["definitions", "examples", "standards"]},
}
VERSION = "01M7X8K2Y70CHH266W3WH99QFY"


def text(value):
    return grpc.Value(string_value=value)


def whole(number):
    return grpc.Value(integer_value=number)


def passages(corpus):
    """Ten documents of five passages, as the index stores them."""
    for number, entry in enumerate(corpus[: DOCUMENTS * PASSAGES]):
        document, position = divmod(number, PASSAGES)
        document_id = str(uuid.UUID(int=document + 1))
        chunk_id = str(uuid.UUID(int=1_000 + number))
        yield chunk_id, document_id, {
            "scope": text("global"), "document_id": text(document_id), "version": text(VERSION),
            "live": grpc.Value(bool_value=True), "kind": text("passage"), "position": whole(position),
            "chunk_id": text(chunk_id), "name": text(f"reports/{document}.md"),
            "title": text(entry["document_title"]), "section": text(entry["section_title"]),
            "document_type": text("postmortem"), "source": text("docs"),
            "tags": grpc.Value(list_value=grpc.ListValue(values=[])),
            "severity": grpc.Value(list_value=grpc.ListValue(values=[])),
            "code": grpc.Value(list_value=grpc.ListValue(values=[])),
            "line_first": whole(position * 20 + 1), "line_last": whole(position * 20 + 20),
            "text": text(entry["content"]),
        }


def ranking(kind, depth, points, rng, brings):
    """Hits as a search gives them: id, score, document and version, or all of the passage."""
    hits = []
    for rank in range(depth):
        chunk_id, document_id, stored = points[rng.randrange(len(points))]
        # Most of what a search finds is in documents that are not among the first ten.
        if rank >= 20 and not brings:
            document_id = str(uuid.UUID(int=100 + rng.randrange(200)))
        point = document_id if kind == "lead" else chunk_id
        payload = {"document_id": text(document_id), "version": text(VERSION)}
        if brings and kind == "passage":
            payload = stored
        hits.append(grpc.ScoredPoint(id=grpc.PointId(uuid=point), score=1 - rank / 100, payload=payload))
    return grpc.BatchResult(result=hits)


def main(harness):
    rng = random.Random(7)
    corpus = json.loads((harness / "corpus.json").read_text())
    points = list(passages(corpus))
    fixtures = harness / "fixtures"
    vectors = [[float(f"{rng.gauss(0, 0.03):.8g}") for _ in range(1024)] for _ in range(4)]
    cohere = {"id": "x", "response_type": "embeddings_by_type", "embeddings": {"float": vectors}}
    (fixtures / "cohere.json").write_text(json.dumps(cohere, separators=(",", ":")))
    for workflow, rankings in RANKINGS.items():
        brings = workflow == "explore"
        batch = [ranking(kind, depth, points, rng, brings) for kind, depth in rankings]
        answer = grpc.QueryBatchResponse(result=batch).SerializeToString()
        (fixtures / f"{workflow}_{len(rankings)}.pb").write_bytes(answer)
        event = json.loads((Path(__file__).parent.parent / "events" / "rcca.json").read_text())
        event["body"] = json.dumps(BODIES[workflow])
        (harness / f"{workflow}.jsonl").write_text(json.dumps(event) + "\n")
    found = [grpc.RetrievedPoint(id=grpc.PointId(uuid=chunk), payload=payload) for chunk, _, payload in points]
    (fixtures / "grpc_Scroll.pb").write_bytes(grpc.ScrollResponse(result=found).SerializeToString())



if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
