"""The state folder: stack.json says what runs and where, for later calls and for tests."""

import json
import os
from pathlib import Path

from failure import Failure


def read(folder):
    """What is remembered; empty when nothing was started here."""
    path = Path(folder) / "stack.json"
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise Failure(f"{path} is damaged ({error}); end the processes it names and remove it") from None


def write(folder, content):
    """Replaces stack.json at once, so that a reader never sees half of it."""
    path = Path(folder) / "stack.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(content, indent=2) + "\n")
    os.replace(draft, path)
