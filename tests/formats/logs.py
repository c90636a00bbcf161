#!/usr/bin/env python3
"""Measures how logs are read, against the samples of LogHub.

    python3 tests/formats/logs.py READER FOLDER

READER is `target/debug/examples/read` (cargo build -p reading --example read), FOLDER a checkout of logpai/loghub. For each of the
16 systems the truth is its `_structured.csv`. Prints how many lines begin a record, how many times are right (the clock that the
line shows, or its seconds since 1970), and for each column of the truth how many values stand in a column of the record.
"""

import csv
import json
import re
import subprocess
import sys
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

OF_TIME = {"Date", "Time", "Day", "Month", "Timestamp"}
NO_COLUMN = {"LineId", "Content", "EventId", "EventTemplate"} | OF_TIME


def clock(row):
    """The time of day that a line shows, or None."""
    time = row.get("Time", "")
    packed = re.fullmatch(r"(\d\d)(\d\d)(\d\d)", time)
    found = packed or re.search(r"(?:^|[ -])(\d{1,2})[:.](\d{1,2})[:.](\d{1,2})", time)
    return tuple(int(part) for part in found.groups()) if found else None


def epochs(row):
    return {int(row[name]) for name in ("Time", "Timestamp") if row.get(name, "").isdigit()}


def is_right(row, record):
    if record.get("time") is None:
        return False
    seconds = record["time"] // 1_000_000
    shown = datetime.fromtimestamp(seconds, timezone.utc)
    return seconds in epochs(row) or (shown.hour, shown.minute, shown.second) == clock(row)


def stands(value, cells):
    """True if a value of the truth stands in a column, or in two that are parts of it."""
    get = lambda name: cells.get(name, "")
    parts = {f"{get('process')}({get('module')})", f"{get('thread')}:{get('logger')}"}
    levels = get("level").lower().startswith(value.lower()[:4])
    return levels or value in parts or any(value.rstrip(":") == cell.rstrip(":") for cell in cells.values())


def main():
    reader, folder = sys.argv[1], Path(sys.argv[2])
    for truth in sorted(folder.glob("*/*_2k.log_structured.csv")):
        log = Path(str(truth).removesuffix("_structured.csv"))
        output = subprocess.run([reader, str(log)], capture_output=True, text=True, check=True).stdout
        records = {record["lines"][0]: record for record in json.loads(output).get("records", [])}
        rows = list(csv.DictReader(truth.open(encoding="utf-8", errors="replace")))
        begun = times = 0
        right, there = Counter(), Counter()
        for row in rows:
            record = records.get(int(row["LineId"]))
            begun += record is not None
            times += record is not None and is_right(row, record)
            for name, value in row.items():
                if name not in NO_COLUMN and value.strip() not in ("", "-"):
                    there[name] += 1
                    right[name] += record is not None and stands(value.strip(), record["cells"])
        columns = ", ".join(f"{name} {right[name] / there[name]:.2f}" for name in there)
        all_values = sum(there.values())
        share = sum(right.values()) / all_values if all_values else 1
        print(f"{log.parent.name:12} n {len(rows)}  records {begun / len(rows):.3f}  times {times / len(rows):.3f}  columns {share:.3f} ({columns})")


if __name__ == "__main__":
    main()
