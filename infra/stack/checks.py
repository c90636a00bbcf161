"""Checks the templates without an account (SAM's own validation, the linter before and after expansion, our rules) and what
the Rust workspaces are made of."""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import lowering
import pages
import rules
import supply
import template
from failure import Failure, say
from tools import ROOT, SAM_ENV, STACK_ENV, TARGET

DATA, API = ROOT / "infra" / "data.yaml", ROOT / "infra" / "template.yaml"
# Optional and on its own: nothing of it is expanded, and our rules are about what the other two make together.
IDENTITY = ROOT / "infra" / "identity.yaml"
REGION = "us-east-1"
# SAM fills in some parameters while expanding, which then look unused; that they are used shows in the raw form.
EXPANDED_IGNORES = ["W2001"]


def check():
    """Runs every check, then fails with all that was found, one line each."""
    found = []
    for path in (DATA, API, IDENTITY):
        say(f"validating {path.relative_to(ROOT)}")
        found += sam_validate(path)
        found += lint(path, path.relative_to(ROOT))
    data, api = lowering.expand(DATA), lowering.expand(API)
    say("linting and judging the expanded forms")
    with tempfile.TemporaryDirectory(dir=TARGET) as folder:
        for path, own in ((DATA, data), (API, api)):
            expanded = Path(folder) / f"{path.stem}.json"
            expanded.write_text(json.dumps(own, default=str, indent=1))
            found += lint(expanded, f"{path.relative_to(ROOT)}, expanded", ignore=EXPANDED_IGNORES)
    found += rules.offences(data, api)
    found += pages.runbook(api, (ROOT / "docs" / "restore.md").read_text())
    found += pages.alarm_page(api, (ROOT / "docs" / "alarms.md").read_text())
    found += pages.stages(tomllib.loads((ROOT / "samconfig.toml").read_text()))
    found += pages.costs((ROOT / "docs" / "deploy.md").read_text())
    found += supply.offences()
    found += figures() + made()
    for line in found:
        say(f"wrong: {line}")
    if found:
        raise Failure(f"{len(found)} things are wrong with the templates or the dependencies")
    say("the templates and the dependencies are in order")


def figures():
    """The pages say what was measured."""
    checked = subprocess.run([sys.executable, ROOT / "tests" / "bench" / "page.py", "--check"], capture_output=True, text=True)
    return checked.stderr.splitlines()


def made():
    """The committed template is what its rows make, and the page of parameters what the templates say."""
    same = API.read_text() == template.render() and template.PAGE.read_text() == template.page()
    return [] if same else ["infra/template.yaml or docs/parameters.md is not what their sources make of them: run make template"]


def sam_validate(path):
    # An empty home and no settings: validation must not depend on, or change, those of whoever runs it.
    with tempfile.TemporaryDirectory(dir=TARGET) as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "SAM_CLI_TELEMETRY": "0", "LC_ALL": "C.UTF-8",
                       "AWS_DEFAULT_REGION": REGION}
        result = subprocess.run([SAM_ENV / "bin" / "sam", "validate", "--region", REGION, "--template", path],
                                env=environment, cwd=ROOT, capture_output=True, text=True)
    if result.returncode == 0:
        return []
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error:")]
    return [f"{path.relative_to(ROOT)}: {(lines or [result.stderr.strip()])[-1]}"]


def lint(path, shown, ignore=()):
    ignored = ["--ignore-checks", *ignore] if ignore else []
    result = subprocess.run([STACK_ENV / "bin" / "cfn-lint", "--format", "json", "--regions", REGION, *ignored, "--", path],
                            capture_output=True, text=True)
    try:
        matches = json.loads(result.stdout or "[]")
    except ValueError:
        raise Failure(f"cfn-lint did not work on {shown}: {result.stderr.strip()}") from None
    return [f"{shown}, line {match['Location']['Start']['LineNumber']}: {match['Rule']['Id']} {match['Message']}"
            for match in matches]
