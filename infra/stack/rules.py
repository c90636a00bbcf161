"""What this project demands of its expanded templates beyond what a linter knows.

Each rule yields one line per offence. `data` and `api` are plain CloudFormation, parameters still unfilled.
"""

import re

import alarms
import rows
from lowering import statements
from values import at, listed, number, of_type, shares

API_TIMEOUT = 29
# SAM gives every role these. Actions of X-Ray and on network interfaces know no resources; a log group's name is not in SAM's hands.
MANAGED = {"AWSLambdaBasicExecutionRole", "AWSXrayWriteOnlyAccess", "AWSLambdaVPCAccessExecutionRole"}
KEPT = {"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::SecretsManager::Secret"}
ROUTES = {"Api": sorted((route["method"], route["path"]) for route in rows.ROUTES),
          "KeyApi": sorted((route["method"], route["path"]) for route in rows.ROUTES if route["keyed"])}
# Before these the gateway checks no token: /mcp does so itself, the others are for everybody.
OPEN = {(route["method"], route["path"]) for route in rows.ROUTES if route["open"]}
# What an open route may take of all requests that the API lets through: nobody has shown a token there.
OPEN_SHARE, MCP_SHARE = 0.1, 0.5
# Seconds after which a message of a killed function is tried again.
LONGEST_HOLD = 120
# The partitions of the table in which a function may write: those of what it answered, but for these.
WRITTEN = {"PROJECT#*", "CACHE#*", "ANSWER#*", "RATE#*", "MODEL#*"}
KEEPERS = {
    "AlertsFunction": {"CASE#*", "ALERTS#*", "CACHE#*", "PROJECT#*", "RATE#*"},
    "DocumentsFunction": {"SCOPE#*", "CASE#*", "RATE#*", "IDEMPOTENCY#*"},
    "ProjectsFunction": {"PROJECT#*", "RATE#*", "IDEMPOTENCY#*"},
    "McpFunction": WRITTEN | {"IDEMPOTENCY#*"},
    "IngestFunction": {"SCOPE#*", "CASE#*", "PROJECT#*", "MODEL#*", "RATE#*", "CACHE#*", "ANSWER#*"},
    "RemovalFunction": {"SCOPE#*", "CASE#*", "ALERTS#*", "PROJECT#*", "CACHE#*", "ANSWER#*"},
    "DigestFunction": {"PROJECT#*"},
    "KeysFunction": {"KEY#*", "RATE#*"},
    "AuthorizerFunction": {"KEY#*"},
}
WRITES = {f"dynamodb:{action}Item" for action in ("Put", "Update", "Delete", "BatchWrite")}


def offences(data, api):
    """Everything that is wrong, in reading order."""
    yield from kept(data)
    yield from table(data)
    yield from buckets(data)
    yield from browsers(data, api)
    yield from queues(data, api)
    yield from held(api)
    yield from alarms.ages(data, api)
    yield from schedules(api)
    yield from functions(api)
    yield from apis(api)
    yield from throttles(api)
    yield from alarms.failures(api)
    yield from alarms.watched(api)
    yield from alarms.few(api)
    yield from addresses(api)
    for template in (data, api):
        yield from encrypted(template)
        yield from permissions(template)
    yield from writes(api)
    yield from senders(api)


def kept(data):
    for name, resource in data["Resources"].items():
        if resource["Type"] in KEPT:
            for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
                if resource.get(policy) != "Retain":
                    yield f"{name}: {policy} must be Retain"


def table(data):
    wanted = {
        ("BillingMode",): "PAY_PER_REQUEST",
        ("PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"): True,
        ("TimeToLiveSpecification", "AttributeName"): "expires_at",
        ("TimeToLiveSpecification", "Enabled"): True,
        ("DeletionProtectionEnabled",): True,
    }
    for name, resource in of_type(data, "AWS::DynamoDB::Table"):
        for path, value in wanted.items():
            if at(resource["Properties"], *path) != value:
                yield f"{name}: {'.'.join(path)} must be {value}"


def buckets(data):
    for name, resource in of_type(data, "AWS::S3::Bucket"):
        properties = resource["Properties"]
        access = properties.get("PublicAccessBlockConfiguration", {})
        if len(access) != 4 or not all(value is True for value in access.values()):
            yield f"{name}: all four kinds of public access must be blocked"
        for demanded in ("BucketEncryption", "LifecycleConfiguration"):
            if demanded not in properties:
                yield f"{name}: {demanded} is missing"
        policies = [policy for _, policy in of_type(data, "AWS::S3::BucketPolicy") if at(policy, "Properties", "Bucket", "Ref") == name]
        if not any(is_encrypted(policy, "s3:*") for policy in policies):
            yield f"{name}: a policy must refuse connections that are not encrypted"


def is_encrypted(policy, actions):
    """Whether a policy refuses all these actions to whoever connects without encryption."""
    return any(at(statement, "Condition", "Bool", "aws:SecureTransport") == "false" and statement.get("Effect") == "Deny"
               and statement.get("Action") == actions for statement in statements(policy["Properties"]["PolicyDocument"]))


def encrypted(template):
    """No queue takes a message from a connection that is not encrypted."""
    policies = [policy for _, policy in of_type(template, "AWS::SQS::QueuePolicy") if is_encrypted(policy, "sqs:*")]
    refusing = {at(queue, "Ref") for policy in policies for queue in policy["Properties"]["Queues"]}
    for name, _ in of_type(template, "AWS::SQS::Queue"):
        if name not in refusing:
            yield f"{name}: a policy must refuse connections that are not encrypted"


def browsers(data, api):
    """Whoever may call the API from a browser uploads from there, too."""
    for name, resource in of_type(api, "AWS::ApiGatewayV2::Api"):
        if "x-amazon-apigateway-cors" in at(resource, "Properties", "Body"):
            for bucket, own in of_type(data, "AWS::S3::Bucket"):
                if "CorsConfiguration" not in own["Properties"]:
                    yield f"{bucket}: browsers may call {name} and not upload: CorsConfiguration is missing"


def queues(data, api):
    slowest = max(number(api, function["Properties"].get("Timeout", 3)) for _, function in consumers(api))
    for template in (data, api):
        for name, resource in of_type(template, "AWS::SQS::Queue"):
            properties = resource["Properties"]
            if "RedrivePolicy" not in properties:
                continue
            visible = number(template, properties.get("VisibilityTimeout", 30))
            if visible is None or visible < 6 * slowest:
                yield f"{name}: VisibilityTimeout {visible} is less than six times its function's timeout of {slowest} s"


def held(api):
    """A message comes back soon after its function was killed: it is hidden for a short time, again and again."""
    if number(api, {"Ref": "HoldSeconds"}) > LONGEST_HOLD:
        yield f"parameter HoldSeconds: a message is hidden for at most {LONGEST_HOLD} s at a time"
    for name, function in consumers(api):
        if "HOLD_SECONDS" not in function["Properties"]["Environment"]["Variables"]:
            yield f"{name}: HOLD_SECONDS is missing"
        policies = api["Resources"][f"{name}Role"]["Properties"].get("Policies", [])
        allowed = {str(action) for policy in policies for own in statements(policy["PolicyDocument"])
                   for action in listed(own.get("Action", []))}
        if "sqs:ChangeMessageVisibility" not in allowed:
            yield f"{name}: it may not hold its messages (sqs:ChangeMessageVisibility)"


def schedules(api):
    for name, resource in of_type(api, "AWS::Scheduler::Schedule"):
        for demanded in ("RetryPolicy", "DeadLetterConfig"):
            if demanded not in resource["Properties"]["Target"]:
                yield f"{name}: Target.{demanded} is missing"


def consumers(api):
    """The functions that a queue or stream feeds."""
    mappings = of_type(api, "AWS::Lambda::EventSourceMapping")
    fed = {at(mapping, "Properties", "FunctionName", "Ref") for _, mapping in mappings}
    return [(name, function) for name, function in of_type(api, "AWS::Lambda::Function") if name in fed]


def timed(api):
    """The functions that a schedule starts."""
    targets = [at(schedule, "Properties", "Target", "Arn", "Fn::GetAtt") for _, schedule in of_type(api, "AWS::Scheduler::Schedule")]
    return {target[0] if isinstance(target, list) else str(target).split(".", maxsplit=1)[0] for target in targets if target}


def functions(api):
    fed = {**dict(consumers(api)), **dict.fromkeys(timed(api))}
    for name, resource in of_type(api, "AWS::Lambda::Function"):
        properties = resource["Properties"]
        timeout = number(api, properties.get("Timeout", 3))
        if name not in fed and timeout > API_TIMEOUT:
            yield f"{name}: Timeout {timeout} s, but the API gives up after {API_TIMEOUT + 1} s"
        if at(properties, "LoggingConfig", "LogFormat") != "JSON" or not at(properties, "LoggingConfig", "LogGroup"):
            yield f"{name}: LoggingConfig must have LogFormat JSON and a LogGroup with retention"
        if at(properties, "TracingConfig", "Mode") != "Active":
            yield f"{name}: Tracing must be Active"
    yield from concurrency(api, dict(consumers(api)))
    for name, resource in of_type(api, "AWS::Logs::LogGroup"):
        if "RetentionInDays" not in resource["Properties"]:
            yield f"{name}: RetentionInDays is missing"


def concurrency(api, fed):
    sources = [(name, own["Properties"]) for name, own in of_type(api, "AWS::Lambda::EventSourceMapping")]
    for function, own in fed.items():
        most = [shares(api, at(source, "ScalingConfig", "MaximumConcurrency"))
                for _, source in sources if at(source, "FunctionName", "Ref") == function]
        reserved = shares(api, own["Properties"].get("ReservedConcurrentExecutions"))
        for value, executions in reserved.items():
            taken = sum(one.get(value) or one.get(None) or 1_000 for one in most)
            if executions < taken:
                yield f"{function}: its queues take {taken} executions at once, and {executions} are reserved"
    for name, properties in sources:
        if at(properties, "FunctionName", "Ref") == "IngestFunction" and properties.get("BatchSize") != 1:
            yield f"{name}: BatchSize must be 1: a document that kills the function takes its whole batch with it"
        if properties.get("FunctionResponseTypes") != ["ReportBatchItemFailures"]:
            yield f"{name}: FunctionResponseTypes must be [ReportBatchItemFailures]"


def apis(api):
    for name, resource in of_type(api, "AWS::ApiGatewayV2::Api"):
        paths = resource["Properties"]["Body"]["paths"]
        operations = [(method.upper(), path, operation)
                      for path, methods in paths.items() for method, operation in methods.items()]
        if sorted(operation[:2] for operation in operations) != ROUTES[name]:
            yield f"{name}: {len(operations)} routes after expansion, {len(ROUTES[name])} in infra/routes.json"
        for method, path, operation in operations:
            if not operation.get("security") and (name != "Api" or (method, path) not in OPEN or path.startswith("/v1/")):
                yield f"{name}: {method} {path} has no authorizer"
        if not any(f"'{name}'" in alarm for alarm in alarms.on(api, "5xx")):
            yield f"{name}: no alarm tells that it answers with 5xx"
    for name, resource in of_type(api, "AWS::ApiGatewayV2::Stage"):
        for path in (("AccessLogSettings",), ("DefaultRouteSettings", "ThrottlingRateLimit")):
            if not at(resource["Properties"], *path):
                yield f"{name}: {'.'.join(path)} is missing"


def throttles(api):
    """Whoever shows no token uses up little of what the API lets through."""
    limit = number(api, {"Ref": "RateLimit"})
    for name, stage in of_type(api, "AWS::ApiGatewayV2::Stage"):
        settings = stage["Properties"].get("RouteSettings", {})
        for method, path in sorted(OPEN) if at(stage, "Properties", "ApiId", "Ref") == "Api" else ():
            most = limit * (MCP_SHARE if (method, path) == ("POST", "/mcp") else OPEN_SHARE)
            rate = at(settings, f"{method} {path}", "ThrottlingRateLimit")
            if rate is None or rate > most:
                yield f"{name}: RouteSettings must bound {method} {path}, which is open, to {most:.0f} requests a second"
    for name, own in of_type(api, "AWS::ApiGatewayV2::Api"):
        if "disableExecuteApiEndpoint" not in str(own["Properties"]["Body"].get("servers")):
            yield f"{name}: DisableExecuteApiEndpoint must follow PublicUrl: what stands before that could be passed by"


def addresses(api):
    """What is asked and told goes encrypted."""
    for name, parameter in api["Parameters"].items():
        if name.endswith("Url") and not re.match(r"\^\(?https://", parameter.get("AllowedPattern", "")):
            yield f"parameter {name}: AllowedPattern must demand https://"


def permissions(template):
    for name, resource in of_type(template, "AWS::IAM::Role"):
        properties = resource["Properties"]
        for policy in properties.get("ManagedPolicyArns", []):
            if str(policy).rstrip("'}]").rsplit("/", 1)[-1] not in MANAGED:
                yield f"{name}: managed policy {policy} is wider than needed, write out what is used"
        for policy in properties.get("Policies", []):
            for statement in statements(policy["PolicyDocument"]):
                yield from wildcards(name, statement)
    for name, resource in of_type(template, "AWS::SQS::QueuePolicy"):
        for statement in statements(resource["Properties"]["PolicyDocument"]):
            yield from wildcards(name, statement)


def writes(api):
    """A function writes what is its own: one that answers questions no document, no case and no member of one."""
    for name, resource in of_type(api, "AWS::IAM::Role"):
        written = KEEPERS.get(name.removesuffix("Role"), WRITTEN)
        for policy in resource["Properties"].get("Policies", []):
            for statement in statements(policy["PolicyDocument"]):
                keys = at(statement, "Condition", "ForAllValues:StringLike", "dynamodb:LeadingKeys")
                if not set(keys or ["*"]) <= written and WRITES & {str(own) for own in listed(statement.get("Action", []))}:
                    yield f"{name}, statement {statement.get('Sid')}: writes to the table need dynamodb:LeadingKeys of {sorted(written)}"


def senders(api):
    """What is ingested comes from the bucket: S3 alone tells of uploads, and one function hands them on."""
    for name, resource in of_type(api, "AWS::IAM::Role"):
        of_uploads = {"UploadQueue"} if name == "UploadsFunctionRole" else {"UploadQueue", "CaseQueue", "BulkQueue"}
        for policy in resource["Properties"].get("Policies", []):
            for statement in statements(policy["PolicyDocument"]):
                if "sqs:SendMessage" in listed(statement.get("Action", [])):
                    for queue in sorted(queue for queue in of_uploads if f"-{queue}Arn" in str(statement["Resource"])):
                        yield f"{name}, statement {statement.get('Sid')}: may send to {queue}"


def wildcards(name, statement):
    """What is allowed names its actions and resources; what is refused may be everything."""
    if statement.get("Effect") == "Deny":
        return
    where = f"{name}, statement {statement.get('Sid', 'without Sid')}"
    for action in listed(statement.get("Action", [])):
        if "*" in str(action):
            yield f"{where}: action {action} must name one action"
    for resource in listed(statement.get("Resource", [])):
        if resource == "*":
            yield f"{where}: resource * must be narrowed"
