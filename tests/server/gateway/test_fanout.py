"""One frame for many, and what becomes of readers that do not read."""

import asyncio
import json

from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.events import BettingClosed
from croupier_server.gateway import fanout
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.fanout import Fanout, Outlet
from support.gateways import bare, dealing, gateway_on

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


class Transport:
    """Stands in for a transport whose peer does not read."""

    def __init__(self, queued: int) -> None:
        self.queued = queued

    def get_write_buffer_size(self) -> int:
        return self.queued


class Connection:
    """Stands in for a connection with so much queued."""

    def __init__(self, queued: int) -> None:
        self.transport = Transport(queued)


async def test_a_reader_that_is_over_the_bound_is_found_and_others_are_not():
    """H2."""
    room = Fanout()
    outlets = [Outlet(Connection(queued), MSGPACK) for queued in (0, 1024 * 1024, 1024 * 1024 + 1)]
    room.outlets.update(outlets)
    assert room.sweep(server_ms=1) == [outlets[2]]


async def test_a_reader_over_the_bound_is_cut_with_its_own_code(store, monkeypatch):
    """H2: here the bound is below zero, so whoever is there is over it."""
    monkeypatch.setattr(fanout, "MOST_QUEUED", -1)
    async with dealing(store.url), gateway_on(store.url) as running, bare(running.url) as client:
        async with asyncio.timeout(10):
            await client.connection.wait_closed()
        assert client.connection.close_code == 4001


async def test_a_quiet_connection_gets_a_heartbeat(store, monkeypatch):
    """H7."""
    monkeypatch.setattr(fanout, "QUIET_S", 0.0)
    async with dealing(store.url), gateway_on(store.url) as running, bare(running.url) as client:
        assert (await client.until("heartbeat"))["server_ms"] > 1_700_000_000_000
