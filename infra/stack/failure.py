"""The one way in which a command of the stack ends badly."""


class Failure(Exception):
    """What went wrong and what to do about it, in one line for a person."""

    def __init__(self, text):
        super().__init__(" ".join(str(text).split()))


def say(text):
    """Tells a person what is being done."""
    print(f"stack: {text}", flush=True)
