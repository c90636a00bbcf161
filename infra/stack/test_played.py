"""What a model said is played back by ids, whatever the order, and nothing of a text is kept."""

import json
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import played

PUMP, FAN = "The pump ran dry.", "The fan is loud."


def user(question, *texts):
    passages = "".join(f'<passage id="p{number}" about="a">\n{text}\n</passage>\n\n' for number, text in enumerate(texts, 1))
    return f"Question: {question}\n\n{passages}"


class Played(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kept, self.missing = Path(folder.name) / "kept.jsonl", Path(folder.name) / "missing.jsonl"

    def asked(self, server, text, tool="grades"):
        form = {"type": "json_schema", "json_schema": {"name": tool, "schema": {}}}
        body = {"messages": [{"content": "Grade."}, {"content": text}], "response_format": form}
        request = urllib.request.Request(f"{server.url}/chat/completions", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=10) as reply:
            return json.loads(json.load(reply)["choices"][0]["message"]["content"])

    def test_a_grade_is_of_its_text_and_its_question(self):
        played.Kept(self.kept).keep(played.Prompt(user("Why?", PUMP, FAN)), {"p1": 3, "p2": 0, "p9": 3})
        with played.Server(self.kept, self.missing) as server:
            self.assertEqual(self.asked(server, user("Why?", FAN, PUMP)), {"p1": 0, "p2": 3})
            self.assertEqual(self.asked(server, user("Why?", "New.", PUMP)), {"p2": 3})
            for text, tool in ((user("When?", PUMP), "grades"), (user("Why?", PUMP), "queries")):
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    self.asked(server, text, tool)
                self.assertEqual(refused.exception.code, 400)
        missing = played.read(self.missing)
        self.assertEqual([line["user"] for line in missing], [user("Why?", "New.", PUMP), user("When?", PUMP)])
        self.assertNotIn("pump", self.kept.read_text())

    def test_what_somebody_filled_in_is_kept_beside_what_there_is(self):
        replies = self.missing.with_name("replies.jsonl")
        for text in (PUMP, FAN):
            self.missing.write_text(json.dumps({"id": "1", "user": user("Why?", text)}) + "\n")
            replies.write_text(json.dumps({"id": "1", "form": {"p1": 2}}) + "\n")
            played.keep(self.missing, self.kept, replies)
        self.assertEqual(played.Kept(self.kept).form(played.Prompt(user("Why?", PUMP, FAN))), ({"p1": 2, "p2": 2}, True))

    def test_texts_are_cut_for_a_small_model_and_stay_marked(self):
        long = played.PASSAGE.sub(played.cut, user("Why?", "ä" * 500, FAN))
        prompt = played.Prompt(long)
        self.assertEqual(list(prompt.texts), ["p1", "p2"])
        self.assertLess(len(long.encode()), 600)


if __name__ == "__main__":
    unittest.main()
