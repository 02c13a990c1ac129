"""The audit: clean on whatever Croupier does, while it does it."""

import asyncio
import contextlib
import random

import pytest
from msgspec.structs import replace

from croupier_server.bank import pit_books
from croupier_server.bank.audit import Auditor
from croupier_server.bank.findings import Figures
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from support.auditing import audit, check_clean
from support.banking import (
    BANKROLLS,
    BASE,
    LEDGER,
    LIMITS,
    MOST,
    OPS,
    ROOMY,
    STANDARD,
    VEGAS,
    a_bank,
    check_conservation,
    settle,
    sit,
    slip,
    window,
)
from support.cutting import cuts
from support.stores import open_pit


async def test_the_figures_are_those_of_the_floor(pit, floor):
    await pit.client.hset("croupier:{main}:tables", "standard", "{}")
    assert await check_clean(pit) == Figures(
        players=4,
        tables=1,
        postings=4,
        wallets=90_000 + 90_000 + 97_500 + 100_000,
        in_flight=10_000 + 2_500,
        bankrolls=9_500,
        stakes=1_000,
        house=-500,
        moved=0,
        issued=400_000,
        retired=0,
    )


async def test_an_empty_store_is_clean(pit):
    assert await check_clean(pit) == Figures()


async def test_the_largest_amounts_are_audited_exactly(pit):
    bank = a_bank(pit, MOST)
    for player in ("ana", "bo"):
        await sit(bank, player, buy_in=MOST - 1, limits=ROOMY)
    await window(pit)
    await slip(pit, player=MOST - 1)
    await settle(pit, lambda player, bets: {})
    figures = await check_clean(pit)
    assert (figures.issued, figures.house, figures.bankrolls) == (2 * MOST, MOST - 1, MOST - 1)
    await pit.client.hincrby(BANKROLLS, "bo", 1)
    assert (await audit(pit)).difference == 1


@pytest.mark.parametrize("rolled", [False, True])
async def test_the_base_changes_nothing_that_an_audit_finds(pit, floor, rolled):
    if rolled:
        await floor.ledger.roll(most=3, kept=2)
        await floor.ledger.roll(most=3, kept=2)
    await check_clean(pit)


async def test_a_seat_that_is_cashed_out_and_rolled_away_as_an_audit_begins_is_no_false_alarm(
    pit, monkeypatch
):
    """Given a seat that only the base knows, when its account goes from there before it has been named."""
    bank = a_bank(pit)
    await sit(bank)
    await bank.ledger.roll()
    scan = pit_books.scan

    async def scan_late(client, key):
        if key == BASE:
            await bank.leave(STANDARD, "ana", "leave-001")
            await bank.ledger.roll()
        async for one in scan(client, key):
            yield one

    monkeypatch.setattr(pit_books, "scan", scan_late)
    await check_clean(pit)


async def test_forgotten_operations_are_no_mismatch(pit, floor):
    await pit.client.delete(OPS)
    await check_clean(pit)


async def test_an_audit_writes_nothing_and_needs_no_script(pit, floor):
    await pit.client.script_flush()
    before = {key: await pit.client.dump(key) for key in await pit.client.keys()}
    await check_clean(pit)
    assert {key: await pit.client.dump(key) for key in await pit.client.keys()} == before


async def test_a_player_who_never_rests_is_told_as_not_pinned(pit, floor, monkeypatch):
    """Every reading of the transfers finds Ana's money to have moved."""
    auditor = Auditor(pit.stores, [DEFAULT_PIT])
    [books] = auditor._books
    read = books.transfers

    async def restless():
        posting = {"k": "settle", "t": "standard", "p": "zoe", "s": 0, "w": 0, "h": 0}
        await pit.client.xadd(LEDGER, posting)
        transfers, position = await read()
        bo = transfers["standard|bo"]
        transfers["standard|bo"] = replace(bo, at_ms=position.ms + position.sequence)
        await asyncio.sleep(0.001)
        return transfers, position

    monkeypatch.setattr(books, "transfers", restless)
    monkeypatch.setattr("croupier_server.bank.audit.PAUSE_S", 0)
    report = await auditor.run()
    assert report.mismatches == ()
    assert report.unpinned == ("wallet of bo: it moved at every reading",)
    assert report.difference is None


@pytest.mark.slow
async def test_an_audit_in_a_storm_raises_no_false_alarm(pit, shared_store):
    """Players sit, bet, top up, leave and are settled as fast as they can; the base moves on; audits run."""
    async with open_pit(shared_store.url) as other, open_pit(shared_store.url) as dying:
        stop = asyncio.Event()
        chance = random.Random(7)
        watching = contextlib.ExitStack()
        watching.enter_context(cuts(dying.client, lambda _: chance.choice(["before", "after", *[None] * 60])))
        ways = [pit, dying]
        players = [
            asyncio.create_task(restless_player(ways[number % 2], stop, f"p{number}")) for number in range(8)
        ]
        house = asyncio.create_task(restless_house(pit, stop))
        try:
            reports = []
            while len(reports) < 20 or not any(report.figures.in_flight for report in reports):
                assert len(reports) < 500, "no audit met a transfer under way"
                reports.append(await Auditor(other.stores, [DEFAULT_PIT]).run())
        finally:
            stop.set()
            await asyncio.gather(*players, house)
            watching.close()
    assert [report.mismatches for report in reports] == [()] * len(reports)
    assert all(report.difference in {0, None} for report in reports)
    assert any(report.figures.moved for report in reports)
    pinned = [report for report in reports if not report.unpinned]
    assert len(pinned) >= len(reports) // 2
    bank = a_bank(pit)
    for table in (STANDARD, VEGAS):
        await bank.finish(table, 0)
    await check_conservation(pit.client)
    await check_clean(pit)


async def restless_player(pit, stop: asyncio.Event, player: str):
    """Does one thing after the other; now and then its gateway dies in the middle of one."""
    bank = a_bank(pit, 1_000_000)
    chance = random.Random(player)
    number = 0
    while not stop.is_set():
        number += 1
        table = chance.choice([STANDARD, VEGAS])
        op = f"{player}-op-{number:06}"
        with contextlib.suppress(StoreUnavailableError):
            match chance.randrange(6):
                case 0:
                    await sit(bank, player, 20_000, table=table, op=op)
                case 1:
                    await bank.leave(table, player, op)
                case 2:
                    await bank.top_up(table, player, op, 3_000, LIMITS)
                case 3:
                    await bank.credit(player, 7, op, "luck")
                case 4 | 5:
                    place = await pit.seats.private(table, player)
                    bets = {chance.choice(["player", "banker", "tie"]): chance.randrange(1, 50) * 100}
                    await pit.seats.place(table, player, 7, place.rev, op, "a listing", bets)


async def restless_house(pit, stop: asyncio.Event):
    """Settles, cashes out, rolls the ledger on, and finishes what has been left behind for a while."""
    bank = a_bank(pit)
    chance = random.Random(1)
    while not stop.is_set():
        for table in (STANDARD, VEGAS):
            await window(pit, 7, table)
        await asyncio.sleep(0.02)
        for table in (STANDARD, VEGAS):
            await settle(
                pit,
                lambda player, bets: {bet: chance.choice([0, 1, 2]) * cents for bet, cents in bets.items()},
                table=table,
            )
            for player, record in (await pit.seats.look(table, 7)).seats.items():
                if record.state == "leaving":
                    await bank.cash_out(table, player)
            await bank.finish(table, 300)
        await bank.ledger.roll(most=50, kept=100)
