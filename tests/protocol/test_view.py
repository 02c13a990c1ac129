"""The fold: a snapshot and the events after it give the later snapshot."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier_protocol.codec import CODECS
from croupier_protocol.game.coup import Outcome
from croupier_protocol.messages.events import UnknownEvent
from croupier_protocol.messages.values import HandView, PastCoup, Phase
from croupier_protocol.shoe.shoe import Burn
from croupier_protocol.view import GapError, fold, opening_view, settled_round
from legal_rounds import RULES, Dealer

CODEC = st.sampled_from(list(CODECS.values()))


def dealt(seed: int, rounds: int) -> Dealer:
    dealer = Dealer(seed=seed)
    dealer.deal(rounds, faults=True)
    return dealer


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), rounds=st.integers(1, 12), cut=st.floats(0, 1), codec=CODEC)
def test_a_snapshot_and_the_events_after_it_give_the_later_snapshot(seed, rounds, cut, codec):
    """Both go over the wire on the way, as a resumed watcher gets them."""
    dealer = dealt(seed, rounds)
    k = int(cut * len(dealer.events))
    view = opening_view(dealer.table, dealer.epoch, RULES)
    for event in dealer.events[:k]:
        view = fold(view, event)
    payload = codec.encode(view)
    view = codec.decode_message(payload.decode() if codec.text else payload)
    for event in dealer.events[k:]:
        payload = codec.encode(event)
        view = fold(view, codec.decode_message(payload.decode() if codec.text else payload))
    assert view == dealer.view
    assert view.seq == len(dealer.events)


def test_a_coup_seen_card_by_card():
    dealer = Dealer(cards="Qd 2s 4h 3d Kc Kh")
    views = [dealer.view for _ in dealer.steps()]
    assert [view.phase for view in views] == [
        Phase.SHUFFLING,
        Phase.BETTING,
        Phase.CLOSED,
        *[Phase.DEALING] * 5,
        Phase.SETTLING,
        Phase.RESULT,
    ]
    assert [(view.player, view.banker) for view in views[3:8]] == [
        (HandView(("2s",), 2), HandView()),
        (HandView(("2s",), 2), HandView(("4h",), 4)),
        (HandView(("2s", "3d"), 5), HandView(("4h",), 4)),
        (HandView(("2s", "3d"), 5), HandView(("4h", "Kc"), 4)),
        (HandView(("2s", "3d", "Kh"), 5), HandView(("4h", "Kc"), 4)),
    ]
    assert views[0].shoe.burn == Burn(shown="Qd", burnt=10)
    assert [view.shoe.dealt for view in views] == [11, 11, 11, 12, 13, 14, 15, 16, 16, 16]
    assert views[-1].outcome is Outcome.PLAYER
    assert views[-1].past == (PastCoup(1, Outcome.PLAYER, 5, 4, False, False, False),)


def test_the_outcome_stays_on_show_until_the_next_window():
    dealer = Dealer(cards="Qd 9s 8h Kd Kc")
    dealer.deal(1)
    assert dealer.view.outcome is Outcome.PLAYER
    assert dealer.view.natural
    next(dealer.steps())
    assert dealer.view.outcome is None
    assert dealer.view.player == HandView()
    assert not dealer.view.natural
    assert len(dealer.view.past) == 1


def test_a_new_shoe_forgets_the_coups_of_the_last_one():
    dealer = Dealer()
    dealer.deal(3)
    assert [coup.round for coup in dealer.view.past] == [1, 2, 3]
    dealer.shoe()
    assert dealer.view.past == ()
    assert (dealer.view.coup, dealer.view.round, dealer.view.shoe.number) == (0, 3, 2)


def test_a_series_counts_the_cards_of_each_coup_alone():
    dealer = Dealer(cards="9s 8h Kd Kc 2s 4h 3d Kc Kh")
    dealer.shoe(series=True)
    dealer.deal(1)
    assert dealer.view.shoe.dealt == 4
    dealer.deal(1)
    assert dealer.view.shoe.dealt == 5


def test_an_event_of_a_newer_server_counts_and_changes_nothing_else():
    dealer = Dealer()
    dealer.deal(1)
    event = UnknownEvent(type="bets", table=dealer.table, epoch=dealer.epoch, seq=dealer.view.seq + 1)
    assert fold(dealer.view, event) == replace(dealer.view, seq=dealer.view.seq + 1)


@pytest.mark.parametrize(
    "wrong",
    [{"seq": 4}, {"seq": 5}, {"seq": 7}, {"seq": 1}, {"epoch": "e2"}, {"table": "other"}],
    ids=str,
)
def test_what_does_not_follow_is_a_gap(wrong):
    """A gap, a duplicate, another life of the stream, another table: none of them is taken for the next."""
    dealer = Dealer()
    steps = dealer.steps()
    for _ in range(5):
        next(steps)
    view = dealer.view
    event = next(steps)
    assert fold(view, event).seq == 6
    with pytest.raises(GapError):
        fold(view, replace(event, **wrong))


@pytest.mark.parametrize(
    ("phase", "settled"),
    [
        (Phase.BETTING, 6),
        (Phase.CLOSED, 6),
        (Phase.DEALING, 6),
        (Phase.SETTLING, 6),
        (Phase.VOIDING, 6),
        (Phase.RESULT, 7),
        (Phase.SHUFFLING, 7),
        (Phase.PAUSED, 7),
    ],
)
def test_the_round_on_show_is_settled_once_its_outcome_is_on_show_alone(phase, settled):
    view = opening_view("t", "e", RULES)
    assert settled_round(replace(view, round=7, phase=phase)) == settled
    assert settled_round(view) == 0
