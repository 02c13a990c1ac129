"""Answers whoever still connects while a server stops: come back in a moment. Nobody is reset.

The workers have left the port by then, so what the kernel queues for it would be reset when it closes.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from croupier_protocol.messages.errors import CLOSE_MEANINGS, CloseCode
from croupier_server.ports import refuse_new

REQUEST_S: Final = 1.0
"""How long a visitor may take to ask, and then to hang up."""

LONGEST_REQUEST: Final = 16 * 1024
"""Bytes; nothing in a request changes the answer, but what is left unread would reset the connection."""

MOST_VISITORS: Final = 500
"""Answered at the same time; the others wait in the queue. Those in the queue at the end are all answered."""

UNDER_WAY_S: Final = 0.1
"""A connection that has begun when no new ones are let in gets this long to reach the queue: a round trip."""

_BODY: Final = f"{CLOSE_MEANINGS[CloseCode.DRAINING]}\n".encode()

ANSWER: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Retry-After: 1\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\n"
    b"Cache-Control: no-store\r\n"
    b"Connection: close\r\n"
    b"\r\n"
    b"%b"
) % (len(_BODY), _BODY)


@asynccontextmanager
async def turning_away(listening: socket.socket) -> AsyncIterator[None]:
    """Meanwhile everybody who connects is turned away; afterwards nobody is left in the queue to be reset."""
    desk = _Desk(listening)
    desk.open()
    try:
        yield
    finally:
        refuse_new(listening)
        await asyncio.sleep(UNDER_WAY_S)
        await desk.close()


class _Desk:
    """Takes visitors as they come, `MOST_VISITORS` at a time."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._visits: set[asyncio.Task[None]] = set()
        self._open = False

    def open(self) -> None:
        self._open = True
        asyncio.get_running_loop().add_reader(self._listening, self._take)

    async def close(self) -> None:
        """Takes those who are in the queue, and returns when all have gone."""
        self._open = False
        asyncio.get_running_loop().remove_reader(self._listening)
        while self._take():
            pass
        await asyncio.gather(*self._visits)

    def _take(self) -> bool:
        """Takes the next visitor, if there is one."""
        try:
            visitor, _ = self._listening.accept()
        except OSError:
            return False
        visitor.setblocking(False)
        visit = asyncio.create_task(_answer(visitor))
        self._visits.add(visit)
        visit.add_done_callback(self._gone)
        if len(self._visits) >= MOST_VISITORS:
            asyncio.get_running_loop().remove_reader(self._listening)
        return True

    def _gone(self, visit: asyncio.Task[None]) -> None:
        self._visits.discard(visit)
        if self._open:
            self.open()


async def _answer(visitor: socket.socket) -> None:
    """Reads a request, answers it, and waits for the visitor to hang up: so the answer arrives."""
    with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError):  # a time-out is an OSError
        reader, writer = await asyncio.open_connection(sock=visitor, limit=LONGEST_REQUEST)
        try:
            async with asyncio.timeout(REQUEST_S):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(ANSWER)
                writer.write_eof()
                while await reader.read(LONGEST_REQUEST):
                    pass
        finally:
            writer.close()
