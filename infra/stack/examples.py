"""Asks a stack with the demo corpus, and keeps what it replies as the examples of the OpenAPI document.

    make stack && python3 infra/stack/examples.py --state target/stack && make openapi

Standard library only.
"""

import argparse
import json
import urllib.request
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "examples"

CHECKOUT = {"question": "Checkout requests time out and the database refuses new connections", "top_k": 1,
            "queries": ["connection pool exhausted", "requests wait for a connection of the pool"]}
ERRORS = {"where": {"level": "ERROR"}, "group_by": ["hour"], "select": "count", "limit": 2}
PROJECT = {"name": "Intake station", "domain": "water supply", "standards": ["ISO 9906"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--state", required=True, help="folder of a stack with the demo corpus")
    stack = json.loads((Path(parser.parse_args().state) / "stack.json").read_text())
    with urllib.request.urlopen(f"{stack['local_url']}/token?sub=ann&groups=knowledge-admins") as answer:
        token = json.load(answer)["access_token"]

    def ask(operation, route, body=None):
        method, path = route.split(" ")
        request = urllib.request.Request(
            stack["api_url"] + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"authorization": f"Bearer {token}", "content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            reply = json.load(answer)
        (FOLDER / f"{operation}.json").write_text(json.dumps(reply, indent=1, ensure_ascii=False) + "\n")
        return reply

    FOLDER.mkdir(exist_ok=True)
    ask("rcca", "POST /v1/rcca", CHECKOUT)
    ask("explore", "POST /v1/explore", {"question": "backoff", "facets": ["definitions"], "top_k": 1})
    ask("trade", "POST /v1/trade", {"question": "Which message broker for order events?", "alternatives": ["Halyard", "Tidewire"],
                                    "criteria": ["latency"], "top_k": 3})
    ask("search", "POST /v1/search", {"question": "How is a retry delay chosen?", "top_k": 2})
    ask("list_knowledge", "GET /v1/knowledge")
    ask("list_custom_workflows", "GET /v1/custom")
    ask("run_custom_workflow", "POST /v1/custom/safety_analysis", {"question": "Which hazards does a battery have?", "top_k": 1})
    told = ask("answer_from_global", "POST /v1/global/answer", {"question": "What do I do when the vibration alarm goes off?", "top_k": 2})
    ask("query_records_of_global", "POST /v1/global/records", ERRORS)
    chunk = told["passages"][0]["passage_id"]
    ask("read_passage_of_global", f"GET /v1/global/passages?passage_id={chunk}")
    ask("read_answer", f"GET /v1/answers/{told['meta']['answer_id']}")
    project = f"/v1/projects/{ask('create_project', 'POST /v1/projects', PROJECT)['project_id']}"
    ask("plan", "POST /v1/plan", {"question": "We replace the bearings of a pump", "project_id": project.split("/")[-1], "top_k": 1})
    ask("record_decision", f"POST {project}/decisions", {
        "decision": "Stop the pump at the second alarm", "alternatives": ["run on", "stop at the second alarm"],
        "rationale": "The bearing was lost within the hour.", "sources": [{"passage_id": chunk, "relevance": 1}]})
    ask("read_trail", f"GET {project}/trail")
    ask("show_project", f"GET {project}")
    ask("create_case", "POST /v1/cases", {"title": "Web shop log"})
    ask("list_documents_of_global", "GET /v1/global/documents?limit=1")


if __name__ == "__main__":
    main()
