#!/usr/bin/env python3
"""Writes the tables of figures into the pages that have them, from figures.json and rows.toml.

    python3 tests/bench/page.py [--check]

A table stands between the marks `<!-- figures: NAME -->` and `<!-- end -->`; NAME is `all` or `missed`. With --check nothing is
written, and a page that says something else than the figures is an error. Intervals are Wilson's, 95 % (E. B. Wilson, 1927).
Standard library only.
"""

import argparse
import json
import math
import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = [HERE / "README.md", ROOT / "docs" / "limits.md"]
MARKED = re.compile(r"(<!-- figures: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
HEAD = "| workflow | by | measured | share | n | 95 % | aim | |\n|---|---|---|---|---|---|---|---|\n"
# Two-sided, 95 %.
Z = 1.96


def interval(right, count):
    """Wilson's interval of a share."""
    share, square = right / count, Z * Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(rows, figures, name):
    """The rows of a table: all, or those that miss their aim."""
    lines = [line(row, *figures[row["figure"]]) for row in rows
             if name == "all" or is_met(row, *figures[row["figure"]]) is False]
    return HEAD + "\n".join(lines) + "\n"


def line(row, right, count):
    low, high = interval(right, count)
    aim = {True: "met", False: "**missed**", None: ""}[is_met(row, right, count)]
    wanted = f"{'at most ' if row.get('most') else ''}{short(row['aim'])}" if "aim" in row else ""
    cells = [row["workflow"], row["by"], row["what"], f"**{short(right / count)}**", str(count),
             f"{short(low)}–{short(high)}", wanted, aim]
    return f"| {' | '.join(cells)} |"


def is_met(row, right, count):
    """Whether a row's aim is met, to two digits; none without an aim."""
    if "aim" not in row:
        return None
    share = round(right / count, 2)
    return share <= row["aim"] if row.get("most") else share >= row["aim"]


def short(share):
    return f"{share:.2f}".removeprefix("0")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail where a page says something else")
    options = parser.parse_args()
    figures = json.loads((HERE / "figures.json").read_text())
    rows = tomllib.loads((HERE / "rows.toml").read_text())["row"]
    if unknown := [row["figure"] for row in rows if row["figure"] not in figures]:
        sys.exit(f"page.py: rows.toml names figures that figures.json has not: {', '.join(unknown)}")
    for page in PAGES:
        text = page.read_text()
        written = MARKED.sub(lambda found: found[1] + table(rows, figures, found["name"]) + found[3], text)
        if options.check and written != text:
            sys.exit(f"page.py: {page.relative_to(ROOT)} says something else than figures.json: python3 tests/bench/page.py")
        if not options.check:
            page.write_text(written)


if __name__ == "__main__":
    main()
