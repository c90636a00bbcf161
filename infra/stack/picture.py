"""What a deployment holds: items of the table, files of the bucket, points of the index; and how two pictures of it differ."""

import hashlib
import json
import re

from qdrant_client import QdrantClient

# What counts use, and what is kept for a while.
PASSING = ("RATE#", "CACHE#")
# A version (a ULID), the id of a passage, a time, and how many texts of a document were embedded.
NEW = (r"\b01[0-9A-HJKMNP-TV-Z]{24}\b", r"(?<=\"chunk_id\": \")[0-9a-f-]{36}", r"\b20\d\d-\d\d-\d\dT[\d:.]+Z", r"(?<=\"embedded\": ){\"N\": \"\d+\"}")


def taken(client, remembered):
    """The content of the table, the bucket and the index, each by its id, as text that can be compared."""
    return {"items": items(client("dynamodb"), remembered["table"]), "files": files(client("s3"), remembered["bucket"]),
            "points": points(remembered)}


def items(dynamodb, table):
    pages = dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    found = [item for page in pages for item in page["Items"]]
    return {f"{item['pk']['S']} {item['sk']['S']}": json.dumps(item, sort_keys=True, default=str)
            for item in found if not item["pk"]["S"].startswith(PASSING)}


def files(s3, bucket):
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
    return {key: hashlib.sha256(s3.get_object(Bucket=bucket, Key=key)["Body"].read()).hexdigest() for key in keys}


def points(remembered):
    """The points with payload and vectors; none while the collection is not there."""
    port = remembered["ports"]["qdrant"]
    client = QdrantClient(host="127.0.0.1", grpc_port=port, prefer_grpc=True, check_compatibility=False)
    collection, found, after = remembered["qdrant_collection"], {}, None
    if not client.collection_exists(collection):
        return found
    while True:
        page, after = client.scroll(collection, limit=500, offset=after, with_payload=True, with_vectors=True)
        for point in page:
            vectors = {name: own if isinstance(own, list) else own.model_dump() for name, own in point.vector.items()}
            if not point.payload.keys() <= {"space"}:  # The note of the space is made where no point tells it.
                found[str(point.id)] = json.dumps([point.payload, vectors], sort_keys=True, default=str)
        if after is None:
            return found


def content(picture):
    """The same without what a document gets anew when it is indexed again: its version, the ids that are made of it, and times."""
    def plain(text):
        for pattern in NEW:
            text = re.sub(pattern, "NEW", text)
        return text

    by_content = {}
    for text in map(plain, picture["points"].values()):
        digest = hashlib.sha256(text.encode()).hexdigest()
        # Several points may say the same.
        by_content[f"{digest} {sum(name.startswith(digest) for name in by_content)}"] = text
    return {
        "items": {name: plain(text) for name, text in picture["items"].items() if " CORPUS#" not in name},
        "files": {name.rpartition("/")[0]: digest for name, digest in picture["files"].items()},
        "points": by_content,
    }


def differences(before, after):
    """What is missing, new or different, one line each."""
    for kind, old in before.items():
        new = after[kind]
        yield from (f"{kind}: {name} is gone: {old[name][:300]}" for name in sorted(old.keys() - new.keys()))
        yield from (f"{kind}: {name} is new: {new[name][:300]}" for name in sorted(new.keys() - old.keys()))
        yield from (f"{kind}: {name} differs: {apart(old[name], new[name])}" for name in sorted(old.keys() & new.keys()) if old[name] != new[name])


def apart(old, new):
    """Where two texts begin to differ."""
    at = next((place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
    return f"{old[max(0, at - 40):at + 80]} / {new[max(0, at - 40):at + 80]}"
