"""Installs what the stack needs into target/: three Python environments and the embedding model.

Standard library only: this runs before anything is installed.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from failure import Failure, say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = ROOT / "target"
STACK_ENV = TARGET / "venv"
SAM_ENV = TARGET / "venv-sam"
CLIENTS_ENV = TARGET / "venv-clients"
OPERATE_ENV = TARGET / "venv-operate"
MODEL = TARGET / "model"


def install():
    """Brings the environments and the model up to date; quick when they are."""
    if sys.version_info < (3, 11):
        raise Failure(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    TARGET.mkdir(exist_ok=True)
    environment(STACK_ENV, HERE / "requirements.txt")
    environment(SAM_ENV, HERE / "requirements-sam.txt")
    environment(CLIENTS_ENV, HERE / "requirements-clients.txt")
    model()


def environment(folder, requirements):
    """Creates the environment, unless one for the same requirements and Python is there."""
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "requirements.sha256"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    say(f"installing {requirements.name} into {folder.relative_to(ROOT)} (once)")
    stamp.unlink(missing_ok=True)
    run([sys.executable, "-m", "venv", "--clear", folder],
        "could not create a Python environment (is the venv module installed?)")
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--require-hashes", "--requirement", requirements], f"could not install {requirements.name}")
    stamp.write_text(wanted)


def model():
    """Fetches the embedding model; the script does nothing when it is there."""
    script = ROOT / "infra" / "embedding" / "model.py"
    if not script.is_file():
        raise Failure(f"{script.relative_to(ROOT)} is missing, it fetches the embedding model")
    run([sys.executable, script, MODEL], "could not fetch the embedding model", quiet=False)


def run(command, complaint, quiet=True):
    """Runs a command to its end, or fails with the last line that it printed."""
    result = subprocess.run([str(word) for word in command], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE if quiet else None, stderr=subprocess.PIPE)
    if result.returncode:
        raise Failure(f"{complaint}: {last_line(result.stderr) or f'exit code {result.returncode}'}")


def last_line(text):
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else ""


def enter():
    """Continues in the stack's own Python; returns when already there."""
    python = STACK_ENV / "bin" / "python"
    if Path(sys.prefix).resolve() == STACK_ENV.resolve():
        return
    if not (STACK_ENV / "requirements.sha256").is_file():
        raise Failure("the stack's tools are not installed, run: python3 infra/stack/stack.py tools")
    sys.stdout.flush()
    os.execv(python, [str(python), *sys.argv])
