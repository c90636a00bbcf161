"""A stack that holds something, for rehearsals, and the pages whose blocks are run."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import deploy as deployment
import picture
import state
import tools
from failure import Failure
from runbook import Runbook

HERE = Path(__file__).resolve().parent
PAGES = tools.ROOT / "docs"
PATIENCE = 120


class Rehearsal:
    """A stack that holds something, and the pages."""

    def __init__(self, folder):
        self.state = folder / "stack"
        self.stack("up", "--gateway-port", "4580", "--local-port", "4581", "--qdrant-port", "6344")
        self.remember()
        gateway = self.remembered["gateway_url"]
        settings = {"AWS_ENDPOINT_URL": gateway, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
        self.client = deployment.clients(argparse.Namespace(gateway_port=self.remembered["ports"]["gateway"]))
        self.values = {}
        self.page, self.operate, self.alarms = (
            Runbook(PAGES / name, folder, self.state, settings, self.values) for name in ("restore.md", "operate.md", "alarms.md"))

    def stack(self, command, *options):
        run([sys.executable, HERE / "stack.py", command, *options, "--state", self.state])

    def remember(self):
        """Reads where the stack is now, and gets a token."""
        self.remembered = state.read(self.state)
        with urllib.request.urlopen(f"{self.remembered['local_url']}/token?sub=demo&groups=knowledge-admins") as answer:
            self.token = json.load(answer)["access_token"]

    @property
    def access(self):
        return {"PLUMBLINE_URL": self.remembered["api_url"], "PLUMBLINE_TOKEN": self.token}

    def plumbline(self, *words):
        return run([tools.TARGET / "debug" / "plumbline", *words], self.access)

    def call(self, method, path, body=None):
        """The status and the reply of a call of the API."""
        request = urllib.request.Request(f"{self.remembered['api_url']}{path}", method=method,
                                         data=json.dumps(body).encode() if body else None,
                                         headers={"authorization": f"Bearer {self.token}", "content-type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def fill(self):
        """Documents of everyone, of a person and of a case, records, a project, a decision and answers."""
        self.plumbline("ingest", tools.ROOT / "tests" / "corpus")
        self.plumbline("ingest", tools.ROOT / "tests" / "corpus" / "notes", "--knowledge", "user")
        case = self.made("POST", "/v1/cases", {"title": "Broker down"})["case_id"]
        self.plumbline("ingest", tools.ROOT / "tests" / "corpus" / "logs", "--knowledge", f"case:{case}")
        project = self.made("POST", "/v1/projects", {"name": "Intake station"})["project_id"]
        found = self.made("POST", "/v1/rcca", {"question": "connection pool exhausted", "project_id": project})
        passage = found["passages"][0]
        self.made("POST", f"/v1/projects/{project}/decisions", {
            "alternatives": ["a pool for each service", "one pool"], "decision": "A pool for each service",
            "rationale": "One service starved all others.", "sources": [{"passage_id": passage["passage_id"], "relevance": 1.0}]})
        self.made("POST", "/v1/global/answer", {"question": "What should a retry policy say?"})
        self.settle()

    def made(self, method, path, body):
        status, reply = self.call(method, path, body)
        if status >= 300:
            raise Failure(f"{method} {path}: {status} {reply}")
        return reply

    def settle(self):
        """Waits until no queue has a message."""
        sqs = self.client("sqs")
        queues = [self.remembered[name] for name in self.remembered if name.endswith("_queue_url")]
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        self.until("the queues are empty", lambda: all(
            value == "0" for queue in queues
            for value in sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"].values()))

    @staticmethod
    def until(what, holds):
        """Waits until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise Failure(f"after {PATIENCE} s it does not hold that {what}")
            time.sleep(0.2)

    def picture(self):
        return picture.taken(self.client, self.remembered)

    def refuses(self):
        """Fails unless the API answers nobody."""
        status, reply = self.call("POST", "/v1/rcca", {"question": "connection pool exhausted"})
        if status < 400:
            raise Failure(f"the API answers while it is stopped: {status} {reply}")

    def script(self, calls):
        """Has the embedding model answer so many calls with 503, or as it should."""
        body = json.dumps({"invoke": [{"status": 503, "type": "ServiceUnavailableException", "message": "away", "times": calls}]})
        request = urllib.request.Request(f"{self.remembered['local_url']}/script", method="POST" if calls else "DELETE",
                                         data=body.encode() if calls else None, headers={"content-type": "application/json"})
        urllib.request.urlopen(request).close()

    def waiting(self, queue):
        """How many messages a queue has."""
        name = "ApproximateNumberOfMessages"
        return int(self.client("sqs").get_queue_attributes(QueueUrl=self.remembered[queue], AttributeNames=[name])["Attributes"][name])

    def key_of_qdrant(self):
        """The key in the secret, which the functions send."""
        secrets = self.client("secretsmanager")
        [name] = [own["Name"] for own in secrets.list_secrets()["SecretList"] if "QdrantApiKey" in own["Name"]]
        return secrets.get_secret_value(SecretId=name)["SecretString"]

    def let_in(self, *keys):
        """Has Qdrant take these keys and no others; any where there are none."""
        file = self.state / "keys" / "qdrant"
        file.write_text("\n".join(keys)) if keys else file.unlink(missing_ok=True)

    def lose_the_index(self):
        self.stack("part", "stop", "qdrant")
        shutil.rmtree(self.state / "qdrant")
        self.stack("part", "start", "qdrant")

    def finds(self):
        """Whether a question finds what it should."""
        status, reply = self.call("POST", "/v1/rcca", {"question": "connection pool exhausted"})
        return status == 200 and bool(reply["results"])


def run(command, settings=None):
    """Runs a command to its end; returns what it prints."""
    ended = subprocess.run([str(word) for word in command], env={**os.environ, **(settings or {})}, cwd=tools.ROOT,
                           capture_output=True, text=True)
    if ended.returncode:
        raise Failure(f"{Path(command[0]).name} {command[1]}: {tools.last_line(ended.stderr) or ended.stdout[-500:]}")
    return ended.stdout
