"""Who is told of a slip, and how: its own connection by the answer, the player's others by `me`."""

import asyncio

import pytest

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.values import TableId
from croupier_server.table.pace import Pace
from croupier_server.table.state import TableSettings
from support.gateways import ANSWER_S, bare, dealing, gateway_on

SLOW = TableSettings(
    table=TableId("standard"), rules=RULE_SETS["standard"], pace=Pace("slow", 50, 60_000, 50, 50, 50)
)


class Fence:
    """Another player at the table; once it is told of a change of its own, all before has been told."""

    def __init__(self, client, player, pit) -> None:
        self._client = client
        self._player = player
        self._pit = pit
        self._bankroll = 10_000

    async def passed(self) -> None:
        self._bankroll += 1
        await self._pit.client.hset("croupier:{main}:t:standard:bankrolls", self._player, self._bankroll)
        note = {"t": "standard", "k": "seat", "p": self._player}
        await self._pit.client.xadd("croupier:{main}:notes", note)
        while (await self._client.until("me"))["bankroll"] != self._bankroll:
            pass


@pytest.fixture
async def gateway(store, pit, monkeypatch):
    """A gateway with one table whose window stays open, and a `fence` in it."""
    # Notes wait for the answers that make them needless, also on a machine that is slow with these.
    monkeypatch.setattr("croupier_server.gateway.private.GATHER_S", 0.8)
    async with (
        dealing(store.url, [SLOW]),
        gateway_on(store.url) as running,
        bare(running.url) as other,
    ):
        await other.send(type="watch", table="standard")
        await other.send(type="sit", table="standard", buy_in=10_000, op="sit-fence-1")
        player = (await other.until("welcome"))["player"]["id"]
        running.fence = Fence(other, player, pit)
        yield running


async def seated(gateway, client) -> tuple[dict, str]:
    """Sits down in the first window; the seat's `me` and the player's token."""
    async with asyncio.timeout(ANSWER_S):
        while gateway.gateway.feed.tables["standard"].view.phase != "betting":
            await asyncio.sleep(0.01)
    await client.send(type="watch", table="standard")
    await client.send(type="sit", table="standard", buy_in=10_000, op="sit-00000001", id=77)
    token = (await client.until("welcome"))["resume"]
    me = await client.until("me")
    await gateway.fence.passed()
    await client.send(type="ping")
    await client.until("pong")  # whatever else the seat has brought is behind
    return me, token


async def bet(gateway, client, rev, op, **bets) -> list[dict]:
    """Places a slip; the messages about it that come, its answer first."""
    await client.send(type="slip", table="standard", round=1, rev=rev, op=op, bets=bets, id=78)
    answer = await client.until("slip_accepted", "error")
    await gateway.fence.passed()
    await client.send(type="ping", id=79)
    told = [answer]
    while (message := await client.receive())["type"] != "pong":
        if message["type"] == "me":
            told.append(message)
    return told


async def test_the_only_connection_of_a_player_is_told_by_the_answer_alone(gateway):
    async with bare(gateway.url) as client:
        me, _ = await seated(gateway, client)
        [answer] = await bet(gateway, client, me["rev"], "slip-000001", tie=100)
        assert (answer["type"], answer["bets"], answer["bankroll"]) == ("slip_accepted", {"tie": 100}, 9_900)
        [answer] = await bet(gateway, client, answer["rev"], "slip-000002", tie=200)
        assert (answer["type"], answer["bankroll"]) == ("slip_accepted", 9_800)


async def test_every_other_connection_of_the_player_is_told_by_me(gateway):
    async with bare(gateway.url) as client, bare(gateway.url) as other:
        me, token = await seated(gateway, client)
        await other.send(type="hello", resume=token)
        await other.send(type="watch", table="standard")
        await other.until("me")
        for number, (bettor, listener) in enumerate([(client, other), (other, client)], 1):
            told = await bet(gateway, bettor, me["rev"], f"slip-{number:06}", tie=100 * number)
            assert told[0]["type"] == "slip_accepted"
            while (me := await listener.until("me"))["rev"] < told[0]["rev"]:
                pass
            assert (me["slip"], me["bankroll"]) == ({"tie": 100 * number}, 10_000 - 100 * number)
