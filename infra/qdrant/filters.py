"""Filters, from protobuf to the engine; a condition that it does not know is refused by name."""

from datetime import datetime, timezone

import numpy
import qdrant_edge as engine

from ids import parse_id
from message import refuse_fields
from refusal import bad_input, unserved

MATCHES = {
    "keyword": engine.MatchValue,
    "integer": engine.MatchValue,
    # The engine takes Python's own `True` for the number 1.
    "boolean": lambda value: engine.MatchValue(numpy.bool_(value)),
    "text": engine.MatchText,
    "text_any": engine.MatchTextAny,
    "phrase": engine.MatchPhrase,
    "keywords": lambda values: engine.MatchAny(list(values.strings)),
    "integers": lambda values: engine.MatchAny(list(values.integers)),
    "except_keywords": lambda values: engine.MatchExcept(list(values.strings)),
    "except_integers": lambda values: engine.MatchExcept(list(values.integers)),
}
BOUNDS = ("lt", "gt", "gte", "lte")
# The years that a text of ISO 8601 can name.
FIRST = datetime.min.replace(tzinfo=timezone.utc)
LAST = datetime.max.replace(tzinfo=timezone.utc)


def parse(message):
    """Reads a filter."""
    least = None
    if message.HasField("min_should"):
        least = engine.MinShould(parse_all(message.min_should.conditions), message.min_should.min_count)
    return engine.Filter(
        must=parse_all(message.must) or None,
        should=parse_all(message.should) or None,
        must_not=parse_all(message.must_not) or None,
        min_should=least,
    )


def parse_of(request):
    """Reads the filter of a request; `None` where it has none."""
    return parse(request.filter) if request.HasField("filter") else None


def parse_selector(selector):
    """Reads which points an operation is about: `(ids, None)` or `(None, filter)`."""
    match selector.WhichOneof("points_selector_one_of"):
        case "points":
            return [parse_id(point_id) for point_id in selector.points.ids], None
        case "filter":
            return None, parse(selector.filter)
    raise bad_input("a points selector is required")


def parse_all(conditions):
    return [parse_condition(condition) for condition in conditions]


def parse_condition(message):
    kind = message.WhichOneof("condition_one_of")
    if kind is None:
        raise bad_input("a condition of the filter is empty or unknown")
    condition = getattr(message, kind)
    match kind:
        case "field":
            return parse_field(condition)
        case "is_empty":
            return engine.IsEmptyCondition(condition.key)
        case "is_null":
            return engine.IsNullCondition(condition.key)
        case "has_id":
            return engine.HasIdCondition({parse_id(point_id) for point_id in condition.has_id})
        case "has_vector":
            return engine.HasVectorCondition(condition.has_vector)
        case "filter":
            return parse(condition)
        case "nested" if condition.HasField("filter"):
            return engine.NestedCondition(condition.key, parse(condition.filter))
        case "nested":
            raise bad_input("a nested condition needs a filter")
    raise unserved(f"the {kind} condition")


def parse_field(condition):
    refuse_fields(condition, "geo_bounding_box", "geo_radius", "geo_polygon")
    tests = {}
    if condition.HasField("match"):
        tests["match"] = parse_match(condition.match)
    if condition.HasField("range"):
        tests["range"] = engine.RangeFloat(**parse_bounds(condition.range))
    if condition.HasField("datetime_range"):
        tests["datetime_range"] = engine.RangeDateTime(**parse_bounds(condition.datetime_range, parse_instant))
    if condition.HasField("values_count"):
        tests["values_count"] = engine.ValuesCount(**parse_bounds(condition.values_count))
    for name in ("is_empty", "is_null"):
        if condition.HasField(name):
            tests[name] = getattr(condition, name)
    # The engine would look at one of several and pass over the rest.
    if len(tests) != 1:
        raise bad_input(f"the condition on `{condition.key}` must hold one test that is known")
    (name, test), = tests.items()
    return engine.FieldCondition(condition.key, **{name.removeprefix("datetime_"): test})


def parse_match(message):
    kind = message.WhichOneof("match_value")
    if kind is None:
        raise bad_input("a match is empty or unknown")
    if kind not in MATCHES:
        raise unserved(f"the match `{kind}`")
    return MATCHES[kind](getattr(message, kind))


def parse_bounds(message, parse_bound=lambda bound: bound):
    return {name: parse_bound(getattr(message, name)) for name in BOUNDS if message.HasField(name)}


def parse_instant(time):
    """Reads an instant as the engine takes it, a text of ISO 8601. Those outside of its years are the first or the last."""
    try:
        return time.ToDatetime(tzinfo=timezone.utc).isoformat()
    except (ValueError, OverflowError):
        return (FIRST if time.seconds < 0 else LAST).isoformat()
