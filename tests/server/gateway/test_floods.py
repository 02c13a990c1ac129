"""A connection that sends more than it may is refused and then cut; nobody else notices."""

import pytest
from websockets.exceptions import ConnectionClosed

from croupier_protocol.messages.to_server import Lobby, Ping
from croupier_server.gateway.budget import Budget
from support.gateways import bare, dealing, gateway_on


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
