"""The phase machine on a manual clock: hours of play in milliseconds, without sleeping."""

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
    RoundResult,
    RoundSettled,
    RoundVoided,
    ShoeCommitted,
    ShoeOpened,
)
from croupier_protocol.messages.values import Contribution, Epoch, Phase, Player, TableId, TakenSeat
from croupier_server.table.pace import STANDARD, TURBO
from croupier_server.table.round_steps import coup_on
from croupier_server.table.state import (
    Bets,
    CutSeen,
    Order,
    SettledTotals,
    TableSettings,
    decode_state,
    encode_state,
    open_table,
)
from croupier_server.table.transitions import TRANSITIONS, Trigger
from support.manual_tables import T0, Play


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
