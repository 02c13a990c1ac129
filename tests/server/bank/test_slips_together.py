"""Slips that arrive together: one script call, and an answer to each as if it had come alone."""

import asyncio

import pytest

from croupier_server.store.errors import DamagedRecordError, StoreUnavailableError
from croupier_server.store.placing import MOST_TOGETHER, SlipRefusal, SlipState, SlipToPlace
from support.banking import BANKROLLS, LISTING, STANDARD, a_bank, check_conservation, sit, window

PLAYERS = [f"p{number:02}" for number in range(20)]


@pytest.fixture
async def bettors(pit):
    """Twenty players with 100.00 each, in a betting window."""
    bank = a_bank(pit)
    for player in PLAYERS:
        await sit(bank, player)
    await window(pit)
    return pit


async def place(pit, player, /, *, op="slip-0001", rev=None, **bets):
    """Places a slip through the pit's queue."""
    rev = (await pit.seats.private(STANDARD, player)).rev if rev is None else rev
    return await pit.slips.place(STANDARD, SlipToPlace(player, 7, rev, op, LISTING, bets))


async def script_calls(pit) -> int:
    return (await pit.client.info("commandstats")).get("cmdstat_evalsha", {}).get("calls", 0)


async def test_what_arrives_while_a_call_is_under_way_goes_in_the_next(bettors):
    revs = {player: (await bettors.seats.private(STANDARD, player)).rev for player in PLAYERS}
    before = await script_calls(bettors)
    answers = await asyncio.gather(*(place(bettors, one, rev=revs[one], player=500) for one in PLAYERS))
    assert await script_calls(bettors) - before <= 2
    assert all(isinstance(answer, SlipState) and answer.accepted for answer in answers)
    assert [answer.rev for answer in answers] == [revs[player] + 1 for player in PLAYERS]
    totals = (await bettors.seats.look(STANDARD, 7)).totals
    assert totals == {"player": 500 * len(PLAYERS)}
    await check_conservation(bettors.client)


async def test_each_slip_is_judged_for_itself(bettors):
    revs = {player: (await bettors.seats.private(STANDARD, player)).rev for player in PLAYERS}
    await bettors.client.hset(BANKROLLS, "p03", "x")
    accepted, short, nobody, damaged, stale = await asyncio.gather(
        place(bettors, "p00", rev=revs["p00"], tie=100),
        place(bettors, "p01", rev=revs["p01"], tie=10_001),
        place(bettors, "stranger", rev=0, tie=100),
        place(bettors, "p03", rev=revs["p03"], tie=100),
        place(bettors, "p04", rev=revs["p04"] + 1, tie=100),
        return_exceptions=True,
    )
    assert accepted.bets == {"tie": 100}
    assert isinstance(short, SlipRefusal)
    assert (short.why, short.bankroll) == ("short", 10_000)
    assert nobody.why == "seat"
    assert isinstance(damaged, DamagedRecordError)
    assert not stale.accepted
    assert (await bettors.seats.look(STANDARD, 7)).totals == {"tie": 100}


async def test_two_slips_of_one_player_are_judged_one_after_the_other(bettors):
    rev = (await bettors.seats.private(STANDARD, "p00")).rev
    first, second = await asyncio.gather(
        place(bettors, "p00", op="slip-0001", rev=rev, tie=100),
        place(bettors, "p00", op="slip-0002", rev=rev, tie=200),
    )
    assert first.accepted
    assert (second.accepted, second.rev, second.bets) == (False, rev + 1, {"tie": 100})


async def test_more_than_one_call_takes_go_in_several(bettors):
    slips = 2 * MOST_TOGETHER + 1
    rev = (await bettors.seats.private(STANDARD, "p00")).rev
    before = await script_calls(bettors)
    answers = await asyncio.gather(
        *(
            place(bettors, "p00", op=f"slip-{number:04}", rev=rev + number, tie=100 * (1 + number % 2))
            for number in range(slips)
        )
    )
    assert all(answer.accepted for answer in answers)
    assert await script_calls(bettors) - before <= 4


async def test_a_store_that_is_away_is_told_to_everyone_and_the_next_slip_is_sent_anew(bettors, monkeypatch):
    rev = (await bettors.seats.private(STANDARD, "p00")).rev

    async def away(*_):
        await asyncio.sleep(0)
        raise StoreUnavailableError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(bettors.store, "call", away)
        answers = await asyncio.gather(
            *(place(bettors, player, rev=rev, tie=100) for player in PLAYERS), return_exceptions=True
        )
    assert all(isinstance(answer, StoreUnavailableError) for answer in answers)
    assert (await place(bettors, "p00", rev=rev, tie=100)).accepted


async def test_an_abandoned_slip_does_not_disturb_those_beside_it(bettors):
    revs = {player: (await bettors.seats.private(STANDARD, player)).rev for player in PLAYERS[:2]}
    abandoned, kept = (
        asyncio.create_task(place(bettors, player, rev=revs[player], tie=100)) for player in PLAYERS[:2]
    )
    await asyncio.sleep(0)
    abandoned.cancel()
    assert (await kept).accepted
    assert (await bettors.seats.private(STANDARD, "p00")).bets == {"tie": 100}
