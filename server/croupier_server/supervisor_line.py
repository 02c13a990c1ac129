"""A worker's end of the pipes to its supervisor; see `worker_orders` for what passes."""

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from typing import Self

from croupier_server.worker_orders import LONGEST_LINE, WorkerOrders, answer_line

logger = logging.getLogger(__name__)


class SupervisorLine:
    """Standard input and output. `answers` says how each question is answered; `gone` is set when the
    supervisor is.

    Nothing here waits for the supervisor to read: what its pipe does not take is kept, and that is one answer
    to each question at most.
    """

    def __init__(self, reading: asyncio.StreamReader, writing: asyncio.WriteTransport) -> None:
        self.gone = asyncio.Event()
        self.answers: Mapping[bytes, Callable[[], bytes]] = {}
        self._reading = reading
        self._writing = writing

    @classmethod
    async def open(cls) -> Self:
        """Takes the pipes over."""
        loop = asyncio.get_running_loop()
        reading = asyncio.StreamReader(limit=LONGEST_LINE)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reading), sys.stdin)
        writing, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)
        return cls(reading, writing)

    async def orders(self) -> WorkerOrders:
        """What the worker is to do: the first line."""
        return WorkerOrders.decode(await self._reading.readline())

    def tell(self, line: bytes) -> None:
        """Says something unasked."""
        self._writing.write(line)

    async def listen(self) -> None:
        """Answers questions until the supervisor is gone; with nothing, when the answer cannot be made."""
        while line := await self._reading.readline():
            question = line.rstrip()
            try:
                answer = self.answers[question]()
            except Exception:  # the tables have nothing to do with it
                logger.exception("the supervisor asked %s", question)
                answer = b""
            self._writing.write(answer_line(question, answer))
        self.gone.set()
