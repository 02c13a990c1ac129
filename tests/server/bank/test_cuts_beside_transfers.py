"""G4: every command of what moves or keeps money and is no transfer is cut, before it ran and after.

Done again, whatever the cut left behind, it comes to what it comes to without a cut: not to nothing, and not
to twice as much.
"""

import contextlib

import pytest

from croupier_server.players.closing import close_unused_guests
from croupier_server.players.guests import Guests
from croupier_server.store.errors import StoreUnavailableError
from support.banking import (
    BASE,
    LEDGER,
    LISTING,
    SLIPS,
    STANDARD,
    WALLET,
    a_bank,
    check_conservation,
    money,
    settle,
    sit,
    slip,
    window,
)
from support.cutting import cut_at, cuts

MONTH_MS = 30 * 24 * 3_600_000
HOUR_MS = 3_600_000
GUEST = "g0123456789abcdef"


class Work:
    """What goes before, what is done, and what is there after it."""

    async def prepare(self, pit):
        await sit(a_bank(pit))
        await window(pit)

    async def do(self, pit):
        raise NotImplementedError

    async def found(self, pit):
        return await money(pit.client)


class Slip(Work):
    """A changed slip, sent under one op."""

    async def prepare(self, pit):
        await super().prepare(pit)
        self.rev = (await slip(pit, player=500)).rev

    async def do(self, pit):
        bets = {"player": 200, "tie": 100}
        answer = await pit.seats.place(STANDARD, "ana", 7, self.rev, "slip-changed", LISTING, bets)
        assert (answer.accepted, answer.bankroll, answer.bets) == (True, 9_700, bets)
        assert answer.rev == self.rev + 1

    async def found(self, pit):
        totals = await pit.client.hgetall("croupier:{main}:t:standard:totals")
        return await super().found(pit), totals, await pit.client.hgetall(SLIPS)


class Deal(Work):
    """A ready mark."""

    async def do(self, pit):
        assert await pit.seats.ready(STANDARD, "ana", 7) is None

    async def found(self, pit):
        return await super().found(pit), await pit.client.hgetall("croupier:{main}:t:standard:ready")


class Settled(Work):
    """What stands after a settled round, its own rounds still to be kept."""

    async def prepare(self, pit):
        await super().prepare(pit)
        for round_ in (7, 8):
            await window(pit, round_)
            await slip(pit, round_=round_, player=500)
            await settle(pit, lambda *_: {"player": 1_000}, round_)


class OutboxEmptied(Settled):
    """Own rounds that are kept with their player."""

    async def do(self, pit):
        await pit.settled.empty_outbox(STANDARD)

    async def found(self, pit):
        kept = await pit.settled.own_rounds("ana", None, 100)
        left = await pit.client.llen("croupier:{main}:t:standard:outbox")
        return left, [(one.payout.round, one.payout.returned) for _, one in kept]


class LedgerRolled(Settled):
    """Postings taken into the base, and those beyond the first trimmed."""

    async def do(self, pit):
        while (await pit.bank.ledger.roll(most=1, kept=1)).more:
            pass

    async def found(self, pit):
        base = await pit.client.hgetall(BASE)
        for position in (b"upto", b"trimmed_upto"):
            base.pop(position, None)
        made = int(base.pop(b"trimmed", 0)) + await pit.client.xlen(LEDGER)
        return await super().found(pit), base, made


class Refill(Work):
    """A wallet that is refilled after an hour."""

    async def prepare(self, pit):
        await super().prepare(pit)
        await pit.client.hincrby(WALLET, "refilled_at_ms", -HOUR_MS)

    async def do(self, pit):
        bank = a_bank(pit, refill_to=95_000, refill_every_ms=HOUR_MS)
        assert await bank.refill("ana") == 95_000


class Removal(Work):
    """A player that is cashed out by the house, as the dealer does it."""

    async def do(self, pit):
        await a_bank(pit).cash_out(STANDARD, "ana")
        await a_bank(pit).finish(STANDARD, 0)


class GuestClosed(Work):
    """A guest unused for a month, whose chips are retired."""

    async def prepare(self, pit):
        bank = a_bank(pit)
        await sit(bank, GUEST)
        await bank.leave(STANDARD, GUEST, "leave-001")
        record = {"name": "", "seen_ms": 1, "t:00": "|1|0"}
        await pit.client.hset(f"croupier:{{w:{GUEST}}}:guest", mapping=record)
        await pit.client.zadd("croupier:guests", {GUEST: 1})

    async def do(self, pit):
        await close_unused_guests(Guests(pit.store), a_bank(pit), pit.stores)

    async def found(self, pit):
        left = await pit.client.zcard("croupier:guests"), await pit.client.keys("*:guest")
        return await super().found(pit), left


WORKS = [Slip, Deal, OutboxEmptied, LedgerRolled, Refill, Removal, GuestClosed]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("kind", WORKS)
async def test_done_again_after_a_cut_anywhere_it_comes_to_the_same(pit, kind, when):
    work = kind()
    await work.prepare(pit)
    untouched = await work.found(pit)
    await work.do(pit)
    expected = await work.found(pit)
    assert expected != untouched
    for number in range(1, 40):
        await pit.client.flushall()
        await pit.stream.open()
        await work.prepare(pit)
        with cuts(pit.client, cut_at(number, when)) as cut, contextlib.suppress(StoreUnavailableError):
            await work.do(pit)
        await check_conservation(pit.client)
        await work.do(pit)
        assert await work.found(pit) == expected
        await check_conservation(pit.client)
        if not cut.lost:
            assert number > 1
            return
    raise AssertionError("it never ended")
