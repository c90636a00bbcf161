"""Runs the blocks of a page as they stand there, in bash, with the AWS CLI against the local stack."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import deploy as deployment
from failure import Failure, say
from tools import OPERATE_ENV, ROOT, TARGET, last_line

# So begins a block that is for people alone.
NOT_HERE = "# not rehearsed"
# Of SQS the AWS CLI 1 takes no address from the environment.
AWS = 'aws() { command aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }'
# What a block leaves for later ones.
KEPT = "BACKUP OLD"


def sections(page):
    """The blocks below each heading, in order; those before the first heading stand below None."""
    found, heading, block = {None: []}, None, []
    for line in [*page.splitlines(), ""]:
        # A block in a list is indented once more.
        code = re.match(r" {4,7}(.*)$", line)
        if code or (block and not line.strip()):
            block.append(line)
            continue
        if text := dedented(block):
            found[heading].append(text)
        block = []
        if line.startswith("#"):
            heading = line.lstrip("# ")
            found[heading] = []
    return found


def dedented(block):
    """The text of a block; empty for lines of a list that go on."""
    lines = [line for line in block if line.strip()]
    if not lines or (min(len(line) - len(line.lstrip()) for line in lines) < 4):
        return ""
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    return "\n".join(line[margin:] for line in block).strip()


class Runbook:
    """The blocks of a page, with the shell in which they run. Pages share `values`, the parameters of the stage."""

    def __init__(self, page, folder, state, settings, values):
        text = page.read_text().replace("plumbline-data-prod", deployment.DATA_STACK).replace("plumbline-prod", deployment.API_STACK)
        self.sections = sections(text)
        title = next(heading for heading in self.sections if heading)
        self.prelude = "\n".join(self.sections[title])
        self.folder, self.state, self.settings, self.values = folder, state, settings, values
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kept.sh").unlink(missing_ok=True)

    def run(self, heading, blocks=slice(None), parameters=(), more=None):
        """Runs blocks below a heading; returns what they print. `sam deploy` deploys with these parameters, and those of before."""
        wanted = [block for block in self.sections[heading] if not block.startswith(NOT_HERE)][blocks]
        if not wanted:
            raise Failure(f"the page has no such block below {heading}")
        say(f"running {heading}")
        kept = self.folder / "kept.sh"
        script = "\n".join([
            "set -euo pipefail", f"[ ! -f {kept} ] || source {kept}", f"sam() {{ {self.deploying(parameters)}; }}", AWS, self.prelude,
            *(f"{name}={shlex.quote(value)}" for name, value in (more or {}).items()), *wanted, f"declare -p {KEPT} 2>/dev/null | sed 's/^declare --/declare -g/' > {kept} || true",
        ])
        path = f"{OPERATE_ENV / 'bin'}:{TARGET / 'debug'}:{os.environ['PATH']}"
        environment = {**os.environ, **self.settings, **(more or {}), "PATH": path, "AWS_PAGER": ""}
        ended = subprocess.run(["bash", "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
        if ended.returncode:
            raise Failure(f"{heading}: {last_line(ended.stderr) or ended.returncode}; it printed: {ended.stdout[-500:]}")
        return ended.stdout

    def deploying(self, parameters):
        """The command that deploys to the local stack, in place of `sam deploy`."""
        # As `sam deploy` keeps the value of a parameter that is left out.
        self.values.update(own.split("=", 1) for own in parameters)
        command = [sys.executable, str(Path(__file__).with_name("stack.py")), "deploy", "--state", str(self.state)]
        return f'[ "$1" != deploy ] || {" ".join([*command, *(f"--set {name}={value}" for name, value in self.values.items())])}'
