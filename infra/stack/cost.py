#!/usr/bin/env python3
"""What Plumbline costs on AWS, as Markdown: per 1,000 questions, per 1,000 documents, and per month; and months as a table, with what
is not known as we suppose it.

    python3 infra/stack/cost.py
    python3 infra/stack/cost.py --lines                                       # each line, and where prices and measures are from
    python3 infra/stack/cost.py --set rcca_wait_ms=120 --set qdrant_month=50  # with what you measured or pay

prices.toml has the prices, the measures and how costs are made of them. What is not known stays a name.
Standard library only.
"""

import argparse
import copy
import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEMPLATES = [HERE.parent / "template.yaml", HERE.parent / "data.yaml"]
# Lambda gives this many MB a whole vCPU.
WHOLE = 1769


def main():
    options = arguments()
    table = known()
    for setting in options.set:
        fill(table, setting)
    print(page(table))
    if options.lines:
        costs = groups(table)
        print(details(costs))
        print(sources(table))


def groups(table):
    """Each group of costs: its name, the cost of each line, and the lines."""
    costs = [(group["of"], [cost(table, line, 1000) for line in group["lines"]], group["lines"]) for group in table["thousand"]]
    return costs + [(group["of"], [cost(table, line, 1) for line in group["lines"]], group["lines"]) for group in table["monthly"]]


def page(table):
    """The tables of docs/deploy.md."""
    costs = groups(table)
    return "\n".join([summary(costs), unknown(table, costs), months(table)])


def known():
    """The prices, measures and lines of prices.toml."""
    return tomllib.loads((HERE / "prices.toml").read_text())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a price in dollars, or a measure")
    parser.add_argument("--lines", action="store_true", help="also each line, with the sources")
    return parser.parse_args()


def fill(table, setting):
    """Gives a price or a measure the value that the caller says."""
    name, _, value = setting.partition("=")
    if name in table["prices"]:
        table["prices"][name]["usd"] = number(setting, value)
    elif name in table["measured"]:
        table["measured"][name]["value"] = number(setting, value)
    else:
        sys.exit(f"cost: prices.toml has no {name}")


def number(setting, value):
    try:
        return float(value)
    except ValueError:
        sys.exit(f"cost: {setting} is not NAME=VALUE with a number")


def cost(table, line, times):
    """The dollars of a line, and the names by which they are to be multiplied."""
    dollars, names = times * line.get("factor", 1) * milliseconds(line) * counted(line), []
    for name in line.get("times", []):
        value = table["measured"][name].get("value")
        names += [name] if value is None else []
        dollars *= 1 if value is None else value
    price = table["prices"][line["price"]]
    if "usd" not in price:
        return dollars / price["per"], tuple(names + [line["price"]])
    return dollars * price["usd"] / price["per"], tuple(names)


def milliseconds(line):
    """How many GB-seconds a millisecond of this line is; 1 where it is not about time."""
    if "memory" not in line:
        return 1
    memory = WHOLE if line["memory"] == "vcpu" else memory_of(line["memory"])
    return memory / 1024 / 1000


def memory_of(function):
    """The memory of a function, in MB: its own in the template, or what all functions have."""
    text = TEMPLATES[0].read_text()
    block = re.search(rf"^  {function}:\n((?:    .*\n|\n)+)", text, re.MULTILINE)
    if not block:
        sys.exit(f"cost: {TEMPLATES[0].name} has no {function}")
    own = re.search(r"^      MemorySize: (\d+)", block[1], re.MULTILINE)
    return int((own or re.search(r"^    MemorySize: (\d+)", text, re.MULTILINE))[1])


def counted(line):
    """How many resources of a type, or fields of a name, the templates have; 1 for a line that counts none."""
    if "count" not in line:
        return 1
    name = re.escape(line["count"])
    kind = re.compile(rf"^    Type: {name}$" if "::" in name else rf"^ +{name}: ", re.MULTILINE)
    return sum(len(kind.findall(path.read_text())) for path in TEMPLATES)


def summary(costs):
    rows = ["| | USD | and besides |", "|---|---|---|"]
    for name, parts, _ in costs:
        together = defaultdict(float)
        for dollars, names in parts:
            together[names] += dollars
        known = together.pop((), 0.0)
        rows.append(f"| {name} | {money(known)} | {' + '.join(term(*part) for part in together.items())} |")
    return "\n".join(rows) + "\n"


def months(table):
    """What a month costs with a server for Qdrant of one's own, by the size of the knowledge base and the number of questions."""
    table = copy.deepcopy(table)
    for name, of in table["assumed"].items():
        table["measured"][name].setdefault("value", of["value"])
    of = table["months"]
    rcca, extractive, generative, documents = (sum(cost(table, line, 1)[0] for line in group["lines"]) for group in table["thousand"])
    fixed = sum(dollars for line in table["monthly"][0]["lines"] for dollars, names in [cost(table, line, 1)] if not names)
    server = cost(table, {"price": "server_hour"}, of["hours"])[0]
    heads = [f"{count:,} questions{how}" for how in ("", ", with a model") for count in of["questions"]]
    rows = ["| passages | once, to index them | " + " | ".join(f"a month, {head}" for head in heads) + " |", "|---" * (2 + len(heads)) + "|"]
    for passages in of["passages"]:
        once = documents * passages / of["passages_of_document"]
        months = [fixed + server + count * (rcca + answer) / 2 for answer in (extractive, generative) for count in of["questions"]]
        rows.append(f"| {passages:,} | " + " | ".join(f"{dollars:,.0f}" for dollars in [once, *months]) + " |")
    return "\n".join(rows) + "\n"


def term(names, dollars):
    factors = [f"`{name}`" for name in names]
    return " × ".join(factors if dollars == 1 else [money(dollars), *factors])


def money(dollars):
    """Two digits that count, and never fewer than cents."""
    digits = 2
    while dollars and digits < 9 and abs(dollars) < 10 ** (1 - digits):
        digits += 1
    return f"{dollars:,.{digits}f}"


def unknown(table, costs):
    """What the names in the summary stand for."""
    names = sorted({name for _, parts, _ in costs for _, own in parts for name in own})
    if not names:
        return ""
    rows = ["| name | what it is |", "|---|---|"]
    for name in names:
        price, measure = table["prices"].get(name), table["measured"].get(name)
        rows.append(f"| `{name}` | {measure['what'] if measure else 'USD for a ' + price['unit'] + '. ' + price['service']} |")
    return "\n".join(rows) + "\n"


def details(costs):
    rows = ["| of | line | USD |", "|---|---|---|"]
    for name, parts, lines in costs:
        for (dollars, names), line in zip(parts, lines):
            rows.append(f"| {name} | {line['what']} | {term(names, dollars)} |")
    return "\n".join(rows) + "\n"


def sources(table):
    rows = ["| price or measure | value | of | from |", "|---|---|---|---|"]
    for name, price in table["prices"].items():
        value = f"{price['usd']:g} USD for {price['per']:,}" if "usd" in price else "not known"
        where = f"{price['source']}, {price['date']}, {price['region']}" if "source" in price else price["official"]
        rows.append(f"| `{name}` | {value} | {price['service']}: {price['unit']} | {where} |")
    for name, measure in table["measured"].items():
        if "value" in measure:
            rows.append(f"| `{name}` | {measure['value']:g} | | {measure.get('source', 'the caller')} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
