"""Checks that the examples in infra/openapi.json, which are real replies, fit the schemas beside them."""

import json
from pathlib import Path

import jsonschema_rs

DOCUMENT = json.loads((Path(__file__).resolve().parent.parent.parent / "infra" / "openapi.json").read_text())

checked = 0
for operations in DOCUMENT["paths"].values():
    for operation in operations.values():
        for response in operation["responses"].values():
            media = response.get("content", {}).get("application/json", {})
            if "example" in media:
                schema = {**media["schema"], "components": DOCUMENT["components"]}
                for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(media["example"]):
                    raise AssertionError(f"{operation['operationId']}: {error.message}")
                checked += 1
print(f"{checked} examples")
assert checked > 10, checked
