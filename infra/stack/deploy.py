"""Deploys data.yaml, then template.yaml, to a running MiniStack and says what came of it."""

import hashlib
import io
import json
import time
import zipfile
from pathlib import Path

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

import lowering
import rows
from failure import Failure, say
from tools import ROOT

DATA_STACK, API_STACK = "plumbline-data", "plumbline"
ARTIFACTS = "plumbline-artifacts"
AUDIENCE = "plumbline"
ALERT_SECRET = "plumbline-alerts"
PATIENCE = 120


def deploy(options):
    """Brings both stacks to what the templates and programs say now; returns what a caller needs to know."""
    client = clients(options)
    template = ROOT / "infra" / "template.yaml"
    try:
        data = lowering.lower(lowering.expand(ROOT / "infra" / "data.yaml"), {})
        client("s3").create_bucket(Bucket=ARTIFACTS)
        data = apply(client, DATA_STACK, data, {})
        turn_on_what_is_left(client("dynamodb"), data["Table"])
        version = keep_alert_secrets(client("secretsmanager"), options.alert_secrets)
        functions = rows.read()["functions"]
        code = {f"{name.capitalize()}Function": upload(client("s3"), name, files(options, name, row["beside"]))
                for name, row in functions.items()}
        values = {"AlertSecret": f"{ALERT_SECRET}:SecretString:::{version}"} | parameters(options)
        expanded = lowering.expand(template, code, values)
        api = apply(client, API_STACK, lowering.lower(expanded, values), values)
        count_routes(client("apigatewayv2"), api["ApiId"], rows.ROUTES)
        count_routes(client("apigatewayv2"), api["KeyApiId"], [route for route in rows.ROUTES if route["keyed"]])
    except (ClientError, BotoCoreError) as error:
        raise Failure(f"deploy failed: {error}") from None
    return outcome(options, data, api)


def keep_alert_secrets(secrets, text):
    """Keeps the secrets of routes, and returns their version. That of `demo` is none here, where only this machine reaches the API."""
    try:
        kept = secrets.get_secret_value(SecretId=ALERT_SECRET)
    except secrets.exceptions.ResourceNotFoundException:
        return secrets.create_secret(Name=ALERT_SECRET, SecretString=text)["VersionId"]
    if kept["SecretString"] == text:
        return kept["VersionId"]
    return secrets.put_secret_value(SecretId=ALERT_SECRET, SecretString=text)["VersionId"]


def invoke(options, function, event):
    """What the function answers to the event; a failure inside it is a Failure here."""
    try:
        answer = clients(options)("lambda").invoke(FunctionName=function, Payload=event)
    except (ClientError, BotoCoreError) as error:
        raise Failure(f"{function} cannot be invoked: {error}") from None
    text = answer["Payload"].read().decode()
    if "FunctionError" in answer:
        raise Failure(f"{function} failed: {text}")
    return text


def logged(options, function, pattern):
    """The lines of a function's log that a filter pattern of CloudWatch matches, oldest first."""
    group = f"/aws/lambda/{function}"
    try:
        pages = clients(options)("logs").get_paginator("filter_log_events").paginate(logGroupName=group, filterPattern=pattern)
        return [event["message"].rstrip() for page in pages for event in page["events"]]
    except (ClientError, BotoCoreError) as error:
        raise Failure(f"the log of {function} cannot be read: {error}") from None


def hand_out(options, function, wanted):
    """How many messages a function takes at once, None for any number, and for how long each of its queues hides them, and itself
    while it works; what was before.

    Of one that takes one at a time MiniStack's poller asks for no other one, however short the queue hides what it gave.
    """
    functions, queues = clients(options)("lambda"), clients(options)("sqs")
    hides = "VisibilityTimeout"
    try:
        before = {
            "concurrency": functions.get_function_concurrency(FunctionName=function).get("ReservedConcurrentExecutions"),
            "hidden": {queue: int(queues.get_queue_attributes(QueueUrl=queue, AttributeNames=[hides])["Attributes"][hides])
                       for queue in wanted["hidden"]},
        }
        environment = functions.get_function_configuration(FunctionName=function)["Environment"]["Variables"]
        before["hold"] = environment["HOLD_SECONDS"]
        environment["HOLD_SECONDS"] = wanted["hold"]
        functions.update_function_configuration(FunctionName=function, Environment={"Variables": environment})
        if wanted["concurrency"] is None:
            functions.delete_function_concurrency(FunctionName=function)
        else:
            functions.put_function_concurrency(FunctionName=function, ReservedConcurrentExecutions=wanted["concurrency"])
        for queue, seconds in wanted["hidden"].items():
            queues.set_queue_attributes(QueueUrl=queue, Attributes={hides: str(seconds)})
    except (ClientError, BotoCoreError) as error:
        raise Failure(f"{function} does not take its messages otherwise: {error}") from None
    return before


def clients(options):
    """AWS clients for the gateway alone; its root key is `test`, with permissions enforced or not."""
    session = boto3.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1")
    config = Config(retries={"max_attempts": 1}, read_timeout=PATIENCE, s3={"addressing_style": "path"})
    endpoint = f"http://127.0.0.1:{options.gateway_port}"
    return lambda service: session.client(service, endpoint_url=endpoint, config=config)


def parameters(options):
    """The parameters of infra/template.yaml that differ from their defaults here, and those the caller sets."""
    given = dict(own.partition("=")[::2] for own in options.set)
    return {
        "DataStack": DATA_STACK,
        "JwtIssuer": f"http://127.0.0.1:{options.local_port}",
        # That of programs, too.
        "JwtAudience": f"{AUDIENCE},machines",
        "ReadScope": "plumbline/read",
        "WriteScope": "plumbline/write",
        "RevealScope": "plumbline/reveal",
        "GroupScope": "plumbline/group-",
        "QdrantUrl": options.qdrant_url,
        "QdrantCollection": options.qdrant_collection,
        "EmbedDimensions": "384",
        # The local Bedrock answers for any model as its script says: it is there for tests, and no trial would let it do anything.
        "ChatModel": "amazon.nova-lite-v1:0", "ModelTrial": "waived", "AnswerMode": "extractive",
        "ReadModel": "none",
        "Architecture": "x86_64",
        "CallerRate": "6000", "CallerBurst": "2000",  # Tests and measurements ask more than people do.
        "RetrySeconds": "0",  # What fails here fails because a test wants it to.
        "HoldSeconds": "20", "KeyCacheSeconds": "0",  # A revoked key is refused at once.
        "LogLevel": options.log_level,
        **given,
    }


def files(options, name, folders):
    """What a function's package holds: its program and folders of files beside it; content by path in it."""
    program = Path(options.binaries) / name
    if not program.is_file():
        raise Failure(f"{program} is missing, it is the function {name}; build it with: cargo build --workspace --bins")
    content = {"bootstrap": program.read_bytes()}
    for beside in folders:
        folder = Path(getattr(options, beside))
        found = {f"{beside}/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.toml"))}
        content |= found
        if not found:
            raise Failure(f"{folder} holds nothing for {name} (*.toml); choose another folder with --{beside} FOLDER")
    return content


def upload(s3, name, content):
    """Puts a function's package into the artifact bucket; its key says what is in it."""
    key = f"{name}-{fingerprint(content)}.zip"
    if s3.list_objects_v2(Bucket=ARTIFACTS, Prefix=key).get("KeyCount", 0) == 0:
        s3.put_object(Bucket=ARTIFACTS, Key=key, Body=package(content))
    return f"s3://{ARTIFACTS}/{key}"


def fingerprint(content):
    """Differs when a file is added, renamed, removed or changed."""
    digest = hashlib.sha256()
    for path, data in sorted(content.items()):
        digest.update(f"{path}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def package(content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, data in content.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o755 if path == "bootstrap" else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()


def upload_template(s3, name, template):
    """Puts a template into the artifact bucket, as `sam deploy` does: one sent inline may have 51,200 bytes only."""
    body = json.dumps(template, default=str).encode()
    key = f"{name}-{fingerprint({'template': body})}.template"
    s3.put_object(Bucket=ARTIFACTS, Key=key, Body=body)
    return f"{s3.meta.endpoint_url}/{ARTIFACTS}/{key}"


def apply(client, name, template, values):
    """Creates or updates one stack and returns its outputs."""
    say(f"deploying {name}")
    cloudformation = client("cloudformation")
    request = {
        "StackName": name,
        "TemplateURL": upload_template(client("s3"), name, template),
        "Capabilities": ["CAPABILITY_IAM"],
        "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in values.items()],
    }
    before = status(cloudformation, name)
    if before in ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED"):
        # Its creation failed; such a stack can only be deleted.
        cloudformation.delete_stack(StackName=name)
        before = "DELETE_COMPLETE"
    try:
        if before in (None, "DELETE_COMPLETE"):
            cloudformation.create_stack(**request)
        else:
            cloudformation.update_stack(**request)
    except ClientError as error:
        if "No updates are to be performed" not in str(error):
            raise
    stack = settled(cloudformation, name)
    if stack["StackStatus"] not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
        raise Failure(f"deploy of {name} ended in {stack['StackStatus']}: {first_failure(cloudformation, name)}")
    return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}


def status(cloudformation, name):
    """The stack's status; None when there is no such stack."""
    try:
        return cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise


def settled(cloudformation, name):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        stack = cloudformation.describe_stacks(StackName=name)["Stacks"][0]
        if not stack["StackStatus"].endswith("IN_PROGRESS"):
            return stack
        time.sleep(0.1)
    raise Failure(f"deploy of {name} was still {stack['StackStatus']} after {PATIENCE} s")


def first_failure(cloudformation, name):
    """The first resource of the latest attempt that failed, and why; what failed after it was only cancelled."""
    found = "no resource says why"
    for event in cloudformation.describe_stack_events(StackName=name)["StackEvents"]:
        if event["ResourceStatus"].endswith("FAILED"):
            reason = event.get("ResourceStatusReason", "no reason given")
            found = f"{event['LogicalResourceId']} ({event['ResourceType']}): {reason}"
        if event["LogicalResourceId"] == name and event["ResourceStatus"] in ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS"):
            break
    return found


def turn_on_what_is_left(dynamodb, table):
    """See `lowering`: MiniStack does not take expiry and recovery from the template."""
    dynamodb.update_continuous_backups(TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
    if dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]["TimeToLiveStatus"] != "ENABLED":
        dynamodb.update_time_to_live(
            TableName=table, TimeToLiveSpecification={"AttributeName": "expires_at", "Enabled": True})


def count_routes(gateway, api, routes):
    """An API without its routes deploys without complaint, so they are counted."""
    pages = gateway.get_paginator("get_routes").paginate(ApiId=api)
    deployed = sorted(route["RouteKey"] for page in pages for route in page["Items"])
    wanted = sorted(f"{route['method']} {route['path']}" for route in routes)
    if deployed != wanted:
        missing = [route for route in wanted if route not in deployed]
        raise Failure(f"deploy failed: {len(deployed)} routes deployed, {len(wanted)} in infra/routes.json; missing: {missing}")


def outcome(options, data, api):
    gateway = f"http://127.0.0.1:{options.gateway_port}"
    issuer = f"http://127.0.0.1:{options.local_port}"
    return {
        "api_id": api["ApiId"],
        "api_url": f"{gateway}/_aws/execute-api/{api['ApiId']}",
        "key_url": f"{gateway}/_aws/execute-api/{api['KeyApiId']}",
        "gateway_url": gateway,
        "local_url": issuer,
        "issuer": issuer,
        "audience": AUDIENCE,
        "table": data["Table"],
        "bucket": data["Bucket"],
        **{f"{name}_queue_url": data[f"{name.capitalize()}QueueUrl"] for name in ("upload", "case", "bulk", "task")},
        "dlq_url": data["DeadLetterUrl"],
        "digest_queue_url": api["DigestQueueUrl"],
        "digest_dlq_url": api["DigestDeadLetterUrl"],
        "removal_queue_url": api["RemovalQueueUrl"],
        "removal_dlq_url": api["RemovalDeadLetterUrl"],
        "functions": {name: api[f"{name.capitalize()}FunctionName"] for name in rows.read()["functions"]},
    }
