#!/usr/bin/env python3
"""Counts the phrases and constants by which rules read: `python3 tests/bench/wording.py [COMMIT ...]`.

Without a commit it counts the files of the work tree; the first line is always 804d631, where the counting began, if git has it.

Phrases are those of the lexicons, the texts of tables of three and more in the code, and alternatives in its regular expressions;
those for units, languages and secrets are left out. Constants are the numbers in the code of `reading`, of the workflows, and of what they stand on, but for 0, 1 and
2, lengths of arrays, and sizes: shifts, bytes, and how many seconds, minutes or bytes make up the next unit. Tests count for nothing.
"""

import io
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = "804d631"
CODE = ("shared/workflow/src/", "shared/reading/src/", "shared/answers/src/", "shared/ask/src/", "shared/corpus/src/", "shared/decisions/src/",
        "shared/ports/src/", "shared/records/src/", "shared/trial/src/", "shared/workflows/src/")
# What became of `shared/workflow` and stands in a crate of texts; what came there from `shared/model` never counted.
OF_TEXTS = tuple(f"shared/text/src/{name}" for name in ("excerpt", "name", "subject", "topic", "words"))
NOT_COUNTED = re.compile(r"/(tests?|testing|secret|language|zone|format|unit|media)(/|\.rs$|s\.rs$)|_tests\.rs$")
SIZES = {"0", "1", "2", "10", "24", "60", "100", "1000", "1024", "3600", "86400", "1000000", "1000000000"}

STRING = r'(?:r#*)?"(?:[^"\\]|\\[\s\S])*"#*'
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
TESTS = re.compile(r"^#\[cfg\(test\)\]\s*(?:pub )?mod \w+ \{.*", re.MULTILINE | re.DOTALL)
TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*(?:pub(?:\(\w+\))? )?mod (\w+);")
TABLE = re.compile(r"\[(?:[^\[\]\"]|" + STRING + r"|\[[^\[\]]*\])*\]")
NUMBER = re.compile(r"(?<![\w.\"'])(\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)(?:_?(?:f64|f32|[iu](?:8|16|32|64|size)))?(?![\w.]*[\"'])")
LENGTH = re.compile(r";\s*\d+\s*\]|<<\s*\d+|\d+\s*<<\s*\d+|:\.\d+|\{\w*:[^}]*\}|\.\d+\b")


def files(commit):
    """The text of each file that may count, by its path."""
    if commit is None:
        paths = [*ROOT.glob("shared/*/src/**/*.rs"), *ROOT.glob("infra/lexicons/**/*.toml"), *ROOT.glob("shared/text/lexicons/**/*.toml"), *ROOT.glob("infra/sources/*.toml"),
                 *ROOT.glob("infra/search/*.toml")]
        return {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    wanted = ("shared/", "infra/lexicons/", "infra/sources/", "infra/search/")
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        members = [member for member in tar if member.isfile() and member.name.startswith(wanted)]
        members = [member for member in members if member.name.endswith((".rs", ".toml"))]
        return {member.name: tar.extractfile(member).read().decode() for member in members}


def counted(all_files):
    """The phrases and the constants."""
    phrases = constants = 0
    of_tests = {path.rsplit("/", 1)[0] + "/" + name for path, text in all_files.items() for name in TEST_MODULE.findall(text)}
    of_tests |= {path.removesuffix(".rs") + "/" + name for path, text in all_files.items() for name in TEST_MODULE.findall(text)}
    for path, text in all_files.items():
        if NOT_COUNTED.search(path) or any(path.startswith((name + ".rs", name + "/")) for name in of_tests):
            continue
        if path.endswith(".toml"):
            phrases += 0 if path.endswith("Cargo.toml") else listed(tomllib.loads(text))
        elif path.startswith((*CODE, "shared/model/src/", "shared/text/src/")):
            code = TESTS.sub("", COMMENT.sub("", text))
            phrases += in_tables(code) + in_patterns(code)
            constants += numbers(code) if path.startswith((*CODE, *OF_TEXTS)) else 0
    return phrases, constants


def listed(value):
    """The phrases of a lexicon, and the texts of lists of three and more."""
    if isinstance(value, dict):
        return sum(listed(part) for part in value.values())
    if isinstance(value, list):
        texts = [part for part in value if isinstance(part, str)]
        return (len(texts) if len(texts) > 2 else 0) + sum(listed(part) for part in value if not isinstance(part, str))
    return 0


def in_tables(code):
    """The texts of arrays with three texts and more, and the words of texts that list them."""
    count = 0
    for table in TABLE.findall(code):
        texts = re.findall(STRING, table)
        count += len(texts) if len(texts) > 2 else 0
    lists = [text for text in re.findall(STRING, code) if text.startswith('" ') and text.endswith(' "')]
    return count + sum(len(text.replace("\\", " ").split()) for text in lists if len(text.split()) > 4)


def in_patterns(code):
    """The alternatives of regular expressions."""
    patterns = re.findall(r"[(\s]\s*(r#*\"(?:[^\"\\]|\\.)*\"#*)", code)
    bars = [len(re.findall(r"(?<!\\)\|", pattern)) for pattern in patterns]
    return sum(count + 1 for count in bars if count > 1)


def numbers(code):
    """The numbers that somebody chose."""
    bare = LENGTH.sub("", re.sub(STRING, '""', code))
    found = [number.replace("_", "").removesuffix(".0") for number in NUMBER.findall(bare)]
    return sum(number not in SIZES for number in found)


def main():
    known = subprocess.run(["git", "cat-file", "-e", START], cwd=ROOT, capture_output=True, check=False).returncode == 0
    for commit in ([START] if known else []) + (sys.argv[1:] or [None]):
        phrases, constants = counted(files(commit))
        print(f"{commit or 'work tree'}: {phrases} phrases, {constants} constants")


if __name__ == "__main__":
    main()
