"""Measures what alerts bring: `python3 tests/alerts/measure.py {runbooks,reports,judged,calls} URL STATE [MORE]`. See README.md.

URL and STATE are those of a `plumbline serve --alerts` whose routes are a folder with `measure.toml` (vendor = "generic", team = "measure",
auth = "bearer", secret = "measure") and `secrets.json` ({"measure": "k1"}). `runbooks` needs PyYAML.
"""

import json
import random
import re
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

SEED = 46
KEY = "k1"
HERE = Path(__file__).parent


class Site:
    """The program that answers, and what its caller says to it."""

    def __init__(self, url, state):
        self.url, self.token = url, (Path(state) / "token").read_text().strip()

    def call(self, method, path, body=None, token=None):
        headers = {"content-type": "application/json", "authorization": f"Bearer {token or self.token}"}
        data = None if body is None else json.dumps(body).encode()
        return json.load(urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers, method=method)))

    def brief(self, alert, patience=0.0):
        """What was found for an alert, in a case of its own, with the places where their numbers stand.

        A model has so many seconds to judge the past failures.
        """
        group = {"group": str(random.random()), "alerts": [alert]}
        case = self.call("POST", "/v1/alerts/measure", group, KEY)["cases"][0]["case_id"]
        last = time.monotonic() + patience
        while True:
            shown = self.call("GET", f"/v1/cases/{case}/alerts?max_bytes=6000000")
            if shown["brief"].get("is_judged") or time.monotonic() >= last:
                break
            time.sleep(0.1)
        places = {place["number"]: place for place in shown.get("passages", [])}
        return shown["brief"], lambda place: places[place]["file"] if isinstance(place, int) else place["file"]

    def documents(self):
        cursor, found = "", {}
        while cursor is not None:
            page = self.call("GET", f"/v1/global/documents?limit=100{cursor and '&cursor=' + cursor}")
            found |= {one["name"]: one for one in page["documents"]}
            cursor = page.get("cursor")
        return found


def halves(items):
    """The half that was looked at, and the one that was not."""
    items = list(items)
    random.Random(SEED).shuffle(items)
    return items[: len(items) // 2], items[len(items) // 2:]


def rules(repository):
    """The alerts of kube-prometheus: name, summary, description, address of the runbook."""
    def git(*arguments):
        return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True, check=True).stdout
    import yaml
    for file in git("ls-tree", "--name-only", "HEAD", "manifests/").split():
        if file.lower().endswith("prometheusrule.yaml"):
            for rule in (rule for group in yaml.safe_load(git("show", f"HEAD:{file}"))["spec"]["groups"] for rule in group["rules"]):
                if "alert" in rule:
                    notes = rule.get("annotations", {})
                    yield rule["alert"], notes.get("summary", ""), notes.get("description", ""), notes.get("runbook_url", "")


def bare(text, name):
    """A text without templates and without the alert's name."""
    return re.sub(r"\s+", " ", re.sub(re.escape(name), "", re.sub(r"\{\{.*?\}\}", "", text, flags=re.S), flags=re.I)).strip()


def runbooks(site, repository):
    """How often the runbook of an alert comes first, and among five: by texts alone, by name, and by address."""
    names = {Path(name).stem.split("-", 1)[1] for name in site.documents()}
    alerts = sorted({(name, bare(summary, name), bare(text, name), link)
                     for name, summary, text, link in rules(repository) if name.lower() in names})
    for half, some in zip(("seen", "unread"), halves(alerts)):
        for what in ("text", "name", "link"):
            first = five = 0
            for name, summary, text, link in some:
                alert = {"name": (summary or text) if what == "text" else name, "summary": summary, "description": text}
                brief, file = site.brief(alert | ({"runbook_url": link} if what == "link" else {}))
                found = [file(place) for one in brief["runbooks"] for place in [one["passage"], *one["nearest"]]]
                right = [Path(one).stem.split("-", 1)[1] == name.lower() for one in found]
                first, five = first + right[:1].count(True), five + any(right[:5])
            print(f"{half}, {what}: first {first / len(some):.3f}, among five {five / len(some):.3f} (n {len(some)})")


def judged(site):
    """As reports, where a model judges what was found."""
    reports(site, 5.0)


def reports(site, patience=0.0):
    """How often a report of the same chain is found for the symptoms of one that is hidden, and how often nothing is where none is there."""
    labels = json.loads((HERE / "chains.json").read_text())
    documents, names = site.documents(), sorted(labels["one"])
    random.Random(SEED).shuffle(names)
    for half, some in (("seen", names[:30]), ("unread", names[30:60])):
        there = found = absent = silent = by_model = 0
        for name in some:
            document = documents[name]
            past = site.call("POST", "/v1/rcca", {"question": document["title"], "top_k": 50, "filters": {"name": name}})["results"]
            symptoms = [quote["text"] for one in past[:1] for quote in one["report"].get("symptoms", [])]
            one, two = (set(labels[who][name]) for who in ("one", "two"))
            same = one & two
            # Where the two who labelled do not agree the report is left out.
            if not symptoms or not same and one | two:
                continue
            path = f"/v1/global/documents/{document['document_id']}"
            site.call("DELETE", f"{path}?confirm=true")
            wait(site, path, "deleted")
            brief, file = site.brief({"name": symptoms[0][:120], "description": "\n".join(symptoms[:2])}, patience)
            site.call("POST", f"{path}/restore")
            wait(site, path, "indexed")
            by_model += brief.get("is_judged", False)
            shown = [file(one["passage"]) for one in brief["past"]["results"]][:5]
            there, found = there + bool(same), found + bool(same & set(shown))
            absent, silent = absent + (not same), silent + (not same and not shown)
        print(f"{half}: a report of the chain among five {found} of {there}; silent {silent} of {absent} where there is none; "
              f"judged by a model: {by_model}")


def wait(site, path, wanted):
    while True:
        try:
            status = site.call("GET", path)["status"]
        except urllib.error.HTTPError:
            status = "deleted"
        if status == wanted:
            return
        time.sleep(0.05)


def calls(site, count="60"):
    """What an alert takes beside an answer and rcca that are asked by hand, one after another in turns."""
    text = "Requests of checkout-api wait for a database connection, and the pool is exhausted"
    def alert(number):
        site.call("POST", "/v1/alerts/measure", {"group": f"{number}-{time.time()}", "alerts": [{"name": f"{text} {number}"}]}, KEY)
    asked = {
        "answer": lambda number: site.call("POST", "/v1/global/answer", {"question": f"{text} {number}"}),
        "rcca": lambda number: site.call("POST", "/v1/rcca", {"question": f"{text} {number}"}),
        "alert": alert,
    }
    times = {name: [] for name in asked}
    for number in range(int(count)):
        for name, ask in asked.items():
            begun = time.perf_counter()
            ask(number)
            times[name].append((time.perf_counter() - begun) * 1000)
    for name, all_of in times.items():
        print(f"{name}: p50 {statistics.median(all_of):.0f} ms, p95 {statistics.quantiles(all_of, n=20)[18]:.0f} ms (n {len(all_of)})")


if __name__ == "__main__":
    what, url, state, *more = sys.argv[1:]
    {"runbooks": runbooks, "reports": reports, "judged": judged, "calls": calls}[what](Site(url, state), *more)
