"""Asks the deployed stack about real documents, and reads the figures that the command line prints."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import exact

ROOT = Path(__file__).resolve().parent.parent.parent
STATE = ROOT / "target" / "quality"
PROGRAMS = ROOT / "target" / "debug"
EVAL = ROOT / "tests" / "eval"
LINES = ROOT / "tests" / "eval" / "records" / "lines.jsonl"
GUIDES = ROOT / "tests" / "eval" / "facts" / "explore.jsonl"

# The forms in which figures are printed: `name: 0.84 (31 of 37)`, `name   0.91 of 11`, `name: 9 of 10 quotes`.
FORMS = [re.compile(form, re.MULTILINE) for form in (
    r"^ *(?P<name>[^:\n]+): \S+ \((?P<right>\d+) of (?P<all>\d+)\)",
    r"^(?P<name>[a-z][a-z ]+?)  +(?P<share>[01]\.\d+) of (?P<all>\d+)",
    r"^ *(?P<name>[^:\n]+): (?P<right>\d+) of (?P<all>\d+)(?: quotes)?$",
)]
# What rcca prints: `9 questions: P@1 0.78, R@5 1.00, MRR 0.84`.
RANKS = re.compile(r"^(?P<all>\d+) questions?: P@1 (?P<first>\S+), R@5 (?P<five>[^,\s]+)", re.MULTILINE)


def case(data):
    """The right line within the first five that are cited, and what else is known of answers to cases."""
    with Stack() as stack:
        names = []
        for folder in sorted((data / "cases").iterdir()):
            made = json.loads(stack.plumbline("case", "new", folder.name, "--json"))
            stack.plumbline("ingest", folder, "--knowledge", f"case:{made['case_id']}")
            names += ["--case", f"{folder.name}={made['case_id']}"]
        figures = stack.figures("case", "answer", data / "questions" / "answer_case.jsonl", *names)
        for half in ("seen", "unseen"):
            questions = STATE / f"lines_{half}.jsonl"
            labels = [json.loads(line) for line in LINES.read_text().splitlines()]
            own = [{key: value for key, value in label.items() if key != "half"}
                   for label in labels if label["half"] == half]
            questions.write_text("".join(json.dumps(label) + "\n" for label in own))
            figures |= stack.figures(f"case, {half} lines", "answer", questions, *names)
    return figures


def user(data):
    """Answers to each user from their own runbooks."""
    figures = {}
    with Stack() as stack:
        for folder in sorted((data / "user_kb").iterdir()):
            stack.plumbline("ingest", folder, "--knowledge", "user", sub=folder.name)
            own = stack.figures("user", "answer", data / "questions" / "answer_user.jsonl", "--user", folder.name,
                                sub=folder.name)
            for name, (right, count) in own.items():
                before = figures.get(name, (0, 0))
                figures[name] = (before[0] + right, before[1] + count)
    return figures


def everyone(data):
    """Answers from everyone's knowledge base."""
    with Stack() as stack:
        stack.plumbline("ingest", data / "global_kb")
        return stack.figures("global", "answer", data / "questions" / "answer_global.jsonl")


def rcca(data):
    """The right report first and among five, in both phrasings."""
    figures = {}
    with Stack() as stack:
        stack.plumbline("ingest", data / "rcca")
        for phrasing in ("question", "question_hard"):
            figures |= stack.figures(f"rcca, {phrasing}", "rcca", data / "questions" / "rcca.jsonl",
                                     "--phrasing", phrasing)
        for half, name in (("seen", "own-a"), ("unseen", "own-b")):
            questions = hard(name)
            figures |= stack.figures(f"rcca, hard, {half}", "rcca", questions, "--phrasing", "question_hard")
            figures |= stack.figures(f"rcca, hard, {half}, with queries", "rcca", questions, "--phrasing", "question_hard",
                                     "--queries", EVAL / "rcca" / "queries.jsonl")
    return figures


def hard(name):
    """A file with the questions of our own in other words than the reports' whose ids begin with `name`."""
    lines = (EVAL / "rcca" / "hard.jsonl").read_text().splitlines()
    questions = STATE / f"hard_{name}.jsonl"
    questions.write_text("".join(line + "\n" for line in lines if json.loads(line)["id"].startswith(name)))
    return questions


def designs(data):
    """Trades, explorations and plans over decision records and guides."""
    with Stack() as stack:
        stack.plumbline("ingest", data / "trade")
        stack.plumbline("ingest", data / "explore")
        questions = data / "questions"
        own = {}
        for half in ("seen", "unseen"):
            own |= stack.figures(f"explore, {half}", "explore", quoted(data, half))
        return (own | stack.figures("trade", "trade", questions / "trade.jsonl")
                | stack.figures("explore", "explore", questions / "explore.jsonl")
                | stack.figures("plan", "plan", data / "plan" / "decision_trails.jsonl", questions / "plan.jsonl"))


def absent(data):
    """Questions on what is near and not there: how many nothing is said to. And those with an answer that are held back."""
    figures = {}
    with Stack() as stack:
        stack.plumbline("ingest", data / "rcca")
        figures |= stack.abstained("rcca", "rcca")
        hard = [json.loads(line)["question_hard"] for line in (EVAL / "rcca" / "hard.jsonl").read_text().splitlines()]
        figures |= {"held back wrongly: rcca, hard": stack.held_back("rcca", hard)}
    with Stack() as stack:
        stack.plumbline("ingest", data / "trade")
        stack.plumbline("ingest", data / "explore")
        figures |= stack.abstained("explore", "explore")
        own = [json.loads(line)["question"] for line in GUIDES.read_text().splitlines()]
        own += [json.loads(line)["question"] for line in (data / "questions" / "explore.jsonl").read_text().splitlines()]
        figures |= {"held back wrongly: explore": stack.held_back("explore", own)}
    with Stack() as stack:
        stack.plumbline("ingest", data / "global_kb")
        figures |= stack.abstained("global", "global")
    with Stack() as stack:
        for folder in sorted((data / "user_kb").iterdir()):
            stack.plumbline("ingest", folder, "--knowledge", "user", sub=folder.name)
            for name, (right, count) in stack.abstained("user", "user", sub=folder.name).items():
                before = figures.get(name, (0, 0))
                figures[name] = (before[0] + right, before[1] + count)
    return figures


def foreign(data):
    """Questions of another subject altogether: how many nothing is said to. Questions that have an answer: how many are held back,
    and how often the right document is read first."""
    labels = [json.loads(line) for line in (EVAL / "foreign" / "questions.jsonl").read_text().splitlines()]
    figures = {}

    def count(name, is_right):
        right, of = figures.get(name, (0, 0))
        figures[name] = (right + is_right, of + 1)

    def ask(stack, knowledge, own, sub="demo"):
        for label in own:
            reply = json.loads(stack.plumbline("ask", knowledge, label["question"], "--json", sub=sub))
            is_declined = reply.get("abstained") is not None
            if label["doc"] is None:
                count(f"foreign, {label['half']}: {knowledge}", is_declined)
                continue
            count(f"held back wrongly, {label['half']}: {knowledge}", is_declined)
            count(f"right document read first, {label['half']}: {knowledge}", first_read(reply) == Path(label["doc"]).name)

    with Stack() as stack:
        stack.plumbline("ingest", data / "global_kb")
        ask(stack, "global", [label for label in labels if label["knowledge"] == "global"])
    with Stack() as stack:
        for folder in sorted((data / "user_kb").iterdir()):
            stack.plumbline("ingest", folder, "--knowledge", "user", sub=folder.name)
            own = [label for label in labels if label["knowledge"] == "user" and label.get("user") == folder.name]
            ask(stack, "user", own, sub=folder.name)
    return figures


def first_read(reply):
    """The name of the file of the first passage that an answer read."""
    if not reply.get("read"):
        return None
    number = reply["read"][0]["passage"]
    return Path(next(passage["file"] for passage in reply["passages"] if passage["number"] == number)).name


def exactly(data):
    """Questions with a string that few reports have: whether one of these comes first."""
    figures = {}
    with Stack() as stack:
        stack.plumbline("ingest", data / "rcca")
        for kind, own in exact.questions(data / "rcca").items():
            for half, place in (("seen", 0), ("unseen", 1)):
                asked = own[place::2]
                answers = [json.loads(stack.plumbline("ask", "rcca", question, "--json")) for question, _ in asked]
                firsts = [first_file(answer) if answer["results"] else None for answer in answers]
                right = sum(first in documents for first, (_, documents) in zip(firsts, asked))
                figures[f"exact {kind}, {half}: first"] = (right, len(asked))
    return figures


def first_file(answer):
    """The file of the first result."""
    number = answer["results"][0]["passage"]
    return next(passage["file"] for passage in answer["passages"] if passage["number"] == number)


def quoted(data, half):
    """A file with one half of our questions on guides, whose labels say where the quotes stand and not what they are."""
    questions = STATE / f"explore_{half}.jsonl"
    with questions.open("w") as file:
        for label in map(json.loads, GUIDES.read_text().splitlines()):
            if label.pop("half") != half:
                continue
            for marked in label["facets"].values():
                for own in marked:
                    text = (data / own["doc"]).read_bytes()[own.pop("start"):own.pop("end")]
                    own["quote"] = text.decode()
            file.write(json.dumps(label) + "\n")
    return questions


class Stack:
    """A stack of its own, empty at first and gone afterwards; the embeddings stay. `chat` is a model and its server's address."""

    def __init__(self, chat=None):
        model, url = chat or ("", "")
        settings = {"ChatModel": model, "ChatUrl": url, "AnswerMode": "generative"} if chat else {}
        self.settings = [word for setting in settings.items() for word in ("--set", "=".join(setting))]

    def __enter__(self):
        self.run("down", "--purge")
        self.run("up", *self.settings)
        return self

    def __exit__(self, *_):
        self.run("down", "--purge")

    def run(self, command, *options):
        words = [sys.executable, ROOT / "infra" / "stack" / "stack.py", command, *options, "--state", STATE]
        return subprocess.run(list(map(str, words)), cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout

    def plumbline(self, *words, sub="demo"):
        """What the command line prints for this user."""
        return self.printed("plumbline", *words, sub=sub)

    def printed(self, program, *words, sub):
        """What a program prints that calls the API for this user."""
        exports = shlex.split(self.run("env", "--sub", sub))
        settings = dict(word.split("=", 1) for word in exports if "=" in word)
        return subprocess.run(list(map(str, (PROGRAMS / program, *words))), cwd=ROOT, check=True, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, **settings}).stdout

    def abstained(self, questions, workflow, sub="demo"):
        """How many near-but-absent questions nothing is said to, by half."""
        figures = {}
        for half in ("seen", "unseen"):
            labels = [json.loads(line) for line in (EVAL / "absent" / f"{half}.jsonl").read_text().splitlines()]
            own = [label["question"] for label in labels if label["set"] == questions]
            figures[f"absent, {half}: {questions}"] = self.held_back(workflow, own, sub)
        return figures

    def held_back(self, workflow, questions, sub="demo"):
        """How many of these questions nothing is said to, of how many."""
        answers = [json.loads(self.plumbline("ask", workflow, own, "--json", sub=sub)) for own in questions]
        return sum(answer.get("abstained") is not None for answer in answers), len(answers)

    def figures(self, of, *words, sub="demo"):
        """The figures of an evaluation, each as a pair: how many are right, of how many."""
        printed = self.printed("evaluate", *words, sub=sub)
        figures = {}
        for found in (found for form in FORMS for found in form.finditer(printed)):
            count = int(found["all"])
            parts = found.groupdict()
            right = int(parts["right"]) if parts.get("right") else round(float(parts["share"]) * count)
            figures[f"{of}: {found['name'].strip()}"] = (right, count)
        for found in RANKS.finditer(printed):
            count = int(found["all"])
            for name, share in (("P@1", found["first"]), ("R@5", found["five"])):
                figures[f"{of}: {name}"] = (round(float(share) * count), count)
        return {name: figure for name, figure in figures.items() if figure[1]}
