"""Transfers where the store's records are gone or spoilt: an alarm, and nothing is written."""

import pytest

from croupier_server.bank.answers import Left
from croupier_server.store.errors import DamagedRecordError
from croupier_server.store.transfers import TransferKind
from croupier_server.store.wallets import Verdict
from support.banking import (
    BANKROLLS,
    LEDGER,
    LIMITS,
    PLAYERS,
    REVISIONS,
    SEATS,
    SLIPS,
    STANDARD,
    TRANSFERS,
    VEGAS,
    WALLET,
    begin_buy_in,
    sit,
)
from support.records import everything, is_refused_in_other_types


async def test_a_wallet_that_vanished_stops_its_player_with_an_alarm(pit, bank):
    await sit(bank, table=VEGAS)
    await pit.client.delete(WALLET)
    for call in (
        lambda: sit(bank),
        lambda: bank.top_up(VEGAS, "ana", "top-up-1", 500, LIMITS),
        lambda: bank.leave(VEGAS, "ana", "leave-001"),
        lambda: bank.wallet("ana"),
        lambda: bank.refill("ana"),
        lambda: bank.credit("ana", 5, "credit-1", "x"),
    ):
        with pytest.raises(DamagedRecordError, match="vanished"):
            await call()
    assert await pit.client.exists(WALLET) == 0


async def test_a_player_missing_from_the_register_is_found_by_the_wallet(pit, bank):
    await sit(bank)
    await pit.client.delete(PLAYERS)
    assert await bank.leave(STANDARD, "ana", "leave-001") == Left(returned=10_000, wallet=100_000)
    assert await pit.client.hgetall(PLAYERS) == {b"ana": b"open"}


@pytest.mark.parametrize("chips", [BANKROLLS, SLIPS])
async def test_chips_without_a_seat_are_an_alarm_and_never_a_fresh_bankroll(pit, bank, chips):
    await sit(bank, "bo")
    await pit.client.hset(chips, "ana", "7|player=5")
    with pytest.raises(DamagedRecordError, match="without a seat"):
        await sit(bank)
    with pytest.raises(DamagedRecordError, match="without a seat"):
        await bank.leave(STANDARD, "ana", "leave-001")


async def test_a_seat_without_a_bankroll_is_an_alarm(pit, bank):
    await sit(bank)
    await pit.client.hdel(BANKROLLS, "ana")
    before = await everything(pit.client)
    with pytest.raises(DamagedRecordError, match="no bankroll of ana"):
        await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS)
    with pytest.raises(DamagedRecordError, match="no bankroll of ana"):
        await bank.leave(STANDARD, "ana", "leave-001")
    assert await everything(pit.client) == before


@pytest.mark.parametrize("seat", ["x", "{}", '{"seat":1,"state":"buying"}', '{"seat":"1","state":"taken"}'])
async def test_a_seat_that_cannot_be_read_is_an_alarm(pit, bank, seat):
    await sit(bank)
    await pit.client.hset(SEATS, "ana", seat)
    before = await everything(pit.client)
    for call in (
        lambda: bank.transfers.top_up(STANDARD, "ana", "top-up-1", "r", 500, 0, LIMITS),
        lambda: bank.transfers.leave(STANDARD, "ana", "leave-001", "r", None),
    ):
        with pytest.raises(DamagedRecordError):
            await call()
    assert await everything(pit.client) == before


@pytest.mark.parametrize("key", [SEATS, BANKROLLS, SLIPS, REVISIONS, TRANSFERS, LEDGER])
async def test_a_key_of_a_wrong_type_is_an_alarm_and_nothing_is_written(pit, bank, key):
    await sit(bank)
    await begin_buy_in(bank, "bo")
    transfer = await bank.transfers.find(STANDARD, "bo")
    assert transfer.kind is TransferKind.BUY_IN
    calls = {
        "reserve": ({SEATS, BANKROLLS, SLIPS, TRANSFERS}, lambda: begin_buy_in(bank, "cy")),
        "top up": (
            {SEATS, BANKROLLS, SLIPS, TRANSFERS},
            lambda: bank.transfers.top_up(STANDARD, "ana", "top-up-1", "r", 500, 0, LIMITS),
        ),
        "leave": (
            {SEATS, BANKROLLS, SLIPS, REVISIONS, TRANSFERS, LEDGER},
            lambda: bank.transfers.leave(STANDARD, "ana", "leave-001", "r", None),
        ),
        "end": (
            {SEATS, BANKROLLS, REVISIONS, TRANSFERS, LEDGER},
            lambda: bank.transfers.end(transfer, Verdict("ok", 0, 0)),
        ),
        "finish": ({TRANSFERS}, lambda: bank.finish(STANDARD, 0)),
        "roll": ({LEDGER}, bank.ledger.roll),
    }
    await bank._open("cy", "sit-cy-standard", "main|standard", new=True)
    right = "stream" if key == LEDGER else "hash"
    await is_refused_in_other_types(pit.client, key, right, calls)
