"""Wallets: the two scripts, at the amounts where a number printed short would lose digits."""

import pytest

from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.wallets import NEW, OPEN, Move, Wallets, WalletTerms
from support.banking import AMOUNTS, MOST, OPS, PLAYERS, WALLET
from support.records import TYPES, everything, spoil

ANA = "ana"


@pytest.fixture
def wallets(pit):
    """The wallets of an empty store."""
    return Wallets(pit.store)


async def opened(wallets, start=100, **terms):
    return await wallets.open(ANA, WalletTerms(start=start, **terms), made=False)


def transfer(number, amount, *, credit=False, op=None, slot="main|standard"):
    """A transfer to a table, or with `credit` back from it."""
    return Move(
        op=op or f"transfer-{number}",
        request=f"some:{amount}",
        credit=credit,
        counter="from_tables" if credit else "to_tables",
        amount=amount,
        slot=slot,
        number=number,
        seat=3,
    )


def by_operator(op, amount, *, credit=True):
    """An operator's credit or debit."""
    return Move(
        op=op,
        request=f"{'credit' if credit else 'debit'}:{amount}",
        credit=credit,
        counter="issued" if credit else "retired",
        amount=amount,
        reason="a | reason",
    )


async def stored(pit):
    """The wallet's numbers as they are in the store, times left out."""
    return {
        name.decode(): value.decode()
        for name, value in (await pit.client.hgetall(WALLET)).items()
        if not name.endswith(b"_ms") and not name.startswith(b"slot:")
    }


@pytest.mark.parametrize("amount", AMOUNTS)
async def test_a_wallet_starts_with_its_start_amount_to_the_cent(pit, wallets, amount):
    assert (await opened(wallets, amount)).balance == amount
    assert await stored(pit) == {
        "balance": str(amount),
        "issued": str(amount),
        "retired": "0",
        "to_tables": "0",
        "from_tables": "0",
    }


@pytest.mark.parametrize("amount", AMOUNTS)
async def test_every_cent_goes_to_a_table_and_comes_back(pit, wallets, amount):
    await opened(wallets, amount)
    assert (await wallets.move(ANA, transfer(1, amount))).balance == 0
    assert (await wallets.move(ANA, transfer(2, amount, credit=True))).balance == amount
    assert await stored(pit) == {
        "balance": str(amount),
        "issued": str(amount),
        "retired": "0",
        "to_tables": str(amount),
        "from_tables": str(amount),
    }


@pytest.mark.parametrize("amount", AMOUNTS)
async def test_every_cent_is_credited_and_debited(pit, wallets, amount):
    await opened(wallets, 0)
    assert (await wallets.move(ANA, by_operator("credit-1", amount))).balance == amount
    assert (await wallets.move(ANA, by_operator("debit-01", amount, credit=False))).balance == 0
    assert (await stored(pit))["issued"] == (await stored(pit))["retired"] == str(amount)
    _, operations = await wallets.read(ANA)
    assert [(one.amount, one.balance) for one in operations] == [(amount, 0), (amount, amount), (0, 0)]
    assert operations[0].reason == "a | reason"


async def test_an_open_wallet_is_not_opened_again(wallets):
    await opened(wallets, 100)
    assert (await opened(wallets, 5_000)).balance == 100


async def test_a_transfer_is_done_once_however_often_it_is_sent(pit, wallets):
    await opened(wallets, 100)
    assert [(await wallets.move(ANA, transfer(7, 60))).word for _ in range(10)] == ["ok"] * 10
    assert (await stored(pit))["balance"] == "40"


async def test_a_refused_transfer_stays_refused_when_money_comes_meanwhile(pit, wallets):
    """Else one that carries it on would pay for a seat that another has released."""
    await opened(wallets, 100)
    assert (await wallets.move(ANA, transfer(7, 101))).word == "short"
    await wallets.move(ANA, by_operator("credit-1", 1_000))
    assert (await wallets.move(ANA, transfer(7, 101))).word == "short"
    assert (await stored(pit))["balance"] == "1100"


async def test_a_late_copy_of_a_transfer_finds_that_it_is_over(pit, wallets):
    await opened(wallets, 100)
    await wallets.move(ANA, transfer(7, 60))
    await wallets.move(ANA, transfer(8, 60, credit=True))
    for _ in range(250):
        await wallets.move(ANA, transfer(9, 0, slot="main|vegas"))
    assert (await wallets.move(ANA, transfer(7, 60))).word == "stale"
    assert (await stored(pit))["balance"] == "100"


async def test_a_transfer_is_remembered_when_its_operation_has_been_forgotten(pit, wallets):
    """A dealer may be away for as long as two hundred operations take."""
    await opened(wallets, 100)
    await wallets.move(ANA, transfer(7, 60))
    for number in range(250):
        await wallets.move(ANA, by_operator(f"credit-{number}", 1))
    assert await pit.client.llen(OPS) == 200
    assert (await wallets.move(ANA, transfer(7, 60))).word == "ok"
    assert (await stored(pit))["balance"] == "290"


async def test_an_operation_that_is_done_is_not_done_under_another_number(pit, wallets):
    await opened(wallets, 100)
    await wallets.move(ANA, transfer(7, 60, op="the-op-1"))
    assert (await wallets.move(ANA, transfer(9, 60, op="the-op-1"))).word == "again"
    await pit.client.delete(OPS)
    assert (await wallets.move(ANA, transfer(9, 60, op="the-op-1"))).word == "again"
    assert (await stored(pit))["balance"] == "40"


async def test_an_operators_operation_is_done_once_and_told_again(pit, wallets):
    await opened(wallets, 100)
    first = await wallets.move(ANA, by_operator("credit-1", 5))
    again = await wallets.move(ANA, by_operator("credit-1", 5))
    assert (first.word, first.balance) == ("ok", 105)
    assert (again.word, again.known.verdict, again.known.balance) == ("known", "ok", 105)
    assert (await stored(pit))["balance"] == "105"


async def test_a_debit_never_goes_below_nothing(pit, wallets):
    await opened(wallets, 100)
    assert (await wallets.move(ANA, by_operator("debit-01", 101, credit=False))).word == "short"
    assert (await wallets.move(ANA, by_operator("debit-02", MOST, credit=False))).word == "short"
    assert (await stored(pit))["balance"] == "100"


@pytest.mark.parametrize(("holds", "amount"), [(MOST, 1), (1, MOST), (MOST, MOST)])
async def test_a_credit_never_passes_the_largest_amount(pit, wallets, holds, amount):
    await opened(wallets, holds)
    before = await everything(pit.client)
    assert (await wallets.move(ANA, by_operator("credit-1", amount))).word == "full"
    assert (await wallets.move(ANA, transfer(1, amount, credit=True))).word == "full"
    assert await everything(pit.client) == before


async def test_a_credit_without_room_is_done_once_there_is_some(wallets):
    await opened(wallets, MOST)
    assert (await wallets.move(ANA, transfer(1, 5, credit=True))).word == "full"
    await wallets.move(ANA, by_operator("debit-01", 5, credit=False))
    assert (await wallets.move(ANA, transfer(1, 5, credit=True))).word == "ok"


async def test_the_counters_end_before_they_overflow(pit, wallets):
    await opened(wallets, 100)
    await pit.client.hset(WALLET, "to_tables", "1" + "0" * 18)
    before = await everything(pit.client)
    assert (await wallets.move(ANA, transfer(1, 1))).word == "full"
    assert await everything(pit.client) == before


async def test_a_refill_comes_when_it_is_due_and_not_before(pit, wallets):
    terms = {"refill_to": 100, "refill_every_ms": 60_000}
    await opened(wallets, 100, **terms)
    await wallets.move(ANA, transfer(1, 70))
    assert (await opened(wallets, 100, **terms)).balance == 30
    await pit.client.hincrby(WALLET, "refilled_at_ms", -60_000)
    assert (await opened(wallets, 100, **terms)).balance == 100
    assert (await opened(wallets, 100, **terms)).balance == 100
    assert await stored(pit) == {
        "balance": "100",
        "issued": "170",
        "retired": "0",
        "to_tables": "70",
        "from_tables": "0",
    }
    _, operations = await wallets.read(ANA)
    assert [(one.request, one.amount) for one in operations] == [
        ("refill", 70),
        ("some:70", 70),
        ("start", 100),
    ]


async def test_a_full_wallet_keeps_its_refill_for_later(pit, wallets):
    terms = {"refill_to": 100, "refill_every_ms": 60_000}
    await opened(wallets, 100, **terms)
    await pit.client.hincrby(WALLET, "refilled_at_ms", -60_000)
    await opened(wallets, 100, **terms)
    await wallets.move(ANA, transfer(1, 70))
    assert (await opened(wallets, 100, **terms)).balance == 100


async def test_a_clock_that_was_ahead_does_not_put_refills_off(pit, wallets):
    terms = {"refill_to": 100, "refill_every_ms": 60_000}
    await opened(wallets, 100, **terms)
    await pit.client.hincrby(WALLET, "refilled_at_ms", 10**10)
    await opened(wallets, 100, **terms)
    wallet, _ = await wallets.read(ANA)
    assert 0 <= wallet.refilled_at_ms - wallet.created_at_ms < 60_000


async def test_a_wallet_that_vanished_is_an_alarm(pit, wallets):
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError, match="has vanished"):
        await wallets.open(ANA, WalletTerms(), made=True)
    for move in (transfer(1, 0), transfer(1, 5, credit=True), by_operator("credit-1", 5)):
        with pytest.raises(DamagedRecordError, match="has vanished"):
            await wallets.move(ANA, move)
    assert await everything(pit.client) == before


@pytest.mark.parametrize("key", [WALLET, OPS])
@pytest.mark.parametrize("kind", TYPES)
async def test_a_key_of_a_wrong_type_is_an_alarm_and_nothing_is_written(pit, wallets, key, kind):
    await opened(wallets)
    if kind == {WALLET: "hash", OPS: "list"}[key]:
        return
    await spoil(pit.client, key, kind)
    before = await everything(pit.client)
    for call in (
        lambda: opened(wallets),
        lambda: wallets.move(ANA, transfer(1, 5)),
        lambda: wallets.move(ANA, by_operator("credit-1", 5)),
        lambda: wallets.read(ANA),
    ):
        with pytest.raises(DamagedRecordError):
            await call()
        assert await everything(pit.client) == before


@pytest.mark.parametrize("field", ["balance", "issued", "retired", "to_tables", "from_tables"])
@pytest.mark.parametrize("value", ["", "x", "-1", "1.5", "nan", "1e3", "0x10", "9" * 20, None])
async def test_a_number_that_is_none_is_an_alarm_and_nothing_is_written(pit, wallets, field, value):
    await opened(wallets)
    if value is None:
        await pit.client.hdel(WALLET, field)
    else:
        await pit.client.hset(WALLET, field, value)
    before = await everything(pit.client)
    for call in (
        lambda: opened(wallets),
        lambda: wallets.move(ANA, transfer(1, 5)),
        lambda: wallets.move(ANA, by_operator("credit-1", 5)),
    ):
        with pytest.raises(DamagedRecordError, match=f"{field} is no number"):
            await call()
    assert await everything(pit.client) == before


async def test_a_balance_beyond_the_largest_amount_is_an_alarm(pit, wallets):
    await opened(wallets)
    await pit.client.hset(WALLET, "balance", MOST + 1)
    with pytest.raises(DamagedRecordError, match="too large"):
        await wallets.move(ANA, transfer(1, 5))
    with pytest.raises(DamagedRecordError, match="too large"):
        await opened(wallets)


async def test_a_verdict_that_is_none_is_an_alarm(pit, wallets):
    await opened(wallets)
    await pit.client.hset(WALLET, "slot:main|standard", "x")
    with pytest.raises(DamagedRecordError, match="is no verdict"):
        await wallets.move(ANA, transfer(1, 5))
    with pytest.raises(DamagedRecordError, match="is no verdict"):
        await wallets.open(ANA, WalletTerms(), made=True, slot="main|standard")


async def test_the_register_goes_from_new_to_open_and_not_back(pit, wallets):
    assert await wallets.registered(ANA) is None
    await wallets.register(ANA, NEW)
    assert await wallets.registered(ANA) == NEW
    await wallets.register(ANA, OPEN)
    await wallets.register(ANA, NEW)
    assert await wallets.registered(ANA) == OPEN
    await pit.client.hset(PLAYERS, ANA, "x")
    with pytest.raises(DamagedRecordError, match="register"):
        await wallets.registered(ANA)
