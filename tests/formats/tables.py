#!/usr/bin/env python3
"""Measures how tables of PDFs are read, against the truth of the ICDAR 2013 table competition.

    python3 tests/formats/tables.py READER FOLDER [--half chosen|unread|all] [--each]

READER is `target/debug/examples/read`, FOLDER holds the competition's PDFs with their `-str.xml` files, as
tabulapdf/tabula-java keeps them. Prints the share of cells whose row, column and text are those of the truth, after
blanks are folded and where the rows of a table may be shifted by up to three, since rows of heads become one; and, as
the competition does, precision and recall of pairs of neighbouring cells (Göbel et al. 2013).
"""

import argparse
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

from documents import cells, half, joined, read_by, tables, texts


def folded(text):
    return " ".join((text or "").split())


def truth(path):
    """The tables of a file of the competition. A cell that spans stands in each of its places."""
    found = []
    for table in ElementTree.fromstring(re.sub(r"&(?!\w+;|#)", "&amp;", path.read_text(errors="replace"))).iter("table"):
        rows = {}
        for region in table.iter("region"):
            right, down = int(region.get("col-increment") or 0), int(region.get("row-increment") or 0)
            for cell in region.iter("cell"):
                row, column = int(cell.get("start-row")), int(cell.get("start-col"))
                last = int(cell.get("end-row") or row), int(cell.get("end-col") or column)
                for r in range(row, last[0] + 1):
                    for c in range(column, last[1] + 1):
                        rows.setdefault(r + down, {})[c + right] = folded(cell.findtext("content"))
        # Some tables are numbered from 1 on.
        columns = sorted({c for row in rows.values() for c, text in row.items() if text})
        found.append([[row.get(c, "") for c in columns] for _, row in sorted(rows.items()) if any(row.values())])
    return found


def below_heads(ours, expected):
    """The most cells that are the same where rows of heads may have become one: rows may be shifted by three."""
    shifted = lambda table, rows: [[]] * rows + table if rows >= 0 else table[-rows:]
    return max(cells([shifted(ours, rows)], [expected])[0] for rows in range(-3, 4))


def right_cells(ours, expected):
    """How many cells of the truth stand in ours, and how many there are. A table of ours counts once."""
    right, left = 0, list(ours)
    for table in expected:
        counted = [below_heads(mine, table) for mine in left]
        if counted and max(counted):
            right += max(counted)
            left.pop(counted.index(max(counted)))
    return right, sum(1 for table in expected for row in table for cell in row if cell)


def neighbours(found):
    """The pairs of cells beside and below each other, without empty ones between, each with its direction."""
    pairs = Counter()
    for table in found:
        width = max(map(len, table), default=0)
        grid = [[letters(cell) for cell in row] + [""] * (width - len(row)) for row in table]
        for direction, lines in (("right", grid), ("down", [list(column) for column in zip(*grid)])):
            for line in lines:
                full = [cell for place, cell in enumerate(line) if cell and (place == 0 or line[place - 1] != cell)]
                pairs.update((direction, *pair) for pair in zip(full, full[1:]))
    return pairs


def letters(text):
    return re.sub(r"[^\w]+", "", text).lower()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reader")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", default="all")
    parser.add_argument("--each", action="store_true")
    wanted = parser.parse_args()
    right = number = same = ours_all = truth_all = files = 0
    for source in sorted(wanted.folder.glob("*.pdf")):
        expected = source.with_name(f"{source.stem}-str.xml")
        if not expected.exists() or (wanted.half != "all" and half(source.name) != wanted.half):
            continue
        expected = truth(expected)
        mine = joined(tables("\n\n".join(texts(read_by(wanted.reader, source)))))
        found, there = right_cells(mine, expected)
        ours, theirs = neighbours(mine), neighbours(expected)
        both = sum((ours & theirs).values())
        files, right, number = files + 1, right + found, number + there
        same, ours_all, truth_all = same + both, ours_all + sum(ours.values()), truth_all + sum(theirs.values())
        if wanted.each:
            print(f"  {source.name:16} cells {found}/{there}  pairs {both} of {sum(ours.values())}, {sum(theirs.values())}")
    print(f"n {files}  cells {right / number:.3f} of {number}  pairs: precision {same / max(ours_all, 1):.3f}  recall {same / truth_all:.3f}")


if __name__ == "__main__":
    main()
