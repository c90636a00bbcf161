"""Packages two functions as `sam build` does for a deployment, for this machine, and starts what came of it."""

import os
import platform
import subprocess
import tempfile

from failure import Failure, say
from tools import ROOT, SAM_ENV, TARGET

# Function -> what lies in its package, one without configuration beside the program and one with.
PACKAGES = {"RccaFunction": {"bootstrap"}, "CustomFunction": {"bootstrap", "strategies"}}
ARCHITECTURES = {"x86_64": "x86_64", "aarch64": "arm64"}


# What compiles quickest: the programs of the tests need not be small or fast.
QUICK = {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0", "CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}


def package(quick):
    """Builds the packages; fails where one is not whole or its program does not start. `quick` leaves out what makes programs small."""
    architecture = ARCHITECTURES[platform.machine()]
    for function, wanted in PACKAGES.items():
        say(f"packaging {function} for {architecture}")
        folder = sam_build(function, architecture, QUICK if quick else {})
        found = {path.name for path in folder.iterdir()}
        if found != wanted:
            raise Failure(f"the package of {function} holds {sorted(found)}, not {sorted(wanted)}")
        start(function, folder)
    say("the packages are whole, and their programs start")


def sam_build(function, architecture, profile):
    """Builds one function into a folder of its own; the folder of its package."""
    built = TARGET / "package"
    command = [SAM_ENV / "bin" / "sam", "build", function, "--build-dir", built,
               "--parameter-overrides", f"Architecture={architecture}"]
    # An empty home: packaging must not depend on, or change, the settings of whoever runs it. Cargo has its own.
    with tempfile.TemporaryDirectory(dir=TARGET) as home:
        own = os.path.expanduser
        environment = {"CARGO_HOME": own("~/.cargo"), "RUSTUP_HOME": own("~/.rustup"), **os.environ, "HOME": home,
                       "SAM_CLI_TELEMETRY": "0", "LC_ALL": "C.UTF-8", "ARCHITECTURE": architecture, **profile}
        result = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"sam build failed for {function}:\n{result.stderr[-4000:]}")
    return built / function


def start(function, folder):
    """The program starts where it can read its settings; without them it says which one is missing."""
    result = subprocess.run([folder / "bootstrap"], env={}, cwd=folder, capture_output=True, text=True)
    told = result.stdout + result.stderr
    if "is missing" not in told:
        raise Failure(f"the program of {function} does not start: {told[-1000:]}")
