"""Fields of protobuf messages."""

from refusal import unserved


def is_set(message, name):
    """Returns true if a field holds something."""
    field = message.DESCRIPTOR.fields_by_name[name]
    return message.HasField(name) if field.has_presence else bool(getattr(message, name))


def optional(message, name):
    """Returns the value of an optional field; `None` where it is not set."""
    return getattr(message, name) if message.HasField(name) else None


def refuse_fields(message, *names):
    """Refuses a message in which one of these fields is set."""
    for name in names:
        if is_set(message, name):
            raise unserved(f"`{name}` of {message.DESCRIPTOR.name}")
