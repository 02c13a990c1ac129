"""Sends that race the end of their connection, from both ends of it, on both event loops."""

import asyncio
import contextlib
import logging
import random

import pytest
import uvloop
from websockets.exceptions import ConnectionClosed

from croupier_client.address import parse_address
from croupier_client.errors import LinkLostError
from croupier_client.link import Link
from croupier_client.timing import Timing
from croupier_protocol.codec import JSON
from croupier_protocol.messages.errors import CloseCode
from croupier_protocol.messages.to_client import Pong
from croupier_protocol.messages.to_server import Ping
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.outlet import cut, write_all
from support.gateways import dealing, gateway_on
from support.stores import running_store

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
MOST_SENDS = 1_000
PONG = Pong(server_ms=1)


async def _server_closes(link, outlet) -> None:
    await cut(outlet, CloseCode.DRAINING)


async def _server_breaks_off(link, outlet) -> None:
    outlet.connection.transport.abort()


async def _client_closes(link, outlet) -> None:
    await link._socket.close()


async def _client_breaks_off(link, outlet) -> None:
    link._socket.transport.abort()


async def _both_close(link, outlet) -> None:
    await asyncio.gather(_server_closes(link, outlet), _client_closes(link, outlet))


ENDS = (_server_closes, _server_breaks_off, _client_closes, _client_breaks_off, _both_close)


@pytest.mark.parametrize(
    "count", [pytest.param(50, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_send_that_races_a_close_is_a_connection_closed_and_nothing_else(tmp_path, caplog, loop, count):
    """N9: however the connection ends, from either end, the sender hears of it in one way."""
    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        heard = runner.run(_race(tmp_path, count))
    assert heard == {"client": count, "server": count}
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def _race(folder, count: int) -> dict[str, int]:
    """Ends so many connections while both ends send; returns how often each end was told by its one error."""
    chance, heard = random.Random(9), {"client": 0, "server": 0}
    failures = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    async with running_store(folder / "store") as store, dealing(store.url), gateway_on(store.url) as running:
        outlets = running.gateway.fanout.outlets
        address = parse_address(running.url)
        for number in range(count):
            link = await Link.open(address, JSON, Timing())
            await link.send(Ping())
            await link.receive()
            [outlet] = outlets
            reading = asyncio.create_task(_read(link))
            ending = asyncio.create_task(_after(chance.randrange(4), ENDS[number % len(ENDS)], link, outlet))
            with pytest.raises(LinkLostError) as lost:
                for _ in range(MOST_SENDS):
                    await link.send(Ping())
                    await asyncio.sleep(0)
            assert isinstance(lost.value.__cause__, ConnectionClosed)
            heard["client"] += 1
            await asyncio.gather(ending, reading)
            heard["server"] += 1
            async with asyncio.timeout(20):
                while outlets:
                    await asyncio.sleep(0)
    assert failures == []
    return heard


async def _read(link) -> None:
    """Else the goodbye stays behind what was not read."""
    with contextlib.suppress(LinkLostError):
        while True:
            await link.receive_frame()


async def _after(turns: int, ends, link, outlet) -> None:
    """Ends the connection in so many turns of the loop, and sends from the server in all of them and on."""
    for _ in range(turns):
        _send(outlet)
        await asyncio.sleep(0)
    ending = asyncio.create_task(ends(link, outlet))
    for _ in range(MOST_SENDS):
        _send(outlet)
        try:
            await outlet.connection.send("{}")
        except ConnectionClosed:
            break
        await asyncio.sleep(0)
    else:
        raise AssertionError("the server's end can still be sent to")
    await ending
    _send(outlet)


def _send(outlet) -> None:
    """What a gateway sends by itself: answers, pings, and frames for many."""
    outlet.reply(PONG)
    outlet.ping()
    for one in write_all([outlet], Encoded(PONG).frame(JSON), 0.0):
        one.put(Encoded(PONG).frame(JSON), 0.0)
