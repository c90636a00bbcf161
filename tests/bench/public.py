#!/usr/bin/env python3
"""Measures the ranking on public sets: ours beside BM25 of passages, dense search of passages and their plain RRF.

    python3 tests/bench/public.py make SET FOLDER     # reads the set's files from FOLDER, writes documents to FOLDER/documents
    plumbline ingest FOLDER/documents
    python3 tests/bench/public.py ask SET FOLDER      # address and token in the environment

SETs are `mika` (ir_model_training_data.csv of nasa/mika at 65c65b4, rows up to 641), `cranfield` (cran.all.1400, cran.qry, cranqrel) and
`cacm` (cacm.all, query.text, qrels.text). Each has a stack of its own. What is declined counts as not found by ours, and is
asked once more under a filter that all documents pass, for the others. Standard library only.
"""

import csv
import json
import os
import re
import sys
import urllib.request
from pathlib import Path

# RRF: Cormack, Clarke and Büttcher, 2009.
K = 60
ROWS = 642


def mika(folder):
    """The documents by their ids, and of each question its text and the ids of the documents that answer."""
    csv.field_size_limit(sys.maxsize)
    with (folder / "ir_model_training_data.csv").open() as file:
        rows = list(csv.reader(file))[1:ROWS + 1]
    texts = {text: f"report-{number}" for number, text in enumerate(dict.fromkeys(row[2] for row in rows))}
    return {own: text for text, own in texts.items()}, [(row[1], {texts[row[2]]}) for row in rows]


def cranfield(folder):
    documents = smart(folder / "cran.all.1400")
    # Numbers in cranqrel are those of the order; 5 says that a document does not bear on the question.
    queries = list(smart(folder / "cran.qry").values())
    right = {}
    for line in (folder / "cranqrel").read_text().splitlines():
        query, document, grade = line.split()[:3]
        if int(grade) in (1, 2, 3, 4):
            right.setdefault(int(query), set()).add(document)
    return documents, [(queries[number - 1], own) for number, own in sorted(right.items())]


def cacm(folder):
    documents, queries, right = smart(folder / "cacm.all"), smart(folder / "query.text"), {}
    for line in (folder / "qrels.text").read_text().splitlines():
        query, document = line.split()[:2]
        right.setdefault(str(int(query)), set()).add(str(int(document)))
    return documents, [(queries[number], own) for number, own in right.items()]


def smart(path):
    """The entries of a file of the SMART system: title and text under `.I` and a number."""
    entries = {}
    for entry in re.split(r"^\.I ", path.read_text(errors="replace"), flags=re.MULTILINE)[1:]:
        number, _, rest = entry.partition("\n")
        parts = dict(re.findall(r"^\.([TW])\s*\n(.*?)(?=^\.[A-Z]\s*$|\Z)", rest, re.MULTILINE | re.DOTALL))
        texts = [" ".join(parts[own].split()) for own in "TW" if own in parts]
        entries[str(int(number))] = "\n\n".join(texts)
    return entries


def make(documents, folder, kind):
    """Writes each document as a file of this type, its first line as the title."""
    (folder / "documents").mkdir(exist_ok=True)
    for own, text in documents.items():
        title, _, rest = text.partition("\n")
        (folder / "documents" / f"{own}.md").write_text(
            f"---\ndocument_type: {kind}\n---\n# {title[:200]}\n\n{rest.strip() or title}\n")


def found(workflow, question, filters):
    """The documents of an answer in its order, each with the raw scores of its passages by retriever."""
    body = {"question": question, "top_k": 50, "explain": True, "max_bytes": 6_000_000, "filters": filters}
    request = urllib.request.Request(
        f"{os.environ['PLUMBLINE_URL']}/v1/{workflow}", json.dumps(body).encode(),
        {"authorization": f"Bearer {os.environ['PLUMBLINE_TOKEN']}", "content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        reply = json.load(answer)
    files = {passage["number"]: Path(passage["file"]).stem for passage in reply.get("passages", [])}
    documents = {}
    for result in reply["results"]:
        scores = documents.setdefault(files[result["passage"]], {})
        for own in result["score_parts"]["rankings"]:
            if own["of"] == "passage" and own.get("query") is None and own.get("raw") is not None and own["probe"] == 0:
                scores[own["retriever"]] = max(own["raw"], scores.get(own["retriever"], float("-inf")))
    return documents


def orders(documents):
    """The documents by BM25, by cosine, and by the reciprocal ranks of both."""
    lists = {by: sorted((own for own in documents if by in documents[own]), key=lambda own: -documents[own][by])
             for by in ("bm25", "dense")}
    ranks = {own: sum(1 / (K + 1 + listed.index(own)) for listed in lists.values() if own in listed) for own in documents}
    return {"BM25": lists["bm25"], "dense": lists["dense"], "RRF": sorted(documents, key=lambda own: -ranks[own])}


def ask(workflow, questions):
    counts, declined = {}, 0
    for text, right in questions:
        ours = found(workflow, text, {})
        declined += not ours
        listed = {"ours": list(ours), **orders(ours or found(workflow, text, {"source": "docs"}))}
        for by, own in listed.items():
            first, five = counts.setdefault(by, [0, 0])
            counts[by] = [first + bool(set(own[:1]) & right), five + bool(set(own[:5]) & right)]
    for by, (first, five) in counts.items():
        print(f"{by:6} P@1 {first / len(questions):.3f}, any of five {five / len(questions):.3f}")
    print(f"{len(questions)} questions, {declined} declined")


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("make", "ask") or sys.argv[2] not in SETS:
        sys.exit(__doc__)
    read, workflow, kind = SETS[sys.argv[2]]
    documents, questions = read(Path(sys.argv[3]))
    if sys.argv[1] == "make":
        make(documents, Path(sys.argv[3]), kind)
    else:
        ask(workflow, questions)


SETS = {
    "mika": (mika, "rcca", "postmortem"),
    "cranfield": (cranfield, "search", "guide"),
    "cacm": (cacm, "search", "guide"),
}

if __name__ == "__main__":
    main()
