"""Writes fixed answers in the shapes of our own calls, for a copy of the performance harness.

    <harness>/venv/bin/python tests/bench/fixtures.py <harness>

Writes into <harness>/fixtures-<workflow> what the stub answers with: one Cohere batch of four vectors of 1,024 dimensions, a
QueryBatch whose hits carry ids (those of rcca and trade for exact strings bring their passages), for rcca also one of a project
(two rankings of decisions more), a Query with a sample of vectors, a Scroll of what the workflow reads then, and a project's
profile with its members. There are ten documents of twenty passages, as real ones have: rcca reads the entry, the best and the
first passage of each, trade all of them, the others the passages that were found. The texts are the harness's own corpus.json.
And <workflow>.jsonl, our events.
"""

import json
import random
import shutil
import sys
import uuid
from pathlib import Path

from qdrant_client import grpc

DOCUMENTS, PASSAGES = 10, 20
# Searches find one passage in so many: those of a question overlap.
FOUND = 3
ASPECTS = [("document", 40), ("document", 40), ("passage", 40), ("passage", 40)] + [("passage", 20)] * 6
# Behind a workflow's searches come one hit for each word that is looked up, and what has the whole question as it stands.
EXACT = [("exact", 20), ("exact", 5)]
RANKINGS = {
    "rcca": [("document", 60), ("document", 60), ("passage", 60), ("document", 60), ("passage", 60)]
            + [("passage", 1)] * 4 + EXACT,
    "trade": ASPECTS + EXACT,
    "explore": ASPECTS + [("passage", 1)] * 3 + EXACT,
    # The searches of one source. Each of the sources asked gets the same.
    "search": [("document", 30), ("document", 30), ("passage", 30), ("passage", 30)],
}
# The rankings of an answer from everyone's documents, as infra/knowledge/global.toml searches them.
ANSWER = [("passage", 30), ("passage", 30), ("document", 30), ("document", 30)]
BODIES = {
    "rcca": {"question": "pump pressure drop hazard"},
    # Three alternatives or facets: with the question that is four texts to embed.
    "trade": {"question": "incident pump hazard", "alternatives": ["Option A", "Option B", "fuel cell"]},
    "explore": {"question": "incident pump hazard", "facets": ["definitions", "examples", "standards"]},
    "search": {"question": "pump hazard", "sources": ["docs", "textbook", "guide"]},
    "answer": {"question": "What shows that the pump loses pressure?"},
}
# The version of the rules that read documents, as in shared/model/src/facts.rs.
READER = 12
# Those that mask secrets, as in shared/text/src/secret.rs.
MASKER = 1
# Those that take one text a call, see compare.py.
MODELS = dict.fromkeys(("rcca", "search"), "amazon.titan-embed-text-v2:0")
VERSION = "01M7X8K2Y70CHH266W3WH99QFY"
PROJECT = "01M7X8K2Y70CHH266W3WH99QFZ"


def text(value):
    return grpc.Value(string_value=value)


def whole(number):
    return grpc.Value(integer_value=number)


def passages(corpus, model):
    """Ten documents of twenty passages, as the index stores them, with vectors of this model."""
    for number in range(DOCUMENTS * PASSAGES):
        entry = corpus[number % len(corpus)]
        document, position = divmod(number, PASSAGES)
        document_id = str(uuid.UUID(int=document + 1))
        chunk_id = str(uuid.UUID(int=1_000 + number))
        yield chunk_id, document_id, {
            "scope": text("global"), "document_id": text(document_id), "version": text(VERSION),
            "live": grpc.Value(bool_value=True), "kind": text("passage"), "position": whole(position),
            "chunk_id": text(chunk_id), "space": text(f"{model}/1024"), "masker": whole(MASKER), "hash": text("0" * 64),
            "name": text(f"reports/{document}.md"),
            "title": text(entry["document_title"]), "section": text(entry["section_title"]),
            "document_type": text("postmortem"), "source": text("docs"),
            "tags": grpc.Value(list_value=grpc.ListValue(values=[])),
            "severity": grpc.Value(list_value=grpc.ListValue(values=[])),
            "code": grpc.Value(list_value=grpc.ListValue(values=[])),
            "line_first": whole(position * 20 + 1), "line_last": whole(position * 20 + 20),
            "text": text(f"{entry['content']} This is part {number}."),
            "facts": text(json.dumps({"reader": READER, "plan": [0, 500, 0, 0], "explore": [700, 500, 800]})),
        }


def document_entries(points):
    """The documents' own index entries, each with the facts of a report that tells something in every passage."""
    for document in range(DOCUMENTS):
        entries = [stored for _, _, stored in points[document * PASSAGES : (document + 1) * PASSAGES]]
        facts = [{"text": stored["text"].string_value.split(". ")[0], "p": position, "s": 0}
                 for position, stored in enumerate(entries)]
        report = {"symptoms": facts[:3], "root_cause": facts[1], "contributing_factors": facts[2:4],
                  "resolution": facts[4], "checked": facts[3:4], "actions": facts[4:8]}
        document_id = uuid.UUID(int=document + 1)
        entry_id = str(uuid.uuid5(document_id, f"{VERSION}/lead"))
        yield entry_id, {**entries[0], "kind": text("document"), "chunk_id": text(entry_id), "section": text(""), "text": text(""),
                        "facts": text(json.dumps({"reader": READER, "report": report}))}


def ranking(kind, depth, points, rng, reads):
    """Hits as a search gives them: id, score, document and version. Where nothing `reads` them later, exact strings bring passages."""
    hits = []
    for rank in range(depth):
        chunk_id, document_id, stored = points[FOUND * rng.randrange(len(points) // FOUND)]
        # Most of what a search finds is in documents that are not among the first ten.
        if rank >= 20 and not reads:
            document_id = str(uuid.UUID(int=100 + rng.randrange(200)))
        point = document_id if kind == "document" else chunk_id
        payload = {"document_id": text(document_id), "version": text(VERSION)}
        if kind == "exact" and not reads:
            payload = stored
        hits.append(grpc.ScoredPoint(id=grpc.PointId(uuid=point), score=1 - rank / 100, payload=payload))
    return grpc.BatchResult(result=hits)


def decisions(points, rng):
    """Two rankings of twenty decisions; the first brings them."""
    for brings in (True, False):
        hits = []
        for rank in range(20):
            chunk_id, document_id, stored = points[rank]
            payload = {"document_id": text(document_id), "version": text(VERSION)}
            if brings:
                tags = grpc.Value(list_value=grpc.ListValue(values=[text("accepted")]))
                payload = {**stored, "name": text(f"decisions/{VERSION}"), "kind": text("decision"), "tags": tags,
                           "time_first": text("2026-11-20T18:00:00Z"), "time_last": text("2026-11-20T18:00:00Z")}
            hits.append(grpc.ScoredPoint(id=grpc.PointId(uuid=chunk_id), score=0.9 - rank / 40, payload=payload))
        yield grpc.BatchResult(result=hits)


def table(has_project):
    """What DynamoDB gives: a profile with its owner and a page of members, or nothing that was kept."""
    profile = {"project_id": PROJECT, "name": "Pump station", "domain": "pump", "standards": ["ISO 9906"],
               "constraints": ["no downtime"], "status": "active", "version": 3, "created_at": "2026-11-20T18:00:00Z",
               "updated_at": "2026-11-20T18:00:00Z", "history": [], "needs_review": []}
    key = {"pk": {"S": f"PROJECT#{PROJECT}"}}
    members = [{**key, "sk": {"S": f"MEMBER#{user}"}, "role": {"S": role}}
               for user, role in (("demo", "owner"), ("ann", "member"), ("bob", "member"))]
    stored = {**key, "sk": {"S": "PROFILE"}, "version": {"N": "3"}, "body": {"S": json.dumps(profile)}}
    found = [stored, members[0]] if has_project else []
    return {"BatchGetItem": {"Responses": {"plumbline": found}, "UnprocessedKeys": {}},
            "BatchWriteItem": {"UnprocessedItems": {}},
            "Query": {"Items": members, "Count": 3, "ScannedCount": 3}}


def main(harness):
    rng = random.Random(7)
    corpus = json.loads((harness / "corpus.json").read_text())
    vectors = [[float(f"{rng.gauss(0, 0.03):.8g}") for _ in range(1024)] for _ in range(4)]
    for workflow, rankings in {**RANKINGS, "answer": ANSWER}.items():
        points = list(passages(corpus, MODELS.get(workflow, "cohere.embed-v4:0")))
        folder = harness / f"fixtures-{workflow}"
        shutil.copytree(harness / "fixtures", folder, dirs_exist_ok=True)
        count = 1 if workflow == "answer" else 4
        cohere = {"id": "x", "response_type": "embeddings_by_type", "embeddings": {"float": vectors[:count]}}
        (folder / "cohere.json").write_text(json.dumps(cohere, separators=(",", ":")))
        reads = workflow not in ("rcca", "trade")
        batch(folder, workflow, [ranking(kind, depth, points, rng, reads) for kind, depth in rankings])
        scroll(folder, read(workflow, points))
        sample(folder, workflow, rng)
        for operation, answer in table(workflow == "rcca").items():
            (folder / f"ddb_{operation}.json").write_text(json.dumps(answer))
        if workflow == "answer":
            # Behind the searches come as many for words as the question has.
            for words in range(1, 7):
                looked_up = [*rankings, *[("passage", 1)] * words]
                batch(folder, workflow, [ranking(kind, depth, points, rng, reads) for kind, depth in looked_up])
    points = list(passages(corpus, MODELS["rcca"]))
    others = [ranking(kind, depth, points, rng, False) for kind, depth in RANKINGS["rcca"]]
    batch(harness / "fixtures-rcca", "rcca", [*decisions(points, rng), *others])
    for count in range(1, 5):
        # The words of a search are looked up by themselves.
        words = [ranking("passage", 1, points, random.Random(7), True) for _ in range(count)]
        batch(harness / "fixtures-search", "search", words)
    events(harness)


def batch(folder, workflow, results):
    """What a QueryBatch of so many queries gives."""
    answer = grpc.QueryBatchResponse(result=results).SerializeToString()
    (folder / f"{workflow}_{len(results)}.pb").write_bytes(answer)


def sample(folder, workflow, rng):
    """The vectors of 256 passages by which cosines are measured, and the number of all passages."""
    points = []
    for number in range(256):
        vector = grpc.VectorOutput(dense=grpc.DenseVector(data=[rng.gauss(0, 1 / 32) for _ in range(1024)]))
        vectors = grpc.VectorsOutput(vectors=grpc.NamedVectorsOutput(vectors={"dense": vector}))
        points.append(grpc.ScoredPoint(id=grpc.PointId(uuid=str(uuid.UUID(int=number))), vectors=vectors))
    (folder / f"{workflow}_q.pb").write_bytes(grpc.QueryResponse(result=points).SerializeToString())
    count = grpc.CountResponse(result=grpc.CountResult(count=100_000))
    (folder / "grpc_Count.pb").write_bytes(count.SerializeToString())


def read(workflow, points):
    """The points that a workflow reads after its searches."""
    stored = [(chunk, payload) for chunk, _, payload in points]
    if workflow == "trade":
        return stored
    if workflow == "rcca":
        return [*stored[::FOUND], *document_entries(points)]
    return stored[::FOUND]


def scroll(folder, points):
    found = [grpc.RetrievedPoint(id=grpc.PointId(uuid=point), payload=payload) for point, payload in points]
    (folder / "grpc_Scroll.pb").write_bytes(grpc.ScrollResponse(result=found).SerializeToString())


def events(harness):
    """An event for each workflow, for an answer, for rcca in a project, and for showing that project."""
    samples = Path(__file__).parent.parent / "events"
    for workflow, body in BODIES.items():
        event = json.loads((samples / f"{workflow}.json").read_text())
        (harness / f"{workflow}.jsonl").write_text(json.dumps(event | {"body": json.dumps(body)}) + "\n")
    event = json.loads((samples / "rcca.json").read_text())
    event["body"] = json.dumps({**BODIES["rcca"], "project_id": PROJECT})
    (harness / "rcca_project.jsonl").write_text(json.dumps(event) + "\n")
    event |= {"routeKey": "GET /v1/projects/{project_id}", "pathParameters": {"project_id": PROJECT}, "body": None}
    (harness / "projects.jsonl").write_text(json.dumps(event) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
