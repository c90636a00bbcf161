"""Asks the deployed stack in mode `generative`, with what a language model said before played back (played.py)."""

import json
import random
import shutil
import tempfile

import language_model
import measure
import played
from failure import say

KEPT = measure.EVAL / "played"
# Of a model that runs here, so many questions of each set are asked, drawn by a fixed seed; of the others all.
DRAWN = {language_model.NAME: 20}
SEED = 38
# The first questions on what is near and not there; those below were written later.
ASKED = 30


def graded(data, models, workflows=("rcca", "explore")):
    """The unread halves by each model: the right report first, what is not there declined, quotes under their facet."""
    figures = {}
    for model in models or sorted(folder.name for folder in KEPT.iterdir()):
        for workflow in workflows:
            measured = MEASURED[workflow]
            kept, missing = KEPT / model / f"{workflow}.jsonl", prompts(model, workflow)
            if not models and not kept.is_file():
                continue
            with played.Server(kept, missing) as server, measure.Stack(chat=(model, server.url)) as stack:
                own = measured(stack, data, DRAWN.get(model))
            if server.refused:
                say(f"{model}, {workflow}: {len(server.refused)} prompts have no grades yet, see {missing}")
            if server.played:
                figures |= {f"{name}, by {model}": figure for name, figure in own.items()}
    return figures


def local(data):
    """The same by the small model that runs here: what it did not say yet is asked first, and kept. rcca alone: the six calls
    of a question to explore take it more than a minute on two cores."""
    model = language_model.NAME
    graded(data, [model], ["rcca"])
    with language_model.Served() as served:
        played.ask(prompts(model, "rcca"), KEPT / model / "rcca.jsonl", served.url)
    return graded(data, [model], ["rcca"])


def prompts(model, workflow):
    """Where the prompts go that have no grades yet."""
    return measure.STATE / f"prompts-{workflow}-{model}.jsonl"


def rcca(stack, data, count):
    stack.plumbline("ingest", data / "rcca")
    questions = measure.hard("own-b")
    questions.write_text("\n".join(drawn(questions.read_text().splitlines(), count)) + "\n")
    asked = [json.loads(line)["question_hard"] for line in questions.read_text().splitlines()]
    return (stack.figures("rcca, hard, unseen", "rcca", questions, "--phrasing", "question_hard")
            | {"held back wrongly: rcca, hard, unseen": stack.held_back("rcca", asked)}
            | {"absent, unseen: rcca": stack.held_back("rcca", drawn(absent("rcca"), count))})


def explore(stack, data, count):
    """Over the documents that the questions' labels name, by rules as well."""
    labels = map(json.loads, measure.GUIDES.read_text().splitlines())
    named = sorted({name for label in labels for name in label["docs"]})
    with tempfile.TemporaryDirectory() as folder:
        for name in named:
            shutil.copy(data / name, folder)
        stack.plumbline("ingest", folder)
    questions = measure.quoted(data, "unseen")
    questions.write_text("\n".join(drawn(questions.read_text().splitlines(), count)) + "\n")
    return (stack.figures("explore, named documents, unseen", "explore", questions)
            | stack.figures("explore, named documents, unseen, extractive", "explore", questions, "--mode", "extractive")
            | {"absent, unseen, named documents: explore": stack.held_back("explore", drawn(absent("explore"), count))})


def absent(of):
    """Of what is near and not there those questions that the models were asked when their grades were kept."""
    labels = map(json.loads, (measure.EVAL / "absent" / "unseen.jsonl").read_text().splitlines()[:ASKED])
    return [label["question"] for label in labels if label["set"] == of]


def drawn(lines, count):
    """So many of the lines, always the same ones; all where there is no count, or are not more."""
    return lines if count is None or count >= len(lines) else random.Random(SEED).sample(lines, count)


MEASURED = {"rcca": rcca, "explore": explore}
