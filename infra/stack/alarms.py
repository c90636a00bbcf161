"""What an alarm must tell. Each rule yields one line per offence."""

from values import at, of_type

# What the functions count where a caller gets no answer (a tool that fails is a reply with status 200), and what costs money.
FAILURES = {"Unavailable", "ModelTokens"}
# The most metrics that an alarm may read.
MOST_METRICS = 10


def on(api, metric):
    """The alarms on a metric, each as text, so that whatever names a resource is found in it."""
    return [str(alarm["Properties"]) for _, alarm in of_type(api, "AWS::CloudWatch::Alarm")
            if metric in [at(alarm, "Properties", "MetricName"),
                          *(at(one, "MetricStat", "Metric", "MetricName") for one in alarm["Properties"].get("Metrics", []))]]


def ages(data, api):
    """What waits in vain in a queue that is tried again is seen long before it is a dead letter."""
    told = "\n".join(on(api, "ApproximateAgeOfOldestMessage"))
    exports = {str(at(output, "Value", "Fn::GetAtt")): str(at(output, "Export", "Name", "Fn::Sub"))
               for output in data.get("Outputs", {}).values()}
    for template in (data, api):
        for name, queue in of_type(template, "AWS::SQS::Queue"):
            own = f"['{name}', 'QueueName']" if template is api else exports.get(f"['{name}', 'QueueName']", name)
            named = own.replace("AWS::StackName", "DataStack")
            if "RedrivePolicy" in queue["Properties"] and named not in told:
                yield f"{name}: no alarm tells that a message of it is old"


def failures(api):
    for metric in sorted(FAILURES):
        if not on(api, metric):
            yield f"no alarm tells of the functions' metric {metric}"


def few(api):
    """CloudWatch takes an alarm over ten metrics at most."""
    for name, alarm in of_type(api, "AWS::CloudWatch::Alarm"):
        read = [one for one in alarm["Properties"].get("Metrics", []) if "MetricStat" in one]
        if len(read) > MOST_METRICS:
            yield f"{name}: reads {len(read)} metrics, and CloudWatch takes {MOST_METRICS}: divide its group (infra/stack/rows.py)"


def watched(api):
    """Each function is measured by an alarm on its errors and one on its throttles."""
    for metric in ("Errors", "Throttles"):
        measured = {at(one, "MetricStat", "Metric", "Dimensions")[0]["Value"]["Ref"]
                    for _, alarm in of_type(api, "AWS::CloudWatch::Alarm") for one in alarm["Properties"].get("Metrics", [])
                    if at(one, "MetricStat", "Metric", "MetricName") == metric}
        for name, _ in of_type(api, "AWS::Lambda::Function"):
            if name not in measured:
                yield f"{name}: no alarm tells of its metric {metric}"
