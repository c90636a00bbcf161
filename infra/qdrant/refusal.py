"""Calls that are refused: with the codes of Qdrant's server, and mostly its words."""

import grpc


class Refusal(Exception):
    """A call that is answered with a status instead of a reply."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


def bad_input(reason):
    """Refuses a request that its sender can repair."""
    return Refusal(grpc.StatusCode.INVALID_ARGUMENT, f"Wrong input: {reason}")


def unserved(what):
    """Refuses something that Qdrant serves and this program does not."""
    return Refusal(grpc.StatusCode.UNIMPLEMENTED, f"the stand-in for Qdrant does not serve {what}")


def not_found(reason):
    """Answers for something that is not there."""
    return Refusal(grpc.StatusCode.NOT_FOUND, f"Not found: {reason}")


def internal(reason):
    """Answers for a failure that is not the sender's."""
    return Refusal(grpc.StatusCode.INTERNAL, f"Service internal error: {reason}")


# The engine raises one kind of error for these, and for failures of its own. Vectors are checked before it sees them.
FAULTS_OF_REQUESTS = ("No range index for `order_by`", "No appropriate index for faceting")


def from_engine(error):
    """Converts an error of the engine into a refusal."""
    if isinstance(error, (ValueError, TypeError, OverflowError)) or str(error).startswith(FAULTS_OF_REQUESTS):
        return bad_input(error)
    return not_found(error) if str(error).startswith("No point with id") else internal(error)
