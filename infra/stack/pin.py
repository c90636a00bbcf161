"""Writes the hashes of each release into requirements files: `python3 infra/stack/pin.py infra/stack/requirements.txt`.

Change a version by hand, then run this. Of each release it takes the wheels for Linux and macOS (x86_64 and ARM) and the
Pythons below, and the source for a machine without a wheel; comments and order stay. It asks the index that pip uses.
Standard library only.
"""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

PYTHONS = {f"cp3{minor}" for minor in range(11, 15)}
SYSTEMS = ("linux", "manylinux", "musllinux", "macosx")
MACHINES = ("x86_64", "aarch64", "arm64", "universal2")
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[A-Za-z0-9.+!]+)")


def normal(name):
    """A project's name as the index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def index(name):
    """The address under which pip finds projects; pip says so when it looks one up."""
    command = [sys.executable, "-m", "pip", "index", "versions", "-vv", "--disable-pip-version-check", name]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    page = re.search(rf"Getting page (\S+)/{re.escape(normal(name))}/", said.stdout + said.stderr)
    if not page:
        raise OSError("pip does not say which index it uses")
    return page[1]


def files(address, name):
    """What the index has of a project."""
    kind = {"Accept": "application/vnd.pypi.simple.v1+json"}
    with urllib.request.urlopen(urllib.request.Request(f"{address}/{normal(name)}/", headers=kind)) as page:
        return json.load(page)["files"]


def serves(wheel):
    """Whether a wheel's name is for a Python and a system of ours."""
    python, abi, platforms = (tag.split(".") for tag in wheel.removesuffix(".whl").split("-")[-3:])
    stable = "abi3" in abi and any(tag.startswith("cp3") and int(tag[3:]) <= 14 for tag in python)
    ours = stable or "py3" in python or PYTHONS & set(python) & set(abi)
    return bool(ours) and any(
        tag == "any" or tag.startswith(SYSTEMS) and tag.endswith(MACHINES) for tag in platforms)


def hashes(address, name, version):
    """The hashes of a release's wheels, and of its source where not every machine has a wheel."""
    release = {entry["filename"]: entry["hashes"]["sha256"] for entry in files(address, name)}
    start = re.compile(rf"{re.sub('[-_.]+', '[-_.]+', name)}-{re.escape(version)}(?:-|\.tar\.gz$|\.zip$)", re.IGNORECASE)
    release = [file for file in release.items() if start.match(file[0])]
    wheels = [file for file in release if file[0].endswith(".whl") and serves(file[0])]
    everywhere = any(file.endswith("-any.whl") for file, _ in wheels)
    sources = [] if everywhere else [file for file in release if not file[0].endswith(".whl")]
    if not wheels + sources:
        raise OSError(f"the index has no file of {name} {version}")
    return sorted({digest for _, digest in wheels + sources})


def pinned(text):
    """The requirements with the hashes of now."""
    lines, address = [], None
    for line in text.splitlines():
        if line.lstrip().startswith("--hash="):
            continue
        wanted = REQUIREMENT.match(line)
        if not wanted:
            lines.append(line)
            continue
        address = address or index(wanted["name"])
        found = hashes(address, wanted["name"], wanted["version"])
        lines.append(" \\\n".join([wanted[0], *(f"    --hash=sha256:{digest}" for digest in found)]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("pin.py: give the requirements files")
    try:
        for path in map(Path, sys.argv[1:]):
            path.write_text(pinned(path.read_text()))
    except (OSError, KeyError, ValueError) as err:
        sys.exit(f"pin.py: {err}")
