"""Makes of our templates what MiniStack can deploy.

MiniStack 1.5.33 has eight gaps that matter here:

* It ignores the OpenAPI body in which SAM puts all routes of an HTTP API, so a stack is complete without any.
  The body becomes one resource per route and authorizer, and one integration per function: a stack has 500 resources at most.
* A reference to a number arrives as text, and its queue poller then fails on comparing the reserved concurrency.
  References to numbers become the numbers, except in environment variables, which are text.
* It takes an API's rules for browsers only as the OpenAPI body spells them, `allowOrigins`, not as CloudFormation does.
* It asks for a permission to send messages in batches that AWS does not know: there, the one to send covers batches.
* It speaks HTTP: what policies of buckets and queues say of connections that are not encrypted would refuse everything, and is
  left out.
* It keeps no queries for CloudWatch; they are left out.
* Nothing of it is encrypted, so Qdrant and language models are called by http:// there.
* It does not turn on a table's expiry and recovery from CloudFormation; `deploy` does so through the API afterwards.

Nothing else is changed, and nothing of this is used for a deployment to AWS.
"""

import os
import re
from pathlib import Path

import yaml

# The translator asks for a region and would otherwise look for an account to learn one from.
os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")

from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from failure import Failure


# What CloudFormation has of an authorizer that is a function, as the OpenAPI body spells it.
LAMBDA_AUTHORIZER = ("authorizerUri", "authorizerPayloadFormatVersion", "enableSimpleResponses", "authorizerResultTtlInSeconds",
                     "identitySource")


class NoManagedPolicies:
    """The templates name no managed policy, so no account has to be asked for theirs."""

    def load(self):
        return {}


def load(path):
    """Reads a template with CloudFormation's short forms."""
    try:
        return yaml_parse(Path(path).read_text())
    except yaml.YAMLError as error:
        raise Failure(f"{path} is not YAML: {error}") from None


def expand(path, code=None, values=None):
    """Expands SAM to plain CloudFormation.

    `code` gives each function's package and `values` the parameters; for checking, any package and the defaults do.
    """
    template = load(path)
    if "Transform" not in template:
        return template
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = code[name] if code else "s3://bucket/key"
    try:
        return transform(template, values or {}, NoManagedPolicies())
    except InvalidDocumentException as error:
        causes = "; ".join(cause.message for cause in error.causes)
        raise Failure(f"{path} cannot be expanded: {causes}") from None


def lower(template, values):
    """Fills the gaps in an expanded template that is deployed with these parameter values."""
    resources = template["Resources"]
    for name, resource in list(resources.items()):
        if resource["Type"] == "AWS::ApiGatewayV2::Api" and "Body" in resource["Properties"]:
            resources.update(lowered_api(name, resource["Properties"]))
        if resource["Type"] in ("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"):
            document = resource["Properties"]["PolicyDocument"]
            document["Statement"] = [own for own in statements(document) if own["Effect"] != "Deny"]
            if not document["Statement"]:
                del resources[name]
        if resource["Type"] == "AWS::Logs::QueryDefinition":
            del resources[name]
        if resource["Type"] == "AWS::IAM::Role":
            allow_batches(resource["Properties"].get("Policies", []))
    share_permissions(resources)
    numbers = {
        name: int(values.get(name, parameter.get("Default")))
        for name, parameter in template.get("Parameters", {}).items() if parameter["Type"] == "Number"
    }
    parameters = {name: {key: value for key, value in parameter.items() if key != "AllowedPattern"}
                  for name, parameter in template.get("Parameters", {}).items()}
    return {**template, "Parameters": parameters, "Resources": with_numbers(resources, numbers)}


def share_permissions(resources):
    """Of the permissions that SAM makes for each route, one for each function and API is left; see the number of resources above."""
    seen = set()
    for name, resource in list(resources.items()):
        if resource["Type"] == "AWS::Lambda::Permission":
            own = resource["Properties"]
            arn, names = own["SourceArn"]["Fn::Sub"]
            own["SourceArn"] = {"Fn::Sub": [arn.partition("${__ApiId__}")[0] + "${__ApiId__}/*", {"__ApiId__": names["__ApiId__"]}]}
            if str(own) in seen:
                del resources[name]
            seen.add(str(own))


def with_numbers(node, numbers):
    """The same with each reference to a number replaced by the number."""
    if isinstance(node, dict):
        if node.keys() == {"Ref"} and node["Ref"] in numbers:
            return numbers[node["Ref"]]
        return {key: child if key == "Variables" else with_numbers(child, numbers) for key, child in node.items()}
    return [with_numbers(child, numbers) for child in node] if isinstance(node, list) else node


def statements(document):
    """The statements of a policy, those that depend on a condition too."""
    node = document["Statement"]
    for statement in node if isinstance(node, list) else [node]:
        # `!If [condition, statement, statement]`; one of the two may be AWS::NoValue.
        for branch in statement.get("Fn::If", [None, statement])[1:]:
            if branch != {"Ref": "AWS::NoValue"}:
                yield branch


def allow_batches(policies):
    for policy in policies:
        for statement in statements(policy["PolicyDocument"]):
            actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
            if "sqs:SendMessage" in actions:
                statement["Action"] = [*actions, "sqs:SendMessageBatch"]


def lowered_api(name, properties):
    body = properties.pop("Body")
    properties.setdefault("ProtocolType", "HTTP")
    properties.setdefault("Name", name)
    if cors := body.get("x-amazon-apigateway-cors"):
        properties["CorsConfiguration"] = cors
    resources, authorizers = lowered_authorizers(name, body)
    for path, operations in body["paths"].items():
        for method, operation in operations.items():
            resources.update(lowered_route(name, method, path, operation, authorizers))
    return resources


def lowered_authorizers(api, body):
    resources, authorizers = {}, {}
    for name, scheme in body.get("components", {}).get("securitySchemes", {}).items():
        authorizer = scheme["x-amazon-apigateway-authorizer"]
        made = logical_id(api, "Authorizer", name)
        own = {"ApiId": {"Ref": api}, "Name": name, "AuthorizerType": authorizer["type"].upper()}
        if authorizer["type"] == "jwt":
            jwt = authorizer["jwtConfiguration"]
            own |= {"IdentitySource": [authorizer["identitySource"]], "JwtConfiguration": {"Issuer": jwt["issuer"], "Audience": jwt["audience"]}}
            authorizers[name] = {"AuthorizationType": "JWT", "AuthorizerId": {"Ref": made}}
        else:
            own |= {field[0].upper() + field[1:]: authorizer[field] for field in LAMBDA_AUTHORIZER}
            authorizers[name] = {"AuthorizationType": "CUSTOM", "AuthorizerId": {"Ref": made}}
        resources[made] = {"Type": "AWS::ApiGatewayV2::Authorizer", "Properties": own}
    return resources, authorizers


def lowered_route(api, method, path, operation, authorizers):
    integration = operation["x-amazon-apigateway-integration"]
    function = re.search(r"\$\{(\w+)\.Arn\}", integration["uri"]["Fn::Sub"])[1]
    route, target = logical_id(api, "Route", method, path), logical_id(api, "Integration", function)
    properties = {
        "ApiId": {"Ref": api},
        "RouteKey": f"{method.upper()} {path}",
        "Target": {"Fn::Sub": f"integrations/${{{target}}}"},
    }
    for requirement in operation.get("security", []):
        for name in requirement.keys() & authorizers.keys():
            properties.update(authorizers[name])
    return {
        target: {
            "Type": "AWS::ApiGatewayV2::Integration",
            "Properties": {
                "ApiId": {"Ref": api},
                "IntegrationType": integration["type"].upper(),
                "IntegrationUri": integration["uri"],
                "PayloadFormatVersion": integration["payloadFormatVersion"],
            },
        },
        route: {"Type": "AWS::ApiGatewayV2::Route", "Properties": properties},
    }


def logical_id(*words):
    return "".join(re.sub(r"[^A-Za-z0-9]", "", word) for word in words)
