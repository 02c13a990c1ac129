"""Players' slips at a table that is really dealt: taken, told, settled, once."""

import asyncio

import pytest
from msgspec.structs import replace

from croupier_protocol.codec import MSGPACK
from croupier_protocol.game.limits import Limits
from croupier_protocol.messages.events import (
    BetsChanged,
    BettingClosed,
    BettingOpened,
    Paused,
    Resumed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    SeatChanged,
)
from croupier_protocol.messages.values import Phase, TableId
from croupier_server.bank.answers import Leaving
from croupier_server.store import keys
from croupier_server.store.keys import DEFAULT_PIT
from croupier_server.store.seats import SlipRefusal, SlipState
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from support.dealing import dealer_hears, dealer_on
from support.seating import LISTING, money, seat
from support.stores import open_pit, turbo

ROOMY = Pace("roomy", shuffling_ms=20, betting_ms=400, closing_ms=10, card_ms=10, result_ms=20)


@pytest.fixture
async def table(pit):
    """A table with windows of 400 ms, dealt, and Ana on seat 3 with 100.00."""
    settings = replace(turbo("standard"), pace=ROOMY)
    await seat(pit, "standard", "ana", 3, 10_000)
    async with dealer_hears(pit, settings):
        yield Told(pit)


class Told:
    """Everything that everyone was told, read from the stream as it comes."""

    def __init__(self, pit) -> None:
        self.pit = pit
        self.position = "0-0"
        self.events = []

    async def until(self, kind, condition=lambda _: True):
        """The next event of `kind` that fits."""
        async with asyncio.timeout(20):
            while True:
                for entry in await self.pit.tail(self.position):
                    self.position = entry.id
                    if entry.table is None:
                        continue
                    event = MSGPACK.decode_message(entry.message)
                    self.events.append(event)
                    if isinstance(event, kind) and condition(event):
                        return event


async def place(pit, round_, rev, op, bets, player="ana"):
    """A slip of Ana's."""
    return await pit.seats.place(TableId("standard"), player, round_, rev, op, LISTING, bets)


async def test_a_slip_is_taken_told_and_settled(table, pit):
    window = await table.until(BettingOpened)
    taken = await place(pit, window.round, 0, "first-one", {"player": 500, "tie": 100})
    assert (taken.accepted, taken.rev, taken.bankroll) == (True, 1, 9_400)
    told = await table.until(BetsChanged)
    assert (told.totals, told.bettors, told.ready) == ({"player": 500, "tie": 100}, 1, 0)
    settled = await table.until(RoundSettled)
    assert settled.staked == 600
    assert await money(pit, "standard") == {
        "bankrolls": 10_000 - 600 + settled.returned,
        "stakes": 0,
        "house": 600 - settled.returned,
    }
    [own] = await pit.settled.results("standard", "ana", 0)
    assert own.payout.returned == settled.returned
    assert (own.bankroll_before, own.payout.bankroll) == (10_000, 10_000 - 600 + settled.returned)
    assert [(bet.bet, bet.stake) for bet in own.payout.bets] == [("player", 500), ("tie", 100)]
    await pit.settled.empty_outbox("standard")
    [(_, kept)] = await pit.settled.own_rounds("ana", None, 10)
    assert kept == own


async def test_a_seat_is_told_to_everyone(table):
    event = await table.until(SeatChanged)
    assert (event.seat, event.player.id, event.player.name) == (3, "ana", "Ana")


async def test_only_the_difference_moves_and_the_same_operation_moves_once(table, pit):
    """F4, C10."""
    window = await table.until(BettingOpened)
    answers = [await place(pit, window.round, 0, "same-name", {"player": 3_000}) for _ in range(10)]
    assert answers == [replace(answers[0], now_ms=one.now_ms) for one in answers]
    assert answers[0].bankroll == 7_000
    more = await place(pit, window.round, 1, "another-name", {"player": 1_000, "tie": 500})
    assert (more.rev, more.bankroll) == (2, 8_500)
    cleared = await place(pit, window.round, 2, "third-name", {})
    assert (cleared.rev, cleared.bankroll, cleared.bets) == (3, 10_000, {})


async def test_both_hands_on_one_slip_are_debited_kept_and_settled(table, pit):
    """C13: given Player, when Banker comes to it, then both are at stake, and both are on the payout."""
    window = await table.until(BettingOpened)
    await place(pit, window.round, 0, "first-one", {"player": 500})
    taken = await place(pit, window.round, 1, "both-hands", {"player": 500, "banker": 1_000})
    assert (taken.rev, taken.bankroll, taken.bets) == (2, 8_500, {"player": 500, "banker": 1_000})
    assert (await table.until(BetsChanged, lambda told: len(told.totals) == 2)).totals == taken.bets
    outcome = (await table.until(RoundResult)).outcome
    settled = await table.until(RoundSettled)
    back = {"player": [1_000, 0], "banker": [0, 1_950], "tie": [500, 1_000]}[outcome]
    assert (settled.staked, settled.returned) == (1_500, sum(back))
    [own] = await pit.settled.results("standard", "ana", 0)
    told = [(bet.bet, bet.stake, bet.returned) for bet in own.payout.bets]
    assert told == [("player", 500, back[0]), ("banker", 1_000, back[1])]
    assert own.payout.bankroll == 8_500 + sum(back)


async def test_a_slip_on_an_old_revision_is_answered_with_the_true_one(table, pit):
    window = await table.until(BettingOpened)
    await place(pit, window.round, 0, "first-one", {"player": 3_000})
    late = await place(pit, window.round, 0, "other-one", {"banker": 9_000})
    assert (late.accepted, late.rev, late.bankroll, late.bets) == (False, 1, 7_000, {"player": 3_000})


async def test_a_slip_beyond_the_bankroll_moves_nothing(table, pit):
    """F5."""
    window = await table.until(BettingOpened)
    await place(pit, window.round, 0, "first-one", {"player": 3_000})
    refused = await place(pit, window.round, 1, "other-one", {"player": 10_001})
    assert (refused.why, refused.bankroll) == ("short", 10_000)
    assert (await money(pit, "standard"))["stakes"] == 3_000


async def test_a_slip_for_another_round_or_listing_or_seat_is_refused(table, pit):
    window = await table.until(BettingOpened)
    for round_ in (window.round - 1, window.round + 1):
        refused = await place(pit, round_, 0, f"round-{round_}", {"player": 100})
        assert (refused.why, refused.round) == ("round", window.round)
    other = await pit.seats.place("standard", "ana", window.round, 0, "listing-1", "another", {"player": 100})
    assert other.why == "listing"
    nobody = await place(pit, window.round, 0, "nobody-01", {"player": 100}, player="bob")
    assert nobody.why == "seat"
    assert (await money(pit, "standard"))["stakes"] == 0


async def test_a_slip_after_the_window_is_refused_whatever_the_phase(table, pit):
    """F2, F3."""
    closed = await table.until(BettingClosed)
    refused = await place(pit, closed.round, 0, "too-late-1", {"player": 100})
    assert isinstance(refused, SlipRefusal)
    assert refused.why in {"phase", "round"}
    assert (await money(pit, "standard"))["stakes"] == 0


async def test_a_lone_seat_that_is_ready_closes_the_window(table, pit):
    window = await table.until(BettingOpened)
    await place(pit, window.round, 0, "first-one", {"player": 100})
    assert await pit.seats.ready("standard", "ana", window.round) is None
    closed = await table.until(BettingClosed)
    assert closed.round == window.round
    assert closed.at_ms < window.closes_at_ms


async def test_a_changed_slip_takes_the_ready_mark_back(table, pit):
    await seat(pit, "standard", "bea", 4, 10_000)
    window = await table.until(BettingOpened, lambda event: event.round >= 2)
    await pit.seats.ready("standard", "ana", window.round)
    await place(pit, window.round, 0, "changed-1", {"player": 100})
    await pit.seats.ready("standard", "bea", window.round)
    closed = await table.until(BettingClosed)
    assert closed.at_ms >= window.closes_at_ms


async def test_a_seat_without_a_bankroll_stops_with_an_alarm(table, pit):
    """J7: a vanished bankroll is never a fresh one."""
    window = await table.until(BettingOpened)
    await pit.client.hdel(keys.bankrolls_key(DEFAULT_PIT, "standard"), "ana")
    with pytest.raises(Exception, match="has no bankroll of ana"):
        await place(pit, window.round, 0, "first-one", {"player": 100})


async def test_more_seats_than_one_script_pays_are_settled_to_the_cent(table, pit):
    for number in range(120):
        await seat(pit, "standard", f"p{number}", 10 + number, 50_000, present=False)
    whole = sum((await money(pit, "standard")).values())
    choice = [{"player": 100}, {"banker": 300}, {"tie": 200, "banker": 500}]

    async def bet(number, turn, round_):
        player, op = f"p{number}", f"r{round_}-{number:06}"
        private = await pit.seats.private("standard", player)
        answer = await place(pit, round_, private.rev, op, choice[(number + turn) % 3], player)
        assert isinstance(answer, SlipState | SlipRefusal)

    for turn in range(6):
        window = await table.until(BettingOpened)
        await asyncio.gather(*(bet(number, turn, window.round) for number in range(120)))
        await table.until(RoundSettled)
        now = await money(pit, "standard")
        assert now["stakes"] == 0
        assert sum(now.values()) == whole


@pytest.mark.slow
async def test_a_settlement_cut_short_is_continued_by_the_next_dealer_without_paying_twice(store, tmp_path):
    """G3, G4: a dealer is cancelled wherever it is, four times; the next one goes on after its lease."""
    async with open_pit(store.url) as pit:
        for number in range(60):
            await seat(pit, "standard", f"p{number}", 1 + number, 50_000)
        whole = sum((await money(pit, "standard")).values())
        settings = replace(turbo("standard"), pace=ROOMY)
        for turn in range(4):
            async with dealer_on(pit, settings):
                await until_phase(pit, Phase.BETTING)
                record = (await pit.tables.read("standard")).record
                round_ = int(await pit.client.hget(keys.table_key(DEFAULT_PIT, "standard"), "round"))
                assert record.seq > 0
                for number in range(60):
                    private = await pit.seats.private("standard", f"p{number}")
                    bets = {"banker": 100 + number}
                    await place(pit, round_, private.rev, f"t{turn}-{number:06}", bets, f"p{number}")
                await until_phase(pit, Phase.DEALING)
            assert sum((await money(pit, "standard")).values()) == whole
        async with dealer_on(pit, settings):
            await until_phase(pit, Phase.RESULT)
        now = await money(pit, "standard")
        assert sum(now.values()) == whole
        postings = await pit.client.xrange(keys.ledger_key(DEFAULT_PIT))
        keys_seen = [(fields[b"p"], fields[b"r"]) for _, fields in postings]
        assert len(keys_seen) == len(set(keys_seen))


async def until_phase(pit, phase) -> None:
    """Waits until the record is in `phase`."""

    async def in_phase() -> bool:
        return await pit.client.hget(keys.table_key(DEFAULT_PIT, "standard"), "phase") == phase.encode()

    async with asyncio.timeout(20):
        while not await in_phase():
            await asyncio.sleep(0.002)


async def order(pit, wish, name):
    """Gives an order and waits for its answer."""
    assert await pit.orders.give("standard", name, wish, "misdeal")
    async with asyncio.timeout(20):
        return await pit.orders.answer_to(name)


async def test_a_voided_round_returns_every_stake(table, pit):
    window = await table.until(BettingOpened)
    await place(pit, window.round, 0, "first-one", {"player": 500, "tie": 100})
    assert await order(pit, Wish.VOID, "void-it") == "done"
    void = await table.until(RoundVoided)
    assert (void.round, void.reason) == (window.round, "misdeal")
    settled = await table.until(RoundSettled)
    assert (settled.staked, settled.returned) == (600, 600)
    assert await money(pit, "standard") == {"bankrolls": 10_000, "stakes": 0, "house": 0}
    [own] = await pit.settled.results("standard", "ana", 0)
    assert {bet.result for bet in own.payout.bets} == {"refund"}
    assert (await table.until(BettingOpened)).round == window.round + 1


async def test_a_pause_is_answered_when_the_table_stands_still(table, pit):
    await table.until(BettingOpened)
    assert await order(pit, Wish.PAUSE, "pause-it") == "done"
    assert (await table.until(Paused)).reason == "misdeal"
    assert await order(pit, Wish.RESUME, "go-on-now") == "done"
    await table.until(Resumed)
    await table.until(BettingOpened)


async def test_a_pause_now_voids_and_pauses(table, pit):
    window = await table.until(BettingOpened)
    await place(pit, window.round, 0, "first-one", {"player": 500})
    assert await order(pit, Wish.PAUSE_NOW, "stop-it") == "done"
    await table.until(RoundVoided)
    await table.until(Paused)
    assert (await money(pit, "standard"))["bankrolls"] == 10_000


async def test_an_order_for_no_table_is_not_taken(table, pit):
    assert not await pit.orders.give("nowhere", "op-nowhere", Wish.PAUSE, "x")


async def test_who_leaves_during_a_round_is_cashed_out_after_it(table, pit):
    sat = await pit.bank.sit("standard", "bea", "sit-down-1", 5_000, Limits(), name="Bea", skeleton="bea")
    assert (sat.bought, sat.wallet) == (5_000, 95_000)
    window = await table.until(BettingOpened)
    private = await pit.seats.private("standard", "bea")
    await place(pit, window.round, private.rev, "bea-bets-1", {"tie": 300}, "bea")
    assert isinstance(await pit.bank.leave("standard", "bea", "leave-now-1"), Leaving)
    settled = await table.until(RoundSettled)
    await table.until(SeatChanged, lambda event: event.player is None)
    statement = await pit.bank.wallet("bea")
    assert statement.wallet.balance == 100_000 - 300 + settled.returned
    assert (await pit.seats.private("standard", "bea")).seat is None
