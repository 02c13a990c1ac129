"""The audit: clean on whatever Croupier does, while it does it, and loud on whatever else has been done."""

import asyncio
import contextlib
import random

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.values import TableId
from croupier_server.bank import pit_books
from croupier_server.bank.audit import Auditor
from croupier_server.bank.findings import AuditReport, Figures
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.seats import SeatRecord
from support.banking import (
    BANKROLLS,
    BASE,
    HOUSE,
    LEDGER,
    LIMITS,
    MOST,
    OPS,
    PLAYERS,
    REVISIONS,
    ROOMY,
    SEATS,
    SLIPS,
    STANDARD,
    TRANSFERS,
    WALLET,
    a_bank,
    check_conservation,
    settle,
    sit,
    slip,
    window,
)
from support.cutting import cuts
from support.records import TYPES, spoil
from support.stores import open_pit

VEGAS = TableId("vegas")


async def audit(pit) -> AuditReport:
    """One audit, as it is."""
    return await Auditor(pit.stores, [DEFAULT_PIT]).run()


async def check_clean(pit) -> Figures:
    """One audit, which must find nothing."""
    report = await audit(pit)
    assert (report.mismatches, report.unpinned, report.difference) == ((), (), 0)
    return report.figures


async def texts(pit):
    """What an audit finds, as an operator reads it."""
    return [f"{one.where}: {one.text}" for one in (await audit(pit)).mismatches]


@pytest.fixture
async def floor(pit):
    """Ana and Bo at a table, after a round that Ana won 5.00 in; Ana has a slip, Bo's leave is under way.

    Cy is buying in, and the wallet has paid; Dee has a seat reserved, and the wallet has not been asked.
    """
    bank = a_bank(pit)
    for player in ("ana", "bo"):
        await sit(bank, player)
    await window(pit)
    await slip(pit, player=500)
    await settle(pit, lambda player, bets: {"player": 1_000})
    await window(pit, 8)
    await slip(pit, round_=8, player=700, tie=300)
    seen = (await bank._open("bo", "", "main|standard", new=False)).last_number
    await bank.transfers.leave(STANDARD, "bo", "leave-bo1", "leave:standard", seen)
    for player in ("cy", "dee"):
        op, request = f"sit-{player}-1", "sit:standard:0:2500"
        await bank._open(player, op, "main|standard", new=True)
        seat = SeatRecord(seat=0, name=player, skeleton=player, state="buying")
        await bank.transfers.reserve(STANDARD, player, op, request, 2_500, seat, 500)
    transfer = await bank.transfers.find(STANDARD, "cy")
    end, bank.transfers.end = bank.transfers.end, lambda *_, **__: asyncio.sleep(0)
    await bank._carry(transfer)
    bank.transfers.end = end
    return bank


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


TAMPERING = {
    "a wallet has a cent more": (
        lambda client: client.hincrby(WALLET, "balance", 1),
        ["wallet of ana: it holds 90001 cents, and what came and went makes 90000"],
        1,
    ),
    "a wallet has a cent more and says it was issued": (
        lambda client: hincr(client, WALLET, balance=1, issued=1),
        [],
        0,
    ),
    "a wallet has a cent more and says it came from a table": (
        lambda client: hincr(client, WALLET, balance=1, from_tables=1),
        [
            (
                "wallet of ana: 9999 cents more have gone to tables than come back; the ledger has 10000,"
                " transfers under way 0"
            )
        ],
        1,
    ),
    "a wallet is gone": (
        lambda client: client.delete(WALLET),
        ["wallet of ana: it has vanished"],
        10_000,
    ),
    "a wallet is nobody's": (
        lambda client: client.hdel(PLAYERS, "ana"),
        ["wallet of ana: the register of players does not know it"],
        0,
    ),
    "a bankroll has a cent more": (
        lambda client: client.hincrby(BANKROLLS, "ana", 1),
        ["table standard, ana: the seat has 10501 cents (bankroll and slip), and the ledger 10500"],
        1,
    ),
    "a bankroll has a cent less": (
        lambda client: client.hincrby(BANKROLLS, "ana", -1),
        ["table standard, ana: the seat has 10499 cents (bankroll and slip), and the ledger 10500"],
        -1,
    ),
    "a bankroll is gone": (
        lambda client: client.hdel(BANKROLLS, "ana"),
        [
            "table standard, ana: the seat has no bankroll",
            "table standard, ana: the seat has 1000 cents (bankroll and slip), and the ledger 10500",
        ],
        -9_500,
    ),
    "all bankrolls are gone": (
        lambda client: client.delete(BANKROLLS),
        [
            "table standard, ana: the seat has no bankroll",
            "table standard, ana: the seat has 1000 cents (bankroll and slip), and the ledger 10500",
        ],
        -9_500,
    ),
    "a whole seat is gone": (
        lambda client: hdel_all(client, "ana", SEATS, BANKROLLS, SLIPS),
        ["table standard, ana: the seat has 0 cents (bankroll and slip), and the ledger 10500"],
        -10_500,
    ),
    "a bankroll is no number": (
        lambda client: client.hset(BANKROLLS, "ana", "1e4"),
        [
            "table standard, ana: the bankroll reads '1e4'",
            "table standard, ana: the seat has 1000 cents (bankroll and slip), and the ledger 10500",
        ],
        -9_500,
    ),
    "a stranger has chips": (
        lambda client: client.hset(BANKROLLS, "zoe", 5),
        [
            "table standard, zoe: there are chips without a seat",
            "table standard, zoe: the seat has 5 cents (bankroll and slip), and the ledger 0",
        ],
        5,
    ),
    "the house has a cent more": (
        lambda client: client.incr(HOUSE),
        ["the house: it has -499 cents, and the ledger -500"],
        1,
    ),
    "the house is gone": (
        lambda client: client.delete(HOUSE),
        ["the house: it has 0 cents, and the ledger -500"],
        500,
    ),
    "a slip has a cent more": (
        lambda client: client.hset(SLIPS, "ana", "8|player=701,tie=300"),
        [
            "table standard, ana: the slip '8|player=701,tie=300' is not the one that was accepted last",
            "table standard, ana: the seat has 10501 cents (bankroll and slip), and the ledger 10500",
        ],
        1,
    ),
    "a slip has other bets": (
        lambda client: client.hset(SLIPS, "ana", "8|banker=1000"),
        ["table standard, ana: the slip '8|banker=1000' is not the one that was accepted last"],
        0,
    ),
    "a slip is gone": (
        lambda client: client.hdel(SLIPS, "ana"),
        ["table standard, ana: the seat has 9500 cents (bankroll and slip), and the ledger 10500"],
        -1_000,
    ),
    "a slip is none": (
        lambda client: client.hset(SLIPS, "ana", "8|player"),
        [
            "table standard, ana: the slip reads '8|player'",
            "table standard, ana: the seat has 9500 cents (bankroll and slip), and the ledger 10500",
        ],
        -1_000,
    ),
    "a seat reads like nothing": (
        lambda client: client.hset(SEATS, "ana", "x"),
        ["table standard, ana: the seat cannot be read"],
        0,
    ),
    "a cash-out under way is gone": (
        lambda client: client.hdel(TRANSFERS, "standard|bo"),
        [
            (
                "wallet of bo: 10000 cents more have gone to tables than come back; the ledger has 0,"
                " transfers under way 0"
            )
        ],
        -10_000,
    ),
    "a paid buy-in under way is gone": (
        lambda client: client.hdel(TRANSFERS, "standard|cy"),
        [
            "table standard, cy: a seat is reserved and no buy-in under way",
            (
                "wallet of cy: 2500 cents more have gone to tables than come back; the ledger has 0,"
                " transfers under way 0"
            ),
        ],
        -2_500,
    ),
    "a buy-in under way that nobody has paid is gone": (
        lambda client: client.hdel(TRANSFERS, "standard|dee"),
        ["table standard, dee: a seat is reserved and no buy-in under way"],
        0,
    ),
    "every transfer is gone": (
        lambda client: client.delete(TRANSFERS),
        [
            "table standard, cy: a seat is reserved and no buy-in under way",
            "table standard, dee: a seat is reserved and no buy-in under way",
            (
                "wallet of bo: 10000 cents more have gone to tables than come back; the ledger has 0,"
                " transfers under way 0"
            ),
            (
                "wallet of cy: 2500 cents more have gone to tables than come back; the ledger has 0,"
                " transfers under way 0"
            ),
        ],
        -12_500,
    ),
    "the base has a cent more on a seat": (
        lambda client: client.hincrby(BASE, "seat:standard|ana", 1),
        ["table standard, ana: the seat has 10500 cents (bankroll and slip), and the ledger 10501"],
        0,
    ),
}


async def hincr(client, key, **counters):
    for name, cents in counters.items():
        await client.hincrby(key, name, cents)


async def hdel_all(client, field, *keys):
    for key in keys:
        await client.hdel(key, field)


@pytest.mark.parametrize("what", TAMPERING)
async def test_tampering_is_told_one_line_each(pit, floor, what):
    tamper, lines, difference = TAMPERING[what]
    await tamper(pit.client)
    report = await audit(pit)
    found = sorted(f"{one.where}: {one.text}" for one in report.mismatches)
    total = [f"all money: there are {difference} cents too many"] if difference else []
    assert found == sorted(lines + total)
    assert report.difference == difference
    assert report.clean == (not lines)


@pytest.mark.parametrize("rolled", [False, True])
@pytest.mark.parametrize("which", range(4))
async def test_a_posting_that_is_gone_is_told_from_a_base_before_it_or_after(pit, floor, which, rolled):
    if rolled:
        await floor.ledger.roll()
    postings = await pit.client.xrange(LEDGER)
    await pit.client.xdel(LEDGER, postings[which][0])
    found = await texts(pit)
    if rolled:
        assert found == ["the ledger: it has 3 postings, and 4 were made and not trimmed"]
    else:
        assert len(found) == 2
        assert all(" and the ledger " in line or "the ledger has " in line for line in found)
    assert (await audit(pit)).difference == 0


async def test_the_whole_ledger_gone_is_told(pit, floor):
    await pit.client.delete(LEDGER)
    assert len(await texts(pit)) == 3
    assert not (await audit(pit)).clean


async def test_a_ledger_gone_after_its_base_is_told(pit, floor):
    await floor.ledger.roll()
    await pit.client.delete(LEDGER)
    assert await texts(pit) == ["the ledger: it has 0 postings, and 4 were made and not trimmed"]


@pytest.mark.parametrize(
    "fields", [{"k": "x"}, {"k": "settle", "t": "standard", "p": "ana", "s": "5", "w": "3", "h": "1"}]
)
async def test_a_foreign_posting_is_told(pit, floor, fields):
    entry = await pit.client.xadd(LEDGER, fields)
    [line] = await texts(pit)
    assert line.startswith(f"the ledger at {entry.decode()}: ")


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "key", [WALLET, BANKROLLS, SLIPS, SEATS, REVISIONS, TRANSFERS, HOUSE, LEDGER, BASE, PLAYERS]
)
async def test_a_key_of_a_wrong_type_is_a_mismatch_and_no_crash(pit, floor, key, kind):
    if kind == {HOUSE: "string", LEDGER: "stream"}.get(key, "hash"):
        return
    await spoil(pit.client, key, kind)
    assert not (await audit(pit)).clean


@pytest.mark.parametrize("field", ["balance", "issued", "retired", "to_tables", "from_tables"])
@pytest.mark.parametrize("value", ["", "x", "-1", "1e3", None])
async def test_a_wallet_that_cannot_be_read_is_a_mismatch(pit, floor, field, value):
    if value is None:
        await pit.client.hdel(WALLET, field)
    else:
        await pit.client.hset(WALLET, field, value)
    assert any(line.startswith("wallet of ana: the wallet of ana: ") for line in await texts(pit))


async def test_a_transfer_that_cannot_be_read_is_told_once(pit, floor):
    await pit.client.hset(TRANSFERS, "standard|bo", "x")
    found = await texts(pit)
    assert [line for line in found if line.startswith("transfers: ")] == [
        "transfers: the transfer b'standard|bo' reads b'x'"
    ]


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
