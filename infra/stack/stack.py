#!/usr/bin/env python3
"""The whole system on one machine: `tools`, `up`, `deploy`, `env`, `invoke`, `log`, `status`, `part`, `alone`, `down`, `template`,
`check`, `package`, `rehearse`.

    python3 infra/stack/stack.py tools
    python3 infra/stack/stack.py up --state target/stack

Everything listens on loopback only. What runs where is in stack.json in the state folder.
"""

import argparse
import importlib
import shutil
import sys
from pathlib import Path

import calls
import state
import tools
from failure import Failure, say


def main():
    options = arguments()
    try:
        if options.command in ("up", "deploy", "invoke", "log", "template", "check", "rehearse"):
            tools.enter()
        options.run(options)
    except Failure as failure:
        print(f"stack: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def up(options):
    """Starts what does not run yet, deploys, and writes stack.json."""
    import parts
    import qdrant

    remembered = state.read(options.state)
    refuse_other_ports(remembered, options)
    place = qdrant.place(options)
    refuse_other_place(remembered, options, place)
    if options.qdrant_url:
        qdrant.require_server(options.qdrant_url, options.faults)
    remembered.update(place, qdrant_called_at=qdrant.called_at(options))
    for name, plan in parts.planned(options).items():
        start_part(options, remembered, name, plan)
    deploy(options)


def refuse_other_ports(remembered, options):
    """Two stacks need two state folders; one folder means one set of ports until `down`."""
    import parts

    for name, plan in parts.planned(options).items():
        command, port = remembered.get("commands", {}).get(name), remembered.get("ports", {}).get(name)
        if port != plan["port"] and command and parts.running(remembered["pids"].get(name), command):
            raise Failure(f"{name} of this stack already runs on port {port}, not {plan['port']}; "
                          f"take it down first: stack.py down --state {options.state}")


def refuse_other_place(remembered, options, place):
    """The documents that this stack has are where it put their passages, and would not be found elsewhere."""
    import parts

    alive = any(parts.running(pid, remembered["commands"][name]) for name, pid in remembered.get("pids", {}).items())
    if alive and any(remembered.get(name, place[name]) != place[name] for name in place):
        kept, wanted = (f"the collection {where['qdrant_collection']} at {where['qdrant_url']}"
                        for where in (remembered, place))
        raise Failure(f"this stack keeps its passages in {kept}, not in {wanted}; give the QDRANT_URL that it was "
                      f"started with, or take it down first: stack.py down --state {options.state}")


def has_server(remembered):
    """Whether the passages are on a server that was not started here."""
    return "qdrant_url" in remembered and "qdrant" not in remembered.get("plans", {})


def start_part(options, remembered, name, plan):
    """Keeps a part that already runs as planned; else starts it (anew) and remembers it at once."""
    import parts

    known = remembered.setdefault("plans", {}).get(name)
    pid = remembered.setdefault("pids", {}).get(name)
    alive = known and parts.running(pid, known["command"])
    if alive and known == plan:
        return
    if alive:
        say(f"{name} runs with other settings or an older program: restarting it")
        parts.stop(pid)
    # Remembered part by part, so that `down` finds what came up even when a later part does not.
    remembered["pids"][name] = parts.start(name, plan, Path(options.state).resolve() / f"{name}.log")
    remembered["plans"][name] = plan
    remembered.setdefault("commands", {})[name] = plan["command"]
    remembered.setdefault("ports", {})[name] = plan["port"]
    state.write(options.state, remembered)


def deploy(options):
    """Deploys both stacks to the gateway that runs."""
    import deploy as deployment

    remembered = state.read(options.state)
    if not remembered.get("pids"):
        raise Failure(f"nothing runs for {options.state}, start it with: stack.py up --state {options.state}")
    ports = remembered["ports"]
    options.gateway_port, options.local_port = ports["gateway"], ports["local"]
    options.qdrant_url, options.qdrant_collection = remembered["qdrant_called_at"], remembered["qdrant_collection"]
    remembered.update(deployment.deploy(options), auth=remembered["plans"]["gateway"]["settings"]["AUTH"] == "true")
    state.write(options.state, remembered)
    say(f"ready: {remembered['api_url']}")


def down(options):
    """Ends every part; Qdrant's data and the keys stay unless purged."""
    import parts

    remembered = state.read(options.state)
    for name in reversed(parts.ORDER):
        if name in remembered.get("pids", {}) and parts.running(remembered["pids"][name], remembered["commands"][name]):
            say(f"stopping {name}")
            parts.stop(remembered["pids"][name])
    folder = Path(options.state)
    (folder / "stack.json").unlink(missing_ok=True)
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    if options.purge:
        for kept in ("qdrant", "keys"):
            shutil.rmtree(folder / kept, ignore_errors=True)
        if has_server(remembered):
            say(f"the collection {remembered['qdrant_collection']} stays at {remembered['qdrant_url']}; a new stack in "
                "this folder goes on with it, if you do not delete it there")


def part(options):
    """Stops or starts one part, as a test does that takes Qdrant away."""
    import parts

    remembered = state.read(options.state)
    if options.name == "qdrant" and has_server(remembered):
        raise Failure(f"the Qdrant server at {remembered['qdrant_url']} was not started here")
    if options.name not in remembered.get("plans", {}):
        raise Failure(f"nothing runs for {options.state}, start it with: stack.py up --state {options.state}")
    plan = remembered["plans"][options.name]
    if options.action == "start":
        start_part(options, remembered, options.name, plan)
    elif parts.running(remembered["pids"][options.name], plan["command"]):
        parts.stop(remembered["pids"][options.name])


def status(options):
    """Says what runs; exit code 1 when something does not."""
    import parts

    remembered = state.read(options.state)
    whole = True
    for name in parts.ORDER:
        if name == "qdrant" and has_server(remembered):
            say(f"qdrant: {remembered['qdrant_url']}, not started here; collection {remembered['qdrant_collection']}")
            continue
        pid = remembered.get("pids", {}).get(name)
        alive = bool(pid) and parts.running(pid, remembered["commands"][name])
        whole = whole and alive
        say(f"{name}: " + (f"pid {pid} on port {remembered['ports'][name]}" if alive else "not running"))
    say(f"api: {remembered.get('api_url', 'not deployed')}")
    sys.exit(0 if whole and "api_url" in remembered else 1)


def later(module, name):
    """A command of a module that is loaded where the command is given: it needs more than the others do."""
    return lambda _options: getattr(importlib.import_module(module), name)()


def rehearse(options):
    """Loses the table, the index and all of a stack, and restores each by the blocks of docs/restore.md."""
    import rehearse as rehearsal

    rehearsal.rehearse(Path(options.state).resolve())


def packages(quick):
    import package

    package.package(quick)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command(commands, "tools", lambda _: tools.install(), "install what the stack needs into target/", where=False)
    command(commands, "template", later("template", "write"), "make infra/template.yaml of its rows", where=False)
    command(commands, "check", later("checks", "check"), "check both templates", where=False)
    add = command(commands, "package", lambda options: packages(options.quick), "build two functions as `sam build` does for a deployment", where=False)
    add("--quick", action="store_true", help="leave out what makes programs small and fast")
    for name, run in (("up", up), ("deploy", deploy)):
        add = command(commands, name, run, run.__doc__)
        add("--binaries", default=tools.TARGET / "debug", help="folder with the functions' programs")
        add("--sources", default=tools.ROOT / "infra" / "sources", help="folder with the sources of search")
        add("--strategies", default=tools.ROOT / "infra" / "strategies", help="folder with the custom workflows")
        add("--alerts", default=tools.ROOT / "infra" / "alerts", help="folder with the vendors of alerts")
        add("--alert-secrets", metavar="JSON", default='{"demo": "demo"}', help="the secrets of these routes")
        add("--alert-routes", default=tools.ROOT / "infra" / "alert_routes", help="folder with the routes of alerts")
        add("--knowledge", default=tools.ROOT / "infra" / "knowledge", help="folder with the knowledge bases")
        add("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of infra/template.yaml; repeatable")
        add("--log-level", default="info", choices=["trace", "debug", "info", "warn", "error"])
        if name == "up":
            add("--gateway-port", type=int, default=4570)
            add("--local-port", type=int, default=4571)
            add("--qdrant-port", type=int, default=6334)
            add("--qdrant-url", help="a Qdrant server (gRPC, without a key) to use in place of the stand-in")
            add("--auth", action="store_true", help="enforce each function's role")
            add("--faults", action="store_true", help="send calls of the table, the queues and Qdrant through "
                "plumbline-local, where tests make them fail")
            add("--faults-port", type=int, default=4572, help="port of plumbline-local for calls of Qdrant")
            add("--local-binaries", default=tools.TARGET / "debug", help="folder with the local services' programs")
            add("--model", default=tools.MODEL, help="folder of the embedding model")
            add("--cache", default=tools.TARGET / "embeddings",
                help="folder of the embeddings, kept; all stacks of this checkout share it")
    add = command(commands, "env", calls.env, calls.env.__doc__)
    add("--sub", default="demo", help="who the token is for")
    add("--groups", default="knowledge-admins", help="the groups of that person, by commas")
    add("--functions", action="store_true", help="print what `cargo lambda watch` needs, too")
    command(commands, "down", down, down.__doc__)("--purge", action="store_true", help="remove what was kept too")
    command(commands, "status", status, status.__doc__)
    command(commands, "rehearse", rehearse, rehearse.__doc__)
    add = command(commands, "invoke", calls.invoke, calls.invoke.__doc__)
    add("function", help="its name, such as digest")
    add("event", help="a file with the event, such as tests/events/digest.json")
    add = command(commands, "log", calls.log, calls.log.__doc__)
    add("function", help="its name, such as mcp")
    add("pattern", help="such as AUDIT")
    add = command(commands, "part", part, part.__doc__)
    add("action", choices=["start", "stop"])
    add("name", choices=["qdrant", "local", "gateway"])
    add = command(commands, "alone", calls.alone, calls.alone.__doc__)
    add("turn", choices=["on", "off"])
    add("function", choices=["ingest", "removal", "digest"])
    return parser.parse_args()


def command(commands, name, run, text, where=True):
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(run=run)
    if where:
        parser.add_argument("--state", required=True, help="folder for logs, data and stack.json")
    return parser.add_argument


if __name__ == "__main__":
    main()
