"""Listening ports: bound once, and named for people."""

import asyncio
import errno
import ipaddress
import os
import socket
import time
from typing import Final

from croupier_server.errors import SetupError

PORT_S: Final = 2.0
"""How long a taken port is tried again: the worker of a killed supervisor needs a moment to end."""


async def bind_port(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        SetupError: the address is taken, not allowed or not this machine's.
    """
    deadline = time.monotonic() + PORT_S
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listening = socket.create_server((host, port), family=family, backlog=1024)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                await asyncio.sleep(0.05)
                continue
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise SetupError(f"cannot listen on {host} port {port}: {reason}") from error
        except UnicodeError as error:
            raise SetupError(f"cannot listen on {host} port {port}: {error}") from error
        listening.setblocking(False)
        return listening


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to what listens on `host`; a name but `localhost` may be any.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def url_of(listening: socket.socket) -> str:
    """The address under which a client on this machine reaches the port."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # named, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
