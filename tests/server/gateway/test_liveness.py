"""Connections whose peer is gone are found and ended; those whose peer answers stay."""

import asyncio

import pytest

from croupier_server.gateway import fanout, listener, liveness
from support.gateways import bare, dealing, gateway_on
from support.knocking import REQUEST
from support.serving import until

PING_FRAME = b"\x89\x00"


@pytest.fixture
async def gateway(store, monkeypatch):
    """A gateway that soon asks whether anybody is there."""
    monkeypatch.setattr(listener, "HOUSEKEEPING_S", 0.02)
    monkeypatch.setattr(listener, "CLOSE_S", 0.2)
    monkeypatch.setattr(liveness, "PING_S", 0.1)
    monkeypatch.setattr(liveness, "ANSWER_S", 0.3)
    async with dealing(store.url), gateway_on(store.url) as running:
        yield running


async def test_who_does_not_answer_a_ping_is_taken_for_dead_and_who_does_stays(gateway):
    """H8: on a dead network nothing says that the connection has ended."""
    outlets = gateway.gateway.fanout.outlets
    async with bare(gateway.url) as alive:
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        writer.write(REQUEST)
        await until(lambda: len(outlets) == 2)
        answer = await asyncio.wait_for(reader.read(), 20)  # to the end: the gateway hangs up
        assert answer.startswith(b"HTTP/1.1 101 ")
        assert PING_FRAME in answer
        await until(lambda: len(outlets) == 1)
        assert (await alive.ask(type="ping"))["type"] == "pong"
        writer.close()


async def test_who_is_told_goodbye_and_does_not_hang_up_is_ended_soon(gateway, monkeypatch):
    """Else whoever goes on sending keeps a connection that the library has closed over a bad frame."""
    monkeypatch.setattr(liveness, "PING_S", 60.0)
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(REQUEST)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\x82\xfe\x20\x00" + bytes(4))  # a frame of 8 KiB begins
    answer = await asyncio.wait_for(reader.read(), 20)
    assert answer[2:4] == (1009).to_bytes(2, "big")
    await until(lambda: not gateway.gateway.fanout.outlets)
    writer.close()


async def test_pings_do_not_take_the_place_of_heartbeats(gateway, monkeypatch):
    """H7: a page sees no ping, and takes a silent connection for dead."""
    monkeypatch.setattr(fanout, "QUIET_S", 0.3)
    async with bare(gateway.url) as client:
        await client.until("heartbeat")
        await client.until("heartbeat")


async def test_nothing_is_kept_of_the_headers_of_a_handshake(gateway):
    """A browser's take kilobytes, and it watches for hours."""
    async with bare(gateway.url, additional_headers={"User-Agent": "x" * 1_000}) as client:
        await client.ask(type="ping")
        [outlet] = gateway.gateway.fanout.outlets
        assert dict(outlet.connection.request.headers) == {}
        assert dict(outlet.connection.response.headers) == {}


async def test_a_gateway_that_stood_still_asks_again_before_it_gives_anybody_up():
    """A worker that was frozen for minutes has heard nobody for minutes."""

    class Peer:
        heard_at, pinged_at, close_deadline = 10.0, 5.0, None

    class Quiet:
        def __init__(self) -> None:
            self.connection, self.pings = Peer(), 0

        def ping(self) -> None:
            self.pings += 1

    quiet = Quiet()
    assert liveness.look_after([quiet], 500.0) == []
    assert quiet.pings == 1
    assert liveness.look_after([quiet], 529.0) == []
    assert quiet.pings == 1
    assert liveness.look_after([quiet], 531.0) == [quiet]
    quiet.connection.heard_at = 530.5
    assert liveness.look_after([quiet], 531.0) == []
