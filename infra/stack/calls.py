"""What is done with a stack that runs: settings for a shell, single functions, their logs."""

import datetime
import json
import shlex
import urllib.parse
import urllib.request
from pathlib import Path

import state
import tools
from failure import Failure


def env(options):
    """Prints the command line's settings for a shell: address, and a token good for a day."""
    remembered = state.read(options.state)
    if "api_url" not in remembered:
        raise Failure(f"nothing runs for {options.state}, start it with: stack.py up --state {options.state}")
    lifetime = datetime.timedelta(days=1)
    query = urllib.parse.urlencode({"sub": options.sub, "groups": options.groups, "expires_in": int(lifetime.total_seconds())})
    try:
        with urllib.request.urlopen(f"{remembered['local_url']}/token?{query}", timeout=10) as answer:
            token = json.load(answer)["access_token"]
    except (OSError, ValueError, KeyError) as error:
        raise Failure(f"the token issuer at {remembered['local_url']} gave no token: {error}") from None
    print(f"# The token is good until {datetime.datetime.now().astimezone() + lifetime:%Y-%m-%d %H:%M %Z}. Run this again for another one.")
    print(f"export PLUMBLINE_URL={shlex.quote(remembered['api_url'])}")
    print(f"export PLUMBLINE_TOKEN={shlex.quote(token)}")
    if options.functions:
        for name, value in function_settings(remembered).items():
            print(f"export {name}={shlex.quote(value)}")


def function_settings(remembered):
    """What a function finds in its environment when it is deployed here, for `cargo lambda watch`."""
    return {
        "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_ENDPOINT_URL": remembered["gateway_url"], "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": remembered["local_url"],
        "TABLE": remembered["table"], "BUCKET": remembered["bucket"], "QDRANT_URL": remembered["qdrant_called_at"],
        "QDRANT_COLLECTION": remembered["qdrant_collection"], "EMBED_MODEL": "cohere.embed-v4:0", "EMBED_DIMENSIONS": "384",
        "CHAT_MODEL": "amazon.nova-lite-v1:0", "ANSWER_MODE": "extractive", "MODEL_TRIAL": "waived",
        "GROUPS_CLAIM": "groups", "ADMIN_GROUP": "knowledge-admins",
        "JWT_ISSUER": remembered["local_url"], "JWT_AUDIENCE": "plumbline", "TASK_QUEUE_URL": remembered["task_queue_url"],
        "CASE_QUEUE_URL": remembered["case_queue_url"], "BULK_QUEUE_URL": remembered["bulk_queue_url"],
        "DIGEST_QUEUE_URL": remembered["digest_queue_url"], "REMOVAL_QUEUE_URL": remembered["removal_queue_url"],
        "LAMBDA_TASK_ROOT": str(tools.ROOT / "infra"),  # where `custom` finds strategies/, `answer` knowledge/
    }


def invoke(options):
    """Runs one function with an event from a file and prints what it answers, as a schedule would run it."""
    import deploy as deployment

    remembered = state.read(options.state)
    if options.function not in remembered.get("functions", {}):
        raise Failure(f"no function {options.function} is deployed for {options.state}")
    options.gateway_port = remembered["ports"]["gateway"]
    print(deployment.invoke(options, remembered["functions"][options.function], Path(options.event).read_bytes()))


def log(options):
    """Prints the lines of a function's log that a filter pattern of CloudWatch matches."""
    import deploy as deployment

    remembered = state.read(options.state)
    options.gateway_port = remembered["ports"]["gateway"]
    print("\n".join(deployment.logged(options, remembered["functions"][options.function], options.pattern)))


def alone(options):
    """Has a function take one message at a time, handed out again the moment that it is gone; or as it is deployed."""
    import deploy as deployment

    remembered = state.read(options.state)
    options.gateway_port = remembered["ports"]["gateway"]
    queues = ["case", "bulk", "task"] if options.function == "ingest" else [options.function]
    names = [f"{queue}_queue_url" for queue in queues]
    before = remembered.setdefault("before_alone", {})
    alone = {"concurrency": 1, "hold": "0", "hidden": dict.fromkeys((remembered[name] for name in names), 0)}
    wanted = alone if options.turn == "on" else before.pop(options.function)
    found = deployment.hand_out(options, remembered["functions"][options.function], wanted)
    if options.turn == "on":
        before[options.function] = found
    state.write(options.state, remembered)
