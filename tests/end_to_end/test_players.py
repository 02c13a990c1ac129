"""`croupier bet --json` at each rule set, against an independent reckoning over the events that were seen.

Nothing here uses the product's game code: what bets bring is written out in `support.seed_rules`.
"""

import asyncio
import json
import random
import signal
import sys
from contextlib import asynccontextmanager

import pytest

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_client.timing import Timing
from croupier_protocol.codec import JSON
from support.relay import relay_to
from support.seed_rules import bankrolls
from support.serving import serving

FEW, MANY = 4, 50
BUY_IN = 950_00

SLIPS = {
    "standard": "player=5,banker=7,tie=1",
    "single-deck": "player=1,banker=9,tie=2",
    "eight-deck": "banker=6,tie=1",
    "two-field": "player=5,tie=2",
    "vegas": "player=5,banker=6,tie=1",
}


@pytest.fixture(
    scope="module",
    params=[pytest.param(FEW, marks=pytest.mark.slow), pytest.param(MANY, marks=pytest.mark.long)],
)
def played(request, tmp_path_factory):
    """How many rounds were played, and for each table what `croupier watch` and `croupier bet` printed."""
    return request.param, asyncio.run(play_all(tmp_path_factory.mktemp("serve") / "data", request.param))


async def play_all(data, rounds: int) -> dict[str, tuple[list[dict], list[dict]]]:
    async with (
        serving(data, "--pace", "turbo", tables=list(SLIPS)) as server,
        asyncio.timeout(200),
    ):
        both = await asyncio.gather(*(play(server.url, table, rounds) for table in SLIPS))
    return dict(zip(SLIPS, both, strict=True))


async def play(url: str, table: str, rounds: int) -> tuple[list[dict], list[dict]]:
    """One scripted player, with a spectator that was there before it and stays longer."""
    spectator = await croupier("watch", url, table, "--json")
    events = [json.loads(await spectator.stdout.readline())]
    reading = asyncio.create_task(spectator.stdout.read())
    buy_in = str(BUY_IN // 100)
    player = await croupier(
        *("bet", url, table, "--slip", SLIPS[table], "--buy-in", buy_in, "--rounds", str(rounds), "--json")
    )
    out, _ = await player.communicate()
    assert player.returncode == 0
    spectator.send_signal(signal.SIGINT)
    events += [json.loads(line) for line in (await reading).decode().splitlines()]
    await spectator.wait()
    return events, [json.loads(line) for line in out.decode().splitlines()]


async def croupier(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier_client.cli", *arguments), stdout=asyncio.subprocess.PIPE
    )


@pytest.mark.parametrize("table", SLIPS)
def test_rounds_end_with_the_bankroll_that_the_seeds_give(played, table):
    """C1, C2, C4, C6, D3: to the cent, after each round and in the end."""
    rounds, printed = played
    events, told = printed[table]
    slips = {line["round"]: line["bets"] for line in told if line["type"] == "slip"}
    payouts = {line["round"]: line for line in told if line["type"] == "payout"}
    assert len(slips) == len(payouts) == rounds
    assert {json.dumps(bets) for bets in slips.values()} == {json.dumps(cents(SLIPS[table]))}
    expected = bankrolls(table, BUY_IN, slips, coups(events))
    assert {number: payout["bankroll"] for number, payout in payouts.items()} == expected
    assert told[-1] == {"type": "bankroll", "table": table, "bankroll": expected[max(slips)]}


def cents(slip: str) -> dict[str, int]:
    """The slip's whole units in cents."""
    return {bet: int(units) * 100 for bet, units in (part.split("=") for part in slip.split(","))}


def coups(events: list[dict]) -> dict[int, list[str] | None]:
    """The cards of each round that was seen, in the order they came; None where the round was void."""
    cards: dict[int, list[str] | None] = {}
    for event in events:
        if event["type"] == "betting":
            cards.setdefault(event["round"], [])
        elif event["type"] == "card":
            cards.setdefault(event["round"], []).append(event["card"])
        elif event["type"] == "void":
            cards[event["round"]] = None
    return cards


@asynccontextmanager
async def cutting(relay):
    """Breaks the connection about three times a second."""

    async def cut() -> None:
        while True:
            await asyncio.sleep(random.uniform(0.1, 0.6))
            relay.cut()

    task = asyncio.create_task(cut())
    try:
        yield
    finally:
        task.cancel()


@pytest.mark.slow
async def test_a_player_whose_connection_breaks_all_the_time_is_paid_once_and_to_the_cent(tmp_path):
    """G1, F4, ONCE: fifteen rounds with slips that change, through a line that holds for under a second."""
    events, payouts, slips = [], [], {}

    async def watch(client) -> None:
        async for _ in (watcher := client.watch("vegas")):
            events.append(json.loads(watcher.frame))

    async with (
        serving(tmp_path / "data", "--pace", "turbo", tables=["vegas"]) as server,
        asyncio.timeout(120),
        relay_to(server.port) as relay,
        connect(server.url, codec=JSON) as spectator,
        connect(relay.url, timing=Timing(base_s=0.02, cap_s=0.1)) as client,
    ):
        watching = asyncio.create_task(watch(spectator))
        seat = await client.sit("vegas", buy_in=BUY_IN)
        paid = seat.payouts()
        round_ = None
        async with cutting(relay):
            while len(payouts) < 15:
                round_ = await seat.window(after=round_)
                try:
                    for stake in (1_00, 3_00):
                        slips[round_] = (await seat.bet(player=stake, banker=6_00)).bets
                    await seat.deal()
                except BettingClosedError:
                    if round_ not in slips:
                        continue
                payouts.append(await anext(paid))
        await seat.leave()
        payouts += [payout async for payout in paid]
        watching.cancel()
    staked = {each.round: {bet.bet: bet.stake for bet in each.bets} for each in payouts}
    assert staked == slips
    assert [each.round for each in payouts] == sorted(slips)
    assert {each.round: each.bankroll for each in payouts} == bankrolls(
        "vegas", BUY_IN, staked, coups(events)
    )
