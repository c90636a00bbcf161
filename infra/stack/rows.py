"""The rows of infra/functions.toml, each with its routes and with what it names in place of the names.

`python3 infra/stack/rows.py custom` prints the folders that lie beside the program of a function. Standard library only.
"""

import json
import re
import sys
import tomllib

from failure import Failure
from tools import ROOT

ROWS = ROOT / "infra" / "functions.toml"
# Of each route the function and its event, method and path, and whether it is open: the gateway asks for no token there.
ROUTES = json.loads((ROOT / "infra" / "routes.json").read_text())
TABLES = {"kinds", "functions", "alarms", "variables", "sets", "resources", "models"}
# What a row has where it says nothing.
DEFAULTS = {"about": None, "memory": None, "timeout": None, "reserved": None, "beside": [], "errors_above": 3,
            "throttles_above": 0, "slow_ms": None, "model_ms": 0, "queue": None, "timer": None, "dead_letters": None}
# The alarms that functions of a group share: metric, statistic, the field with a function's bound, and periods of five minutes.
WHO = {"Workflow": "A workflow", "Api": "A function of the API that is no workflow", "Job": "A function that queues and timers start"}
SHARED = (
    ("Errors", "Errors", "Sum", "errors_above", 1, "{} failed more often within five minutes than it may"),
    ("Throttles", "Throttles", "Sum", "throttles_above", 1, "{} was refused for want of concurrency"),
    ("Slow", "Duration", "p99", "slow_ms", 3, "{} took longer in its slowest hundredth than it may, for fifteen minutes"),
)
FIELDS = {"kind", "environment", "rights", *DEFAULTS}


def read(text=None, routes=ROUTES):
    """The tables of functions.toml, or of a text like it; its functions are complete. Refused by table and field."""
    try:
        tables = tomllib.loads(ROWS.read_text() if text is None else text)
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{ROWS.name}: {error}") from None
    for name in sorted(TABLES ^ tables.keys()):
        raise Failure(f"{ROWS.name}: {'there is no table' if name in TABLES else 'unknown table'} [{name}]")
    for route in routes:
        known(tables["functions"], route["function"], f"{ROWS.name}, of {route['method']} {route['path']}")
    return tables | {"functions": {name: complete(name, row, tables) | {"routes": [own for own in routes if own["function"] == name]}
                                   for name, row in tables["functions"].items()}}


def complete(name, row, tables):
    """A row with what its kind has, and with what it names in place of the names."""
    at = f"{ROWS.name}, [functions.{name}]"
    kind = known(tables["kinds"], row["kind"], f"{at} kind") if "kind" in row else {}
    for field in sorted((kind.keys() | row.keys()) - FIELDS):
        raise Failure(f"{at}: unknown field `{field}`; a row has {', '.join(sorted(FIELDS))}")
    names = kind.get("environment", []) + row.get("environment", [])
    names = [variable for of in names for variable in tables["sets"].get(of, [of])]
    rights = kind.get("rights", {}) | row.get("rights", {})
    return DEFAULTS | kind | row | {
        "variables": {variable: known(tables["variables"], variable, f"{at} environment") for variable in names},
        "rights": {sid: right(of, tables, f"{at} rights.{sid}") for sid, of in rights.items()},
    }


def alarms_over(functions):
    """The alarms that functions of a group share, each function with its own bound."""
    groups = {"Workflow": [], "Api": [], "Job": []}
    for name, row in functions.items():
        is_job = row["timer"] or "HOLD_SECONDS" in row["variables"]
        groups["Workflow" if row.get("kind") == "workflow" else "Job" if is_job else "Api"].append((name, row))
    return {group + kind: {
        "about": about.format(WHO[group]), "metric": metric, "statistic": statistic, "periods": periods,
        "functions": [name for name, row in members if row[bound] is not None],
        "terms": [term(name, row, bound) for name, row in members if row[bound] is not None],
    } for group, members in groups.items() for kind, metric, statistic, bound, periods, about in SHARED}


def term(name, row, bound):
    """By how much a function is above its bound; one that waits for a language model has more time, where there is one."""
    waits = bound == "slow_ms" and row["model_ms"]
    return f"FILL({name}, 0) - {row[bound]}" + (f" - {row['model_ms']} * ${{Model}}" if waits else "")


def right(of, tables, at):
    """A right to call a model, or to act on resources."""
    if of.keys() == {"model"}:
        return {"model": {"when": None} | known(tables["models"], of["model"], f"{at}.model")}
    if not {"on", "do"} <= of.keys() <= {"on", "do", "keys"}:
        raise Failure(f"{at}: a right has `model`, or `on`, `do` and perhaps `keys`, not {', '.join(of)}")
    on, do = ([value] if isinstance(value, str) else value for value in (of["on"], of["do"]))
    for action in do:
        if not re.fullmatch(r"[a-z0-9]+:[A-Z][A-Za-z]+", action):
            raise Failure(f"{at}.do: `{action}` is no action such as dynamodb:GetItem")
    return {"model": None, "keys": None} | of | {"do": do, "on": [known(tables["resources"], one, f"{at}.on") for one in on]}


def known(table, name, at):
    """What a table has by a name."""
    if name not in table:
        raise Failure(f"{at}: there is no `{name}`; there are {', '.join(table)}")
    return table[name]


if __name__ == "__main__":
    try:
        print(*(f"infra/{folder}" for folder in known(read()["functions"], sys.argv[1], ROWS.name)["beside"]))
    except Failure as failure:
        sys.exit(f"rows.py: {failure}")
