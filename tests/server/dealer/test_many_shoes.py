"""Shoes dealt by real dealers and cut by players and a beacon, through voids, restarts and takeovers."""

import asyncio
import hashlib
import random
from contextlib import suppress

import pytest
from msgspec.structs import replace

from croupier_client.verifier.transcript import verify
from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import ShoeEnded
from croupier_server.dealer.dealer import Dealer
from croupier_server.store.scripts import run
from croupier_server.table.listing import encode_listing
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from support.beacons import VALUE, beacon_running
from support.dealing import reach
from support.seating import seat
from support.shoes import numbered
from support.stores import KEY, open_pit, turbo

AT_ONCE = Pace("at once", 0, 0, 0, 0, 0, cut_ms=2_000, reveal_ms=300)
PLAYERS = ("ana", "ben", "cleo")


@pytest.fixture
def tireless(monkeypatch):
    """Nobody is cashed out for not playing."""
    monkeypatch.setattr("croupier_server.dealer.idleness.UNBET_ROUNDS", 10**6)
    monkeypatch.setattr("croupier_server.dealer.idleness.ABSENT_ROUNDS", 10**6)


class Play:
    """Tables under dealers that come and go; `told` are the transcripts of their shoes, in order."""

    def __init__(self, pit, url, chance):
        self.pit = pit
        self.url = url
        self.chance = chance
        self.told = {}
        self.lists = {}
        self.cut = 0
        self.did = {"killed": 0, "restarted": 0, "abandon": 0}

    async def deal(self):
        """One dealer after another, each on a connection of its own: killed, or stopped in order."""
        while True:
            async with open_pit(self.url) as pit:
                dealer = Dealer(pit, KEY)
                tasks = [asyncio.create_task(dealer.run()), asyncio.create_task(dealer.hear_notes())]
                how = self.chance.choice(["killed", "restarted"])
                try:
                    await asyncio.sleep(self.chance.uniform(3.0, 8.0))
                    if how == "restarted":
                        await dealer.release()
                    self.did[how] += 1
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)

    async def cut_shoes(self, table):
        """The players of a table cut each shoe; Ben keeps his value back."""
        while True:
            stage = await run(self.pit.client.hget(f"croupier:{{main}}:t:{table}", "cut")) or b""
            await self.pit.seats.present({table: list(PLAYERS)})
            shoe, _, what = stage.decode().partition("|")
            for player in PLAYERS:
                value = hashlib.sha256(f"{table} {shoe} {player}".encode()).digest()
                if what.startswith("hashes"):
                    await self.pit.cuts.send_hash(table, player, int(shoe), hashlib.sha256(value).digest())
                elif what.startswith("values") and player != "ben":
                    await self.pit.cuts.send_value(table, player, int(shoe), value)
            await asyncio.sleep(0.02)

    async def order(self, tables):
        """Voids, and now and then the end of a shoe."""
        number = 0
        while True:
            number += 1
            wish = self.chance.choice([Wish.VOID] * 15 + [Wish.ABANDON])
            op = f"order-{number:06}"
            await self.pit.orders.give(self.chance.choice(tables), op, wish, "a test")
            if wish is Wish.ABANDON:
                with suppress(TimeoutError):
                    async with asyncio.timeout(5):
                        self.did["abandon"] += await self.pit.orders.answer_to(op) == "done"
            await asyncio.sleep(self.chance.uniform(0.1, 1.0))

    async def collect(self, table):
        """Keeps each shoe that has ended."""
        told = self.told.setdefault(table, [])
        while True:
            shoe = len(told) + 1
            events = [MSGPACK.decode_message(one) for one in await self.pit.shoes.events(table, shoe)]
            if events and isinstance(events[-1], ShoeEnded):
                told.append(events)
                self.lists[table, shoe] = await self.pit.shoes.commitments(table, shoe)
            else:
                await asyncio.sleep(0.2)


@pytest.mark.long
async def test_fifty_shoes_dealt_through_kills_restarts_and_voids_verify(pit, store, quick, tireless):
    """Two tables of each rule set, one of them with players and a beacon, five shoes each."""
    chance = random.Random(7)
    play = Play(pit, store.url, chance)
    async with beacon_running() as beacon:
        tables = [replace(turbo(f"{rules}-bare", rules), pace=AT_ONCE) for rules in RULE_SETS]
        cut = [
            replace(turbo(f"{rules}-cut", rules), pace=AT_ONCE, beacon=beacon.source) for rules in RULE_SETS
        ]
        names = [one.table for one in (*tables, *cut)]
        for one in cut:
            for number, player in enumerate(PLAYERS, 3):
                await seat(pit, one.table, player, number, 10_000)
        await pit.tables.register({one.table: encode_listing(one) for one in (*tables, *cut)})
        tasks = [
            asyncio.create_task(play.deal()),
            asyncio.create_task(play.order(names)),
            *(asyncio.create_task(play.collect(name)) for name in names),
            *(asyncio.create_task(play.cut_shoes(one.table)) for one in cut),
        ]

        async def enough():
            for task in tasks:
                if task.done():
                    task.result()
            return all(len(play.told.get(name, [])) >= 5 for name in names)

        await reach(enough, 900, "five shoes at every table")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    events = [event for told in play.told.values() for shoe in told[:5] for event in shoe]
    lines = numbered([JSON.encode(event).decode() for event in events])
    rounds = {event["beacon"]["round"] for _, event in lines if event["type"] == "shoe" and event["beacon"]}
    report = verify(lines, play.lists, dict.fromkeys(rounds, VALUE))
    assert report.failures == []
    assert not report.unchecked
    assert (report.passed["chain"], report.passed["previous"]) == (50, 40)
    assert report.passed["cut"] > 50
    assert 4 in {seat for _, _, seat in report.withheld}  # Ben; others where a dealer was gone meanwhile
    voids = sum(event["type"] == "void" for _, event in lines)
    assert min(voids, play.did["killed"], play.did["restarted"]) >= 3, (voids, play.did)
    print(f"{len(report.coups)} rounds, {voids} voids, {play.did}, {dict(report.passed)}")  # noqa: T201 - figures
