"""Rehearses docs/operate.md and docs/restore.md on a stack of its own, by their blocks: deployments while questions are asked, and what
is lost comes back and is compared one by one.

It fills the stack with the demo corpus, a case, a project and a decision, loses the table, the index and then all of it, and fails
where something differs afterwards. It prints how long each took, with the number of objects.
"""

import threading
import time

import deploy as deployment
import picture
import tools
from failure import Failure, say
from rehearsal import HERE, Rehearsal

QUIET = ("SweepSchedule=DISABLED", "DigestSchedule=DISABLED")
BUSY = ("SweepSchedule=ENABLED", "DigestSchedule=ENABLED")
COPY = "plumbline-copy"


# MiniStack ends a function that it updates in the middle of a call; Lambda lets calls end.
CUT_OFF = "Runtime exited before returning a response"


class Asking(threading.Thread):
    """Asks one question after the other, and counts which got no answer; those that MiniStack cut off apart from others."""

    def __init__(self, own):
        super().__init__()
        self.own, self.is_over, self.asked, self.cut_off, self.failed = own, threading.Event(), 0, 0, []

    def run(self):
        while not self.is_over.is_set():
            self.asked += 1
            try:
                status, reply = self.own.call("POST", "/v1/rcca", {"question": "connection pool exhausted"})
            except OSError as error:
                status, reply = None, str(error)
            if status == 502 and CUT_OFF in reply:
                self.cut_off += 1
            elif status != 200:
                self.failed.append(f"{status} {reply}")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join()


def deployments(own):
    """A setting and the key change, and the deployment of before comes back, while questions are asked."""
    with Asking(own) as asking:
        own.operate.run("Upgrade and roll back", parameters=["LogLevel=debug"])
        own.operate.run("Upgrade and roll back", parameters=["LogLevel=info"])
        first, second = own.key_of_qdrant(), "a-second-key"
        own.let_in(first, second)
        version = own.operate.run("Rotate the key of Qdrant", slice(0, 1), more={"NEW_KEY": second}).strip()
        own.operate.run("Rotate the key of Qdrant", slice(1, None), parameters=[f"QdrantKeyVersion={version}"])
        own.let_in(second)
        asked = asking.asked
        own.until("questions are asked with the second key alone", lambda: asking.asked > asked + 20)
    own.let_in()
    if asking.failed or asking.asked < 50:
        raise Failure(f"{len(asking.failed)} of {asking.asked} questions failed: {asking.failed[:1]}")
    say(f"{asking.asked} questions were asked meanwhile: none failed, {asking.cut_off} were cut off by MiniStack")


def wrong_key(own):
    """Qdrant takes another key than the secret has: nothing is found, `plumbline doctor` says why, and the right key mends it."""
    own.let_in("the-key-of-somebody-else")
    own.refuses()
    try:
        own.plumbline("doctor")
    except Failure as failure:
        say(f"a wrong key of Qdrant: {failure}")
    else:
        raise Failure("plumbline doctor finds nothing wrong with a wrong key")
    own.let_in(own.key_of_qdrant())
    if not own.finds():
        raise Failure("nothing is found with the right key")
    own.let_in()


def outage(own):
    """The embedding model is away until documents are given up; then they come back."""
    own.script(1_000_000)
    folder = own.page.folder / "outage"
    folder.mkdir(exist_ok=True)
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# Feeder {number}\n\nThe breaker of feeder {number} tripped in the storm.\n")
    try:
        own.plumbline("ingest", folder, "--knowledge", "user")
    except Failure:
        pass
    own.until("the messages are dead letters", lambda: own.waiting("dlq_url") >= 3)
    own.script(0)
    own.alarms.run("Bring back what failed", more=own.access)
    own.settle()
    told = own.made("POST", "/v1/reindex", {"knowledge": "all", "only_count": True})
    if told["failed"]:
        raise Failure(f"after an outage {told['failed']} documents are left")
    say("outage: 3 documents were given up, and are indexed")


def misdeployed(own):
    """A deployment over data that are not there fails, and the API answers as before."""
    try:
        own.operate.run("Upgrade and roll back", parameters=["DataStack=another"])
    except Failure as failure:
        if "another-" not in str(failure):
            raise
    else:
        raise Failure("a deployment without its data stack is taken")
    own.values.pop("DataStack")


def table(own):
    """A user's documents and a project are damaged; the table as it was before takes the place of this one."""
    stop(own)
    own.refuses()
    # MiniStack keeps no past: what it restores is the table as it is now, so the damage comes after that.
    own.page.run("Restore the table", slice(0, 1), more={"BEFORE": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())})
    dynamodb, name = own.client("dynamodb"), own.remembered["table"]
    for item in dynamodb.scan(TableName=name)["Items"]:
        if item["pk"]["S"].startswith(("SCOPE#user", "PROJECT#")):
            dynamodb.delete_item(TableName=name, Key={"pk": item["pk"], "sk": item["sk"]})
    own.page.run("Restore the table", slice(1, None))
    put_in_its_place(own)
    start(own)


def stop(own):
    if "the sweep is disabled" not in own.page.run("Stop what writes and deletes", parameters=QUIET):
        raise Failure("the sweep is not disabled")


def start(own):
    if "the sweep is enabled" not in own.page.run("Start again", parameters=BUSY):
        raise Failure("the sweep is not enabled")


def put_in_its_place(own, more=None):
    told = own.page.run("Put a backup in the place of the table", more=more)
    if "documents/" in told:
        raise Failure(f"files without a record: {told}")
    dynamodb, name = own.client("dynamodb"), own.remembered["table"]
    backups = dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    has = (backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"],
           dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"],
           dynamodb.describe_table(TableName=name)["Table"]["DeletionProtectionEnabled"])
    if has != ("ENABLED", "ENABLED", True):
        raise Failure(f"recovery, expiry and protection of the table in its place are {has}")


def index(own):
    """The index is empty; table and bucket fill it again."""
    own.lose_the_index()
    if own.finds():
        raise Failure("an empty index finds something")
    own.page.run("Restore the index", more=own.access)


def whole(own):
    """Both stacks, the table, the bucket with all its versions, and the index are gone; a backup and a copy are left."""
    s3 = own.client("s3")
    s3.create_bucket(Bucket=COPY)
    backup = own.page.run("Make copies", more={"COPY": COPY}).split()[0]
    destroy(own)
    own.values.pop("QdrantKeyVersion")
    own.lose_the_index()
    own.stack("deploy", *(word for parameter in QUIET for word in ("--set", parameter)))
    own.remember()
    stop(own)
    put_in_its_place(own, {"BACKUP": backup})
    own.page.run("Bring all of it back", more={"COPY": COPY})
    start(own)
    own.remember()
    own.settle()
    own.page.run("Restore the index", more=own.access)


def destroy(own):
    """Deletes the stacks, and what a deletion of the data stack leaves."""
    cloudformation, s3, dynamodb = (own.client(name) for name in ("cloudformation", "s3", "dynamodb"))
    for stack in (deployment.API_STACK, deployment.DATA_STACK):
        cloudformation.delete_stack(StackName=stack)
        own.until(f"{stack} is gone", lambda stack=stack: deployment.status(cloudformation, stack) in (None, "DELETE_COMPLETE"))
    name, bucket = own.remembered["table"], own.remembered["bucket"]
    if name in dynamodb.list_tables()["TableNames"]:
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=False)
        dynamodb.delete_table(TableName=name)
    if bucket in [one["Name"] for one in s3.list_buckets()["Buckets"]]:
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            for version in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]:
                s3.delete_object(Bucket=bucket, Key=version["Key"], VersionId=version["VersionId"])
        s3.delete_bucket(Bucket=bucket)


def rehearse(folder):
    """Fails where something differs afterwards."""
    tools.environment(tools.OPERATE_ENV, HERE / "requirements-operate.txt")
    own = Rehearsal(folder)
    try:
        own.fill()
        outage(own)
        before = own.picture()
        counts = ", ".join(f"{len(content)} {kind}" for kind, content in before.items())
        # Whether all is indexed again, so that documents have other versions.
        for lost, renews in ((misdeployed, False), (wrong_key, False), (deployments, False), (table, False), (index, True), (whole, True)):
            begun = time.monotonic()
            lost(own)
            own.settle()
            took = time.monotonic() - begun
            of = picture.content if renews else dict
            different = list(picture.differences(of(before), of(own.picture())))
            before = own.picture()
            for line in different[:: max(1, len(different) // 12)]:
                say(line)
            if different or not own.finds():
                raise Failure(f"{lost.__name__}: {len(different)} things differ after it was restored")
            say(f"{lost.__name__}: done in {took:.0f} s: {counts}, each as before")
    finally:
        own.stack("down", "--purge")
