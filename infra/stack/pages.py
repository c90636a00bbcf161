"""What the pages for operators must say of the expanded template. Each rule yields one line per offence."""

import re

from rules import consumers, timed
from values import of_type

MOST_ALARMS = 25


def alarm_page(api, page):
    """The page of alarms has a row for each of them, and there are few."""
    told = {name for line in page.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    names = {name for name, _ in of_type(api, "AWS::CloudWatch::Alarm")}
    for name in sorted(names - told):
        yield f"docs/alarms.md: {name} has no row"
    for name in sorted(told - names):
        yield f"docs/alarms.md: {name} is no alarm"
    if len(names) > MOST_ALARMS:
        yield f"{len(names)} alarms: at most {MOST_ALARMS}, or nobody reads them"


def runbook(api, page):
    """The page for operators stops and starts every function of the API, each by its name."""
    others = {name for name, _ in consumers(api)} | set(timed(api))
    of_api = {name.removesuffix("Function").lower() for name, _ in of_type(api, "AWS::Lambda::Function") if name not in others}
    loops = re.findall(r"for function in ([\w ]+); do\s+aws lambda (\w+)-function-concurrency", page)
    if sorted(action for _, action in loops) != ["delete", "put"]:
        yield "docs/operate.md: one loop must stop the functions of the API, and one start them"
    for names, action in loops:
        for name in sorted(of_api ^ set(names.split())):
            yield f"docs/operate.md: {action}-function-concurrency: {name} is left out, or is no function of the API"
