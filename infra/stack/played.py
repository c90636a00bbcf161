"""What a language model said, kept as ids and grades, and a server of the chat-completions form that plays it back.

A grade is kept under a hash of the question and one of the text that it is for: no text is kept, and a grade holds in whatever
order texts come. What was not said yet is refused, so that the rules answer, and its prompt is written to a file: `ask` has a
server fill it in, and `keep` takes what somebody else filled in.

    python3 infra/stack/played.py ask PROMPTS KEPT http://127.0.0.1:8080/v1
    python3 infra/stack/played.py keep PROMPTS KEPT REPLIES
    python3 infra/stack/played.py play KEPT PROMPTS                        # prints its address, and plays until it is stopped

PROMPTS has lines of `id`, `system`, `user` and `schema`; REPLIES lines of `id` and `form`. Standard library only.
"""

import argparse
import hashlib
import json
import re
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PASSAGE = re.compile(r'<passage id="(?P<id>p\d+)" about="(?P<about>[^"]*)">\n(?P<text>.*?)\n</passage>\n*', re.DOTALL)
# Of a small model each text is cut at so many bytes, and a question that takes longer is not measured.
CUT = 400
LONGEST = 60


def mark(text):
    """A short id of a text that tells nothing of it."""
    return hashlib.sha256(text.strip().encode()).hexdigest()[:12]


class Prompt:
    """A prompt for grades: the question, and under the id of each text the mark of it."""

    def __init__(self, user):
        self.question = mark(PASSAGE.sub("", user))
        self.texts = {found["id"]: mark(f"{found['about']}\n{found['text']}") for found in PASSAGE.finditer(user)}


class Kept:
    """The grades of a file; each line has a question's."""

    def __init__(self, path):
        self.path = Path(path)
        lines = self.path.read_text().splitlines() if self.path.is_file() else []
        self.grades = {line["question"]: line["grades"] for line in map(json.loads, lines)}

    def form(self, prompt):
        """What was said of this prompt's texts, and whether it was of all of them."""
        known = self.grades.get(prompt.question, {})
        form = {own: known[text] for own, text in prompt.texts.items() if text in known}
        return form, len(form) == len(prompt.texts) > 0

    def keep(self, prompt, form):
        """Adds what was said, and writes all of it at once."""
        said = {prompt.texts[own]: grade for own, grade in form.items() if own in prompt.texts}
        self.grades.setdefault(prompt.question, {}).update(said)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"question": own, "grades": grades}) for own, grades in sorted(self.grades.items())]
        self.path.write_text("\n".join(lines) + "\n")


class Server:
    """Plays a file back on a port of its own; prompts without grades go to `missing`."""

    def __init__(self, kept, missing):
        self.kept, self.missing = Kept(kept), Path(missing)
        self.played, self.refused = 0, set()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def __enter__(self):
        self.missing.parent.mkdir(parents=True, exist_ok=True)
        self.missing.write_text("")
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()

    def handler(self):
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                form = server.said(asked)
                reply = {} if form is None else completion(form)
                body = json.dumps(reply).encode()
                self.send_response(400 if form is None else 200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Says nothing: prompts have texts of documents."""

        return Handler

    def said(self, asked):
        """The form that was kept for a request; none where there is none, or it asks for something other than grades."""
        system, user = (message["content"] for message in asked["messages"])
        form = asked.get("response_format", {}).get("json_schema", {})
        if form.get("name") != "grades":
            return None
        prompt = Prompt(user)
        said, whole = self.kept.form(prompt)
        if not whole and (own := mark(user)) not in self.refused:
            self.refused.add(own)
            line = {"id": own, "system": system, "user": user, "schema": form["schema"]}
            with self.missing.open("a") as file:
                file.write(json.dumps(line) + "\n")
        self.played += bool(said)
        return said or None


def completion(form):
    message = {"role": "assistant", "content": json.dumps(form)}
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}


def ask(prompts, kept, url):
    """Has the server fill in each prompt that has no grades yet; each is kept at once, so a later run goes on from there."""
    kept, lines = Kept(kept), read(prompts)
    late = whole = 0
    for line in lines:
        prompt = Prompt(line["user"])
        if kept.form(prompt)[1]:
            continue
        begun = time.monotonic()
        try:
            form = filled(url, line)
        except (OSError, ValueError, KeyError) as error:
            late += 1
            print(f"{line['id']}: not measured: {error}", flush=True)
            continue
        whole += set(form) >= set(prompt.texts)
        kept.keep(prompt, form)
        print(f"{line['id']}: {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{len(lines)} prompts, {late} not measured, {whole} forms kept in this run", flush=True)


def filled(url, line):
    """The form as the server fills it in, each text cut."""
    messages = [{"role": "system", "content": line["system"]}, {"role": "user", "content": PASSAGE.sub(cut, line["user"])}]
    form = {"type": "json_schema", "json_schema": {"name": "grades", "schema": line["schema"]}}
    body = {"messages": messages, "temperature": 0, "max_tokens": 400, "response_format": form}
    request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode(),
                                     {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=LONGEST) as reply:
        return json.loads(json.load(reply)["choices"][0]["message"]["content"])


def cut(found):
    text = found["text"].encode()[:CUT].decode(errors="ignore")
    return f'<passage id="{found["id"]}" about="{found["about"]}">\n{text}\n</passage>\n\n'


def keep(prompts, kept, replies):
    """Keeps what somebody filled in."""
    kept, prompts = Kept(kept), {line["id"]: line for line in read(prompts)}
    for reply in read(replies):
        kept.keep(Prompt(prompts[reply["id"]]["user"]), reply["form"])
    print(f"{len(kept.grades)} questions have grades")


def play(kept, prompts):
    """Plays back what was kept, and writes the prompts that have no grades."""
    with Server(kept, prompts) as server:
        print(server.url, flush=True)
        threading.Event().wait()


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for run, names in ((ask, ("prompts", "kept", "url")), (keep, ("prompts", "kept", "replies")), (play, ("kept", "prompts"))):
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.set_defaults(run=run)
        for name in names:
            command.add_argument(name)
    options = vars(parser.parse_args())
    options.pop("run")(**options)


if __name__ == "__main__":
    sys.exit(main())
