"""Where the passages are kept: with the engine that the stack starts, or on a Qdrant server that runs already."""

import hashlib
import platform
import urllib.parse
from pathlib import Path

import ports
from failure import Failure


def address(options):
    """Where Qdrant is: the server that was named, or the stand-in that the stack starts."""
    return (options.qdrant_url or f"http://{ports.HOST}:{options.qdrant_port}").rstrip("/")


def place(options):
    """Address and collection. On a server that serves others too, every state folder of every machine has its own."""
    if not options.qdrant_url:
        return {"qdrant_url": address(options), "qdrant_collection": "plumbline"}
    stack = f"{platform.node()}:{Path(options.state).resolve()}"
    return {"qdrant_url": address(options),
            "qdrant_collection": f"plumbline-{hashlib.sha256(stack.encode()).hexdigest()[:12]}"}


def called_at(options):
    """Where functions call Qdrant: with `--faults` at `plumbline-local`, which passes the calls on."""
    return f"http://{ports.HOST}:{options.faults_port}" if options.faults else address(options)


def require_server(url, faults):
    """Fails unless something like a gRPC server listens there."""
    if faults and url.startswith("https:"):
        raise Failure(f"--faults passes calls on to http addresses only, not to {url}")
    try:
        address = urllib.parse.urlsplit(url)
        host, port = address.hostname, address.port
    except ValueError:
        host = port = None
    if not host or not port or address.scheme not in ("http", "https"):
        raise Failure(f"{url} is no address of a Qdrant server; one looks like http://127.0.0.1:6334")
    if not ports.listening(port, host):
        raise Failure(f"nothing listens at {url}; start the Qdrant server, or give no QDRANT_URL (--qdrant-url) "
                      "to have the stack start a stand-in")
    if ports.healthy(url):
        raise Failure(f"{url} speaks REST; gRPC is wanted, which a Qdrant server has at port 6334 where nothing else is set")
