#!/usr/bin/env python3
"""Measures quality on real documents and prints each figure beside the last one that was saved.

    python3 infra/stack/quality.py [--save] [--part PART ...] [--model MODEL ...]

The parts are records and facts (which take a minute), case, user, global, rcca, designs, absent, foreign, exact and graded, which plays
back what a language model said (played.py), of each model or of those that are named; all of them where none is named; no other stack may run on the default ports. The first run embeds some 1,800 documents, which takes an hour; embeddings are kept in target/embeddings. A figure is a
share k of n, with its standard error. The last ones are in tests/bench/figures.json. Where the documents are not there
nothing is measured, and that is said.
"""

import argparse
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import graded
import measure

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT.parent / "shared" / "data"
LABELS = ROOT / "tests" / "eval" / "records"
FIGURES = ROOT / "tests" / "bench" / "figures.json"
# Of the whole workspace, as everything else is built: alone a crate takes other features, and compiles again.
BENCH = ["cargo", "bench", "--quiet", "--workspace", "--profile", "dev"]
# Each prints lines such as `typed queries, seen: 60 of 60`.
RECORDS = [
    [*BENCH, "--bench", "records", "--",
     DATA / "cases", LABELS / "counts.json", LABELS / "questions.jsonl", LABELS / "forms.jsonl"],
    [*BENCH, "--bench", "turns", "--", LABELS / "turns.jsonl"],
]
FACTS = [
    [*BENCH, "--bench", "facts", "--", DATA, ROOT / "tests" / "eval" / "facts" / "reports.jsonl"],
    [*BENCH, "--bench", "designs", "--", DATA, ROOT / "tests" / "eval" / "facts"],
    [*BENCH, "--bench", "designs", "--", DATA, ROOT / "tests" / "eval" / "facts", "--model"],
    [*BENCH, "--bench", "claims", "--", ROOT / "tests" / "corpus", ROOT / "tests" / "eval" / "claims"],
    ["cargo", "test", "--quiet", "--workspace", "--lib", "--", "unseen_half", "routes_more_than", "--include-ignored",
     "--nocapture"],
]
LINE = re.compile(r"^(?P<name>[^:\n]+): (?P<right>\d+) of (?P<all>\d+)$", re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", action="store_true", help="keep these figures as the last ones")
    parser.add_argument("--part", action="append", choices=PARTS, help="measure this part alone; may be repeated")
    parser.add_argument("--model", action="append", help="of the part graded, this model alone; may be repeated")
    parser.add_argument("--local", action="store_true",
                        help="have a small language model that runs here grade for rcca (language_model.py)")
    options = parser.parse_args()
    PARTS["graded"] = lambda data: graded.graded(data, options.model)
    if options.local:
        options.part, PARTS["local"] = ["local"], graded.local
    if not DATA.is_dir():
        print(f"quality: SKIPPED: {DATA} is not there, nothing was measured", file=sys.stderr)
        return
    last = json.loads(FIGURES.read_text()) if FIGURES.is_file() else {}
    print(f"{'figure':70} {'now':>16} {'last':>16}")
    for part in options.part or PARTS:
        figures = PARTS[part](DATA)
        for name, figure in figures.items():
            print(f"{name:70} {shown(figure):>16} {shown(last[name]) if name in last else '-':>16}", flush=True)
        last |= figures
    if options.save:
        FIGURES.write_text(json.dumps(last, indent=1) + "\n")


def records(_):
    """How exact records and their queries are, and how follow-ups are read; in memory."""
    return printed_by(RECORDS)


def facts(_):
    """What is read in reports, lines and decision records, claims, conflicts and routes; in memory."""
    return printed_by(FACTS)


def printed_by(commands):
    """The figures that these commands print."""
    figures = {}
    for command in commands:
        ended = subprocess.run([str(word) for word in command], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        printed = ended.stdout
        if ended.returncode:
            sys.exit(f"quality: {command[:6]} failed:\n{printed}")
        figures.update({found["name"]: (int(found["right"]), int(found["all"])) for found in LINE.finditer(printed)})
    return figures


PARTS = {"records": records, "facts": facts, "case": measure.case, "user": measure.user, "global": measure.everyone,
         "rcca": measure.rcca, "designs": measure.designs, "absent": measure.absent, "foreign": measure.foreign, "exact": measure.exactly,
         "graded": graded.graded}


def shown(figure):
    """A share with its standard error, and what it is of."""
    right, count = figure
    share = right / count
    error = math.sqrt(share * (1 - share) / count)
    return f"{share:.2f} ±{error:.2f} n{count}"


if __name__ == "__main__":
    main()
