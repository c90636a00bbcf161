"""The processes of the stack: Qdrant unless a server runs already, the other local services, MiniStack as the gateway.

Each part is started in a process group of its own and remembered with its command, so that a later
call finds it, and a test can end one and start it again.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import ports
import qdrant
from failure import Failure, say
from tools import ROOT, last_line

ENGINE = ROOT / "infra" / "qdrant"
REQUIREMENTS = ROOT / "infra" / "stack" / "requirements.txt"
ORDER = ("qdrant", "local", "gateway")
PATIENCE = {"qdrant": 60, "local": 60, "gateway": 60}


def planned(options):
    """What each part should run: command, settings, port and how to see that it is ready."""
    state = Path(options.state).resolve()
    local = Path(options.local_binaries).resolve() / "plumbline-local"
    index, http, gateway = (f"{ports.HOST}:{port}" for port in
                            (options.qdrant_port, options.local_port, options.gateway_port))
    plans = {
        "qdrant": part([sys.executable, ENGINE / "server.py", "--grpc", index, "--data", state / "qdrant", "--keys", state / "keys" / "qdrant"],
                       options.qdrant_port, "--qdrant-port",
                       programs=[REQUIREMENTS, *(file for file in ENGINE.glob("*.py") if file.name != "test_server.py")]),
        # The issuer's keys are kept: the gateway remembers them, and tokens stay good over a restart.
        "local": part([local, "--http", http, "--model", Path(options.model).resolve(),
                       "--cache", Path(options.cache).resolve(), "--keys", state / "keys",
                      *(passed_on(options) if options.faults else [])],
                      options.local_port, "--local-port", health=f"http://{http}/health", programs=[local],
                      # It embeds a text on each processor; with more threads a text they would wait for each other.
                      settings={"CANDLE_NUM_THREADS": "1"},
                      more_ports=[(options.faults_port, "--faults-port")] if options.faults else []),
        "gateway": part([sys.executable, "-m", "ministack"], options.gateway_port, "--gateway-port",
                        health=f"http://{gateway}/_ministack/health", settings=gateway_settings(options, state)),
    }
    return {name: plan for name, plan in plans.items() if name != "qdrant" or not options.qdrant_url}


def passed_on(options):
    """The options by which `plumbline-local` passes on calls of the other services, so that tests make them fail."""
    return ["--aws", f"http://{ports.HOST}:{options.gateway_port}",
            "--grpc", f"{ports.HOST}:{options.faults_port}", "--qdrant", qdrant.address(options)]


def part(command, port, option, health=None, settings=None, programs=(), more_ports=()):
    return {
        "command": [str(word) for word in command],
        "settings": settings or {},
        "port": port,
        "option": option,
        "health": health,
        # Further ports, each with its option.
        "more_ports": [list(port) for port in more_ports],
        # A program that changed is started anew.
        "built": max((program.stat().st_mtime_ns for program in programs if program.is_file()), default=0),
    }


def environment(settings):
    """A part sees its settings and little else: nothing of the caller's cloud account."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "SSL_CERT_FILE", "SSL_CERT_DIR")
    return {name: os.environ[name] for name in kept if name in os.environ} | settings


def gateway_settings(options, state):
    """MiniStack's settings. Its whole environment reaches the functions too, which is how they find Bedrock."""
    endpoint = f"http://{ports.HOST}:{options.gateway_port}"
    local = f"http://{ports.HOST}:{options.local_port}"
    # There tests have calls fail; the others are passed on to the gateway.
    by_way = ("DYNAMODB", "S3", "SQS") if options.faults else ()
    return {
        "GATEWAY_PORT": str(options.gateway_port),
        "BIND_HOST": ports.HOST,
        # A name, not an address: it becomes the host in the functions' events, which must parse as one.
        "MINISTACK_HOST": "localhost",
        # Without these two it opens ports beyond loopback.
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "AUTH": "true" if options.auth else "false",
        "TMPDIR": str(state / "tmp"),
        # An address, not a name: S3 would put the bucket in front of a name, which then does not resolve.
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": local,
        **{f"AWS_ENDPOINT_URL_{service}": local for service in by_way},
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }


def start(name, plan, log):
    """Starts one part and waits until it answers; returns its process id."""
    program = Path(plan["command"][0])
    if not program.is_file():
        raise Failure(f"{program} is missing, it runs {name}; build it with: "
                      "cargo build --package plumbline-local")
    for port, option in ((plan["port"], plan["option"]), *plan["more_ports"]):
        ports.require_free(port, name, option)
    Path(plan["settings"].get("TMPDIR", log.parent)).mkdir(parents=True, exist_ok=True)
    say(f"starting {name} on {ports.HOST}:{plan['port']}")
    with log.open("ab") as output:
        process = subprocess.Popen(plan["command"], env=environment(plan["settings"]), cwd=log.parent,
                                   start_new_session=True, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT)
    ready = (lambda: ports.healthy(plan["health"])) if plan["health"] else (lambda: ports.listening(plan["port"]))
    if not ports.wait_until(ready, lambda: process.poll() is None, PATIENCE[name]):
        ended = process.poll()
        stop(process.pid)
        what = f"ended with exit code {ended}" if ended is not None else f"did not answer within {PATIENCE[name]} s"
        raise Failure(f"{name} {what}: {last_line(log.read_text(errors='replace'))} (all of it in {log})")
    return process.pid


def running(pid, command):
    """Whether the process is alive and still the one that was started with `command`."""
    if not pid or (shown := command_of(pid)) is None:
        return False
    return all(word in shown for word in (Path(command[0]).name, *command[1:]))


def command_of(pid):
    """The command line of a live process as one text; None for a dead one."""
    result = subprocess.run(["ps", "-ww", "-o", "stat=,command=", "-p", str(pid)], capture_output=True, text=True)
    state, _, command = result.stdout.strip().partition(" ")
    return None if not state or state.startswith("Z") else command


def stop(pid):
    """Ends the part's whole process group, politely first."""
    for number, seconds in ((signal.SIGTERM, 10), (signal.SIGKILL, 5)):
        try:
            os.killpg(pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
            if not group_alive(pid):
                return
            time.sleep(0.05)


def group_alive(group):
    result = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True)
    rows = (line.split() for line in result.stdout.splitlines())
    return any(len(row) == 2 and row[0] == str(group) and not row[1].startswith("Z") for row in rows)
