"""The template is what its rows say, and a row that says what cannot be is refused by its field."""

import tempfile
import unittest
from pathlib import Path

import lowering
import rows
import rules
import template
from failure import Failure

ROUTE = {"function": "another", "event": "Ask", "method": "POST", "path": "/v1/another", "open": False, "keyed": True}


def policy(expanded, name):
    """What a function may do."""
    return expanded["Resources"][f"{name}FunctionRole"]["Properties"]["Policies"][0]["PolicyDocument"]


class Template(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = rows.ROWS.read_text()

    def expanded(self, text, routes=rows.ROUTES):
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "template.yaml"
            made.write_text(template.render(rows.read(text, routes)))
            return lowering.expand(made)

    def refused(self, old, new):
        """What is said of the rows with something else in one place."""
        self.assertIn(old, self.text)
        with self.assertRaises(Failure) as refused:
            rows.read(self.text.replace(old, new, 1))
        return str(refused.exception)

    def test_the_committed_template_is_what_its_rows_make(self):
        self.assertTrue(template.MADE.read_text() == template.render(), "infra/template.yaml is out of date: make template")

    def test_a_row_of_two_lines_is_a_function_with_route_log_and_alarms(self):
        one = '[functions.another]\nkind = "workflow"\n\n[functions.rcca]\n'
        before = self.expanded(self.text)
        after = self.expanded(self.text.replace("[functions.rcca]\n", one, 1), [*rows.ROUTES, ROUTE])
        new = after["Resources"].keys() - before["Resources"].keys()
        parts = ("Function", "FunctionRole", "FunctionAskPermission", "Logs")
        wanted = {f"Another{part}" for part in parts}
        self.assertLessEqual(wanted, new)
        for kind in ("Errors", "Throttles", "Slow"):
            measured = str(after["Resources"][f"Workflow{kind}"])
            self.assertIn("AnotherFunction", measured, "its alarm measures it")
            self.assertIn("FILL(another, 0)", measured)
        self.assertEqual(policy(after, "Another"), policy(before, "Trade"), "it may what the other workflows may")
        self.assertEqual(list(rules.writes(after)), [])

    def test_a_function_has_more_time_where_it_waits_for_a_language_model(self):
        resources = self.expanded(self.text)["Resources"]
        workflow, api = (resources[name]["Properties"]["Metrics"][0]["Expression"]["Fn::Sub"] for name in ("WorkflowSlow", "ApiSlow"))
        self.assertIn("FILL(rcca, 0) - 5000 - 12000 * ${Model}", workflow[0])
        self.assertIn("FILL(projects, 0) - 5000,", api[0], "it asks none")
        self.assertEqual(api[1]["Model"]["Fn::If"], ["WaitsForModel", 1, 0])

    def test_what_a_row_names_and_is_not_there_is_refused(self):
        for old, new, told in (
            ('kind = "workflow"', 'kind = "work"', "[functions.rcca] kind: there is no `work`"),
            ('environment = ["rerank"]', 'environment = ["rank"]', "[functions.rcca] environment: there is no `rank`"),
            ('{ model = "RerankModel" }', '{ model = "Rerank" }', "[functions.rcca] rights.LookAgain.model: there is no `Rerank`"),
            ('ListDocuments = { on = "Table"', 'ListDocuments = { on = "Tabel"', "rights.ListDocuments.on: there is no `Tabel`"),
            ('ListDocuments = { on = "Table", do = "dynamodb:Query"', 'ListDocuments = { on = "Table", do = "Query"',
             "rights.ListDocuments.do: `Query` is no action"),
            ('ListDocuments = { on', 'ListDocuments = { key = "A", on', "rights.ListDocuments: a right has"),
            ("memory = 2048", "memroy = 2048", "[functions.conflicts]: unknown field `memroy`"),
        ):
            with self.subTest(new):
                self.assertIn(told, self.refused(old, new))

    def test_the_page_of_parameters_explains_each(self):
        page = template.page()
        self.assertEqual(template.PAGE.read_text(), page, "docs/parameters.md is out of date: make template")
        rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
        names = {name for path in ("data", "template", "identity") for name in lowering.load(template.ROOT / "infra" / f"{path}.yaml")["Parameters"]}
        self.assertEqual({row[0].strip("| `") for row in rows}, names)
        for row in rows:
            self.assertGreater(len(row[2].split("One of:")[0]), 20, row[0])

    def test_functions_behind_an_alias_would_keep_the_settings_of_before(self):
        """Why there is none: a version is published when the template changes, and not when a parameter does."""
        made = template.MADE.read_text().replace("    Tracing: Active\n", "    Tracing: Active\n    AutoPublishAlias: live\n    AutoPublishAliasAllProperties: true\n", 1)

        def versions(values):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "template.yaml"
                path.write_text(made)
                names = [name for name, own in lowering.load(path)["Resources"].items() if own["Type"] == "AWS::Serverless::Function"]
                expanded = lowering.expand(path, dict.fromkeys(names, "s3://bucket/key"), values)
            return {name for name, _ in rules.of_type(expanded, "AWS::Lambda::Version")}

        before = versions({"QdrantKeyVersion": "1"})
        self.assertTrue(before)
        self.assertEqual(versions({"QdrantKeyVersion": "2", "ChatModel": "amazon.nova-lite-v1:0"}), before)

    def test_a_route_of_a_function_without_a_row_is_refused(self):
        with self.assertRaisesRegex(Failure, "POST /v1/another: there is no `another`"):
            rows.read(self.text, [ROUTE])

    def test_a_name_twice_and_an_unknown_table_are_refused(self):
        self.assertIn("functions.toml", self.refused("[functions.trade]", "[functions.rcca]"))
        self.assertIn("unknown table [alarm]", self.refused("[alarms]", "[alarm]"))


if __name__ == "__main__":
    unittest.main()
