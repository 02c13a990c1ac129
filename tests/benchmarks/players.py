"""Players for the benchmark of slips: many sockets in a process of their own, as cheap as Python allows.

Each player is a guest on a websocket of its own, seated at the table, with one slip in flight. Frames are
made and read by hand, so that the measuring side takes as little of the machine as it can.
"""

import asyncio
import os
import struct
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Final

import msgspec

from croupier_protocol.codec import MSGPACK
from croupier_protocol.messages.to_server import ClientMessage, Sit, Slip, Watch

SLIPS: Final = (
    {"player": 500, "tie": 100},
    {"banker": 2_500},
    {"player": 1_000},
    {"banker": 500, "tie": 200},
)

BUY_IN: Final = 500_00

_HANDSHAKE: Final = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Protocol: {MSGPACK.subprotocol}\r\n\r\n"
)


class _Message(msgspec.Struct):
    """What a player looks at in a message."""

    type: str
    id: int | None = None
    rev: int = 0
    round: int = 0
    phase: str = ""
    code: str = ""


_DECODER: Final = msgspec.msgpack.Decoder(_Message)


class Player(asyncio.Protocol):
    """One socket. `answered` is called with each answer to a slip, when `ready` has been set."""

    def __init__(self, number: int, table: str) -> None:
        self.number, self.table = number, table
        self.ready = asyncio.get_running_loop().create_future()
        self.answered: Callable[[Player], None] = lambda _: None
        self.rev = self.round = self.sent = self.other_frames = 0
        self.due = 0.0
        self.in_flight = False
        self._buffer = bytearray()
        self._open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        transport.write(_HANDSHAKE.encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"player {self.number}: {error}"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(head.decode())
            self._open, self._buffer = True, rest
            self._send(Watch(table=self.table))
            self._send(Sit(id=1, table=self.table, buy_in=BUY_IN, op=f"sit-{self.number:08}"))
        while (frame := self._frame()) is not None:
            opcode, payload = frame
            if opcode == 9:
                self._write(0x8A, payload)
            elif opcode == 2:
                self._take(payload)
            elif opcode == 8:
                raise ConnectionError(f"player {self.number} was cut: {payload!r}")

    def place(self, due: float) -> None:
        """Sends the next slip; `due` is when it was to be sent."""
        self.due, self.in_flight = due, True
        self.sent += 1
        op = f"slip{self.sent:010}"
        bets = SLIPS[(self.sent + self.number) % len(SLIPS)]
        self._send(Slip(id=2, table=self.table, round=self.round, rev=self.rev, op=op, bets=bets))

    def _take(self, payload: bytes) -> None:
        message = _DECODER.decode(payload)
        if message.id == 2:
            if message.type != "slip_accepted":
                raise ValueError(f"player {self.number}: a slip was answered {message}")
            self.rev, self.in_flight = message.rev, False
            self.answered(self)
            return
        self.other_frames += 1
        if message.type == "me" and message.id == 1:
            self.rev = message.rev
            self.ready.set_result(None)
        elif message.type == "error":
            self.ready.set_exception(ValueError(f"player {self.number}: {message}"))
        elif message.type in {"snapshot", "betting_opened"}:
            self.round = message.round

    def _send(self, command: ClientMessage) -> None:
        self._write(0x82, MSGPACK.encode(command))

    def _write(self, head: int, payload: bytes) -> None:
        size = len(payload)
        header = bytes((head, 0x80 | size)) if size < 126 else struct.pack(">BBH", head, 0xFE, size)
        self._transport.write(header + b"\0\0\0\0" + payload)  # masked with zeros

    def _frame(self) -> tuple[int, bytes] | None:
        """The next whole frame in the buffer."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1], 2
        if size == 126:
            size, start = int.from_bytes(buffer[2:4]), 4
        elif size == 127:
            size, start = int.from_bytes(buffer[2:10]), 10
        if len(buffer) < start + size:
            return None
        payload = bytes(buffer[start : start + size])
        opcode = buffer[0] & 0x0F
        del buffer[: start + size]
        return opcode, payload


class Figures(msgspec.Struct):
    """What a run came to."""

    slips: int
    seconds: float
    p50_ms: float
    p99_ms: float
    longest_ms: float
    other_frames: int


class Crowd:
    """All players, playing at once."""

    def __init__(self, players: list[Player]) -> None:
        self._players = players

    async def as_fast_as_answered(self, seconds: float) -> Figures:
        """Everyone sends the next slip as soon as the last one is answered."""
        now = time.perf_counter
        until = now() + seconds

        def answered(player: Player) -> None:
            if now() < until:
                player.place(now())

        return await self._play(seconds, answered, [0.0] * len(self._players))

    async def at_rate(self, rate: float, seconds: float) -> Figures:
        """Slips are due evenly at `rate` a second, in turn; each one's delay counts from when it was due."""
        now, loop = time.perf_counter, asyncio.get_running_loop()
        every = len(self._players) / rate
        until = now() + seconds

        def answered(player: Player) -> None:
            due = player.due + every
            if due < until:
                loop.call_later(max(0.0, due - now()), player.place, due)

        return await self._play(seconds, answered, [place / rate for place in range(len(self._players))])

    async def _play(self, seconds: float, then: Callable[[Player], None], starts: list[float]) -> Figures:
        now, loop = time.perf_counter, asyncio.get_running_loop()
        delays: list[float] = []

        def answered(player: Player) -> None:
            delays.append(now() - player.due)
            then(player)

        others = sum(player.other_frames for player in self._players)
        begin = now()
        for player, start in zip(self._players, starts, strict=True):
            player.answered = answered
            loop.call_later(start, player.place, begin + start)
        await asyncio.sleep(seconds)
        while any(player.in_flight for player in self._players):
            await asyncio.sleep(0.005)
        took = now() - begin
        delays.sort()
        return Figures(
            slips=len(delays),
            seconds=took,
            p50_ms=delays[len(delays) // 2] * 1000,
            p99_ms=delays[len(delays) * 99 // 100] * 1000,
            longest_ms=delays[-1] * 1000,
            other_frames=sum(player.other_frames for player in self._players) - others,
        )


def play(orders: Connection, port: int, table: str, count: int) -> None:
    """A process of players: takes (rate or None, seconds) from the pipe and answers with `Figures`."""
    asyncio.run(_play(orders, port, table, count))


async def _play(orders: Connection, port: int, table: str, count: int) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_give_up)
    players = []
    for number in range(count):
        _, player = await loop.create_connection(
            lambda number=number: Player(number, table), "127.0.0.1", port
        )
        await player.ready
        players.append(player)
    crowd = Crowd(players)
    orders.send(None)
    while (order := await loop.run_in_executor(None, orders.recv)) is not None:
        rate, seconds = order
        figures = crowd.as_fast_as_answered(seconds) if rate is None else crowd.at_rate(rate, seconds)
        orders.send(await figures)


def _give_up(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Ends the process: a figure that hides a failure is none."""
    print(context, file=sys.stderr)
    os._exit(1)
