"""Workers killed for real while slips of one player race a day's limit over two pits."""

import asyncio
import contextlib
import os
import random
import signal
from contextlib import asynccontextmanager

import pytest

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError, RefusedError
from croupier_client.timing import Timing
from croupier_protocol.messages.errors import ErrorCode
from croupier_server.bank.audit import Auditor
from croupier_server.operations import orders, play_safe
from croupier_server.operations.errors import OperationCode, OperationError
from croupier_server.store import keys
from croupier_server.store.embedded import running_url
from croupier_server.store.keys import PitId
from croupier_server.table.orders import Wish
from support.own_limits import DAY_MS, staked
from support.playing import all_settled
from support.serving import serving, until
from support.stores import open_pit

pytestmark = pytest.mark.long

CONFIG = """
[[tables]]
name = "low"
pace = "speed"

[[tables]]
name = "high"
pit = "vip"
pace = "speed"
"""

EAGER = Timing(base_s=0.02, cap_s=0.1)

KILLS = 6

ROOM = 40_00
"""What the player may stake from one kill to the next: more than a table ever gets, less than both want."""

SLIP_MOST = 30_00

LONGEST_MS = 5 * 60_000
"""The test takes less; a day that ends in it would begin its count anew."""


class Racer:
    """States slip after slip at one table until it is stopped, and stays with what stands then."""

    def __init__(self, seat, chance: random.Random) -> None:
        self.seat = seat
        self.stopping = False
        self.asked = self.taken = self.refused = 0
        self._chance = chance

    @property
    def answered(self) -> int:
        return self.taken + self.refused

    async def run(self) -> None:
        while not self.stopping:
            await self.seat.window()
            self.asked += 1
            cents = self._chance.randrange(0, SLIP_MOST + 1, 100)
            try:
                await self.seat.bet(**({"player": cents} if cents else {}))
                self.taken += 1
            except BettingClosedError:
                pass
            except RefusedError as refused:
                if refused.code is not ErrorCode.OWN_DAY_STAKE:
                    raise
                self.refused += 1


class Books:
    """What the store knows of the player in both pits."""

    def __init__(self, main, vip, player: str) -> None:
        self.pits = {"low": main, "high": vip}
        self.main, self.vip, self.player = main, vip, player

    async def limit(self, cents: int, op: str) -> None:
        """Sets the limit of a day at once, as an operator may: what each pit may use up is granted anew."""
        await play_safe.set_limits(self.main.stores, self.player, {"day_stake": cents}, op, "for a test")

    async def counted(self) -> int:
        """What both pits have counted of the day's stake, at one moment."""
        async with self.main.client.pipeline(transaction=True) as asked:
            for pit in self.pits.values():
                asked.hget(keys.limits_key(pit.name), self.player)
            return sum(int(held.split(b"|")[5]) for held in await asked.execute())

    async def never_over(self, most: int) -> None:
        """Fails as soon as more is counted; goes on until it is cancelled."""
        while True:
            assert await self.counted() <= most
            await asyncio.sleep(0.002)

    async def granted(self, pit) -> int:
        """What the record allows a pit of the day's stake."""
        share = await self.main.client.hget(keys.own_limits_key(self.player), f"pit:{pit.name}")
        return 0 if share is None else int(share.split(b"|")[2])

    async def posted(self, table: str, kind: bytes) -> int:
        """The stakes of the player's rounds of one kind, settled or void, from the ledger."""
        entries = await self.main.client.xrange(keys.ledger_key(self.pits[table].name))
        return sum(
            int(fields[b"s"])
            for _, fields in entries
            if (fields[b"k"], fields[b"t"]) == (kind, table.encode())
        )

    async def settled(self) -> int:
        """What was staked for good at both tables, once no slip stands; each pit has counted just that."""
        for table, pit in self.pits.items():
            await all_settled(pit, table)
            assert await staked(pit, self.player) == await self.posted(table, b"settle")
        return await self.counted()

    async def void(self, table: str, op: str) -> None:
        """Voids the running round, unless it is being settled."""
        try:
            await orders.order(self.main.stores, table, op, Wish.VOID, "misdeal")
        except OperationError as error:
            if error.code is not OperationCode.REFUSED:
                raise


@asynccontextmanager
async def racing(seats, chance):
    """Both tables raced at; at the end each racer is done with its last slip."""
    racers = [Racer(seat, random.Random(chance.random())) for seat in seats]
    tasks = [asyncio.create_task(racer.run()) for racer in racers]
    try:
        yield racers
        for racer in racers:
            racer.stopping = True
        async with asyncio.timeout(60):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def kill_while_they_race(server, victim: int, racers, chance) -> None:
    """Kills a worker a moment after some slip was sent; returns when both tables take slips again."""
    slips = sum(racer.asked for racer in racers) + chance.randrange(2, 14)
    await until(lambda: sum(racer.asked for racer in racers) >= slips, 40, "slips of both tables")
    await asyncio.sleep(chance.uniform(0, 0.01))
    os.kill(victim, signal.SIGKILL)
    await until(lambda: victim not in server.worker_ids and len(server.worker_ids) == 2, 40, "another worker")
    wanted = [racer.answered + 8 for racer in racers]
    await until(
        lambda: all(racer.answered >= many for racer, many in zip(racers, wanted, strict=True)),
        60,
        "slips that are judged at both tables",
    )


async def deal(seat) -> None:
    with contextlib.suppress(BettingClosedError):
        await seat.deal()


async def use_up(seat, cents: int) -> None:
    """Stakes all that is left there and not a unit more."""
    while True:
        await seat.window()
        try:
            with pytest.raises(RefusedError) as refused:
                await seat.bet(player=cents + 100)
            assert refused.value.code is ErrorCode.OWN_DAY_STAKE
            if cents:
                await seat.bet(player=cents)
            break
        except BettingClosedError:
            continue
    await deal(seat)


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_days_limit_over_two_pits_is_neither_passed_nor_lost_by_kills(tmp_path, seed):
    chance, data, config = random.Random(seed), tmp_path / "data", tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    async with (
        serving(data, "--config", str(config), "--workers", "2") as server,
        open_pit(running_url(data / "store"), play_safe=True) as main,
        open_pit(running_url(data / "store"), PitId("vip"), play_safe=True) as vip,
        connect(server.url, timing=EAGER) as client,
    ):
        if DAY_MS - await main.store.time_ms() % DAY_MS < LONGEST_MS:
            pytest.skip("the day of UTC is about to end, and with it what has been counted")
        seats = [await client.sit(table, buy_in=300_00) for table in ("low", "high")]
        books = Books(main, vip, client.player.id)
        used, taken, refused = 0, 0, 0
        for number in range(KILLS):
            await books.limit(used + ROOM, f"limit-{number:05}")
            watching = asyncio.create_task(books.never_over(used + ROOM))
            async with racing(seats, chance) as racers:
                holding = server.holding
                victim = next(one for one in server.worker_ids if (one in holding) == (number % 2 == 0))
                await kill_while_they_race(server, victim, racers, chance)
                assert not watching.done(), watching.result()
            if number % 3 == 2:
                await asyncio.gather(*(books.void(table, f"void-{table}-{number}") for table in books.pits))
            await asyncio.gather(*(deal(seat) for seat in seats))
            used = await books.settled()
            assert not watching.done(), watching.result()
            watching.cancel()
            taken += sum(racer.taken for racer in racers)
            refused += sum(racer.refused for racer in racers)
        assert taken > 50
        assert refused > 50
        assert await books.posted("low", b"void") + await books.posted("high", b"void") > 0

        limit = used + ROOM
        await books.limit(limit, "limit-last")
        async with racing(seats, chance) as racers:  # so that each pit has leave for a part
            await until(lambda: all(racer.answered >= 20 for racer in racers), 40, "slips of both tables")
        for seat in seats:
            with contextlib.suppress(BettingClosedError):
                await seat.clear()
        used = await books.settled()
        await use_up(seats[0], limit - await books.granted(vip) - await staked(main, books.player))
        await use_up(seats[1], await books.granted(vip) - await staked(vip, books.player))
        assert await books.settled() == limit
        report = await Auditor(main.stores, [main.name, vip.name]).run()
        assert (report.clean, report.difference, report.unpinned) == (True, 0, ())
