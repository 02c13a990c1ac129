"""One store for the bank's tests, emptied before each: they are many and short."""

import asyncio

import pytest
import pytest_asyncio

from croupier_server.store.seats import SeatRecord
from support.banking import STANDARD, a_bank, settle, sit, slip, window
from support.stores import open_pit, running_store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_store(tmp_path_factory):
    """A store process that these tests share."""
    async with running_store(tmp_path_factory.mktemp("bank") / "store") as embedded:
        yield embedded


@pytest.fixture
async def pit(shared_store):
    """The main pit of an empty store."""
    async with open_pit(shared_store.url) as opened:
        await opened.client.flushall()
        await opened.stream.open()
        yield opened


@pytest.fixture
def bank(pit):
    """The bank of an empty pit, with wallets of 1,000.00."""
    return a_bank(pit)


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
