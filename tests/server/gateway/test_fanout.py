"""One frame for many, and what becomes of readers that do not read."""

import asyncio
import json
import socket
from collections import Counter
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from websockets.protocol import State

from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.events import BettingClosed, TableEvent
from croupier_server.gateway import fanout, listener, outlet, room
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.outlet import Outlet
from croupier_server.table.pace import Pace
from support.gateways import bare, dealing, gateway_on
from support.serving import until
from support.silent import silent_watchers
from support.stores import turbo

EVENT = BettingClosed(7, table="t", epoch="e", seq=3, due_ms=5, at_ms=1_700_000_000_000)


class Counting:
    """A codec that counts."""

    def __init__(self, codec) -> None:
        self.codec = codec
        self.text = codec.text
        self.encoded = 0

    def encode(self, message):
        self.encoded += 1
        return self.codec.encode(message)


def test_an_event_is_encoded_once_however_many_want_it():
    """H6."""
    codec = Counting(JSON)
    event = Encoded(EVENT, MSGPACK.encode(EVENT))
    payloads = {event.payload(codec) for _ in range(1_000)}
    assert codec.encoded == 1
    assert [json.loads(payload)["round"] for payload in payloads] == [7]


def test_the_dealers_own_bytes_go_out_as_they_are():
    """H6: the codec that the dealer used is not asked again."""
    assert Encoded(EVENT, b"as the dealer wrote it").payload(MSGPACK) == b"as the dealer wrote it"


@pytest.mark.parametrize(
    "count", [pytest.param(120, marks=pytest.mark.slow), pytest.param(1_000, marks=pytest.mark.long)]
)
async def test_an_event_at_a_gateway_is_encoded_once_for_everyone_who_watches(store, monkeypatch, count):
    """H6: once for all who speak JSON, and not at all for those who take the dealer's own bytes."""
    times, payload = Counter(), Encoded.payload

    def counted(self, codec):
        if codec not in self._payloads and isinstance(self.message, TableEvent):
            times[codec.subprotocol, self.message.seq] += 1
        return payload(self, codec)

    monkeypatch.setattr(Encoded, "payload", counted)
    async with (
        dealing(store.url),
        gateway_on(store.url) as running,
        silent_watchers(running.port, count, ["standard"]),
        bare(running.url, "croupier.v1.json", close_timeout=0.1) as last,
        bare(running.url, "croupier.v1.msgpack", close_timeout=0.1) as other,
    ):
        for client in (last, other):
            await client.send(type="watch", table="standard")
        await until(lambda: running.gateway.fanout.watchers("standard") == count + 2)
        first = (await last.until("betting"))["seq"]
        while (event := await last.receive())["type"] != "settled":
            pass
        await other.until("settled")
    told = range(first, event["seq"])
    assert len(told) > 5
    assert [times["croupier.v1.json", seq] for seq in told] == [1] * len(told)
    assert {codec for codec, _ in times} == {"croupier.v1.json"}


class Transport:
    """Stands in for a transport whose peer does not read."""

    def __init__(self, queued: int) -> None:
        self.queued = queued

    def get_write_buffer_size(self) -> int:
        return self.queued

    def get_extra_info(self, _name):
        return None


class Connection:
    """Stands in for a connection with so much queued."""

    def __init__(self, queued: int) -> None:
        self.transport = Transport(queued)
        self.protocol = None

    def mark(self, waterline) -> None:
        """Nothing here is ever clear."""


async def test_a_reader_that_is_over_the_bound_is_found_and_others_are_not():
    """H2."""
    outlets = [Outlet(Connection(queued), MSGPACK) for queued in (0, 1024 * 1024, 1024 * 1024 + 1)]
    assert Fanout().sweep(outlets, server_ms=1) == [outlets[2]]


class Open(Connection):
    """One that takes whatever is written, and whose queue is set by hand."""

    def __init__(self) -> None:
        super().__init__(0)
        self.protocol = SimpleNamespace(state=State.OPEN)
        self.transport.is_closing = lambda: False
        self.transport.write = lambda _frames: None


async def test_a_peer_is_behind_when_much_has_waited_for_it_for_long():
    """H2: what a gateway that was held up has to say at once is no fault of who reads it."""
    bound = outlet.Bound(64, seconds=1.0)
    reader = Outlet(Open(), MSGPACK)
    assert reader.put(b"first", 10.0, bound)
    reader.connection.transport.queued = 100_000
    assert reader.put(b"much", 10.9, bound)
    assert not reader.put(b"more", 11.1, bound)
    reader.connection.transport.queued = 64
    assert reader.put(b"little", 11.1, bound)
    reader.connection.transport.queued = 0
    assert reader.put(b"first", 20.0, bound)
    reader.connection.transport.queued = 100_000
    assert reader.put(b"much", 21.0, bound)


async def test_an_outlet_is_clear_while_nothing_waits_and_nobody_has_said_goodbye(store, monkeypatch):
    """What goes straight to the descriptor must not overtake what waits, nor follow a goodbye."""
    monkeypatch.setattr(listener, "CLOSE_S", 0.1)
    async with dealing(store.url), gateway_on(store.url) as running:
        small = small_socket(running.port)
        async with bare(running.url, sock=small, max_queue=1, close_timeout=0.1) as client:
            assert (await client.ask(type="ping"))["type"] == "pong"
            [reader] = running.gateway.fanout.outlets
            assert reader.clear
            while reader.clear:
                reader.put(Encoded(EVENT).frame(JSON) * 1_000, now=0.0)
            assert reader.queued > 0
            read = asyncio.create_task(client.until("never"))
            await until(lambda: reader.clear)
            assert reader.queued == 0
            read.cancel()
            closing = asyncio.create_task(reader.connection.close())
            await asyncio.sleep(0)
            assert not reader.clear
            await closing
        assert not reader.clear


async def test_on_another_event_loop_everything_goes_by_its_transports_in_order(store, monkeypatch):
    """N9: only of asyncio's own loop is it known what a transport does with its descriptor."""
    monkeypatch.setattr(asyncio, "SelectorEventLoop", type("Another", (), {}))
    async with dealing(store.url), gateway_on(store.url) as running, bare(running.url) as client:
        await client.send(type="watch", table="standard")
        first = await client.until("snapshot")
        [reader] = running.gateway.fanout.outlets
        assert (reader.descriptor, reader.clear) == (None, False)
        told = [(await client.receive())["seq"] for _ in range(10)]
        assert told == list(range(first["seq"] + 1, first["seq"] + 11))


async def test_a_connection_that_cannot_be_written_to_ends_alone(store, caplog, monkeypatch):
    """G5: those in the same row are told everything, and the table goes on."""
    async with (
        dealing(store.url),
        gateway_on(store.url) as running,
        bare(running.url) as before,
        bare(running.url) as broken,
        bare(running.url) as after,
    ):
        for client in (before, broken, after):
            await client.send(type="watch", table="standard")
            await client.until("snapshot")
        [reader] = [
            one
            for one in running.gateway.fanout.outlets
            if one.connection.remote_address == broken.connection.local_address
        ]
        reader.descriptor, reader.clear = None, False
        monkeypatch.setattr(reader.connection, "transport", Broken(reader.connection.transport))
        seen = {client: [await client.until("betting")] for client in (before, after)}
        for _ in range(20):
            for client, events in seen.items():
                events.append(await client.receive())
        for events in seen.values():
            assert [event["seq"] for event in events] == list(range(events[0]["seq"], events[0]["seq"] + 21))
        assert running.gateway.fanout.watchers("standard") == 2
    assert "cannot be written to" in caplog.text


class Broken:
    """A transport that takes nothing more, as no transport should be; all else is as it was."""

    def __init__(self, transport) -> None:
        self.transport = transport

    def __getattr__(self, name):
        return getattr(self.transport, name)

    def write(self, _frames) -> None:
        raise RuntimeError("this transport is broken")


async def test_a_reader_over_the_bound_is_cut_with_its_own_code(store, monkeypatch):
    """H2: here the bound is below zero and nobody is known to be clear, so whoever is there is over it."""
    monkeypatch.setattr(outlet, "MOST_QUEUED", -1)
    monkeypatch.setattr(outlet, "_plain_descriptor", lambda _transport: None)
    async with dealing(store.url), gateway_on(store.url) as running, bare(running.url) as client:
        async with asyncio.timeout(10):
            await client.connection.wait_closed()
        assert client.connection.close_code == 4001


async def test_a_quiet_connection_gets_a_heartbeat(store, monkeypatch):
    """H7."""
    monkeypatch.setattr(fanout, "QUIET_S", 0.0)
    async with dealing(store.url), gateway_on(store.url) as running, bare(running.url) as client:
        assert (await client.until("heartbeat"))["server_ms"] > 1_700_000_000_000


RUSH = Pace("rush", shuffling_ms=1, betting_ms=5, closing_ms=1, card_ms=1, result_ms=1)
"""Hundreds of events a second."""


@pytest.fixture
async def rush(store, monkeypatch):
    """A gateway whose kernel holds little, on a table in a hurry."""
    monkeypatch.setattr(listener, "SEND_BUFFER", 1)
    monkeypatch.setattr(listener, "CLOSE_S", 0.1)
    monkeypatch.setattr(listener, "HOUSEKEEPING_S", 0.02)
    monkeypatch.setattr(room, "MOST_WAITING", outlet.Bound(1_000, 0.05))
    settings = replace(turbo("standard"), pace=RUSH)
    async with dealing(store.url, [settings]), gateway_on(store.url) as running:
        yield running


def small_socket(port: int) -> socket.socket:
    """A connected socket for which the kernel holds little."""
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    small.connect(("127.0.0.1", port))
    small.setblocking(False)
    return small


async def test_a_reader_that_stops_is_moved_to_the_present_when_it_reads_again(rush, monkeypatch):
    """H2, H3: no event is dropped alone; what was missed is one snapshot, and all events after it follow."""
    audience = rush.gateway.fanout
    async with bare(rush.url, sock=small_socket(rush.port), max_queue=1) as client:
        await client.send(type="watch", table="standard")
        first = await client.until("snapshot")
        await until(lambda: audience.lagging == 1)
        seen = [first["seq"]]
        while (message := await client.receive())["type"] != "snapshot":
            seen.append(message["seq"])
        assert seen == list(range(seen[0], seen[0] + len(seen)))
        assert message["seq"] > seen[-1] + 1
        monkeypatch.setattr(room, "MOST_WAITING", outlet.Bound(1_000_000, 10.0))
        present, after = message["seq"], []
        while len(after) < 20:
            message = await client.receive()
            if message["type"] == "snapshot":  # it may have fallen behind once more
                present, after = message["seq"], []
            else:
                after.append(message["seq"])
        assert after == list(range(present + 1, present + 21))
        assert audience.moved_to_present >= 1


async def test_a_reader_that_never_reads_again_is_cut_and_others_miss_nothing(rush, monkeypatch):
    """H2."""
    monkeypatch.setattr(fanout, "LAGGING_S", 0.1)
    audience = rush.gateway.fanout
    async with (
        bare(rush.url, sock=small_socket(rush.port), max_queue=1, close_timeout=0.1) as slow,
        bare(rush.url) as quick,
    ):
        for client in (slow, quick):
            await client.send(type="watch", table="standard")
        seen = [(await quick.until("snapshot"))["seq"]]
        while len(audience.outlets) == 2:
            seen.append((await quick.receive())["seq"])
        assert seen == list(range(seen[0], seen[0] + len(seen)))
