"""What the pages for operators must say of the expanded template. Each rule yields one line per offence."""

import re

import cost
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
    wake = {name for name, own in of_type(api, "AWS::CloudWatch::Alarm") if own["Properties"]["AlarmActions"] == [{"Ref": "AlarmTopic"}]}
    listed = re.search(r"wake somebody[^:]*:([^.]*)\.", page)
    if set(re.findall(r"`(\w+)`", listed[1] if listed else "")) != wake:
        yield f"docs/alarms.md: {', '.join(sorted(wake))} wake somebody, and the page names others"
    if len(names) > MOST_ALARMS:
        yield f"{len(names)} alarms: at most {MOST_ALARMS}, or nobody reads them"


def stages(settings):
    """Who deploys with prod is told by its alarms."""
    if "AlarmTopic=" not in settings.get("prod", {}).get("deploy", {}).get("parameters", {}).get("parameter_overrides", ""):
        yield "samconfig.toml: the stage prod must name AlarmTopic: nobody hears its alarms"


def parameters(templates):
    """The page of all parameters: a table for each template, as the templates describe them."""
    lines = ["# Parameters", "", "`make template` makes this page of the templates. A value goes into `parameter_overrides` of the stage in `samconfig.toml`."]
    for name, template in templates.items():
        lines += ["", f"## {name}", "", "| parameter | default | what it is |", "|---|---|---|"]
        for parameter, of in template["Parameters"].items():
            value, told = str(of.get("Default", "")), " ".join(of.get("Description", "").split()).replace("|", "\\|")
            values = ", ".join(map(str, of.get("AllowedValues", [])))
            default = "**needed**" if "Default" not in of else f"`{value}`" if value else "empty"
            lines.append(f"| `{parameter}` | {default} | {told}{' One of: ' + values + '.' if values else ''} |")
    return "\n".join(lines) + "\n"


def costs(page):
    """The page says what cost.py prints."""
    for line in cost.page(cost.known()).splitlines():
        if line and line not in page:
            yield f"docs/deploy.md: cost.py prints this line, and the page has another: {line}"


def runbook(api, page):
    """The page for operators names every function of the API, and the mappings of every function that a queue feeds."""
    others = {name for name, _ in consumers(api)} | set(timed(api))
    of_api = {name.removesuffix("Function").lower() for name, _ in of_type(api, "AWS::Lambda::Function") if name not in others}
    fed = {name.removesuffix("Function").lower() for name, _ in consumers(api)}
    for pattern, wanted in ((r"of_the_api\(\) \{ echo ([\w ]+);", of_api), (r"mappings\(\) \{\s+for function in ([\w ]+);", fed)):
        for name in sorted(wanted ^ set(" ".join(re.findall(pattern, page)).split())):
            yield f"docs/restore.md: {name} is left out, or is none of these functions"
