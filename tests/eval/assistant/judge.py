#!/usr/bin/env python3
"""Judges the runs of an assistant over the tasks of this folder. Python 3.11, nothing else.

    python3 judge.py RESULTS.jsonl [RESULTS2.jsonl ...]     # more runs of the same assistant: the worst counts
    python3 judge.py --half seen RESULTS.jsonl              # nothing of the unseen half is printed
    python3 judge.py --tasks RESULTS.jsonl                  # a line for each task, too

A line of a run: {"id", "file", "lines": [a, b] or null, "absent": bool, "calls": int, "bytes": int}, and optionally
"value" (for counts, spans and the like), "page" (PDF), "places": [{"file", "lines", "page"}] (several at once).
"""
import argparse
import json
import re
import statistics
from pathlib import Path

HERE = Path(__file__).resolve().parent
WIDEST = 80  # a range of more lines than this points to nothing
MOST_PLACES = 3  # of the places that a result names, those that are looked at


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def same_file(given, right):
    """The right name, or a tail of it that begins at a folder (names are relative to different folders)."""
    if not given:
        return False
    a, b = (str(name).strip().removeprefix("./").strip("/").split("/") for name in (given, right))
    n = min(len(a), len(b))
    return a[-n:] == b[-n:]


def hits(given, right):
    if not same_file(given.get("file"), right["file"]):
        return False
    if "page" in right:  # a PDF has no lines
        return given.get("page") is None or str(given["page"]) == str(right["page"])
    first, last = right["lines"]
    lines = given.get("lines")
    if not lines:
        return False
    a, b = sorted((int(lines[0]), int(lines[-1])))
    return b - a < WIDEST and a <= last and b >= first


def solved(result, answer):
    """Why a result is wrong, or None if it is right."""
    if result is None:
        return "no result"
    if answer.get("absent"):
        return None if result.get("absent") else "said to be there"
    if result.get("absent"):
        return "said to be absent"
    given = [result, *(result.get("places") or [])][: MOST_PLACES + 1]
    values = answer.get("values")
    if values:
        value = str(result.get("value") or "")
        if not any(re.search(pattern, value, re.IGNORECASE) for pattern in values):
            return "wrong value"
        # A computed answer stands in no line: the file is enough.
        if any(same_file(one.get("file"), right["file"]) for one in given for right in answer["places"]):
            return None
        return "wrong file"
    for group in ("places", "also"):
        if group in answer and not any(hits(one, right) for one in given for right in answer[group]):
            return "wrong place" if group == "places" else "second place missing"
    return None


def figures(label, rows):
    if not rows:
        return
    n = sum(1 for row in rows if row["wrong"] is None)
    text = f"{label:<28} solved {n:>2} of {len(rows):>2}"
    for what in ("calls", "bytes"):
        all_of = [row[what] for row in rows]
        text += f"   {what}: median {statistics.median(all_of):g}, mean {statistics.mean(all_of):.1f}, total {sum(all_of):g}"
    print(text)


def rows_of(path, tasks, answers):
    results = {}
    for result in read(path):
        if result["id"] in results:
            raise SystemExit(f"{path}: {result['id']} twice")
        results[result["id"]] = result
    unknown = sorted(set(results) - {task["id"] for task in read(HERE / "tasks.jsonl")})
    if unknown:
        raise SystemExit(f"{path}: no such task: {', '.join(unknown)}")
    rows = []
    for task in tasks:
        result = results.get(task["id"])
        rows.append({
            **task,
            "wrong": solved(result, answers[task["id"]]),
            "calls": (result or {}).get("calls") or 0,
            "bytes": (result or {}).get("bytes") or 0,
        })
    return rows


def report(name, rows, each):
    print(f"== {name}")
    if each:
        for row in rows:
            verdict = "solved" if row["wrong"] is None else row["wrong"]
            print(f"{row['id']}  {row['half']:<6} {row['kind']:<15} {verdict:<22} {row['calls']:>3} calls {row['bytes']:>8} bytes")
    figures("all", rows)
    for half in ("seen", "unseen"):
        figures(half, [row for row in rows if row["half"] == half])
    for can in (True, False):
        name = "grep can" if can else "grep does worse"
        figures(name, [row for row in rows if row["grep_can"] is can])
        for half in ("seen", "unseen"):
            figures(f"  {half}", [row for row in rows if row["grep_can"] is can and row["half"] == half])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--half", choices=("seen", "unseen"))
    parser.add_argument("--tasks", action="store_true", help="a line for each task")
    options = parser.parse_args()
    tasks = [task for task in read(HERE / "tasks.jsonl") if options.half in (None, task["half"])]
    answers = {answer["id"]: answer for answer in read(HERE / "answers.jsonl")}
    runs = []
    for path in options.results:
        runs.append(rows_of(path, tasks, answers))
        report(path, runs[-1], options.tasks)
    if len(runs) > 1:
        worst = min(range(len(runs)), key=lambda i: (
            sum(row["wrong"] is None for row in runs[i]), -sum(row["bytes"] for row in runs[i])))
        print(f"== counts: {options.results[worst]} (fewest solved; of equal ones, most bytes)")


if __name__ == "__main__":
    main()
