"""The phase machine on a manual clock: hours of play in milliseconds, without sleeping."""

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    CutListed,
    Resumed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    SeatChanged,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableClosed,
)
from croupier_protocol.messages.values import Contribution, Epoch, Phase, Player, TableId, TakenSeat
from croupier_protocol.view import fold
from croupier_server.table.beacon import BeaconSource
from croupier_server.table.machine import ABANDONED_MS, advance, wake_at
from croupier_server.table.pace import STANDARD, TURBO
from croupier_server.table.round_steps import coup_on
from croupier_server.table.state import (
    Bets,
    CutSeen,
    Drawn,
    Inputs,
    Order,
    SettledTotals,
    TableSettings,
    decode_state,
    encode_state,
    open_table,
)
from croupier_server.table.transitions import TRANSITIONS, Trigger

T0 = 1_700_000_000_000


class Play:
    """A table on a manual clock: jumps to whatever is due next."""

    def __init__(self, rules="standard", pace=STANDARD, seed=b"\1" * 32, start=T0):
        self.settings = TableSettings(table=TableId("t"), rules=RULE_SETS[rules], pace=pace)
        self.state = open_table(self.settings, Epoch("e"))
        self.held = None
        self.now = start
        self.seed = seed
        self.events = []
        self.records = []
        self.last = None

    def step(self, **inputs):
        """One call at the present moment; returns the event, if there was one."""
        if self.state.view.phase in {Phase.SETTLING, Phase.VOIDING} and not inputs:
            inputs = {"settled": SettledTotals()}
        before = self.state.view
        self.last = advance(self.settings, self.state, self.held, self.now, self.seed, Inputs(**inputs))
        self.state, self.held = self.last.state, self.last.held
        if self.last.event is not None:
            assert fold(before, self.last.event) == self.state.view
            self.events.append((self.now, self.last.event))
        if self.last.record is not None:
            self.records.append(self.last.record)
        return self.last.event

    @property
    def shoe(self):
        """The shoe that the dealer holds."""
        return self.held.shoe

    def due(self):
        """When the next step is due."""
        return wake_at(self.settings, self.state)

    def go(self):
        """Jumps to the next due time and takes the step."""
        self.now = max(self.now, self.due() or 0)
        return self.step()

    def until(self, kind, most=100_000):
        """Goes on until an event of `kind` and returns it."""
        for _ in range(most):
            event = self.go()
            if isinstance(event, kind):
                return event
        raise AssertionError(f"no {kind.__name__}")

    def reach(self, phase):
        """Goes on until the table has come to `phase`; in `shuffling`, until the shoe is opened."""
        self.go()
        while self.state.view.phase is not phase or self.state.view.cut is not None:
            self.go()
        return self


def test_tables_that_are_opened_together_begin_apart_but_within_the_time_of_a_card():
    begins = [
        open_table(
            TableSettings(table=TableId(f"t{number}"), rules=RULE_SETS["standard"], pace=STANDARD),
            Epoch("e"),
            T0,
        ).due_ms
        - T0
        for number in range(300)
    ]
    assert min(begins) >= 0
    assert max(begins) < 1_000
    busiest = max(sum(at // 50 == slot for at in begins) for slot in range(20))
    assert busiest < 40  # of 300, in 50 ms


def test_a_round_at_standard_pace_takes_its_published_times():
    play = Play()
    assert isinstance(play.step(), ShoeCommitted)
    play.until(RoundSettled)
    play.until(BettingOpened)
    kinds = [(at - T0, type(event)) for at, event in play.events]
    cards = sum(kind is CardDealt for _, kind in kinds)
    assert kinds[:5] == [
        (0, ShoeCommitted),
        (0, ShoeOpened),
        (6_000, BettingOpened),
        (21_000, BettingClosed),
        (22_000, CardDealt),
    ]
    assert kinds[-3:] == [
        (22_000 + cards * 1_000, RoundResult),
        (22_000 + cards * 1_000, RoundSettled),
        (26_000 + cards * 1_000, BettingOpened),
    ]


def test_cards_go_player_banker_player_banker_and_then_thirds():
    """A7."""
    play = Play()
    for _ in range(60):
        play.until(BettingClosed)
        hands = []
        while isinstance(event := play.go(), CardDealt):
            hands.append((event.hand, event.index))
        assert hands[:4] == [("player", 0), ("banker", 0), ("player", 1), ("banker", 1)]
        assert hands[4:] in (
            [],
            [("player", 2)],
            [("banker", 2)],
            [("player", 2), ("banker", 2)],
        )


def test_a_shoe_is_dealt_without_skipping_or_repeating_a_card():
    """A6, B1: what is dealt, in order, is the shoe's order after the burn."""
    play = Play(pace=TURBO)
    play.until(ShoeOpened)
    shoe = play.shoe
    dealt = []
    while not isinstance(event := play.go(), ShoeOpened):
        if isinstance(event, CardDealt):
            dealt.append(event.card)
    order = shoe.order(1)
    assert tuple(dealt) == order[shoe.start : shoe.start + len(dealt)]
    assert len(order) == 416
    assert shoe.start + len(dealt) >= shoe.cut_at


def test_the_last_coup_is_announced_before_its_window_and_ends_the_shoe():
    """B2."""
    play = Play(pace=TURBO)
    play.until(ShoeOpened)
    shoe, last_windows = play.shoe, []
    while not isinstance(event := play.go(), ShoeOpened):
        if isinstance(event, BettingOpened):
            last_windows.append((event.last, play.state.position >= shoe.cut_at))
    assert [announced for announced, _ in last_windows].count(True) == 1
    assert last_windows[-1] == (True, True)
    assert not any(behind for _, behind in last_windows[:-1])
    assert event.shoe == 2


def test_a_series_is_sixty_coups_from_fresh_decks():
    play = Play(rules="single-deck", pace=TURBO)
    first = play.until(ShoeOpened)
    assert (first.cards, first.burn, first.cut_at, first.coups) == (52, None, None, 60)
    windows, cards = [], []
    while not isinstance(event := play.go(), ShoeOpened):
        if isinstance(event, BettingOpened):
            windows.append(event)
            cards.append([])
        if isinstance(event, CardDealt):
            cards[-1].append(event.card)
    assert [window.coup for window in windows] == list(range(1, 61))
    assert [window.last for window in windows] == [False] * 59 + [True]
    assert all(len(set(coup)) == len(coup) for coup in cards)
    assert [tuple(coup) for coup in cards] != [tuple(cards[0])] * 60


def test_rounds_count_up_by_one_over_shoes():
    """F3."""
    play = Play(pace=TURBO)
    rounds = [play.until(BettingOpened).round for _ in range(200)]
    assert rounds == list(range(1, 201))


def test_results_stay_until_the_next_shoe_opens():
    """E10."""
    play = Play(rules="single-deck", pace=TURBO)
    for _ in range(60):
        play.until(RoundSettled)
    assert len(play.state.view.past) == 60
    assert play.state.view.outcome is not None
    play.until(ShoeOpened)
    assert play.state.view.past == ()
    assert play.state.view.outcome is None


def test_a_late_step_keeps_the_rhythm():
    """F11: being late by a little is not passed on."""
    play = Play()
    play.until(ShoeOpened)
    play.now = play.due() + 20
    play.step()
    first = play.last.event.closes_at_ms
    for _ in range(100):
        play.until(BettingOpened)
    punctual = Play()
    for _ in range(101):
        window = punctual.until(BettingOpened)
    assert play.last.event.closes_at_ms - first == window.closes_at_ms - (T0 + 6_000 + 15_000)


def test_a_window_that_opens_late_still_has_its_full_length():
    play = Play()
    play.until(ShoeOpened)
    play.now = play.due() + 700
    event = play.step()
    assert event.closes_at_ms == play.now + 15_000
    assert play.last.not_after_ms == play.now + 50


def test_after_a_long_pause_steps_do_not_come_in_a_burst():
    play = Play()
    play.until(CardDealt)
    play.now = play.due() + 30_000
    play.step()
    assert play.due() == play.now + 1_000


@pytest.mark.parametrize("hours", [1, -1])
def test_a_stepped_clock_does_not_change_a_windows_length(hours):
    """F10."""
    step_ms = hours * 3_600_000
    play = Play()
    opened = play.until(BettingOpened)
    play.now += 5_000 + step_ms
    again = play.step(stepped_ms=step_ms)
    assert isinstance(again, BettingOpened)
    assert (again.round, again.coup, again.last) == (opened.round, opened.coup, opened.last)
    assert again.closes_at_ms - play.now == 10_000
    play.now = again.closes_at_ms - 1
    assert play.step() is None
    play.now += 1
    assert isinstance(play.step(), BettingClosed)


@pytest.mark.parametrize("hours", [1, -1])
@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.CLOSED, Phase.DEALING, Phase.RESULT])
def test_a_stepped_clock_does_not_move_other_steps(phase, hours):
    step_ms = hours * 3_600_000
    play = Play().reach(phase)
    left_ms = play.due() - play.now
    play.now += step_ms
    assert play.step(stepped_ms=step_ms) is None
    assert play.due() - play.now == left_ms


def test_a_taken_over_window_that_lies_hours_ahead_is_cut_to_its_length():
    """F10: the clock went back while nobody dealt."""
    play = Play().reach(Phase.BETTING)
    play.now -= 3_600_000
    again = play.step()
    assert isinstance(again, BettingOpened)
    assert again.closes_at_ms == play.now + 15_000


@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.CLOSED, Phase.DEALING, Phase.RESULT])
def test_a_taken_over_step_that_lies_hours_ahead_comes_now(phase):
    play = Play().reach(phase)
    play.now -= 3_600_000
    assert play.step() is not None


def test_a_window_that_ended_ten_minutes_ago_is_voided():
    play = Play().reach(Phase.BETTING)
    play.now = play.due() + ABANDONED_MS
    assert isinstance(play.step(), BettingClosed)
    play = Play().reach(Phase.BETTING)
    position = play.state.position
    play.now = play.due() + ABANDONED_MS + 1
    event = play.step()
    assert isinstance(event, RoundVoided)
    assert event.reason == "abandoned"
    assert isinstance(play.step(), RoundSettled)
    assert play.records[-1].outcome is None
    nxt = play.until(BettingOpened)
    assert (nxt.round, nxt.coup, play.state.position) == (event.round + 1, 2, position)


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED, Phase.DEALING])
def test_an_operator_voids_a_round_and_the_shoe_goes_on(phase):
    play = Play().reach(phase)
    position, shoe = play.state.position, play.shoe
    shown = play.state.view.player, play.state.view.banker
    event = play.step(order=Order.VOID, reason="misdeal")
    assert (type(event), event.reason, play.state.view.phase) == (RoundVoided, "misdeal", Phase.VOIDING)
    assert (play.records[-1].player, play.records[-1].banker) == shown
    play.step()
    assert play.state.view.phase is Phase.RESULT
    play.until(CardDealt)
    assert play.shoe is shoe
    assert play.state.position == position + 1


@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.SETTLING, Phase.RESULT])
def test_a_round_cannot_be_voided_outside_its_play(phase):
    play = Play().reach(phase)
    before = play.state
    assert not isinstance(play.step(order=Order.VOID, reason="late"), RoundVoided)
    assert (phase, Trigger.VOID_ORDERED) not in TRANSITIONS
    assert before.view.round == play.state.view.round


def test_a_pause_waits_for_the_result_and_lasts_until_resumed():
    play = Play().reach(Phase.DEALING)
    assert play.step(order=Order.PAUSE, reason="break") is None
    play.reach(Phase.RESULT)
    assert play.step(order=Order.PAUSE, reason="break").reason == "break"
    assert play.due() is None
    play.now += 86_400_000
    assert play.step() is None
    play.step(order=Order.RESUME)
    assert isinstance(play.go(), BettingOpened)


def test_nothing_is_due_before_its_time():
    play = Play()
    for _ in range(300):
        due = play.due()
        if due is not None and due > play.now:
            play.now = due - 1
            assert play.step() is None
        play.go()


ANA = TakenSeat(seat=3, player=Player(id="ana", name="Ana"))
BEN = TakenSeat(seat=5, player=Player(id="ben", name="Ben"))


def part(taken, value, *, shown=False):
    """What a seat has sent for the cut."""
    hash_ = hashlib.sha256(value).digest()
    return Contribution(taken.seat, taken.player.id, hash_, value if shown else None)


def seen(*parts, everybody=False):
    return CutSeen(rev=len(parts), contributions=parts, everybody=everybody)


def test_a_cut_takes_hashes_for_its_time_and_then_values_for_theirs():
    play = Play()
    committed = play.step(seats=(ANA, BEN))
    for _ in range(2):
        assert isinstance(play.step(seats=(ANA, BEN)), SeatChanged)
    assert isinstance(committed, ShoeCommitted)
    assert committed.cut_until_ms == T0 + 2_000
    hashes = seen(part(ANA, b"a" * 32), part(BEN, b"b" * 32))
    assert play.step(cut=hashes) is None
    play.now = T0 + 2_000
    listed = play.step(cut=hashes)
    assert [one.value for one in listed.contributions] == [None, None]
    assert listed.reveal_until_ms == T0 + 4_000
    values = seen(part(ANA, b"a" * 32, shown=True), part(BEN, b"b" * 32))
    assert play.step(cut=values) is None
    play.now = T0 + 4_000
    opened = play.step(cut=values)
    assert [one.value for one in opened.contributions] == [b"a" * 32, None]
    assert play.last.cut == values
    assert play.due() == T0 + 4_000 + 6_000


def test_a_cut_ends_as_soon_as_everybody_has_sent_theirs():
    play = Play()
    for _ in range(3):
        play.step(seats=(ANA, BEN))
    hashes = seen(part(ANA, b"a" * 32), everybody=True)
    assert play.step(cut=hashes).contributions == hashes.contributions
    shown = seen(part(ANA, b"a" * 32, shown=True))
    assert isinstance(play.step(cut=shown), ShoeOpened)
    assert play.now == T0


@pytest.mark.parametrize("seats", [(), (ANA,)])
def test_a_cut_that_nobody_takes_part_in_lists_nothing(seats):
    play = Play()
    while not isinstance(committed := play.step(seats=seats), ShoeCommitted):
        pass
    assert committed.cut_until_ms == (T0 + 2_000 if seats else None)
    play.now = play.due()
    opened = play.step(cut=seen())
    assert isinstance(opened, ShoeOpened)
    assert opened.contributions == ()


def test_every_value_changes_the_order_and_none_tells_it():
    """The same seed with another value, a value kept back, and no cut at all: four different shoes."""
    orders = set()
    for parts in (
        (part(ANA, b"a" * 32, shown=True),),
        (part(ANA, b"z" * 32, shown=True),),
        (part(ANA, b"a" * 32),),
        (),
    ):
        play = Play()
        for _ in range(2):
            play.step(seats=(ANA,))
        hashes = tuple(replace(one, value=None) for one in parts)
        play.step(cut=seen(*hashes, everybody=True))
        if parts:
            play.now = play.due()
            play.step(cut=seen(*parts))
        orders.add(play.shoe.order(1))
    assert len(orders) == 4


def test_a_shoe_is_abandoned_in_public_and_the_next_goes_on_from_its_end():
    play = Play().reach(Phase.RESULT)
    ended = play.step(order=Order.ABANDON, reason="a card was seen")
    assert (type(ended), ended.reason, ended.seed) == (ShoeEnded, "a card was seen", b"\1" * 32)
    committed = play.step()
    assert (committed.shoe, committed.previous) == (2, ended.chain)


def test_a_table_ends_only_when_nobody_sits_there_and_everyone_was_told():
    play = Play()
    ana = (TakenSeat(seat=3, player=Player(id="ana", name="Ana")),)
    play.until(RoundSettled)
    play.step(seats=ana)
    play.now += 3_600_000
    assert play.step(order=Order.CLOSE, seats=ana) is None
    told = play.step(order=Order.CLOSE, seats=())
    assert (told.seat, told.player, play.state.view.phase) == (3, None, Phase.RESULT)
    ended = play.step(order=Order.CLOSE, seats=(), reason="over")
    assert (type(ended), ended.shoe, ended.reason, ended.seed) == (ShoeEnded, 1, "over", b"\1" * 32)
    assert play.step(order=Order.CLOSE, seats=(), reason="over").reason == "over"
    assert play.state.view.phase is Phase.ENDED
    assert play.due() is None
    play.now += 3_600_000
    assert play.step() is None
    assert isinstance(play.step(order=Order.REOPEN), Resumed)
    committed = play.go()
    assert (committed.shoe, committed.previous) == (2, ended.chain)
    play.until(BettingOpened)
    assert play.state.view.round == 2


def test_a_table_that_is_closed_in_a_cut_publishes_the_seed_that_was_committed_to():
    play = Play()
    committed = play.step()
    ended = play.step(order=Order.CLOSE, seats=(), reason="over")
    assert (ended.shoe, ended.seed, ended.contributions) == (committed.shoe, b"\1" * 32, ())
    assert isinstance(play.step(order=Order.CLOSE, seats=()), TableClosed)


def test_a_cut_that_cannot_be_read_ends_its_shoe_in_public_and_the_next_one_goes_on():
    play = Play()
    for _ in range(2):
        play.step(seats=(ANA,))
    listed = play.step(cut=seen(part(ANA, b"a" * 32), everybody=True))
    ended = play.step(cut_damaged=True)
    assert (type(ended), ended.reason) == (ShoeEnded, "the cut cannot be read")
    assert ended.contributions == listed.contributions
    committed = play.step()
    assert (committed.shoe, committed.previous) == (2, ended.chain)
    assert play.state.view.cut.shoe == 2


BEACON = BeaconSource("https://beacon.example/{round}#randomness", genesis=1_699_999_000, period=30)
"""Round 34 came ten seconds before `T0`."""


def test_a_shoe_waits_for_the_beacon_that_its_commitment_names_and_for_nothing_else():
    play = Play()
    play.settings = replace(play.settings, beacon=BEACON)
    committed = play.step()
    assert (committed.beacon.round, committed.beacon.due_ms) == (35, T0 + 20_000)
    play.now = T0 + 3_600_000
    assert play.due() is None
    assert play.step() is None
    told = play.step(seats=(ANA,))
    assert isinstance(told, SeatChanged)
    opened = play.step(beacon=Drawn(b"v" * 32))
    assert (type(opened), opened.beacon.round, opened.beacon.value) == (ShoeOpened, 35, b"v" * 32)
    assert play.state.view.shoe.beacon == opened.beacon


def test_a_round_of_a_beacon_is_drawn_after_the_last_value_of_the_cut_was_due():
    """Two windows of two seconds, and one more second: the round that comes 4.5 seconds on is too early."""
    play = Play(start=T0 + 15_500)
    play.settings = replace(play.settings, beacon=BEACON)
    committed = play.step(seats=(ANA,))
    assert (committed.beacon.round, committed.beacon.due_ms) == (36, T0 + 50_000)


def test_a_cut_with_a_beacon_takes_hashes_and_values_as_any_other():
    play = Play()
    play.settings = replace(play.settings, beacon=BEACON)
    for _ in range(2):
        play.step(seats=(ANA,))
    assert play.due() is None  # as long as nobody has sent a hash
    hashes = seen(part(ANA, b"a" * 32), everybody=True)
    assert isinstance(play.step(cut=hashes), CutListed)
    shown = seen(part(ANA, b"a" * 32, shown=True))
    assert play.step(cut=shown) is None
    opened = play.step(cut=shown, beacon=Drawn(None))
    assert (opened.beacon.value, opened.contributions[0].value) == (None, b"a" * 32)


def test_a_beacon_changes_the_order_and_one_that_does_not_come_leaves_it_to_the_seed():
    orders = set()
    for beacon, drawn in (
        (None, None),
        (BEACON, Drawn(None)),
        (BEACON, Drawn(b"v" * 32)),
        (BEACON, Drawn(b"w" * 32)),
    ):
        play = Play()
        play.settings = replace(play.settings, beacon=beacon)
        play.step()
        play.now += 60_000
        play.step(beacon=drawn)
        orders.add(play.shoe.order(1))
    assert len(orders) == 3


def test_every_transition_is_taken_and_leads_where_the_table_says():
    taken = set()
    play = Play(pace=TURBO)
    ana = (TakenSeat(seat=3, player=Player(id="ana", name="Ana")),)
    part = Contribution(seat=3, player="ana", hash=b"h" * 32)
    cut = CutSeen(rev=1, contributions=(part,), everybody=True)
    orders = {
        Phase.SHUFFLING: [
            {},
            {"seats": ana},
            {"seats": ()},
            {"cut": cut},
            {"cut_damaged": True},
            {"order": Order.CLOSE, "seats": ()},
        ],
        Phase.SETTLING: [{}, {"seats": ana}, {"seats": ()}],
        Phase.VOIDING: [{}, {"seats": ana}, {"seats": ()}],
        Phase.RESULT: [
            {},
            {"order": Order.PAUSE},
            {"order": Order.ABANDON},
            {"order": Order.CLOSE, "seats": ()},
            {"seats": ana},
            {"seats": ()},
        ],
        Phase.BETTING: [
            {},
            {"order": Order.VOID},
            {"stepped_ms": 400},
            {"seats": ana},
            {"seats": ()},
            {"bets": Bets(totals={"tie": 5}, bettors=1, ready=0)},
            {"present": 1, "all_ready": True},
        ],
        Phase.CLOSED: [{}, {"order": Order.VOID}, {"seats": ana}, {"bets": Bets(totals={"tie": 7})}],
        Phase.DEALING: [{}, {"order": Order.VOID}, {"seats": ana}, {"seats": ()}],
        Phase.PAUSED: [
            {"order": Order.RESUME},
            {"order": Order.CLOSE, "seats": ()},
            {"seats": ana},
            {"seats": ()},
        ],
        Phase.ENDED: [{"order": Order.REOPEN}, {"seats": ana}, {"seats": ()}],
    }
    chance = random.Random(5)
    for _ in range(6_000):
        phase = play.state.view.phase
        chosen = chance.choice(orders[phase])
        event = play.step(**chosen) if chosen else play.go()
        if event is not None:
            taken.add((phase, type(event), play.state.view.phase))
    listed = {(phase, step.event, step.to) for (phase, _), step in TRANSITIONS.items()}
    assert taken == listed


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_state_read_back_from_the_store_goes_on_alike(data):
    """Takeover: whoever continues from the record deals the same cards."""
    rules = data.draw(st.sampled_from(sorted(RULE_SETS)))
    play = Play(rules=rules, pace=TURBO, seed=data.draw(st.binary(min_size=32, max_size=32)))
    for _ in range(data.draw(st.integers(1, 400))):
        play.go()
    other = Play(rules=rules, pace=TURBO, seed=play.seed, start=play.now)
    other.state, other.held = decode_state(encode_state(play.state)), play.held
    assert other.state == play.state
    for _ in range(50):
        assert other.go() == play.go()


def test_a_coup_on_the_table_is_rebuilt_from_its_hands():
    play = Play(pace=TURBO)
    for _ in range(200):
        play.reach(Phase.DEALING)
        cards = [play.events[-1][1].card]
        while isinstance(event := play.go(), CardDealt):
            cards.append(event.card)
            assert coup_on(play.state.view).cards == tuple(cards)


def test_timing_before_a_result_does_not_tell_whether_another_card_comes():
    """L6: after every card, the last one too, the next step is one card's time away."""
    play = Play()
    gaps = set()
    for _ in range(2_000):
        event, at = play.go(), play.now
        if isinstance(event, CardDealt):
            gaps.add(play.due() - at)
    assert gaps == {1_000}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_when_a_step_is_due_follows_from_the_pace_and_from_what_has_been_shown(rules):
    """L6: the n-th card is due n - 1 cards' time after the first, and the result one after the last."""
    due = {}
    for number in range(4):
        play, begun, cards = Play(rules, seed=bytes([number]) * 32), 0, 0
        for _ in range(600):
            event = play.go()
            if isinstance(event, BettingClosed):
                begun, cards = event.due_ms, 0
            if isinstance(event, CardDealt | RoundResult):
                due.setdefault(cards, set()).add(event.due_ms - begun)
                cards += 1
    assert due == {0: {1_000}, 1: {2_000}, 2: {3_000}, 3: {4_000}, 4: {5_000}, 5: {6_000}, 6: {7_000}}


def test_inputs_of_a_settlement_are_told_in_the_event():
    play = Play().reach(Phase.SETTLING)
    event = play.step(settled=SettledTotals(staked=1500, returned=975, paid=2))
    assert (event.staked, event.returned, event.paid) == (1500, 975, 2)


def test_the_state_may_be_replaced_under_another_epoch():
    play = Play().reach(Phase.DEALING)
    play.state = replace(play.state, view=replace(play.state.view, epoch=Epoch("f")))
    assert play.go().epoch == "f"


class Seated(Play):
    """A table at standard pace with an open window, and what players have done at it."""

    def __init__(self):
        super().__init__()
        self.until(BettingOpened)
        self.opened = self.now

    def at(self, after_ms, **inputs):
        """What happens `after_ms` into the window, given these inputs."""
        self.now = self.opened + after_ms
        return self.step(**inputs)


ANA = TakenSeat(seat=3, player=Player(id="ana", name="Ana"))
BEA = TakenSeat(seat=1, player=Player(id="bea", name="Béa"))


def test_each_seat_that_changed_is_told_once():
    play = Seated()
    seats = (BEA, ANA)
    first, second = play.at(10, seats=seats), play.at(11, seats=seats)
    assert [(one.seat, one.player) for one in (first, second)] == [(1, BEA.player), (3, ANA.player)]
    assert play.at(12, seats=seats) is None
    gone = play.at(13, seats=(ANA,))
    assert (gone.seat, gone.player) == (1, None)
    assert play.state.view.seats == (ANA,)


def test_seats_that_are_left_taken_and_passed_on_are_told_from_the_lowest_up():
    play = Seated()
    for after_ms in (10, 11):
        play.at(after_ms, seats=(BEA, ANA))
    cy, dan = Player(id="cy", name="Cy"), Player(id="dan", name="Dan")
    seats = (
        TakenSeat(seat=2, player=cy),
        TakenSeat(seat=3, player=dan),
        TakenSeat(seat=4, player=ANA.player),
    )
    told = [play.at(20, seats=seats) for _ in range(4)]
    assert [(one.seat, one.player) for one in told] == [(1, None), (2, cy), (3, dan), (4, ANA.player)]
    assert play.at(20, seats=seats) is None
    assert play.state.view.seats == seats


def test_a_seat_changes_no_due_time():
    play = Seated()
    due = play.due()
    play.at(400, seats=(ANA,))
    assert play.due() == due


def test_bets_are_told_four_times_a_second_at_most_and_only_when_changed():
    play = Seated()
    told = []
    for after_ms in range(0, 2_000, 10):
        bets = Bets(totals={"player": 100 * (1 + after_ms // 10)}, bettors=1, ready=0)
        if play.at(after_ms, bets=bets) is not None:
            told.append(after_ms)
    assert told == [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750]
    assert play.at(5_000, bets=bets).totals == {"player": 20_000}
    assert play.at(6_000, bets=bets) is None


def test_the_last_bets_are_told_after_the_window_has_closed():
    play = Seated()
    play.at(14_900, bets=Bets(totals={"tie": 100}, bettors=1))
    late = Bets(totals={"tie": 300}, bettors=2)
    assert play.at(14_950, bets=late) is None
    assert isinstance(play.at(15_000, bets=late), BettingClosed)
    assert play.at(15_001, bets=late).totals == {"tie": 300}


def test_a_new_round_begins_with_no_bets():
    play = Seated()
    play.at(100, bets=Bets(totals={"tie": 100}, bettors=1))
    play.until(BettingOpened)
    view = play.state.view
    assert (view.totals, view.bettors, view.ready) == ({}, 0, 0)


def test_a_lone_ready_seat_closes_the_window_at_once():
    play = Seated()
    assert isinstance(play.at(1, present=1, all_ready=True), BettingClosed)
    assert play.last.early
    assert play.last.not_before_ms == 0
    assert play.due() == play.now + 1_000


def test_several_ready_seats_close_the_window_after_a_third_of_it():
    play = Seated()
    assert play.at(4_999, present=2, all_ready=True) is None
    assert isinstance(play.at(5_000, present=2, all_ready=True), BettingClosed)


def test_a_window_does_not_close_early_where_that_is_turned_off():
    play = Seated()
    play.settings = replace(play.settings, early_close=False)
    assert play.at(9_000, present=1, all_ready=True) is None
    assert isinstance(play.at(15_000, present=1, all_ready=True), BettingClosed)
    assert not play.last.early


def test_a_window_announced_again_keeps_its_bets():
    play = Seated()
    play.at(100, bets=Bets(totals={"tie": 100}, bettors=1))
    play.at(200 + 3_600_000, stepped_ms=3_600_000)
    assert play.state.view.totals == {"tie": 100}
