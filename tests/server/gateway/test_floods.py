"""A connection that sends more than it may is refused and then cut; nobody else notices."""

import asyncio

import pytest
from websockets.exceptions import ConnectionClosed

from croupier_protocol.messages.to_server import Lobby, Ping
from croupier_server.gateway import door
from croupier_server.gateway.budget import Budget
from support.gateways import bare, dealing, gateway_on
from support.knocking import REQUEST
from support.serving import until


@pytest.fixture
async def gateway(store):
    """A gateway with one turbo table that is being dealt."""
    async with dealing(store.url), gateway_on(store.url) as running:
        yield running


def test_a_burst_is_answered_and_then_two_hundred_a_second():
    budget = Budget(now=100.0)
    assert sum(budget.take(Ping(), now=100.0) for _ in range(900)) == 600
    assert sum(budget.take(Ping(), now=101.0) for _ in range(900)) == 200
    assert sum(budget.take(Ping(), now=200.0) for _ in range(900)) == 600


def test_a_lobby_costs_as_much_as_twenty_pings():
    budget = Budget(now=0.0)
    assert sum(budget.take(Lobby(), now=0.0) for _ in range(100)) == 30


def test_who_goes_on_after_refusals_is_cut_and_who_stops_is_not():
    budget = Budget(now=0.0)
    for _ in range(600 + 199):
        budget.take(Ping(), now=0.0)
    assert not budget.spent
    assert budget.take(Ping(), now=1.0)
    for _ in range(199 + 200):
        budget.take(Ping(), now=1.0)
    assert budget.spent


def test_who_sends_three_times_too_much_is_cut_and_who_sends_a_little_too_much_is_not():
    slow, quick = Budget(now=0.0), Budget(now=0.0)
    for tick in range(1, 1_001):  # ten seconds
        for _ in range(3):
            slow.take(Ping(), now=tick / 100)
        for _ in range(6):
            quick.take(Ping(), now=tick / 100)
    assert not slow.spent
    assert quick.spent


async def test_a_flooding_connection_is_cut_for_good_and_others_go_on(gateway):
    """L13."""
    async with bare(gateway.url) as other, bare(gateway.url) as client:
        await other.ask(type="watch", table="standard")
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(3_000):
                await client.send(type="lobby")
            while True:
                await client.receive()
        assert closed.value.rcvd.code == 4501
        first = await other.until("card")
        assert (await other.until("settled"))["seq"] > first["seq"]
        assert (await other.ask(type="ping"))["type"] == "pong"


async def test_a_refused_command_says_busy_and_the_connection_goes_on(gateway):
    async with bare(gateway.url) as client:
        for _ in range(40):
            await client.send(type="lobby")
        assert (await client.until("error"))["code"] == "busy"
        while (await client.ask(type="ping"))["type"] != "pong":
            pass


async def upgraded(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A websocket by hand: no library keeps it from sending what it should not."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What still comes until the gateway has ended the connection, one way or the other."""
    answer = b""
    try:
        async with asyncio.timeout(20):
            while part := await reader.read(65_536):
                answer += part
    except ConnectionError:
        pass
    return answer


PING = b"\x89\x80" + bytes(4)
PONG = b"\x8a\x00"
CUT_FOR_FLOODING = (4501).to_bytes(2, "big")


async def test_pings_without_end_are_a_flood_too_and_others_go_on(gateway):
    """L13: the library answers them before any command is counted."""
    async with bare(gateway.url) as other:
        reader, writer = await upgraded(gateway.port)
        writer.write(PING * 100_000)
        answers = await ended(reader)
        assert CUT_FOR_FLOODING in answers
        assert answers.count(PONG) < 10_000
        assert (await other.ask(type="ping"))["type"] == "pong"
        writer.close()


async def test_some_pings_are_no_flood(gateway):
    reader, writer = await upgraded(gateway.port)
    writer.write(PING * 1_000)
    assert await reader.readexactly(2_000) == PONG * 1_000
    writer.close()


@pytest.mark.parametrize("after", ["a request line without an end", "a request", "a frame that is too large"])
async def test_bytes_without_end_are_cut_whatever_state_the_connection_is_in(gateway, after):
    """L13."""
    if after == "a frame that is too large":
        _, writer = await upgraded(gateway.port)
        writer.write(b"\x82\xff" + bytes(12))
    else:
        _, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        if after == "a request":
            writer.write(b"GET / HTTP/1.1\r\nHost: tables\r\n\r\n")
    sent = 0
    with pytest.raises(ConnectionError):
        while sent < 100_000_000:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536
    await until(lambda: not gateway.gateway.fanout.outlets)
    writer.close()


async def test_of_too_many_handshakes_at_once_the_oldest_are_ended_and_others_get_through(
    gateway, monkeypatch
):
    """L13."""
    monkeypatch.setattr(door, "MOST_ARRIVING", 20)
    half_open = [await asyncio.open_connection("127.0.0.1", gateway.port) for _ in range(50)]
    async with bare(gateway.url) as client:
        assert (await client.ask(type="ping"))["type"] == "pong"
    async with asyncio.timeout(8):  # a handshake that is left alone has ten seconds
        gone = await asyncio.gather(*(ended(reader) for reader, _ in half_open[:29]))
    assert set(gone) == {b""}
    half_open[-1][1].write(REQUEST)
    assert await half_open[-1][0].readline() == b"HTTP/1.1 101 Switching Protocols\r\n"
    for _, writer in half_open:
        writer.close()
