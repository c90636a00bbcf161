"""Does in boto3 what `GET /v1/projects/{id}` does: profile and membership in one BatchGetItem, then the members."""

import json
import os

import boto3

PROJECT = "01M7X8K2Y70CHH266W3WH99QFZ"
dynamodb = boto3.client(
    "dynamodb", region_name="us-east-1", endpoint_url=os.environ.get("STUB_URL", "http://127.0.0.1:18080"))


def handler(event, context=None):
    partition = {"S": f"PROJECT#{PROJECT}"}
    keys = [{"pk": partition, "sk": {"S": sk}} for sk in ("PROFILE", "MEMBER#demo")]
    found = dynamodb.batch_get_item(RequestItems={"plumbline": {"Keys": keys, "ConsistentRead": True}})
    items = {item["sk"]["S"]: item for item in found["Responses"]["plumbline"]}
    if "MEMBER#demo" not in items:
        return {"statusCode": 404, "body": "{}"}
    members = dynamodb.query(
        TableName="plumbline", ConsistentRead=True, KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)",
        ExpressionAttributeValues={":pk": partition, ":sk": {"S": "MEMBER#"}})["Items"]
    project = json.loads(items["PROFILE"]["body"]["S"])
    project["members"] = [{"user": member["sk"]["S"][7:], "role": member["role"]["S"]} for member in members]
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json.dumps(project)}
