"""Compares our binaries with the Python peer in the harness's own runtime, round by round, with ratios.

    <harness>/hi <harness>/venv/bin/python tests/bench/compare.py <harness> [ROUNDS] [EVENTS] [WORKFLOW..]

The two take different events (ours carries claims), which is why the harness's matrix.py cannot interleave them.
Medians over rounds; the stubs must run (servers.sh start) and fixtures.py must have written its answers. `answer` starts
stubs of its own: one with an empty table, and one whose table holds what the function stored of its answer; it prints
what was called, and how often. `search` starts one of its own, too.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from kept import keep

STUB = "http://127.0.0.1:18080"
PROGRAMS = Path(__file__).resolve().parents[2] / "target" / "release"
SETTINGS = {
    "AWS_ENDPOINT_URL": STUB, "QDRANT_URL": STUB, "TABLE": "plumbline",
    "EMBED_MODEL": "cohere.embed-v4:0", "EMBED_DIMENSIONS": "1024", "AWS_REGION": "us-east-1",
    "GROUPS_CLAIM": "groups", "ADMIN_GROUP": "knowledge-admins", "BUCKET": "plumbline",
    "TASK_QUEUE_URL": f"{STUB}/queue",
    # Without a rate nothing is counted; the peers count nothing either.
    "CALLER_RATE": "0", "CALLER_BURST": "200", "ANSWER_MODE": "extractive", "CHAT_MODEL": "",
    "RERANK_MODEL": "", "RERANK_MARGIN": "0.5", "RERANK_FLOOR": "0", "RERANK_TIMEOUT": "1000",
}
INFRA = Path(__file__).resolve().parents[2] / "infra"
ANSWERS = {"plumbline answer, made": 18081, "plumbline answer, kept": 18082}
# Of the workflow that is measured; what servers.sh starts is for the peers.
OURS = "http://127.0.0.1:18083"
# What embeds another number of texts than the four of the fixed reply has a model that takes one text a call: rcca one, and search the
# examples of its sources with the first question.
ONE_TEXT = ("rcca", "search")
# The texts that shared/adapters/examples/prototype.rs embeds, the queries of its batch, and whether it reads points behind it.
PROTOTYPES = {"rcca": (1, 11, 1), "trade": (4, 12, 1), "explore": (4, 15, 1)}
FIGURES = [("init_wall_ms", "init ms"), ("p50", "warm p50 ms"), ("cpu_us_inv", "CPU us/call"), ("peak_rss_mb", "peak RSS MB")]


def cases(harness, workflow):
    if workflow in ("projects", "answer"):
        yield from project_cases(harness) if workflow == "projects" else answer_cases(harness)
        return
    # A small bundle of certificates, as in Lambda's image: the 2 ms of walking a folder of them are not ours.
    certificates = {"SSL_CERT_FILE": str(harness / "tls" / "bundle.pem"), "SSL_CERT_DIR": ""}
    settings = {**SETTINGS, "QDRANT_COLLECTION": workflow, "AWS_ENDPOINT_URL": OURS, "QDRANT_URL": OURS}
    if workflow in ONE_TEXT:
        settings |= {"EMBED_MODEL": "amazon.titan-embed-text-v2:0", "LAMBDA_TASK_ROOT": str(INFRA)}
    events = ["--events", harness / f"{workflow}.jsonl"]
    peer = [harness / "venv" / "bin" / "python", "-m", "awslambdaric", "py_boto3.handler"]
    # The harness has no search of its own: explore asks, merges and lists as well.
    peers = "explore" if workflow == "search" else workflow
    yield f"boto3 + qdrant-client {peers}", peer, {"WF": peers}, harness / "handlers", []
    yield f"plumbline {workflow}", [PROGRAMS / workflow], {**settings, **certificates}, harness, events
    yield f"plumbline {workflow}, all certificates", [PROGRAMS / workflow], settings, harness, events
    if workflow in PROTOTYPES:
        sizes = dict(zip(("TEXTS", "QUERIES", "READS"), map(str, PROTOTYPES[workflow])))
        yield "the SDKs alone", [PROGRAMS / "examples" / "prototype"], {**settings, **certificates, **sizes}, harness, events


def project_cases(harness):
    """Showing a project, beside boto3 alone (which calls nothing) and boto3 with the same two calls."""
    python = [harness / "venv" / "bin" / "python", "-m", "awslambdaric"]
    certificates = {"SSL_CERT_FILE": str(harness / "tls" / "bundle.pem"), "SSL_CERT_DIR": ""}
    settings = {**SETTINGS, "QDRANT_COLLECTION": "rcca", "AWS_ENDPOINT_URL": OURS, "QDRANT_URL": OURS}
    yield "boto3 alone", [*python, "py_ddbonly.handler"], {}, harness / "handlers", []
    yield "boto3, the same calls", [*python, "py_projects.handler"], {}, Path(__file__).parent, []
    events = ["--events", harness / "projects.jsonl"]
    yield "plumbline projects", [PROGRAMS / "projects"], {**settings, **certificates}, harness, events


def answer_cases(harness):
    """An answer that is made, and one from the cache, beside boto3 and qdrant-client, which make one each time."""
    peer = [harness / "venv" / "bin" / "python", "-m", "awslambdaric", "py_boto3.handler"]
    yield "boto3 + qdrant-client explore", peer, {"WF": "explore"}, harness / "handlers", []
    for label, port in ANSWERS.items():
        yield label, [PROGRAMS / "answer"], answer_settings(harness, port), harness, ["--events", harness / "answer.jsonl"]


def answer_settings(harness, port):
    stub = f"http://127.0.0.1:{port}"
    certificates = {"SSL_CERT_FILE": str(harness / "tls" / "bundle.pem"), "SSL_CERT_DIR": ""}
    where = {"AWS_ENDPOINT_URL": stub, "QDRANT_URL": stub, "QDRANT_COLLECTION": "answer", "LAMBDA_TASK_ROOT": str(INFRA)}
    return {**SETTINGS, **certificates, **where}


def stubs(harness, workflow):
    """Runs the stubs that a workflow needs besides those of servers.sh."""
    if workflow == "answer":
        return answer_stubs(harness)
    return stub(harness, 18083, f"fixtures-{'rcca' if workflow == 'projects' else workflow}")


@contextlib.contextmanager
def answer_stubs(harness):
    """Runs the stubs of both kinds of answers; prints at the end what was called of each."""
    with contextlib.ExitStack() as stack:
        made_port, cached_port = ANSWERS.values()
        stack.enter_context(stub(harness, made_port, "fixtures-answer"))
        keep(harness, [PROGRAMS / "answer"], answer_settings(harness, made_port))
        stack.enter_context(stub(harness, cached_port, "fixtures-kept"))
        before = {label: calls(port) for label, port in ANSWERS.items()}
        yield
        for label, port in ANSWERS.items():
            counts = {name: count - before[label].get(name, 0) for name, count in calls(port).items()}
            print(f"{label}: {', '.join(f'{count} {name}' for name, count in counts.items() if count)}")


@contextlib.contextmanager
def stub(harness, port, fixtures):
    program = harness / "stubs" / "target" / "release" / "stubs"
    with subprocess.Popen([program], env={"PORT": str(port), "FIX": fixtures}, cwd=harness) as process:
        try:
            for _ in range(100):
                with contextlib.suppress(OSError):
                    calls(port)
                    break
                time.sleep(0.1)
            yield
        finally:
            process.terminate()


def calls(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/__stats") as answer:
        # Before the first call there is a comma too many.
        counts = json.loads(answer.read().replace(b",}", b"}"))
    return {name: count for name, count in counts.items() if name not in ("conns", "reqs")}


def one(harness, command, settings, folder, more, events):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        run = [sys.executable, harness / "runtime_api.py", "-n", events, "--spawns", 1, "--json", out.name, "--cwd", folder]
        run += [word for item in settings.items() for word in ("--env", "=".join(item))]
        run += [*more, "--", *command]
        subprocess.run([str(word) for word in run], check=True, capture_output=True, text=True, env=os.environ)
        return json.loads(Path(out.name).read_text())


def main():
    harness = Path(sys.argv[1]).resolve()
    rounds, events = (int(word) for word in (sys.argv[2:] + ["7", "200"])[:2])
    for workflow in sys.argv[4:] or ["rcca"]:
        results = {}
        with stubs(harness, workflow):
            for _ in range(rounds):
                for label, command, settings, folder, more in cases(harness, workflow):
                    results.setdefault(label, []).append(one(harness, command, settings, folder, more, events))
        show(results)


def show(results):
    medians = {label: {key: statistics.median(run[key] for run in runs) for key, _ in FIGURES} for label, runs in results.items()}
    base = next(iter(medians.values()))
    for label, figures in medians.items():
        errors = sum(run["err"] for run in results[label])
        columns = [f"{name} {figures[key]:.3g} ({base[key] / figures[key]:.1f}x)" for key, name in FIGURES]
        print(f"{label}: {', '.join(columns)}, errors {errors}")


if __name__ == "__main__":
    main()
