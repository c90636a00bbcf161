"""Records what the function caches of its answer, for the stub that has it at hand."""

import http.server
import json
import shutil
import subprocess
import sys
import threading
import urllib.request


def keep(harness, command, settings):
    """Makes one answer, and writes <harness>/fixtures-kept, in which the table returns what was cached of it."""
    written = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), recorder(settings["AWS_ENDPOINT_URL"], written)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        table = f"http://127.0.0.1:{server.server_port}"
        run = [sys.executable, harness / "runtime_api.py", "-n", 1, "--spawns", 1, "--events", harness / "answer.jsonl"]
        for item in {**settings, "AWS_ENDPOINT_URL_DYNAMODB": table}.items():
            run += ["--env", "=".join(item)]
        subprocess.run([str(word) for word in [*run, "--", *command]], check=True, capture_output=True)
        server.shutdown()
    puts = [put["PutRequest"]["Item"] for body in written for puts in body["RequestItems"].values() for put in puts]
    cached = [item for item in puts if item["sk"]["S"].startswith("answer#")]
    if len(cached) != 1:
        raise SystemExit(f"one answer was to be kept for a while, not {len(cached)}")
    folder = harness / "fixtures-kept"
    shutil.copytree(harness / "fixtures-answer", folder, dirs_exist_ok=True)
    answer = {"Responses": {settings["TABLE"]: cached}, "UnprocessedKeys": {}}
    (folder / "ddb_BatchGetItem.json").write_text(json.dumps(answer))


def recorder(stub, written):
    """Returns a handler that passes all on to the stub, and remembers the bodies of batches that are written."""

    class Recorder(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            target = self.headers["x-amz-target"]
            if target.endswith("BatchWriteItem"):
                written.append(json.loads(body))
            request = urllib.request.Request(stub, body, {"x-amz-target": target})
            with urllib.request.urlopen(request) as answer:
                reply = answer.read()
            self.send_response(200)
            self.send_header("content-type", "application/x-amz-json-1.0")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_):
            """Logs nothing: only the figures are printed."""

    return Recorder
