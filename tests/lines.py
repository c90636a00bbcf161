#!/usr/bin/env python3
"""Counts the lines of the product: `python3 tests/lines.py [COMMIT ...]`; without a commit those of the work tree, crate by crate.

Lines of Rust count, as rustfmt writes them by `rustfmt.toml` (the same since 804d631). Blank lines, comments, tests, fakes and benches do
not, nor what stands in for services on a developer's machine (`infra/local`).
"""

import io
import re
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = re.compile(r"^(shared/\w+|functions/\w+|infra/(?:cli|evaluate))/src/.*\.rs$")
OF_TESTS = re.compile(r"/(tests?|testing|foreign)/|(^|/|_)(tests?|testing|foreign)\.rs$|^shared/testing/")
TEST_MODULE = re.compile(r"#\[cfg\((?:test|feature = \"testing\")\)\]\s*(?:#\[path = \"[^\"]*\"\]\s*)?(?:pub(?:\(\w+\))? )?mod (\w+);")


def files(commit):
    """The text of each file of the product by its path; the work tree where there is no commit."""
    if commit is None:
        paths = [path for folder in ("shared", "functions", "infra") for path in (ROOT / folder).rglob("*.rs")]
        return {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    archive = subprocess.run(["git", "archive", commit, "shared", "functions", "infra"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        members = [member for member in tar if member.isfile() and member.name.endswith(".rs")]
        return {member.name: tar.extractfile(member).read().decode() for member in members}


def without_tests(text):
    """The text without the items that only tests have."""
    first, *parts = re.split(r"^[ \t]*#\[cfg\(test\)\]\n", text, flags=re.MULTILINE)
    for part in parts:
        indent = re.match(r"[ \t]*", part).group()
        lines = part.split("\n")
        head = next((number for number, line in enumerate(lines) if line.rstrip().endswith(("{", ";", ",", "}"))), 0)
        if lines[head].rstrip().endswith("{"):
            end = next((number for number, line in enumerate(lines) if number > head and line in (indent + "}", indent + "};")), len(lines))
        else:
            end = head
        first += "\n".join(lines[end + 1 :])
    return first


def counted(commit):
    """The lines of each crate."""
    texts = {path: text for path, text in files(commit).items() if PRODUCT.match(path)}
    of_tests = set()
    for path, text in texts.items():
        folder = path.removesuffix(".rs")
        folder = folder.rsplit("/", 1)[0] if folder.endswith(("/lib", "/main", "/mod")) else folder
        of_tests |= {f"{folder}/{name}" for name in TEST_MODULE.findall(text)}
    lines = Counter()
    for path, text in texts.items():
        if OF_TESTS.search(path) or any(path == f"{name}.rs" or path.startswith(f"{name}/") for name in of_tests):
            continue
        code = [line.strip() for line in without_tests(text).split("\n")]
        lines["/".join(path.split("/")[:2])] += sum(1 for line in code if line and not line.startswith("//"))
    return lines


def main():
    """Prints the sum of each commit, or the crates of the work tree and their sum."""
    for commit in sys.argv[1:]:
        print(f"{commit}: {sum(counted(commit).values())}")
    if not sys.argv[1:]:
        lines = counted(None)
        for crate, count in lines.most_common():
            print(f"{crate}: {count}")
        print(f"work tree: {sum(lines.values())}")


if __name__ == "__main__":
    main()
