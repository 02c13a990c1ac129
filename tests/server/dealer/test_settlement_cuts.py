"""G3, G4: every command from a coup's result to `settled`, and from a void to its `settled`, is cut.

Before the command ran, or before its reply came; and then the same dealer goes on, or it has died and another
takes the table over. Whatever happens, each slip is paid once, by the outcome, and each player is told so.
"""

from collections import Counter

import pytest

from croupier_protocol.messages.values import Phase, TableId
from croupier_server.bank.audit import Auditor
from croupier_server.dealer import settling
from croupier_server.dealer.runner import Runner
from croupier_server.sight.metrics import Metrics
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from croupier_server.table.state import STATE_SCHEMA, TableSettings
from support.banking import LIMITS, check_conservation
from support.cutting import cut_at, cuts
from support.playing import returned_by
from support.seating import LISTING
from support.stores import KEY, turbo

TABLE = TableId("standard")
PACE = Pace("prompt", shuffling_ms=1, betting_ms=400, closing_ms=1, card_ms=1, result_ms=1)
SETTINGS = TableSettings(table=TABLE, rules=turbo("standard").rules, pace=PACE, early_close=False)
LEASE_MS = 60_000
START = 100_000
BUY_IN = 10_000
LEAVER = "cy"
SLIPS = {
    "ana": {"player": 500},
    "bo": {"banker": 300, "tie": 100},
    LEAVER: {"player": 700, "banker": 700},
}


async def take_over(pit, owner) -> Runner:
    """A dealer's hold of the table, from the record on, whoever had it before."""
    await pit.client.hset("croupier:{main}:t:standard", "lease_until_ms", 0)
    lease, record = await pit.tables.acquire(TABLE, owner, LEASE_MS, STATE_SCHEMA)
    return Runner(SETTINGS, pit, KEY, lease, LEASE_MS, record, await pit.stream.epoch(), Metrics())


def phase(runner) -> Phase:
    return runner._state.view.phase


async def deal_until(runner, *phases) -> None:
    while phase(runner) not in phases:
        await runner._step()


@pytest.fixture(params=["settle", "void"])
async def unsettled(request, pit, monkeypatch):
    """The store, key by key, when round 1 is about to be settled, or returned: three slips, in two chunks."""
    monkeypatch.setattr(settling, "CHUNK", 2)
    for player in SLIPS:
        await pit.bank.sit(
            TABLE, player, f"sit-{player:6}".replace(" ", "-"), BUY_IN, LIMITS, name=player, skeleton=player
        )
    runner = await take_over(pit, "0123456789abcdef")
    await deal_until(runner, Phase.BETTING)
    for player, bets in SLIPS.items():
        rev = (await pit.seats.private(TABLE, player)).rev
        placed = await pit.seats.place(TABLE, player, 1, rev, f"slip-{player}-1", LISTING, bets)
        assert placed.accepted
    await pit.bank.leave(TABLE, LEAVER, "leave-001")
    if request.param == "void":
        await pit.orders.give(TABLE, "void-it-1", Wish.VOID, "misdeal")
        runner.hear("order")
    await deal_until(runner, Phase.SETTLING, Phase.VOIDING)
    return {key: await pit.client.dump(key) for key in await pit.client.keys()}


async def restore(pit, keys) -> None:
    """Makes the store what it was."""
    pipe = pit.client.pipeline(transaction=False)
    pipe.flushall()
    for key, value in keys.items():
        pipe.restore(key, 0, value)
    await pipe.execute()


async def check(pit, outcome) -> None:
    """Every slip was paid once, and its player was told so; nothing contradicts anything."""
    await check_conservation(pit.client)
    report = await Auditor(pit.stores, [DEFAULT_PIT]).run()
    assert (report.mismatches, report.unpinned, report.difference) == ((), (), 0)
    paid = Counter(
        (fields[b"p"].decode(), fields[b"r"])
        for _, fields in await pit.client.xrange("croupier:{main}:ledger")
        if fields[b"k"] in {b"settle", b"void"}
    )
    assert paid == {(player, b"1"): 1 for player in SLIPS}
    assert not await pit.client.exists(
        "croupier:{main}:t:standard:outbox", "croupier:{main}:t:standard:slips"
    )
    for player, bets in SLIPS.items():
        staked = sum(bets.values())
        returned = staked if outcome is None else returned_by(bets, outcome)
        [told] = await pit.settled.results(TABLE, player, 0)
        [(_, kept)] = await pit.settled.own_rounds(player, None, 10)
        assert told == kept
        assert (told.payout.round, told.payout.returned) == (1, returned)
        assert told.payout.bankroll == BUY_IN - staked + returned
        wallet = (await pit.bank.wallet(player)).wallet.balance
        place = await pit.seats.private(TABLE, player)
        if player == LEAVER:
            assert (wallet, place.seat) == (START - staked + returned, None)
        else:
            assert (wallet, place.bankroll) == (START - BUY_IN, BUY_IN - staked + returned)


@pytest.mark.slow
@pytest.mark.parametrize("goes_on", ["the same dealer", "another dealer"])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_settlement_cut_at_any_command_pays_each_slip_once(pit, unsettled, when, goes_on):
    for number in range(1, 60):
        await restore(pit, unsettled)
        runner = await take_over(pit, "fedcba9876543210")
        with cuts(pit.client, cut_at(number, when)) as cut:
            while phase(runner) is not Phase.RESULT and not (cut.lost and goes_on == "another dealer"):
                await runner._step()
        if phase(runner) is not Phase.RESULT:
            runner = await take_over(pit, "0011223344556677")
            await deal_until(runner, Phase.RESULT)
        # What the dealer did after the round, and was kept from, it does after the next.
        await runner._after_round()
        await pit.settled.empty_outbox(TABLE)
        await pit.bank.finish(TABLE, 0)
        [round_] = await pit.tables.rounds(TABLE, None, 10)
        await check(pit, round_.outcome)
        if not cut.lost:
            assert number > 10
            return
    raise AssertionError("the settlement never ended")
