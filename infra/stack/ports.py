"""Who listens on a port of this machine, and waiting until somebody does."""

import http.client
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path

from failure import Failure

HOST = "127.0.0.1"


def require_free(port, part, option):
    """Fails, naming the holder where it is known, if the port cannot be had."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            holder = holder_of(port)
            by = f" by {holder}" if holder else ""
            raise Failure(f"port {port}, wanted for {part}, is in use{by} ({error.strerror}); "
                          f"choose another with {option} PORT") from None


def listening(port, host=HOST):
    """Whether a connection to the port is accepted."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def healthy(url):
    """Whether the address answers 200."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError, http.client.HTTPException):
        return False


def wait_until(ready, still_running, seconds):
    """Polls until `ready`; False when the process ended or the time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if ready():
            return True
        if not still_running():
            return False
        time.sleep(0.05)
    return False


def holder_of(port):
    """`name (pid)` of who listens on the port; None where the system does not tell."""
    sockets = listening_sockets(port)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if any(str(link.readlink()) in sockets for link in (folder / "fd").iterdir()):
                return f"{(folder / 'comm').read_text().strip()} (pid {folder.name})"
        except OSError:
            continue
    return None


def listening_sockets(port):
    """The kernel's names of the sockets that listen on the port."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            rows = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, rows):
            if fields[3] == "0A" and int(fields[1].rsplit(":", 1)[1], 16) == port:
                found.add(f"socket:[{fields[9]}]")
    return found
