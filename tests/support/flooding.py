"""A process that sends to one port what nobody should, again and again when it is cut.

Run as a program: the port and what to send. It ends when its standard input does, or when all has been sent,
and writes how many connections it took.
"""

import contextlib
import os
import select
import socket
import sys
import time

from support.beside import program
from support.silent import REQUEST, client_frame

FRAMES_A_SECOND = 1_000
HALF_OPEN = 200
GARBAGE = 100_000_000


def stopped(seconds: float = 0.0) -> bool:
    """Whether standard input has ended, after so long a wait at most."""
    return bool(select.select([sys.stdin], [], [], seconds)[0])


def upgraded(port: int) -> socket.socket:
    """A websocket, by hand."""
    sock = socket.create_connection(("127.0.0.1", port))
    sock.sendall(REQUEST)
    sock.recv(4096)
    return sock


def send_frames(port: int) -> int:
    """Commands at a steady rate from one socket at a time; answers are read."""
    begun, ping = 0, client_frame('{"type":"ping"}')
    while not stopped():
        begun += 1
        with contextlib.suppress(OSError), upgraded(port) as sock:
            sock.setblocking(False)
            due = time.monotonic()
            while not stopped(max(0.0, due - time.monotonic())):
                due += 0.01
                sock.send(ping * (FRAMES_A_SECOND // 100))
                with contextlib.suppress(BlockingIOError):
                    if not sock.recv(1 << 20):
                        break
    return begun


def hold_half_open(port: int) -> int:
    """So many connections that have begun a request; those that are ended are replaced."""
    begun, held = 0, []
    while not stopped(0.1):
        for sock in list(held):
            with contextlib.suppress(BlockingIOError):
                try:
                    ended = not sock.recv(4096)
                except ConnectionError:
                    ended = True
                if ended:
                    held.remove(sock)
                    sock.close()
        while len(held) < HALF_OPEN:
            sock = socket.create_connection(("127.0.0.1", port))
            sock.sendall(b"GET /ws HTTP/1.1\r\nHost:")
            sock.setblocking(False)
            held.append(sock)
            begun += 1
    return begun


def send_garbage(port: int) -> int:
    """So many bytes that are no request and no frame: by turns at once, and over a websocket."""
    begun, sent, part = 0, 0, os.urandom(65_536).replace(b"\n", b"")
    while sent < GARBAGE:
        begun += 1
        with contextlib.suppress(OSError):
            opened = upgraded(port) if begun % 2 else socket.create_connection(("127.0.0.1", port))
            with opened as sock:
                sock.settimeout(5)
                while sent < GARBAGE:
                    sock.sendall(part)
                    sent += len(part)
    return begun


FLOODS = {"frames": send_frames, "half-open": hold_half_open, "garbage": send_garbage}


def flooding(port: int, what: str):
    """Such a process; killed at the end, if it lives."""
    return program(__file__, port, what)


if __name__ == "__main__":
    sys.stdout.write(f"{FLOODS[sys.argv[2]](int(sys.argv[1]))}\n")
