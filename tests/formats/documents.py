#!/usr/bin/env python3
"""Measures how documents are read, against the files of docling's tests.

    python3 tests/formats/documents.py READER FOLDER [--half chosen|unread|all] [--each] [--as-docling]

READER is `target/debug/examples/read`, FOLDER a checkout of docling-project/docling. The truth is docling's own Markdown,
but where `tests/eval/formats/corrections.json` says otherwise; with --as-docling it is docling's everywhere. Prints for each kind of file: n, the text as F1 over words in
their order, and the share of cells whose row, column and text are those of the truth, after blanks are folded.
"""

import argparse
import hashlib
import json
import re
import subprocess
from collections import defaultdict
from pathlib import Path

KINDS = ["docx", "xlsx", "pptx", "odf", "html", "pdf"]
CORRECTIONS = Path(__file__).parent.parent / "eval/formats/corrections.json"


def half(name):
    """The half of a file: by its name, so that it never changes."""
    return "chosen" if hashlib.sha256(name.encode()).digest()[0] % 2 else "unread"


def tables(markdown):
    """The tables of a text, each a list of rows of cells; rules are left out."""
    found, rows = [], []
    for line in markdown.split("\n") + [""]:
        line = line.strip()
        if line.startswith("|") and line.count("|") > 1:
            cells = re.split(r"(?<!\\)\|", line.strip("|") if not line.endswith("\\|") else line[1:])
            cells = [" ".join(plain(cell).split()) for cell in cells]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                rows.append(cells)
        elif rows:
            found.append(rows)
            rows = []
    return found


def plain(text):
    """A text without marks of Markdown and HTML entities."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"!\[.*?\]\(.*?\)", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<br\s*/?>", " ", text)
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&#124;", "|")):
        text = text.replace(entity, letter)
    return re.sub(r"[*_`\\]+", "", text)


def without_charts(markdown):
    """The truth without the data of charts, which stand in the sheet, too."""
    chart = r"(?:'[^\n]*'\n+)?(?:<!-- image -->\s*)?\w+ chart\n+(?:\|[^\n]*\n?)*"
    return re.sub(chart, "", markdown)


def words(markdown):
    """The words of a text. Leaders of dots and rules of tables are none."""
    return re.findall(r"\w+", re.sub(r"(\.\s*){4,}", " ", plain(markdown)))


def common(left, right):
    """The length of the longest common subsequence (Hyyrö 2004, bit-parallel)."""
    places = defaultdict(int)
    for place, word in enumerate(left):
        places[word] |= 1 << place
    everything = (1 << len(left)) - 1
    vector = everything
    for word in right:
        match = vector & places.get(word, 0)
        vector = ((vector + match) | (vector - match)) & everything
    return len(left) - bin(vector).count("1")


def f1(ours, truth):
    if not ours and not truth:
        return 1.0
    both = common(ours, truth)
    return 2 * both / (len(ours) + len(truth))


def joined(found):
    """Tables whose parts repeat their heads, whole again. A part is full but for the last."""
    whole, length = [], 0
    for rows in found:
        bytes_of = sum(len(cell) + 3 for row in rows for cell in row)
        if whole and whole[-1][0] == rows[0] and length > 250:
            whole[-1].extend(rows[1:])
        else:
            whole.append(list(rows))
        length = bytes_of
    return whole


def cells(ours, truth):
    """How many cells of the truth stand in ours, in order, and how many there are."""
    right, left = 0, list(ours)
    for table in truth:
        expected = {(r, c): text for r, row in enumerate(table) for c, text in enumerate(row) if text}
        best, place = 0, None
        for at, mine in enumerate(left):
            found = {(r, c): text for r, row in enumerate(mine) for c, text in enumerate(row)}
            same = sum(found.get(cell) == text for cell, text in expected.items())
            if same > best:
                best, place = same, at
        right += best
        if place is not None:
            left.pop(place)
    return right, sum(1 for table in truth for row in table for cell in row if cell)


def read_by(reader, source):
    """What a program reads of a file: passages, or why it is `refused`."""
    output = subprocess.run([reader, str(source)], capture_output=True, text=True).stdout
    return json.loads(output.strip().split("\n")[-1]) if output.strip() else {"refused": "it stopped"}


def texts(read):
    """The texts of the passages; before the first of a sheet its name."""
    sheet = None
    for passage in read.get("passages", []):
        name, is_sheet, _ = passage["section"].partition("!")
        if is_sheet and name != sheet:
            sheet = name
            yield name
        yield passage["text"]


def truth_of(folder, kind, source):
    for name in (f"{source.name}.md", f"{source.stem}.md"):
        path = folder / "tests/data" / kind / "groundtruth" / name
        if path.exists():
            return path
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reader")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", default="all")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--as-docling", action="store_true")
    wanted = parser.parse_args()
    corrections = {} if wanted.as_docling else json.loads(CORRECTIONS.read_text())
    for kind in KINDS:
        scores, right, all_cells, left_out, failed = [], 0, 0, 0, []
        for source in sorted((wanted.folder / "tests/data" / kind / "sources").iterdir()):
            truth = truth_of(wanted.folder, kind, source)
            if truth is None or (wanted.half != "all" and half(source.name) != wanted.half):
                continue
            correction = corrections.get(f"{kind}/{source.name}", {})
            if correction.get("leave_out"):
                left_out += 1
                continue
            read = read_by(wanted.reader, source)
            markdown = without_charts(truth.read_text())
            for wrong, corrected in correction.get("replace", []):
                markdown = markdown.replace(wrong, corrected)
            if "refused" in read:
                failed.append(f"{source.name}: {read['refused']}")
            ours = "\n\n".join(texts(read))
            mine, expected = joined(tables(ours)), joined(tables(markdown))
            score = f1(words(whole(ours)), words(markdown))
            same, number = cells(mine, expected)
            scores.append(score)
            right, all_cells = right + same, all_cells + number
            if wanted.each:
                print(f"  {source.name:60} {score:.3f}  {same}/{number}")
        if scores:
            share = f"{right / all_cells:.3f} of {all_cells}" if all_cells else "-"
            print(f"{kind:5} n {len(scores):3}  text {sum(scores) / len(scores):.3f}  cells {share}  left out {left_out}")
        for line in failed:
            print(f"      refused: {line}")


def whole(markdown):
    """A text in which the heads that a part of a table repeats stand once."""
    lines, seen, heads = markdown.split("\n"), None, set()
    kept = []
    for place, line in enumerate(lines):
        behind = lines[place + 1] if place + 1 < len(lines) else ""
        is_head = line.startswith("|") and re.fullmatch(r"\|(---\|)+", behind.strip() or "x")
        if is_head and line == seen:
            continue
        if is_head:
            seen = line
        kept.append(line)
    return "\n".join(kept)


if __name__ == "__main__":
    main()
