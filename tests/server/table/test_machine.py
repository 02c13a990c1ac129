"""The phase machine on a manual clock: hours of play in milliseconds, without sleeping."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier_protocol.game.rules import RULE_SETS
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundSettled,
    RoundVoided,
    ShoeOpened,
)
from croupier_protocol.messages.values import Epoch, Phase, TableId
from croupier_protocol.view import fold
from croupier_server.table.machine import ABANDONED_MS, advance
from croupier_server.table.pace import STANDARD, TURBO
from croupier_server.table.state import (
    Inputs,
    Order,
    Settlement,
    TableSettings,
    decode_state,
    encode_state,
    open_table,
    wake_at,
)
from croupier_server.table.steps import coup_on
from croupier_server.table.transitions import TRANSITIONS, Trigger

T0 = 1_700_000_000_000


class Play:
    """A table on a manual clock: jumps to whatever is due next."""

    def __init__(self, rules="standard", pace=STANDARD, seed=b"\1" * 32, start=T0):
        self.settings = TableSettings(table=TableId("t"), rules=RULE_SETS[rules], pace=pace)
        self.state = open_table(self.settings, Epoch("e"))
        self.shoe = None
        self.now = start
        self.seed = seed
        self.events = []
        self.records = []
        self.last = None

    def step(self, **inputs):
        """One call at the present moment; returns the event, if there was one."""
        if self.state.view.phase in {Phase.SETTLING, Phase.VOIDING} and not inputs:
            inputs = {"settled": Settlement()}
        before = self.state.view
        self.last = advance(self.settings, self.state, self.shoe, self.now, self.seed, Inputs(**inputs))
        self.state, self.shoe = self.last.state, self.last.shoe
        if self.last.event is not None:
            assert fold(before, self.last.event) == self.state.view
            self.events.append((self.now, self.last.event))
        if self.last.record is not None:
            self.records.append(self.last.record)
        return self.last.event

    def go(self):
        """Jumps to the next due time and takes the step."""
        self.now = max(self.now, wake_at(self.state) or 0)
        return self.step()

    def until(self, kind, most=100_000):
        """Goes on until an event of `kind` and returns it."""
        for _ in range(most):
            event = self.go()
            if isinstance(event, kind):
                return event
        raise AssertionError(f"no {kind.__name__}")

    def reach(self, phase):
        """Goes on until the table has come to `phase`."""
        self.go()
        while self.state.view.phase is not phase:
            self.go()
        return self


def test_a_round_at_standard_pace_takes_its_published_times():
    play = Play()
    assert isinstance(play.step(), ShoeOpened)
    play.until(RoundSettled)
    play.until(BettingOpened)
    kinds = [(at - T0, type(event)) for at, event in play.events]
    cards = sum(kind is CardDealt for _, kind in kinds)
    assert kinds[:4] == [
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
    play.step()
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
    play.step()
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
    first = play.step()
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
    while not isinstance(play.step(), BettingOpened):
        play.now = (wake_at(play.state) or play.now) + 20
    first = play.last.event.closes_at_ms
    for _ in range(100):
        play.until(BettingOpened)
    punctual = Play()
    for _ in range(101):
        window = punctual.until(BettingOpened)
    assert play.last.event.closes_at_ms - first == window.closes_at_ms - (T0 + 6_000 + 15_000)


def test_a_window_that_opens_late_still_has_its_full_length():
    play = Play()
    play.step()
    play.now = wake_at(play.state) + 700
    event = play.step()
    assert event.closes_at_ms == play.now + 15_000
    assert play.last.not_after_ms == play.now + 50


def test_after_a_long_pause_steps_do_not_come_in_a_burst():
    play = Play()
    play.until(CardDealt)
    play.now = wake_at(play.state) + 30_000
    play.step()
    assert wake_at(play.state) == play.now + 1_000


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
    left_ms = wake_at(play.state) - play.now
    play.now += step_ms
    assert play.step(stepped_ms=step_ms) is None
    assert wake_at(play.state) - play.now == left_ms


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
    play.now = wake_at(play.state) + ABANDONED_MS
    assert isinstance(play.step(), BettingClosed)
    play = Play().reach(Phase.BETTING)
    position = play.state.position
    play.now = wake_at(play.state) + ABANDONED_MS + 1
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
    assert wake_at(play.state) is None
    play.now += 86_400_000
    assert play.step() is None
    play.step(order=Order.RESUME)
    assert isinstance(play.go(), BettingOpened)


def test_nothing_is_due_before_its_time():
    play = Play()
    for _ in range(300):
        due = wake_at(play.state)
        if due is not None and due > play.now:
            play.now = due - 1
            assert play.step() is None
        play.go()


def test_every_transition_is_taken_and_leads_where_the_table_says():
    taken = set()
    play = Play(pace=TURBO)
    orders = {
        Phase.RESULT: [{}, {"order": Order.PAUSE}],
        Phase.BETTING: [{}, {"order": Order.VOID}, {"stepped_ms": 400}],
        Phase.CLOSED: [{}, {"order": Order.VOID}],
        Phase.DEALING: [{}, {"order": Order.VOID}],
        Phase.PAUSED: [{"order": Order.RESUME}],
    }
    for turn in range(3_000):
        phase = play.state.view.phase
        choices = orders.get(phase, [{}])
        chosen = choices[turn // 7 % len(choices)]
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
    other.state, other.shoe = decode_state(encode_state(play.state)), play.shoe
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
            gaps.add(wake_at(play.state) - at)
    assert gaps == {1_000}


def test_inputs_of_a_settlement_are_told_in_the_event():
    play = Play().reach(Phase.SETTLING)
    event = play.step(settled=Settlement(staked=1500, returned=975, paid=2))
    assert (event.staked, event.returned, event.paid) == (1500, 975, 2)


def test_the_state_may_be_replaced_under_another_epoch():
    play = Play().reach(Phase.DEALING)
    play.state = replace(play.state, view=replace(play.state.view, epoch=Epoch("f")))
    assert play.go().epoch == "f"
