#!/usr/bin/env python3
"""Measures search on a stack that is up: `python3 infra/stack/sources.py [--half seen|unseen]`.

It asks the questions of tests/eval/search/evidence.jsonl, with the documents of ../shared/data/search and this work tree ingested:
does a passage that answers come first? BM25 of passages beside it on the same questions. Address and token come from the environment.
"""

import argparse
import json
import os
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LABELS = ROOT / "tests" / "eval" / "search"


def ask(body):
    """Asks the search for all that it found; returns its answer, each result with its passage."""
    body = {"explain": True, "max_bytes": 6_000_000, **body}
    request = urllib.request.Request(
        os.environ["PLUMBLINE_URL"] + "/v1/search", data=json.dumps(body).encode(),
        headers={"authorization": "Bearer " + os.environ["PLUMBLINE_TOKEN"], "content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        found = json.load(answer)
    passages = {passage["number"]: passage for passage in found["passages"]}
    for result in found["results"]:
        result["passage"] = passages[result["passage"]]
    return found


def labels(name, half):
    """The labelled questions of a half."""
    rows = [json.loads(line) for line in (LABELS / name).read_text().splitlines()]
    return [row for row in rows if half in (None, row["half"])]


def share(count, rows):
    """A share with its n."""
    return f"{count / max(len(rows), 1):.3f} of {len(rows)}"


def answers(result, row):
    """Whether a result is one of the passages that answer."""
    passage = result["passage"]
    for evidence in row["evidence"]:
        name = Path(evidence["doc"]).name if evidence["source"] != "code" else f"{ROOT.name}/{evidence['doc']}"
        first, last = passage.get("lines") or (0, 0)
        if passage["file"] == name and first <= evidence["last"] and evidence["first"] <= last:
            return True
    return False


def bm25(result):
    """The BM25 score of a passage for the question."""
    raws = [own.get("raw") or 0.0 for own in result["score_parts"]["rankings"]
            if own["retriever"] == "bm25" and own["of"] == "passage" and own.get("query") is None]
    return max(raws, default=0.0)


def evidence(rows, verbose):
    """How often a passage that answers comes first, by the search and by BM25 alone."""
    first = five = words = several = 0
    for row in rows:
        results = ask({"question": row["question"], "top_k": 10})["results"]
        every = ask({"question": row["question"], "top_k": 50, "sources": ["code", "docs", "textbook"]})
        is_first = bool(results) and answers(results[0], row)
        first, five = first + is_first, five + any(answers(own, row) for own in results[:5])
        by_words = max(every["results"], key=bm25, default=None)
        words += by_words is not None and answers(by_words, row)
        several += every["totals"]["shared"] > 0
        if verbose and not is_first:
            place = next((n for n, own in enumerate(results, 1) if answers(own, row)), None)
            print(place, row["expected_sources"], row["question"], "|", results[0]["passage"]["file"] if results else None)
    print(f"evidence first {share(first, rows)}, among five {share(five, rows)}, BM25 first {share(words, rows)}, "
          f"several sources where all are asked {share(several, rows)}")


def main():
    """Measures one half, or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=["seen", "unseen"])
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    evidence(labels("evidence.jsonl", options.half), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
