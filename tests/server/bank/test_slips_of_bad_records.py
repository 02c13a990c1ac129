"""J7: slips and settlement over records that Croupier did not write: an alarm, and nothing moves."""

import pytest

from croupier_server.store.errors import DamagedRecordError
from support.banking import BANKROLLS, HOUSE, MOST, SLIPS, a_bank, settle, sit, slip, window
from support.records import everything


@pytest.fixture
async def bettor(pit):
    """Ana with 100.00 on the table, 5.00 of it on Player."""
    await sit(a_bank(pit))
    await window(pit)
    await slip(pit, player=500)
    return pit


@pytest.mark.parametrize(
    "text", ["x", "7", "7|", "7|player", "7|player=", "7|player=-1", "7|player=1;tie=2", "|"]
)
async def test_a_slip_that_cannot_be_read_is_never_replaced(bettor, text):
    rev = (await bettor.seats.private("standard", "ana")).rev
    await bettor.client.hset(SLIPS, "ana", text)
    before = await everything(bettor.client)
    with pytest.raises(DamagedRecordError, match="no slip of ana"):
        await bettor.seats.place("standard", "ana", 7, rev, "slip-next", "a listing", {"tie": 100})
    assert await everything(bettor.client) == before


@pytest.mark.parametrize("total", ["x", "-1", "1.5", "9" * 19])
async def test_a_total_that_is_none_stops_a_slip_before_the_bankroll_changes(bettor, total):
    await bettor.client.hset("croupier:{main}:t:standard:totals", "tie", total)
    before = await everything(bettor.client)
    with pytest.raises(DamagedRecordError, match="total that is none"):
        await slip(bettor, tie=100)
    assert await everything(bettor.client) == before


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (HOUSE, "x"),
        (HOUSE, "1.5"),
        (HOUSE, "9" * 19),
        ("croupier:{main}:t:standard:results", "x"),
    ],
)
async def test_a_house_or_results_that_are_none_stop_a_settlement_before_it_pays(bettor, key, value):
    if key == HOUSE:
        await bettor.client.set(key, value)
    else:
        await bettor.client.hset(key, "ana|n", value)
    await window(bettor, phase="settling")
    before = await everything(bettor.client)
    with pytest.raises(DamagedRecordError):
        await settle(bettor, lambda player, bets: {"player": 1_000})
    assert await everything(bettor.client) == before


async def test_a_win_that_would_pass_the_largest_amount_stops_a_settlement(bettor):
    await bettor.client.hset(BANKROLLS, "ana", MOST - 999)
    await window(bettor, phase="settling")
    before = await everything(bettor.client)
    with pytest.raises(DamagedRecordError, match="no room for what ana wins"):
        await settle(bettor, lambda player, bets: {"player": 1_000})
    assert await everything(bettor.client) == before
