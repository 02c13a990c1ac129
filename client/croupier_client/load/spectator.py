"""One spectator of a load test: as lean as a real client may be, and suspicious of every event."""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from croupier_client.address import Address
from croupier_client.errors import CroupierError, LinkLostError, ViolationError
from croupier_client.follower import BELIEVED_AHEAD
from croupier_client.link import Frame, Link
from croupier_client.load.tally import Tally
from croupier_client.timing import Backoff, Timing
from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.to_server import Hello, Since, Watch
from croupier_protocol.messages.values import TableId

_NO_EVENTS: Final = frozenset({"welcome", "heartbeat", "stalled", "live"})


class Header(Struct, frozen=True):
    """All that a spectator needs of any message; the rest is skipped while decoding."""

    type: str
    epoch: str = ""
    seq: int = 0
    at_ms: int = 0
    code: str = ""


_DECODER: Final = msgspec.msgpack.Decoder(Header)


def _decode(frame: Frame) -> Header:
    if isinstance(frame, str):
        raise ViolationError("the server sent a text frame")
    try:
        return _DECODER.decode(frame)
    except msgspec.MsgspecError as error:
        raise ViolationError(f"the server sent a frame that does not decode: {error}") from error


class Spectator:
    """Watches one table until it is cancelled, reconnecting and resuming as any client does."""

    def __init__(
        self,
        address: Address,
        table: TableId,
        tally: Tally,
        timing: Timing,
        server_ms: Callable[[], float],
    ) -> None:
        self._address = address
        self._table = table
        self._tally = tally
        self._timing = timing
        self._server_ms = server_ms
        self._since: Since | None = None
        self._live_from = 0
        self._ever = False
        self._ahead = 0

    async def run(self) -> None:
        """Watches; ends only when the server says that there is no use in trying again."""
        backoff = Backoff(self._timing)
        while True:
            try:
                await self._connection()
            except LinkLostError as lost:
                self._tally.failed(lost)
                await self._timing.sleep(backoff.wait_s(lost.retry_after_s))
            except CroupierError as error:
                self._tally.failed(error)
                return

    async def _connection(self) -> None:
        async with await Link.open(self._address, MSGPACK, self._timing) as link:
            await link.send(Hello())
            await link.send(Watch(table=self._table, since=self._since))
            watching = False
            try:
                while True:
                    frame = await link.receive_frame()
                    arrived_ms = self._server_ms()
                    header = _decode(frame)
                    if header.type == "error":
                        raise self._refused(header.code)
                    if header.type not in _NO_EVENTS:
                        self.take(header, arrived_ms)
                        if not watching:
                            watching = True
                            self._begin()
            finally:
                if watching:
                    self._tally.watching -= 1
                    self._tally.cuts += 1

    def _refused(self, code: str) -> CroupierError:
        if code == ErrorCode.SINCE_AHEAD:
            self._ahead += 1
            if self._ahead >= BELIEVED_AHEAD:
                self._ahead, self._since = 0, None
        return LinkLostError(f"the server refused to let us watch: {code}")

    def _begin(self) -> None:
        self._tally.watching += 1
        if not self._ever:
            self._ever = True
            self._tally.ever_watching += 1

    def take(self, header: Header, arrived_ms: float) -> None:
        """Takes the answer to `watch`, a snapshot or an event, which arrived at `arrived_ms` server time."""
        if header.type == "watching":
            self._live_from = header.seq
        elif header.type == "snapshot":
            self._take_snapshot(header)
        elif header.at_ms:
            self._take_event(header, arrived_ms)

    def _take_snapshot(self, header: Header) -> None:
        self._tally.snapshots += 1
        if self._since is not None:
            self._tally.later_snapshots += 1
            if header.epoch == self._since.epoch and header.seq < self._since.seq:
                self._tally.disorder += 1
        self._since = Since(epoch=header.epoch, seq=header.seq)

    def _take_event(self, header: Header, arrived_ms: float) -> None:
        self._tally.events += 1
        if header.seq > self._live_from:  # what was missed during a cut is late for another reason
            self._tally.latency.add(arrived_ms - header.at_ms)
        if self._since is None or header.epoch != self._since.epoch:
            self._tally.disorder += 1
        elif header.seq == self._since.seq:
            self._tally.duplicates += 1
            return
        elif header.seq < self._since.seq:
            self._tally.disorder += 1
            return
        elif header.seq > self._since.seq + 1:
            self._tally.gaps += 1
        self._since = Since(epoch=header.epoch, seq=header.seq)
