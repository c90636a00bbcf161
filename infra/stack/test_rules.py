"""Each rule tells the one thing that is wrong in a template."""

import copy
import tomllib
import unittest
from pathlib import Path

import alarms
import lowering
import pages
import rules

API = Path(__file__).resolve().parents[1] / "template.yaml"


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.template = lowering.expand(API)
        cls.data = lowering.expand(API.with_name("data.yaml"))

    def told(self, rule, change):
        """What a rule says of the template with a change."""
        template = copy.deepcopy(self.template)
        self.assertEqual(list(rule(template)), [], "the template itself is in order")
        change(template)
        return list(rule(template))

    def told_of_data(self, rule, change):
        """What a rule says of the template of the data with a change."""
        data = copy.deepcopy(self.data)
        self.assertEqual(list(rule(data)), [], "the template itself is in order")
        change(data)
        return list(rule(data))

    def test_an_open_route_without_a_bound_is_told(self):
        def stage(template):
            return properties(template, "ApiApiGatewayDefaultStage")["RouteSettings"]

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
            template["Mappings"]["IngestShares"]["20"]["Case"] += 1

        [told] = self.told(rule, share)
        self.assertIn("IngestFunction: its queues take 21", told)
        [told] = self.told(rule, lambda template: template["Parameters"]["IngestConcurrency"]["AllowedValues"].append(30))
        self.assertIn("IngestFunction", told)
        [told] = self.told(rule, lambda template: template["Resources"]["BulkSource"]["Properties"].update(BatchSize=2))
        self.assertIn("BulkSource", told)

    def test_a_function_that_may_forge_an_upload_is_told(self):
        def send(queue):
            def change(template):
                policies = template["Resources"]["ProjectsFunctionRole"]["Properties"]["Policies"]
                own = next(own for policy in policies for own in lowering.statements(policy["PolicyDocument"])
                           if own["Sid"] == "HandOnWhatCannotBeIndexedNow")
                own["Resource"] = [{"Fn::ImportValue": {"Fn::Sub": "${DataStack}-" + queue + "Arn"}}]
            return change

        for queue in ("UploadQueue", "CaseQueue", "BulkQueue"):
            [told] = self.told(rules.senders, send(queue))
            self.assertIn(f"ProjectsFunctionRole, statement HandOnWhatCannotBeIndexedNow: may send to {queue}", told)

    def test_a_failure_without_an_alarm_is_told(self):
        self.assertEqual(len(self.told(alarms.failures, lambda template: template["Resources"].pop("RequestsUnavailable"))), 1)

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


    def test_a_queue_that_takes_what_is_not_encrypted_is_told(self):
        def policy(template):
            return next(own for _, own in rules.of_type(template, "AWS::SQS::QueuePolicy"))["Properties"]["PolicyDocument"]

        told = self.told(rules.encrypted, lambda template: policy(template).update(Statement=[]))
        self.assertTrue(told and all("encrypted" in line for line in told), told)

    def test_an_alarm_without_a_row_on_its_page_is_told(self):
        page = (API.parents[1] / "docs" / "alarms.md").read_text()

        def rule(template):
            return pages.alarm_page(template, page)

        def add(template):
            template["Resources"]["NewAlarm"] = {"Type": "AWS::CloudWatch::Alarm", "Properties": {"AlarmActions": []}}

        self.assertEqual(self.told(rule, add), ["docs/alarms.md: NewAlarm has no row"])
        [told] = self.told(rule, lambda template: template["Resources"].pop("ModelTokens"))
        self.assertIn("ModelTokens is no alarm", told)
        wakes = [{"Ref": "AlarmTopic"}]
        [told] = self.told(rule, lambda template: properties(template, "BulkWaits").update(AlarmActions=wakes))
        self.assertIn("BulkWaits", told)

    def test_what_must_be_kept_and_is_not_is_told(self):
        for kind in sorted(rules.KEPT):
            [told] = self.told_of_data(rules.kept, lambda data: first(data, kind).update(DeletionPolicy="Delete"))
            self.assertIn("DeletionPolicy must be Retain", told)

    def test_a_table_that_is_not_kept_safe_is_told(self):
        for name in ("BillingMode", "PointInTimeRecoverySpecification", "DeletionProtectionEnabled"):
            [told] = self.told_of_data(rules.table, lambda data: first(data, "AWS::DynamoDB::Table")["Properties"].pop(name))
            self.assertIn(name, told)
        self.assertEqual(len(self.told_of_data(
            rules.table, lambda data: first(data, "AWS::DynamoDB::Table")["Properties"].pop("TimeToLiveSpecification"))), 2)

    def test_a_bucket_that_is_open_is_told(self):
        for name in ("PublicAccessBlockConfiguration", "BucketEncryption", "LifecycleConfiguration"):
            [told] = self.told_of_data(rules.buckets, lambda data: first(data, "AWS::S3::Bucket")["Properties"].pop(name))
            self.assertIn("Bucket" if name.startswith("Bucket") else "must be" if name.startswith("Public") else name, told)
        [told] = self.told_of_data(
            rules.buckets,
            lambda data: first(data, "AWS::S3::BucketPolicy")["Properties"]["PolicyDocument"]["Statement"][0].update(Action="s3:GetObject"))
        self.assertIn("encrypted", told)

    def test_browsers_that_may_call_and_not_upload_are_told(self):
        def rule(data):
            return rules.browsers(data, self.template)

        [told] = self.told_of_data(rule, lambda data: first(data, "AWS::S3::Bucket")["Properties"].pop("CorsConfiguration"))
        self.assertIn("CorsConfiguration", told)

    def test_each_queue_has_an_alarm_for_what_waits(self):
        def rule(template):
            return alarms.ages(self.data, template)

        waits = [name for name, own in rules.of_type(self.template, "AWS::CloudWatch::Alarm")
                 if "ApproximateAgeOfOldestMessage" in str(own)]
        self.assertEqual(len(waits), 4)
        queues = sum(len(self.told(rule, lambda template: template["Resources"].pop(name))) for name in waits)
        self.assertEqual(queues, 6, "of uploads, cases, all others and tasks; of removals and digests")
        first_of, second = waits[:2]
        self.assertEqual(len(self.told(rule, lambda template: template["Resources"].update(
            {second: copy.deepcopy(template["Resources"][first_of])}))), 1, "two alarms on one queue")

    def test_a_message_that_comes_back_while_it_is_handled_is_told(self):
        def rule(template):
            return rules.queues(self.data, template)

        [told] = self.told(rule, lambda template: template["Resources"]["DigestQueue"]["Properties"].update(VisibilityTimeout=900))
        self.assertIn("DigestQueue", told)

    def test_a_schedule_whose_failures_are_lost_is_told(self):
        for name in ("RetryPolicy", "DeadLetterConfig"):
            [told] = self.told(rules.schedules,
                               lambda template: first(template, "AWS::Scheduler::Schedule")["Properties"]["Target"].pop(name))
            self.assertIn(name, told)

    def test_a_function_that_outlasts_the_api_or_keeps_no_log_is_told(self):
        for change, words in (({"Timeout": 60}, "Timeout 60"), ({"LoggingConfig": {"LogFormat": "Text"}}, "LoggingConfig"),
                              ({"TracingConfig": {"Mode": "PassThrough"}}, "Tracing")):
            [told] = self.told(rules.functions, lambda template: properties(template, "RccaFunction").update(change))
            self.assertIn(words, told)

    def test_a_route_without_an_authorizer_and_a_stage_without_a_log_are_told(self):
        def routes(template, api):
            return properties(template, api)["Body"]["paths"]

        for api in ("Api", "KeyApi"):
            [told] = self.told(rules.apis, lambda template: routes(template, api)["/v1/rcca"]["post"].pop("security"))
            self.assertIn(f"{api}: POST /v1/rcca has no authorizer", told)
            [told] = self.told(rules.apis, lambda template: routes(template, api).pop("/v1/rcca"))
            self.assertIn(f"{api}: ", told)
        [told] = self.told(rules.apis, lambda template: routes(template, "KeyApi")["/mcp"]["post"].pop("security"))
        self.assertIn("KeyApi: POST /mcp has no authorizer", told)
        told = self.told(rules.apis, lambda template: template["Resources"].pop("ApiFails"))
        self.assertEqual(sorted(own.partition(":")[0] for own in told if "5xx" in own), ["Api", "KeyApi"])
        [told] = self.told(rules.apis, lambda template: first(template, "AWS::ApiGatewayV2::Stage")["Properties"].pop("AccessLogSettings"))
        self.assertIn("AccessLogSettings", told)

    def test_a_failure_that_no_alarm_tells_is_told(self):
        for metric, name in (("Unavailable", "RequestsUnavailable"), ("ModelTokens", "ModelTokens")):
            [told] = self.told(alarms.failures, lambda template: template["Resources"].pop(name))
            self.assertIn(metric, told)

    def test_a_function_that_no_alarm_measures_is_told(self):
        for kind in ("Errors", "Throttles"):
            told = self.told(alarms.watched, lambda template: template["Resources"].pop(f"Api{kind}"))
            self.assertEqual(len(told), 6, told)

    def test_an_alarm_over_too_many_metrics_is_told(self):
        def add(template):
            read = properties(template, "WorkflowErrors")["Metrics"]
            read.extend(copy.deepcopy(read[1]) for _ in range(12 - len(read[1:])))

        [told] = self.told(alarms.few, add)
        self.assertIn("WorkflowErrors: reads 12 metrics", told)

    def test_a_right_to_everything_is_told(self):
        def statement(template):
            return template["Resources"]["RccaFunctionRole"]["Properties"]["Policies"][0]["PolicyDocument"]["Statement"][0]

        [told] = self.told(rules.permissions, lambda template: statement(template).update(Action=["bedrock:*"]))
        self.assertIn("bedrock:*", told)
        [told] = self.told(rules.permissions, lambda template: statement(template).update(Resource="*"))
        self.assertIn("resource *", told)
        roles = "ManagedPolicyArns"
        [told] = self.told(rules.permissions, lambda template: properties(template, "RccaFunctionRole")[roles].append("arn:aws:iam::aws:policy/AdministratorAccess"))
        self.assertIn("AdministratorAccess", told)

    def test_a_function_that_a_restore_would_forget_is_told(self):
        page = (API.parents[1] / "docs" / "restore.md").read_text()
        self.assertEqual(list(pages.runbook(self.template, page)), [])
        [told] = pages.runbook(self.template, page.replace("echo rcca search", "echo search"))
        self.assertIn("rcca is left out", told)
        [told] = pages.runbook(self.template, page.replace("for function in uploads ingest", "for function in uploads"))
        self.assertIn("ingest is left out", told)

    def test_a_stage_without_anyone_who_hears_its_alarms_is_told(self):
        settings = tomllib.loads((API.parents[1] / "samconfig.toml").read_text())
        self.assertEqual(list(pages.stages(settings)), [])
        settings["prod"]["deploy"]["parameters"]["parameter_overrides"] = "DataStack=plumbline-data-prod"
        self.assertEqual(len(list(pages.stages(settings))), 1)

    def test_a_page_that_tells_other_costs_is_told(self):
        page = (API.parents[1] / "docs" / "deploy.md").read_text()
        self.assertEqual(list(pages.costs(page)), [])
        [told] = pages.costs(page.replace("| a month of one stage |", "| a month |"))
        self.assertIn("a month of one stage", told)

    def test_all_rules_judge(self):
        self.assertEqual(list(rules.offences(self.data, self.template)), [])
        broken = copy.deepcopy(self.data), copy.deepcopy(self.template)
        first(broken[0], "AWS::DynamoDB::Table")["DeletionPolicy"] = "Delete"
        properties(broken[1], "RccaFunction")["TracingConfig"] = {}
        self.assertEqual(len(list(rules.offences(*broken))), 2)


def first(template, kind):
    return next(own for _, own in rules.of_type(template, kind))


def properties(template, name):
    return template["Resources"][name]["Properties"]


if __name__ == "__main__":
    unittest.main()
