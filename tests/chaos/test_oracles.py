"""The judges of a chaos run: each of them must find what it is there for."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    CardDealt,
    RoundResult,
    RoundSettled,
)
from croupier_protocol.messages.values import HandView, Payout
from support.chaos.histories import read_history
from support.chaos.misfortunes import Misfortune
from support.chaos.pauses import Metronome, pauses
from support.chaos.players import Sitting, Stakes
from support.chaos.reckoning import reckon
from support.chaos.tables import Table
from support.chaos.watchers import Histories, Silence

TABLE = Table("table-0", "standard")
CARDS = ("4s", "Th", "4d", "7c")
"""Player's 8 beats Banker's 7 at once."""


def event(kind, seq, **fields):
    return kind(table="table-0", epoch="e", seq=seq, due_ms=0, at_ms=0, **fields)


def card(seq, hand, index, name, total, round_):
    return event(
        CardDealt, seq, round=round_, hand=hand, index=index, card=name, total=total, proof=bytes(18)
    )


def a_round(number: int = 7, cards=CARDS) -> list:
    """The events of one round, from seq 10 times its number on."""
    seq = 10 * number
    player, banker = HandView(cards=(cards[0], cards[2]), total=8), HandView(cards=cards[1::2], total=7)
    return [
        event(BettingOpened, seq, round=number, shoe=1, coup=number, closes_at_ms=0, last=False),
        event(BettingClosed, seq + 1, round=number),
        card(seq + 2, Side.PLAYER, 0, cards[0], 4, number),
        card(seq + 3, Side.BANKER, 0, cards[1], 0, number),
        card(seq + 4, Side.PLAYER, 1, cards[2], 8, number),
        card(seq + 5, Side.BANKER, 1, cards[3], 7, number),
        event(
            RoundResult,
            seq + 6,
            round=number,
            outcome=Outcome.PLAYER,
            player=player,
            banker=banker,
            natural=True,
            player_pair=False,
            banker_pair=False,
        ),
        event(RoundSettled, seq + 7, round=number, staked=0, returned=0, paid=0),
    ]


def coups_of(events):
    return read_history(TABLE, {"e": {one.seq: one for one in events}})


def test_a_true_round_is_read():
    assert coups_of(a_round()).ended == {7: ["4s", "Th", "4d", "7c"]}


def test_an_event_that_nobody_saw_is_found():
    events = a_round()
    del events[3]
    with pytest.raises(AssertionError, match="events \\[73\\] were never seen"):
        coups_of(events)


def test_two_epochs_are_found():
    first, second = a_round(), a_round(8)
    with pytest.raises(AssertionError, match="the stream ended"):
        read_history(TABLE, {"e": {one.seq: one for one in first}, "f": {one.seq: one for one in second}})


def test_a_card_that_is_dealt_to_the_wrong_hand_is_found():
    events = a_round()
    events[3] = replace(events[3], hand=Side.PLAYER, index=1)
    with pytest.raises(AssertionError, match="card 2 went to"):
        coups_of(events)


def test_a_card_that_is_dealt_again_is_found():
    events = a_round(cards=("4s", "Th", "4s", "7c"))
    coups = read_history(Table("table-0", "single-deck"), {"e": {one.seq: one for one in events}})
    with pytest.raises(AssertionError, match="shoe 1, coup 7: 2 times 4s"):
        coups.check_cards({})


def test_cards_that_are_not_in_the_order_of_the_shoe_are_found():
    order = ("Ah", *CARDS[:3], "9s", *CARDS[3:])
    shoe = SimpleNamespace(order=lambda coup: order, start=1)
    with pytest.raises(AssertionError, match="is not in the order of the shoe"):
        coups_of(a_round()).check_cards({("table-0", 1): shoe})


def test_a_round_that_is_left_out_is_found():
    events = [*a_round(), *(replace(one, seq=one.seq - 12) for one in a_round(9))]
    with pytest.raises(AssertionError, match="round=9"):
        coups_of(events)


def test_a_result_that_is_not_that_of_the_cards_is_found():
    events = a_round()
    events[6] = replace(events[6], outcome=Outcome.BANKER)
    with pytest.raises(AssertionError, match="banker of"):
        coups_of(events)


def test_watchers_who_saw_different_things_are_found():
    histories = Histories()
    histories.agree(a_round()[2])
    with pytest.raises(AssertionError, match="two watchers saw different events"):
        histories.agree(replace(a_round()[2], card="5s"))


def a_player(*, staked=1_000, returned=2_000, bankroll=501_000, accepted=1):
    """A player who asked for 10.00 on Player in round 7, which wins, and was told of this payout."""
    payout = Payout(
        table="table-0",
        round=7,
        bets=(
            BetResult(bet="player", stake=staked, result=Result.WIN, win=0, commission=0, returned=returned),
        ),
        returned=returned,
        bankroll=bankroll,
    )
    stakes = {7: Stakes(wishes=[{"player": 1_000}], accepted=accepted)}
    return SimpleNamespace(table=TABLE, sittings=[Sitting(9_500_000, stakes, {7: payout}, over=True)])


COUPS = {7: CARDS}


def test_a_player_who_is_paid_rightly_agrees():
    assert reckon(a_player(), COUPS) == 10_001_000


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"returned": 1_950, "bankroll": 500_950}, "should return 2000"),
        ({"bankroll": 500_999}, "500999, not 501000"),
        ({"staked": 2_000, "returned": 4_000, "bankroll": 502_000}, "was settled, and asked for"),
    ],
)
def test_a_payout_that_is_wrong_is_found(wrong, complaint):
    with pytest.raises(AssertionError, match=complaint):
        reckon(a_player(**wrong), COUPS)


def test_a_slip_that_is_never_settled_is_found():
    player = a_player()
    player.sittings[0].payouts.clear()
    with pytest.raises(AssertionError, match="accepted on \\[7\\], never paid"):
        reckon(player, COUPS)


def test_a_pause_over_the_bound_is_late_unless_the_machine_was_or_its_watcher_froze():
    kill = Misfortune("kill", [11], 4.0, frozenset({12}), began_s=100.0, ended_s=106.0)

    def longest(gateway=11, lateness=(), quiet=()):
        instrument = Metronome()
        instrument._late = list(lateness)
        silences = [Silence(0, "table-0", 100.1, 104.5, gateway), *quiet]
        [pause], _ = pauses([kill], silences, instrument)
        return pause

    assert longest().late
    assert longest().seconds == pytest.approx(4.28)
    assert not longest(gateway=12).late
    assert not longest(lateness=[(101.0, 0.3)]).late
    assert longest(lateness=[(90.0, 0.3)]).late
    assert not longest(quiet=[Silence(1, "table-1", 50.0, 50.5, 11)]).late
