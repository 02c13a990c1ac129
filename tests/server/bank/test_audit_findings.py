"""What an audit tells of records that have been tampered with, are gone, or cannot be read."""

import pytest

from support.auditing import audit, texts
from support.banking import (
    BANKROLLS,
    BASE,
    HOUSE,
    LEDGER,
    PLAYERS,
    REVISIONS,
    SEATS,
    SLIPS,
    TRANSFERS,
    WALLET,
)
from support.records import TYPES, spoil

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
