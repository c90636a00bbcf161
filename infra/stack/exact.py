"""Questions with a string that stands in one or two documents exactly as it is asked, drawn from the documents by chance."""

import random
import re

# What engineers paste: identifiers, hosts, versions, hashes; quotes and marked code; lines that tell of an error.
IDENTIFIER = re.compile(r"\b(?:[A-Z]{2,}[-_]?\d[\w-]*|[a-z]+(?:_[a-z0-9]+)+|[A-Z][A-Z_]{5,}|[0-9a-f]{8,40}|#\d{4,}"
                        r"|[a-z0-9-]+\.[a-z0-9-]+\.(?:com|net|org|io|internal)|\d+\.\d+\.\d+(?:\.\d+)?)\b")
QUOTE = re.compile(r"[\"\u201c`]([^\"\u201d`\n]{20,120})[\"\u201d`]")
ERROR = re.compile(r"error|exception|fatal|failed|timeout|refused|denied|unable|cannot|panic", re.IGNORECASE)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
FORMS = {
    "identifiers": ("What happened with {}?", "{}", "Has anybody seen {} before?"),
    "error strings": ("{}", "The log says: {}", 'We get "{}" since this morning. What was it before?'),
}
# How many of each kind, and in how many documents a string may stand.
COUNT = 120
FEW = {"identifiers": 2, "error strings": 1}


def questions(folder):
    """For each kind its questions, each with the names of the documents that have its string."""
    texts = {path.name: FRONT_MATTER.sub("", path.read_text()) for path in sorted(folder.glob("*.md"))}
    lower = {name: text.lower() for name, text in texts.items()}
    found = {"identifiers": {}, "error strings": {}}
    for text in texts.values():
        for kind, strings in (("identifiers", IDENTIFIER.findall(text)), ("error strings", pasted(text))):
            for string in strings:
                documents = [name for name, own in lower.items() if string.lower() in own]
                if 0 < len(documents) <= FEW[kind]:
                    found[kind].setdefault(string, documents)
    drawn = {}
    for kind, strings in found.items():
        own = sorted(strings.items())
        random.Random(5).shuffle(own)
        forms = FORMS[kind]
        drawn[kind] = [(forms[place % len(forms)].format(string), documents)
                       for place, (string, documents) in enumerate(own[:COUNT])]
    return drawn


def pasted(text):
    """Quotes and marked code of several words, and lines of code or quotes that tell of an error."""
    for own in QUOTE.findall(text):
        if 3 <= len(own.split()) <= 14:
            yield own
    for line in text.splitlines():
        own = line.strip().strip("`>*- ")
        is_marked = line.startswith("    ") or line.strip().startswith(("`", ">")) or "`" in line
        if is_marked and ERROR.search(own) and 4 <= len(own.split()) <= 16:
            yield own
