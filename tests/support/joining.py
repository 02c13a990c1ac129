"""Many who join a table at once, from a process of their own, and when each of them had the present.

Run as a program: port, how many, table, how many may be on their way at a time. It writes its figures when
all are there, reads on, and ends when its standard input does.
"""

import asyncio
import json
import os
import selectors
import socket
import sys
import time
from contextlib import asynccontextmanager

from croupier_client.load.files import raise_file_limit
from support.beside import program
from support.silent import REQUEST, watch

JOINED_S = 60.0


class Joiner:
    """One of them: connecting, asking, waiting for the present, watching."""

    def __init__(self, port: int, table: str) -> None:
        self.sock = socket.socket()
        self.sock.setblocking(False)
        self.sock.connect_ex(("127.0.0.1", port))
        self.begun = time.monotonic()
        self.upgraded = self.present_s = None
        self._table = table
        self._seen = b""

    def ready(self, events: int) -> None:
        """Goes on by what the socket allows now."""
        if self.upgraded is None and events & selectors.EVENT_WRITE:
            self.sock.send(REQUEST)
            self.upgraded = False
            return
        part = self.sock.recv(65_536)
        if not part:
            raise ConnectionError(f"ended after {self._seen[:200]!r}")
        if self.present_s is not None:
            return
        self._seen += part
        if not self.upgraded and b"\r\n\r\n" in self._seen:
            if not self._seen.startswith(b"HTTP/1.1 101 "):
                raise ConnectionError(f"refused: {self._seen[:100]!r}")
            self.upgraded = True
            self.sock.send(watch(self._table))
        if b'"type":"snapshot"' in self._seen:
            self.present_s = time.monotonic() - self.begun
            self._seen = b""


class Storm:
    """So many of them, some at a time."""

    def __init__(self, port: int, count: int, table: str, at_a_time: int) -> None:
        self._new = iter([lambda: Joiner(port, table)] * count)
        self._at_a_time = at_a_time
        self._selector = selectors.DefaultSelector()
        self._under_way = 0
        self._joined: list[float] = []
        self._failed: list[str] = []

    def run(self) -> dict:
        """Joins, and returns the figures."""
        begun = time.monotonic()
        self._begin()
        while self._under_way:
            for key, events in self._selector.select(JOINED_S):
                self._go_on(key.data, events)
            self._begin()
        took = sorted(self._joined)
        return {
            "joined": len(took),
            "failed": self._failed[:5],
            "all_s": time.monotonic() - begun,
            "p50_s": took[len(took) // 2],
            "p99_s": took[len(took) * 99 // 100],
        }

    def stay(self) -> None:
        """Reads on until standard input ends."""
        self._selector.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    os._exit(0)
                if not key.fileobj.recv(65_536):
                    self._selector.unregister(key.fileobj)

    def _begin(self) -> None:
        while self._under_way < self._at_a_time and (new := next(self._new, None)) is not None:
            joiner = new()
            self._selector.register(joiner.sock, selectors.EVENT_WRITE, joiner)
            self._under_way += 1

    def _go_on(self, joiner: Joiner, events: int) -> None:
        waiting = joiner.present_s is None
        try:
            joiner.ready(events)
        except OSError as error:
            self._failed.append(repr(error))
            self._selector.unregister(joiner.sock)
            self._under_way -= waiting
            return
        if events & selectors.EVENT_WRITE:
            self._selector.modify(joiner.sock, selectors.EVENT_READ, joiner)
        if waiting and joiner.present_s is not None:
            self._joined.append(joiner.present_s)
            self._under_way -= 1


@asynccontextmanager
async def joining(port: int, count: int, table: str, at_a_time: int):
    """Joins from another process; yields the figures when all are there, who stay until the end."""
    async with program(__file__, port, count, table, at_a_time) as process, asyncio.timeout(2 * JOINED_S):
        yield json.loads(await process.stdout.readline())


def main() -> None:
    """See the module."""
    raise_file_limit()
    storm = Storm(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    sys.stdout.write(f"{json.dumps(storm.run())}\n")
    sys.stdout.flush()
    storm.stay()


if __name__ == "__main__":
    main()
