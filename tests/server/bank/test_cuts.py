"""G4: every command of every money path is cut, before it ran and before its reply came.

Then the client sends the same again, or everybody has died and the dealer finishes what was left behind.
Whatever happens, no cent is lost or made, the audit is clean at once, and the player is told the truth.
"""

import asyncio
import contextlib

import pytest

from croupier_protocol.messages.values import TableId
from croupier_server.bank.answers import Credited, Leaving, Left, Seated, ToppedUp
from croupier_server.bank.audit import Auditor
from croupier_server.store.errors import StoreUnavailableError
from croupier_server.store.keys import DEFAULT_PIT
from support.banking import (
    LIMITS,
    STANDARD,
    TRANSFERS,
    a_bank,
    check_conservation,
    settle,
    sit,
    slip,
    window,
)
from support.cutting import cut_at, cuts
from support.stores import open_pit

VEGAS = TableId("vegas")


class Path:
    """One money path: what goes before it, the call, its answer, and the seat's chips after it."""

    def __init__(self, call, answer, chips, *before):
        self.call = call
        self.answer = answer
        self.chips = chips
        self.before = before


async def seated(pit, bank):
    await sit(bank)


async def seated_elsewhere(pit, bank):
    await sit(bank, table=VEGAS)


async def with_slip(pit, bank):
    await window(pit)
    await slip(pit, player=500)


async def settled(pit, bank):
    await bank.leave(STANDARD, "ana", "leave-001")
    await settle(pit, lambda player, bets: {"player": 1_000})


PATHS = {
    "first sit": Path(sit, Seated(seat=1, bought=10_000, wallet=90_000), 10_000),
    "second sit": Path(sit, Seated(seat=1, bought=10_000, wallet=80_000), 10_000, seated_elsewhere),
    "top up": Path(
        lambda bank: bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS),
        ToppedUp(bought=500, wallet=89_500),
        10_500,
        seated,
    ),
    "leave": Path(
        lambda bank: bank.leave(STANDARD, "ana", "leave-001"),
        Left(returned=10_000, wallet=100_000),
        None,
        seated,
    ),
    "leave with a slip": Path(
        lambda bank: bank.leave(STANDARD, "ana", "leave-001"), Leaving(), 10_000, seated, with_slip
    ),
    "leave after the round": Path(
        lambda bank: bank.leave(STANDARD, "ana", "leave-001"),
        Left(returned=10_500, wallet=100_500),
        None,
        seated,
        with_slip,
        settled,
    ),
    "credit": Path(
        lambda bank: bank.credit("ana", 700, "credit-1", "luck"),
        Credited(amount=700, wallet=90_700),
        10_000,
        seated,
    ),
    "debit": Path(
        lambda bank: bank.debit("ana", 700, "debit-01", "bad luck"),
        Credited(amount=700, wallet=89_300),
        10_000,
        seated,
    ),
}


async def check(pit):
    """No cent is lost or made, and the audit sees that too."""
    await check_conservation(pit.client)
    report = await Auditor(pit.stores, [DEFAULT_PIT]).run()
    assert (report.mismatches, report.unpinned, report.difference) == ((), (), 0)


async def chips(pit):
    """What Ana's seat has, bankroll and slip; None without a seat."""
    place = await pit.seats.private(STANDARD, "ana")
    if place.seat is None:
        return None
    return place.bankroll + sum(place.bets.values())


async def run_up_to(pit, path):
    """An empty store, and all that goes before the call."""
    await pit.client.flushall()
    await pit.stream.open()
    bank = a_bank(pit)
    for step in path.before:
        await step(pit, bank)
    return bank


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("name", PATHS)
async def test_sent_again_after_a_cut_anywhere_it_is_done_once(pit, name, when):
    path = PATHS[name]
    for number in range(1, 30):
        bank = await run_up_to(pit, path)
        with cuts(pit.client, cut_at(number, when)) as cut:
            try:
                answer = await path.call(bank)
            except StoreUnavailableError:
                answer = None
        assert (cut.lost == 1) == (answer is None)
        await check(pit)
        assert await path.call(bank) == path.answer
        await check(pit)
        assert await chips(pit) == path.chips
        assert await pit.client.hlen(TRANSFERS) == 1
        assert await path.call(bank) == path.answer
        if answer is not None:
            assert answer == path.answer
            return
    raise AssertionError("the path never ended")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("name", PATHS)
async def test_left_behind_by_the_dead_it_is_finished_or_was_never_begun(pit, name, when):
    path = PATHS[name]
    begun = []
    for number in range(1, 30):
        bank = await run_up_to(pit, path)
        before = await chips(pit)
        with cuts(pit.client, cut_at(number, when)) as cut, contextlib.suppress(StoreUnavailableError):
            await path.call(bank)
        finished = await bank.finish(STANDARD, 0)
        assert (finished.waiting, finished.damaged) == (0, ())
        await check(pit)
        assert await pit.client.hlen(TRANSFERS) <= 1
        after = await chips(pit)
        assert after in {before, path.chips}
        begun.append(after == path.chips)
        assert await path.call(bank) == path.answer
        await check(pit)
        assert await chips(pit) == path.chips
        if not cut.lost:
            assert begun == sorted(begun)
            return
    raise AssertionError("the path never ended")


@pytest.mark.parametrize("when", ["before", "after"])
async def test_the_finishing_itself_may_be_cut_anywhere(pit, when):
    for number in range(1, 30):
        bank = await run_up_to(pit, PATHS["top up"])
        with cuts(pit.client, cut_at(5, "before")), pytest.raises(StoreUnavailableError):
            await bank.top_up(STANDARD, "ana", "top-up-1", 500, LIMITS)
        assert await pit.client.hlen(TRANSFERS) == 2
        with cuts(pit.client, cut_at(number, when)) as cut, contextlib.suppress(StoreUnavailableError):
            await bank.finish(STANDARD, 0)
        await check(pit)
        await bank.finish(STANDARD, 0)
        await check(pit)
        assert await chips(pit) == 10_500
        if not cut.lost:
            return
    raise AssertionError("finishing never ended")


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_dealers_cash_out_that_is_cut_and_called_again_is_done_once(pit, when):
    for number in range(1, 30):
        bank = await run_up_to(pit, PATHS["leave after the round"])
        with cuts(pit.client, cut_at(number, when)) as cut, contextlib.suppress(StoreUnavailableError):
            await bank.cash_out(STANDARD, "ana")
        await check(pit)
        await bank.cash_out(STANDARD, "ana")
        await bank.finish(STANDARD, 0)
        await check(pit)
        answer = await bank.leave(STANDARD, "ana", "leave-001")
        assert answer == Left(returned=10_500, wallet=100_500)
        if not cut.lost:
            return
    raise AssertionError("the cash-out never ended")


@pytest.mark.parametrize("name", PATHS)
async def test_memory_that_runs_full_at_any_command_stops_the_path_whole(pit, shared_store, name):
    """J6: a script is refused before it begins, so none is half done; with memory again, all goes on."""
    path = PATHS[name]
    async with open_pit(shared_store.url) as other:
        for number in range(1, 30):
            bank = await run_up_to(pit, path)
            full = asyncio.Event()
            with cuts(pit.client, cut_at(number, full)) as cut:
                calling = asyncio.create_task(path.call(bank))
                while cut.commands < number and not calling.done():
                    await asyncio.sleep(0.001)
                await other.client.config_set("maxmemory", 1)
                full.set()
                [answer] = await asyncio.gather(calling, return_exceptions=True)
            await other.client.config_set("maxmemory", 0)
            assert answer == path.answer or isinstance(answer, StoreUnavailableError)
            await check(pit)
            assert await path.call(bank) == path.answer
            await check(pit)
            assert await chips(pit) == path.chips
            if cut.commands < number:
                return
    raise AssertionError("the path never ended")
