#!/usr/bin/env python3
"""Makes the wheels of `plumbline`, or installs them as a user would, and asks: `wheel.py build`, `wheel.py try`.

    python3 infra/stack/wheel.py build      # into target/wheels: the program, and the weights of the embedding model
    python3 infra/stack/wheel.py try        # in an environment of their own, without an index of packages

Standard library only.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tools
from failure import Failure, say

ENV = tools.TARGET / "venv-wheel"
WHEELS = tools.TARGET / "wheels"
FOLDERS = ["infra/embedding", "infra/serve"]
PIP = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
CORPUS = tools.ROOT / "tests" / "corpus"
QUESTION = "Checkout requests time out and the database refuses new connections."
PATIENCE = 600


def build():
    """Builds both wheels."""
    tools.TARGET.mkdir(exist_ok=True)
    tools.environment(ENV, tools.HERE / "requirements-wheel.txt")
    tools.model()
    # maturin is a program, which is found on the path.
    path = f"{ENV / 'bin'}{os.pathsep}{os.environ['PATH']}"
    wheel = [ENV / "bin" / "python", *PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", WHEELS, *FOLDERS]
    if subprocess.run(wheel, cwd=tools.ROOT, env={**os.environ, "PATH": path}).returncode:
        raise Failure("the wheels were not built")
    for made in sorted(WHEELS.glob("*.whl")):
        say(f"{made.relative_to(tools.ROOT)}: {made.stat().st_size / 1e6:.0f} MB")


def tried():
    """Installs the wheels, serves the demo corpus and asks; says how long that takes."""
    with tempfile.TemporaryDirectory(dir=tools.TARGET) as folder:
        home = Path(folder)
        tools.run([sys.executable, "-m", "venv", home / "venv"], "could not create a Python environment")
        install = [home / "venv" / "bin" / "python", *PIP, "install", "--no-index", "--find-links", WHEELS, "plumbline"]
        tools.run(install, "the wheels cannot be installed")
        program = home / "venv" / "bin" / "plumbline"
        say(f"{program.name}: {program.stat().st_size / 1e6:.0f} MB")
        # Nothing of this checkout: neither its model nor what is known of other programs.
        settings = {"HOME": folder, "XDG_DATA_HOME": folder, "PATH": os.environ["PATH"]}
        begun = time.monotonic()
        server = subprocess.Popen([program, "serve", CORPUS, "--port", "0"], cwd=folder, env=settings)
        try:
            answer = asked(program, settings, server, begun)
        finally:
            server.kill()
            server.wait()
    if "Connection pool" not in answer and "connection pool" not in answer:
        raise Failure(f"the installed program answers: {answer[-1000:]}")


def asked(program, settings, server, begun):
    """What the program answers once all documents are there."""
    def told(*words):
        return subprocess.run([program, *words], env=settings, capture_output=True, text=True)

    files = sum(1 for path in CORPUS.rglob("*") if path.is_file())
    while f"  indexed: {files}\n" not in (status := told("status")).stdout:
        if server.poll() is not None or time.monotonic() - begun > PATIENCE:
            raise Failure(f"the installed program does not read {files} files: {status.stdout[-500:]}{status.stderr[-500:]}")
        time.sleep(0.5)
    answer = told("ask", "rcca", QUESTION)
    say(f"{files} files read and a question answered {time.monotonic() - begun:.0f} s after the start")
    return answer.stdout + answer.stderr


if __name__ == "__main__":
    commands = {"build": build, "try": tried}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(f"wheel.py: one of {', '.join(commands)}")
    try:
        commands[sys.argv[1]]()
    except Failure as failure:
        sys.exit(f"wheel.py: {failure}")
