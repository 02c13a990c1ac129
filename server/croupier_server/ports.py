"""Listening ports: bound once, and named for people."""

import asyncio
import contextlib
import ctypes
import errno
import ipaddress
import os
import socket
import struct
import sys
import time
from typing import Final

from croupier_server.errors import SetupError

PORT_S: Final = 2.0
"""How long a taken port is tried again: the worker of a killed supervisor needs a moment to end."""

BACKLOG: Final = 4096
"""Connections that may wait to be taken, as many as Linux has by default. Who finds no place comes again
after 1 s, 3 s and 7 s, and everybody may reconnect at once."""

SO_ATTACH_FILTER: Final = 26
"""From Linux's asm-generic/socket.h; Python has no name for it."""


async def bind_port(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        SetupError: the address is taken, not allowed or not this machine's.
    """
    deadline = time.monotonic() + PORT_S
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                await asyncio.sleep(0.05)
                continue
            # What comes of looking a name up has numbers below zero, and its text has the address behind it.
            number, text = error.errno or 0, error.strerror or str(error)
            reason = os.strerror(number) if number > 0 else text.partition(" (while")[0]
            if error.errno == errno.EADDRINUSE:
                reason += "; another program listens there: choose another port"
            raise SetupError(f"cannot listen on {host} port {port}: {reason}") from error
        except UnicodeError as error:
            raise SetupError(f"cannot listen on {host} port {port}: {error}") from error
        listening.setblocking(False)
        return listening


def refuse_new(listening: socket.socket) -> None:
    """Lets nobody new into the queue of a listening socket that is about to be closed, on Linux.

    What is in the queue when the socket closes is reset. So the kernel drops the packets that begin a
    connection (SYN without ACK): their senders try again, and are refused by then. Connections on their way
    into the queue still get there. Elsewhere nothing happens.
    """
    if not sys.platform.startswith("linux"):
        return
    # Classic BPF on the TCP header, see linux/filter.h: code, jump if true, jump if false, operand.
    steps = (
        (0x30, 0, 0, 13),  # A = the byte with the flags
        (0x54, 0, 0, 0x12),  # A &= SYN | ACK
        (0x15, 0, 1, 0x02),  # when it is SYN alone
        (0x06, 0, 0, 0),  # drop
        (0x06, 0, 0, 0xFFFFFFFF),  # else keep all of it
    )
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    with contextlib.suppress(OSError):  # a sandbox without filters: then as elsewhere
        listening.setsockopt(
            socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(steps), ctypes.addressof(program))
        )


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
