"""G7: players that come back just as a round starts are known, told their place, and can bet on it."""

import asyncio
import random
import time
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.values import Phase
from croupier_server.table.pace import Pace
from support.dealing import Way, dealer_hears, reach
from support.gateways import bare, gateway_on
from support.playing import (
    MSGPACK_PROTOCOL,
    Player,
    all_settled,
    audited,
    bankroll_of,
    returned_by,
    seated,
    settlements,
)
from support.stores import open_pit, turbo

PLAYERS = 10
PACE = Pace("prompt", shuffling_ms=20, betting_ms=400, closing_ms=10, card_ms=5, result_ms=150)
NEAR_MS = 5
BUY_IN = 50_000
BETS = {"player": 100, "banker": 100}


class Starts(Way):
    """The way to the records, where it is seen that a round is about to start, and that it has."""

    def __init__(self, store) -> None:
        super().__init__(store)
        self.round = 0
        self.about = asyncio.Event()
        self.started = asyncio.Event()

    def expect(self) -> None:
        """Looks out for the next start."""
        self.about.clear()
        self.started.clear()

    async def commit(self, lease, step, lease_ms, schema):
        starts = step.phase is Phase.BETTING and step.round > self.round
        if starts:
            self.about.set()
        at_ms = await super().commit(lease, step, lease_ms, schema)
        if starts:
            self.round = step.round
            self.started.set()
        return at_ms


@asynccontextmanager
async def table(url):
    """A dealt table with its gateway: the gateway's address, and the starts of its rounds."""
    async with open_pit(url) as pit:
        starts = Starts(pit.store)
        async with dealer_hears(pit, replace(turbo("standard"), pace=PACE), way=starts):

            async def dealt() -> bool:
                return starts.round > 0

            await reach(dealt)
            async with gateway_on(url) as gateway:
                yield gateway.url, starts


async def come_back(again, player, moment):
    """Lets a new connection take the place of the player's old one at a moment; returns when it spoke."""
    await moment.wait()
    player.task.add_done_callback(lambda task: task.cancelled() or task.exception())
    player.client.connection.transport.abort()
    spoke_ms = time.time() * 1000
    hello = await again.send(type="hello", resume=player.resume)
    watch = await again.send(type="watch", table="standard")
    await again.until(lambda: again.answers.keys() >= {hello, watch} and again.me is not None)
    assert again.answers[hello]["type"] == "welcome", again.answers[hello]
    assert again.answers[watch]["type"] == "watching", again.answers[watch]
    assert again.id == player.id
    assert again.me[0] == player.me[0]
    return spoke_ms


async def bet(player, round_) -> bool:
    """Bets on the round that has just started; false where a busy machine was too late for it."""
    await player.next_window(round_ - 1)
    place = {"table": "standard", "round": round_, "rev": player.me[1], "op": f"back-{round_:07}"}
    answer = await player.ask(type="slip", bets=BETS, **place)
    if answer["type"] == "error":
        assert answer["code"] in {"betting_closed", "wrong_round"}, (answer, player.notices)
    return answer["type"] == "slip_accepted"


@pytest.mark.parametrize(
    "number", [pytest.param(30, marks=pytest.mark.slow), pytest.param(1_000, marks=pytest.mark.long)]
)
async def test_returns_within_5_ms_of_a_rounds_start_find_the_player_and_its_place(store, pit, number):
    """G7: given 10 seats, when all come back within 5 ms of a round's start, again and again."""
    chance, near, bets = random.Random(number), 0, 0
    async with table(store.url) as (url, starts), AsyncExitStack() as stack:
        players = await stack.enter_async_context(seated(url, PLAYERS, BUY_IN))
        [watcher] = await stack.enter_async_context(seated(url, 1, BUY_IN))
        while near < number:
            returning = [
                Player(await stack.enter_async_context(bare(url, MSGPACK_PROTOCOL))) for _ in players
            ]
            starts.expect()
            before = starts.round
            spoke_ms = await asyncio.gather(
                *(
                    come_back(again, player, chance.choice([starts.about, starts.started]))
                    for again, player in zip(returning, players, strict=True)
                )
            )
            players = returning
            window = await watcher.next_window(before)
            near += sum(abs(at_ms - window["at_ms"]) <= NEAR_MS for at_ms in spoke_ms)
            bets += sum(await asyncio.gather(*(bet(player, window["round"]) for player in players)))
        await all_settled(pit)
        outcomes = {one.round: one.outcome for one in await pit.tables.rounds("standard", None, 2_000)}
        settled = await settlements(pit)
        assert len(settled) == bets >= number // 2
        assert all(
            sums == (200, returned_by(BETS, outcomes[round_])) for (_, round_), sums in settled.items()
        )
        for player in players:
            won = sum(back - staked for (who, _), (staked, back) in settled.items() if who == player.id)
            assert await bankroll_of(pit, player.id) == BUY_IN + won
            assert player.told_twice == []
        await audited(pit)
