"""Each rule tells the one thing that is wrong in a template."""

import copy
import unittest
from pathlib import Path

import lowering
import rules

API = Path(__file__).resolve().parents[1] / "template.yaml"


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.template = lowering.expand(API)

    def told(self, rule, change):
        """What a rule says of the template with a change."""
        template = copy.deepcopy(self.template)
        self.assertEqual(list(rule(template)), [], "the template itself is in order")
        change(template)
        return list(rule(template))

    def test_an_open_route_without_a_bound_is_told(self):
        def stage(template):
            return next(own for _, own in rules.of_type(template, "AWS::ApiGatewayV2::Stage"))["Properties"]["RouteSettings"]

        [told] = self.told(rules.throttles, lambda template: stage(template).pop("GET /docs"))
        self.assertIn("GET /docs", told)
        [told] = self.told(rules.throttles, lambda template: stage(template)["POST /mcp"].update(ThrottlingRateLimit=80))
        self.assertIn("POST /mcp", told)

    def test_an_address_that_stays_open_beside_its_own_is_told(self):
        def own(template):
            return next(own for _, own in rules.of_type(template, "AWS::ApiGatewayV2::Api"))["Properties"]["Body"]

        self.assertEqual(len(self.told(rules.throttles, lambda template: own(template).pop("servers"))), 1)

    def test_a_function_that_may_write_what_is_not_its_own_is_told(self):
        def statement(template, name, sid):
            policies = template["Resources"][f"{name}FunctionRole"]["Properties"]["Policies"]
            return next(own for policy in policies for own in lowering.statements(policy["PolicyDocument"]) if own["Sid"] == sid)

        for name, sid in (("Mcp", "KeepProjectItemsAndAnswers"), ("Documents", "KeepCaseAndDocumentItems"),
                          ("Ingest", "ForgetWhatWasPending"), ("Rcca", "RecordTheQuestion")):
            [told] = self.told(rules.writes, lambda template: statement(template, name, sid).pop("Condition"))
            self.assertIn(f"{name}FunctionRole, statement {sid}", told)

    def test_queues_that_take_more_than_is_reserved_are_told(self):
        def rule(template):
            return rules.concurrency(template, dict(rules.consumers(template)))

        def share(template):
            template["Mappings"]["IngestShares"]["20"]["Cases"] += 1

        [told] = self.told(rule, share)
        self.assertIn("IngestFunction: its queues take 21", told)
        [told] = self.told(rule, lambda template: template["Parameters"]["IngestConcurrency"]["AllowedValues"].append(30))
        self.assertIn("IngestFunction", told)
        [told] = self.told(rule, lambda template: template["Resources"]["BulkSource"]["Properties"].update(BatchSize=2))
        self.assertIn("BulkSource", told)

    def test_a_failure_without_an_alarm_is_told(self):
        self.assertEqual(len(self.told(rules.failures, lambda template: template["Resources"].pop("RequestsUnavailable"))), 1)

    def test_a_function_that_does_not_hold_its_messages_is_told(self):
        def properties(template, name):
            return template["Resources"][name]["Properties"]

        def variables(template):
            return properties(template, "IngestFunction")["Environment"]["Variables"]

        def forbid(template):
            policies = properties(template, "RemovalFunctionRole")["Policies"]
            for own in (own for policy in policies for own in lowering.statements(policy["PolicyDocument"])):
                own["Action"] = [action for action in rules.listed(own["Action"]) if not str(action).startswith("sqs:Change")]

        [told] = self.told(rules.held, lambda template: variables(template).pop("HOLD_SECONDS"))
        self.assertIn("IngestFunction", told)
        [told] = self.told(rules.held, forbid)
        self.assertIn("RemovalFunction", told)
        [told] = self.told(rules.held, lambda template: template["Parameters"]["HoldSeconds"].update(Default=900))
        self.assertIn("HoldSeconds", told)

    def test_an_address_that_may_be_unencrypted_is_told(self):
        for pattern in ("", "^https?://"):
            [told] = self.told(rules.addresses,
                               lambda template: template["Parameters"]["QdrantUrl"].update(AllowedPattern=pattern))
            self.assertIn("QdrantUrl", told)


if __name__ == "__main__":
    unittest.main()
