"""The ledger's base: what it sums up, in chunks, once, and what is trimmed."""

import asyncio

import pytest

from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.ledger import Position
from support.banking import (
    AMOUNTS,
    BASE,
    LEDGER,
    MOST,
    STANDARD,
    a_bank,
    settle,
    sit,
    slip,
    window,
)
from support.records import TYPES, everything, spoil


async def post(pit, **fields):
    """A posting by hand."""
    posting = {"t": "standard", "p": "ana", **fields}
    return (await pit.client.xadd(LEDGER, posting)).decode()


async def base(pit):
    """The base's accounts and counts."""
    return {name.decode(): value.decode() for name, value in (await pit.client.hgetall(BASE)).items()}


async def test_each_posting_moves_two_accounts_by_the_same(pit):
    bank = a_bank(pit)
    await sit(bank)
    await window(pit)
    await slip(pit, player=500, tie=100)
    await settle(pit, lambda player, bets: {"player": 1_000})
    assert not (await bank.ledger.roll()).more
    found = await base(pit)
    found.pop("upto")
    assert found == {
        "postings": "2",
        "seat:standard|ana": "10400",
        "house": "-400",
        "wallet:ana": "-10000",
    }
    await bank.leave(STANDARD, "ana", "leave-001")
    await bank.ledger.roll()
    found = await base(pit)
    found.pop("upto")
    assert found == {"postings": "3", "house": "-400", "wallet:ana": "400"}


@pytest.mark.parametrize("amount", AMOUNTS)
async def test_every_cent_is_summed_up(pit, amount):
    bank = a_bank(pit)
    await post(pit, k="buy_in", n=1, a=amount)
    await post(pit, k="settle", r=7, s=amount, w=0, h=amount)
    last = await post(pit, k="settle", r=8, s=0, w=amount, h=-amount if amount else 0)
    await bank.ledger.roll()
    expected = {"upto": last, "postings": "3"}
    if amount:
        expected |= {"seat:standard|ana": str(amount), "wallet:ana": str(-amount)}
    assert await base(pit) == expected


async def test_sums_of_the_largest_amounts_stay_exact(pit):
    bank = a_bank(pit)
    for _ in range(5):
        await post(pit, k="settle", r=7, s=MOST, w=0, h=MOST)
    await bank.ledger.roll()
    found = await base(pit)
    assert (found["house"], found["seat:standard|ana"]) == ("45035996273704955", "-45035996273704955")


async def test_the_base_moves_on_in_chunks_each_posting_once(pit):
    bank = a_bank(pit)
    for _ in range(25):
        await post(pit, k="buy_in", n=1, a=3)
    assert [(await bank.ledger.roll(most=10)).more for _ in range(4)] == [True, True, False, False]
    assert (await base(pit))["seat:standard|ana"] == "75"
    await asyncio.gather(*(bank.ledger.roll(most=10) for _ in range(10)))
    assert (await base(pit))["seat:standard|ana"] == "75"
    assert (await base(pit))["postings"] == "25"


async def test_only_what_the_base_covers_is_trimmed(pit):
    bank = a_bank(pit)
    for _ in range(25):
        await post(pit, k="buy_in", n=1, a=3)
    [(tenth, _), (seventeenth, _)] = (await pit.client.xrange(LEDGER))[9:17:7]
    assert (await bank.ledger.roll(most=10, kept=8)).more
    assert await pit.client.xlen(LEDGER) == 15
    assert (await base(pit))["trimmed_upto"] == (await base(pit))["upto"] == tenth.decode()
    while (await bank.ledger.roll(most=10, kept=8)).more:
        pass
    assert await pit.client.xlen(LEDGER) == 8
    found = await base(pit)
    assert (found["postings"], found["trimmed"], found["seat:standard|ana"]) == ("25", "17", "75")
    assert found["trimmed_upto"] == seventeenth.decode()
    await bank.ledger.roll(most=10, kept=8)
    assert await base(pit) == found


@pytest.mark.parametrize(
    "fields",
    [
        {"k": "x", "a": "1"},
        {"k": "buy_in"},
        {"k": "buy_in", "a": "-1"},
        {"k": "buy_in", "a": "1.5"},
        {"k": "buy_in", "a": "9" * 18},
        {"k": "cash_out", "a": "x"},
        {"k": "settle", "s": "1", "w": "1"},
        {"k": "settle", "s": "5", "w": "3", "h": "1"},
        {"k": "settle", "s": "5", "w": "-3", "h": "8"},
        {"a": "1"},
    ],
)
async def test_a_foreign_posting_is_an_alarm_and_nothing_is_summed_up(pit, fields):
    bank = a_bank(pit)
    await post(pit, k="buy_in", n=1, a=3)
    await post(pit, **fields)
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError, match="is no posting"):
        await bank.ledger.roll()
    assert await everything(pit.client) == before


@pytest.mark.parametrize(
    ("field", "value"), [("upto", "x"), ("seat:standard|ana", "x"), ("wallet:ana", "1.5"), ("wallet:ana", "")]
)
async def test_a_base_that_cannot_be_read_is_an_alarm_and_nothing_is_written(pit, field, value):
    bank = a_bank(pit)
    await post(pit, k="buy_in", n=1, a=3)
    await pit.client.hset(BASE, field, value)
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError):
        await bank.ledger.roll()
    assert await everything(pit.client) == before


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "hash"])
async def test_a_base_of_a_wrong_type_is_an_alarm(pit, kind):
    bank = a_bank(pit)
    await post(pit, k="buy_in", n=1, a=3)
    await spoil(pit.client, BASE, kind)
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError):
        await bank.ledger.roll()
    assert await everything(pit.client) == before


def test_positions_are_ordered_by_number_and_not_by_letter():
    texts = [b"5-0", b"5-2", b"5-10", b"40-0"]
    assert [str(one) for one in sorted(map(Position.read, reversed(texts)))] == ["5-0", "5-2", "5-10", "40-0"]
    for text in (b"", b"5", b"5-", b"-5", b"5-x", b"x5-0"):
        with pytest.raises(DamagedRecordError):
            Position.read(text)
