"""What a consumer holds of a watched table: an asynchronous iterator over its messages, with its view."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Final, NamedTuple, Self

from croupier_client.link import Frame
from croupier_protocol.codec import Codec
from croupier_protocol.messages.events import TableEvent, UnknownEvent
from croupier_protocol.messages.to_client import TableView
from croupier_protocol.messages.values import TableId

QUEUE_LIMIT: Final = 1024
"""Messages a watcher holds for a consumer that does not read: under 400 kB, 40 minutes of a live table."""

TableMessage = TableView | TableEvent | UnknownEvent
"""What watching a table yields: a snapshot, then events, and a snapshot wherever they do not join up."""

_log = logging.getLogger(__name__)


class _Item(NamedTuple):
    message: TableMessage
    view: TableView
    frame: Frame


class Watcher(AsyncIterator[TableMessage]):
    """The messages of one table, in order, without gap or duplicate, through reconnections.

    ``async for`` starts it. The first message is a `TableView`; another one comes wherever the stream was
    cut and could not be resumed, and replaces everything before it. After `TableClosed`, or a view of a
    table that has ended, the iteration ends. `view` is the table right after the
    message last yielded, and `frame` the frame that message came in.

    A consumer that stops reading holds `QUEUE_LIMIT` messages; with the next one they are all dropped in
    favour of one `TableView` of the present, and `skipped` counts them. Memory stays bounded, and what the
    consumer reads next is true.

    Leaving it as a context, or closing the client, ends it. After `break`, without a context, the table
    stays watched until the client is closed.
    """

    def __init__(
        self,
        table: TableId,
        codec: Codec,
        begin: Callable[["Watcher"], Awaitable[None]],
        end: Callable[["Watcher"], Awaitable[None]],
        limit: int = QUEUE_LIMIT,
    ) -> None:
        self.table = table
        self.view: TableView | None = None
        self.frame: Frame | None = None
        self.stalled_since_ms: int | None = None
        self.skipped = 0
        self._codec = codec
        self._begin: Callable[[Watcher], Awaitable[None]] | None = begin
        self._end = end
        self._limit = limit
        self._queue: deque[_Item] = deque()
        self._wake = asyncio.Event()
        self._error: Exception | None = None
        self._over = False

    @property
    def stalled(self) -> bool:
        """Whether the server says that the table stands still."""
        return self.stalled_since_ms is not None

    async def __anext__(self) -> TableMessage:
        """The next message.

        Raises:
            RefusedError: the server will not let this table be watched.
            CroupierError: the client has ended, for the reason that this error tells.
        """
        if self._begin is not None:
            begin, self._begin = self._begin, None
            await begin(self)
        while not self._queue:
            if self._error is not None:
                raise self._error
            if self._over:
                raise StopAsyncIteration
            self._wake.clear()
            await self._wake.wait()
        item = self._queue.popleft()
        self.view, self.frame = item.view, item.frame
        return item.message

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stops watching; messages not yet read are gone."""
        if not self._over:
            self.finish()
            self._queue.clear()
            await self._end(self)

    def put(self, message: TableMessage, view: TableView, frame: Frame) -> None:
        """Takes a message, and the view after it, for the consumer to read."""
        if self._over:
            return
        if len(self._queue) >= self._limit:
            self.skipped += len(self._queue) + 1
            _log.warning("%s: %d messages in all were not read in time", self.table, self.skipped)
            self._queue.clear()
            message, frame = view, self._frame(view)
        self._queue.append(_Item(message, view, frame))
        self._wake.set()

    def put_view(self, view: TableView) -> None:
        """Takes the table as this client already has it."""
        self.put(view, view, self._frame(view))

    def finish(self, error: Exception | None = None) -> None:
        """Ends the iteration after what is already queued: with `error`, or quietly."""
        self._over = True
        self._error = self._error or error
        self._begin = None
        self._wake.set()

    def _frame(self, view: TableView) -> Frame:
        """The frame that the server would send for `view`."""
        payload = self._codec.encode(view)
        return payload.decode() if self._codec.text else payload
