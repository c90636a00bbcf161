"""Ingests a log of 25 MiB and a text of half a MiB through a stack that runs, then again with one line changed and one line more.

    eval "$(python3 infra/stack/stack.py env --state target/stack)"
    python3 tests/bench/large.py

Prints, for each version, the seconds from the command to its end, the most memory that the function `ingest` had (Linux),
and how many texts were embedded.
"""

import json
import os
import random
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

# Name of the file -> its size in bytes and whether its lines begin with a time, by which they are records of a log.
FILES = {"large.log": (25 << 20, True), "large.txt": (512 << 10, False)}
ROOT = Path(__file__).resolve().parents[2]


def main():
    print(f"{'file':10} {'version':12} {'MiB':>5} {'lines':>8} {'seconds':>8} {'MiB RSS':>8} {'passages':>9} {'embedded':>9}")
    for name, (size, has_times) in FILES.items():
        lines = written(size, has_times)
        changed, longer = list(lines), list(lines)
        middle = len(lines) // 2
        changed[middle] += " after 3 retries on standby-7"
        longer.insert(middle, lines[middle] + " and the connection was closed by the standby")
        with tempfile.TemporaryDirectory() as folder:
            for version, rows in (("first", lines), ("one changed", changed), ("one more", longer)):
                text = "\n".join(rows) + "\n"
                Path(folder, name).write_text(text)
                seconds, peak, document = ingested(folder, name)
                print(f"{name:10} {version:12} {len(text) / (1 << 20):5.1f} {len(rows):8} {seconds:8.1f} {peak:8.0f} "
                      f"{document['passages']:9} {document['embedded']:9}", flush=True)


def written(size_wanted, has_times):
    """Returns lines of a service, by a fixed seed: forty kinds of messages with their own numbers, names and times."""
    draw = random.Random(7)
    words = ("pool request broker standby replica lease queue shard cursor token ledger batch timer socket index route "
             "worker cache vault relay").split()
    verbs = "opened closed refused delayed retried dropped moved renewed expired acknowledged".split()
    kinds = [f"{draw.choice(words)} {{a}} of {draw.choice(words)} {{b}} was {draw.choice(verbs)} in {{c}} ms by {draw.choice(words)}"
             for _ in range(40)]
    lines, size, second = [], 0, 1_763_000_000
    while size < size_wanted - 200:
        second += draw.randrange(2)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))
        level = draw.choices(("INFO", "WARN", "ERROR"), (90, 8, 2))[0]
        message = draw.choice(kinds).format(a=draw.randrange(9_000), b=draw.randrange(900), c=draw.randrange(90_000))
        time_of = f"{stamp} {level} " if has_times else ""
        lines.append(f"{time_of}{draw.choice(words)}-{draw.randrange(12)} {message}")
        size += len(lines[-1]) + 1
    return lines


def ingested(folder, name):
    """Returns the seconds, the MiB of the function's memory, and the document as the API describes it."""
    over, peak = threading.Event(), [0]
    watch = threading.Thread(target=watched, args=(over, peak))
    watch.start()
    began = time.monotonic()
    subprocess.run([ROOT / "target" / "debug" / "plumbline", "ingest", folder, "--knowledge", "user"], check=True,
                   stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    over.set()
    watch.join()
    request = urllib.request.Request(f"{os.environ['PLUMBLINE_URL']}/v1/users/me/documents",
                                     headers={"authorization": f"Bearer {os.environ['PLUMBLINE_TOKEN']}"})
    with urllib.request.urlopen(request) as answer:
        documents = json.load(answer)["documents"]
    return seconds, peak[0] / 1024, next(document for document in documents if document["name"] == name)


def watched(over, peak):
    """Records the most kB that a process of the function ever had."""
    while not over.wait(0.2):
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if b"AWS_LAMBDA_FUNCTION_NAME=plumbline-ingest" in (process / "environ").read_bytes():
                    status = (process / "status").read_text()
                    peak[0] = max(peak[0], int(status.split("VmHWM:")[1].split()[0]))
            except (OSError, IndexError):
                continue


if __name__ == "__main__":
    main()
