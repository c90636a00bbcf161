"""Adds a workflow to a copy of the tree, builds it, and asks it by HTTP, as a page, by MCP and on the command line.

    make new-workflow

A new workflow is a function, its types in `wire`, its flow and view in `workflows`, and one entry each in three existing files. The
copy is in target/new-workflow; it builds what depends on the workflow anew, and takes the rest from target/debug.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "target/new-workflow"
PARTS = ROOT / "tests/new_workflow"
QUESTION = "the vibration alarm of a pump goes off"

NEW = {
    "Cargo.toml": "functions/alike/Cargo.toml",
    "main.rs": "functions/alike/src/main.rs",
    "wire.rs": "shared/wire/src/alike.rs",
    "workflow.rs": "shared/workflows/src/alike.rs",
}
# The entry in each of three files, and the words that it stands behind.
EDITED = {
    "shared/wire/src/lib.rs": ("    plan: Plan,\n", "    alike: Alike,\n"),
    "shared/workflows/src/lib.rs": ("use wire::request;\n\n", "pub mod alike;\n"),
    "infra/functions.toml": ('[functions.trade]\nkind = "workflow"\n', '\n[functions.alike]\nkind = "workflow"\n'),
}
MADE = ["infra/openapi.json", "infra/routes.json", "infra/template.yaml", "Cargo.lock"]


def copied():
    """Copies the tree as git has it, and links what is built already."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT)
    for name in listed.split("\n"):
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    (COPY / "target").mkdir()
    for name in ["venv", "venv-sam", "venv-clients", "model", "release", "embeddings"]:
        if (ROOT / "target" / name).exists():
            (COPY / "target" / name).symlink_to(ROOT / "target" / name)
    subprocess.run(["cp", "--archive", "--link", ROOT / "target/debug", COPY / "target/debug"], check=True)


def added():
    """Adds the workflow."""
    for part, place in NEW.items():
        (COPY / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PARTS / part, COPY / place)
    for name, (before, entry) in EDITED.items():
        text = (COPY / name).read_text()
        assert text.count(before) == 1, f"{name} has {text.count(before)} times {before!r}"
        (COPY / name).write_text(text.replace(before, before + entry))


def edited():
    """The files of the tree that differ in the copy, but for those that a command makes."""
    listed = run(["git", "ls-files"], ROOT).split("\n")
    return {name for name in listed if (ROOT / name).is_file() and (ROOT / name).read_bytes() != (COPY / name).read_bytes()} - set(MADE)


def run(command, folder=COPY, **settings):
    result = subprocess.run([str(word) for word in command], cwd=folder, text=True, env={**os.environ, **settings}, stdout=subprocess.PIPE)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return result.stdout.strip()


def asked(stack):
    """Asks the new workflow on each of its ways."""
    with urllib.request.urlopen(f"{stack['local_url']}/token?sub=ann&groups=knowledge-admins") as answer:
        token = json.load(answer)["access_token"]
    caller = {"PLUMBLINE_URL": stack["api_url"], "PLUMBLINE_TOKEN": token}
    program = COPY / "target/debug/plumbline"
    run([program, "ingest", COPY / "tests/corpus/runbooks"], **caller)
    body = {"question": QUESTION, "top_k": 3}
    reply = json.loads(post(stack, token, "/v1/alike", body))
    passages = {passage["number"]: passage for passage in reply["passages"]}
    first = passages[reply["results"][0]["passage"]]["file"]
    assert reply["result_type"] == "alike" and first.endswith("pump-vibration-alarm-runbook.md"), reply
    page = post(stack, token, "/v1/alike", body, "text/html")
    assert page.startswith("<!DOCTYPE html>") and first in page, page
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_alike", "arguments": body}}
    text = post(stack, token, "/mcp", call, "application/json, text/event-stream")
    assert first in text and '"isError":true' not in text, text
    shown = run([program, "ask", "alike", QUESTION], **caller)
    assert first in shown and shown.startswith("[1] "), shown
    help_text = run([program, "ask", "--help"], **caller)
    assert "Find passages like a text" in help_text, help_text


def post(stack, token, path, body, accept="application/json"):
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json", "accept": accept, "mcp-protocol-version": "2025-06-18"}
    request = urllib.request.Request(stack["api_url"] + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def main():
    copied()
    added()
    changed = edited()
    assert changed == set(EDITED), f"a new workflow edits {sorted(changed)}"
    run(["make", "openapi"])
    stack = [sys.executable, "infra/stack/stack.py"]
    run([*stack, "template"])
    run(["cargo", "build", "--workspace", "--bins", "--exclude", "evaluate"])
    run([*stack, "up", "--state", "target/stack"])
    try:
        asked(json.loads((COPY / "target/stack/stack.json").read_text()))
    finally:
        run([*stack, "down", "--purge", "--state", "target/stack"])
    shutil.rmtree(COPY)
    print(f"new workflow: {len(NEW)} new files, {len(changed)} edited, asked by HTTP, as a page, by MCP and on the command line")


if __name__ == "__main__":
    main()
