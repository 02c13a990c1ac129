"""A place at a table as the client knows it: what counts, what is old, and which payouts are handed out."""

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_client.place import Place
from croupier_protocol.messages.to_client import Me, SlipAccepted, SlipChanged
from croupier_protocol.messages.values import Payout, Phase, RulesRef, TableId
from croupier_protocol.view import TableView

TABLE = TableId("standard")


def payout(round_: int, bankroll: int = 0) -> Payout:
    return Payout(table=TABLE, round=round_, bets=(), returned=0, bankroll=bankroll)


def me(rev: int, **fields) -> Me:
    return Me(table=TABLE, rev=rev, seat=1, **fields)


def view(round_: int, phase: Phase) -> TableView:
    rules = RulesRef(name="standard", digest="d")
    return TableView(table=TABLE, epoch="e1", seq=1, rules=rules, phase=phase, round=round_)


def seated(paid_round: int = 0) -> Place:
    place = Place(TABLE, paid_round)
    place.take_me(me(0, bankroll=100_00))
    return place


def rounds(payouts: list[Payout]) -> list[int]:
    return [each.round for each in payouts]


def test_a_lower_revision_is_old_until_the_table_is_watched_again():
    place = seated()
    place.take_me(me(4, bankroll=96_00))
    place.take_me(me(3, bankroll=97_00))
    assert place.me.bankroll == 96_00
    place.watched()
    place.take_me(me(1, bankroll=99_00))
    assert (place.me.rev, place.me.bankroll) == (1, 99_00)


def test_a_slip_on_a_round_that_has_been_paid_is_old():
    place = seated()
    standing = me(1, bankroll=95_00, round=7, slip={"player": 5_00})
    place.take_me(standing)
    place.take_payout(payout(7, bankroll=105_00))
    assert (place.me.slip, place.me.last_slip, place.me.bankroll) == ({}, {"player": 5_00}, 105_00)
    place.take_me(standing)
    assert (place.me.slip, place.me.bankroll) == ({}, 105_00)


def test_payouts_in_an_old_me_count():
    place = seated()
    place.take_me(me(1, bankroll=95_00, round=7, slip={"player": 5_00}))
    place.take_payout(payout(7, bankroll=105_00))
    place.take_me(me(2, bankroll=104_00, round=9, slip={"tie": 1_00}))
    told = (payout(8), payout(9, bankroll=113_00))
    old = me(1, bankroll=95_00, round=7, slip={"player": 5_00}, payouts=told)
    assert rounds(place.take_me(old)) == [8, 9]
    assert (place.me.rev, place.me.slip, place.me.bankroll) == (2, {}, 113_00)


def test_a_payout_leaves_the_slip_of_the_next_round_alone():
    place = seated()
    place.take_me(me(2, bankroll=90_00, round=8, slip={"tie": 5_00}))
    assert rounds(place.take_payout(payout(7, bankroll=95_00))) == [7]
    assert (place.me.slip, place.me.bankroll) == ({"tie": 5_00}, 90_00)


def test_an_answer_counts_only_when_it_is_newer():
    place = seated()
    place.take_me(me(3, bankroll=105_00, last_slip={"player": 5_00}))
    for answer in (SlipAccepted, SlipChanged):
        place.take_answer(answer(table=TABLE, round=7, rev=3, bets={"player": 5_00}, bankroll=95_00))
        assert (place.me.slip, place.me.bankroll) == ({}, 105_00)
    place.take_answer(SlipChanged(table=TABLE, round=8, rev=4, bets={"tie": 1_00}, bankroll=104_00))
    assert (place.me.rev, place.me.round, place.me.slip, place.me.bankroll) == (4, 8, {"tie": 1_00}, 104_00)


def test_a_payout_waits_for_the_me_that_tells_of_earlier_ones():
    place = seated(paid_round=4)
    place.watched()
    assert place.take_payout(payout(7)) == []
    assert rounds(place.take_me(me(0, payouts=(payout(5), payout(6))))) == [5, 6, 7]
    assert place.take_payout(payout(7)) == []


def test_what_was_dealt_before_the_seat_was_taken_is_not_its_own():
    for phase, first in ((Phase.RESULT, 8), (Phase.PAUSED, 8), (Phase.BETTING, 7), (Phase.SETTLING, 7)):
        place = Place(TABLE)
        assert place.take_payout(payout(6)) == []
        place.begins_at(view(7, phase))
        assert rounds(place.take_me(me(0, payouts=(payout(6), payout(7), payout(8))))) == list(
            range(first, 9)
        )


def test_a_new_life_hands_out_a_round_that_is_played_again_but_no_payout_twice():
    place = seated(paid_round=8)
    same = payout(9)
    assert rounds(place.take_payout(same)) == [9]
    place.new_life(view(9, Phase.SETTLING))
    assert place.take_me(me(0, payouts=(same,))) == []
    assert rounds(place.take_payout(payout(9, bankroll=1))) == [9]


def test_a_place_is_over_when_the_seat_is_gone_and_the_last_slip_paid():
    place = Place(TABLE, 6)
    gone = Me(table=TABLE, rev=1)
    place.take_me(gone)
    assert not place.over
    place.take_me(me(1, round=7, slip={"player": 5_00}, leaving=True))
    assert not place.over
    place.take_me(gone)
    assert not place.over
    assert rounds(place.take_payout(payout(7))) == [7]
    assert place.over


def test_a_slip_that_is_gone_at_the_same_revision_was_settled_and_its_payout_is_waited_for():
    place = seated(paid_round=6)
    place.take_me(me(1, round=7, slip={"player": 5_00}, leaving=True))
    place.take_me(me(1, round=7, leaving=True))
    place.take_me(Me(table=TABLE, rev=0))
    assert not place.over
    place.take_payout(payout(7))
    assert place.over


def test_a_seat_without_a_slip_is_over_at_once():
    place = seated()
    place.take_me(me(2))
    place.take_me(Me(table=TABLE, rev=0))
    assert place.over


def test_a_bet_that_a_new_life_does_not_know_is_not_waited_for():
    place = seated(paid_round=6)
    place.take_me(me(1, round=7, slip={"player": 5_00}))
    place.take_me(Me(table=TABLE, rev=0))
    place.new_life(view(7, Phase.BETTING))
    place.take_me(Me(table=TABLE, rev=0))
    assert place.over


STEP = st.sampled_from(["pay", "pay", "pay", "pay and lose", "watch", "repeat me", "early"])


@settings(max_examples=200, deadline=None)
@given(st.lists(STEP, max_size=40))
def test_whatever_is_lost_or_repeated_each_payout_is_handed_out_once_and_in_order(steps):
    """ONCE, G1: a server that tells in order on each connection, and connections that come to an end."""
    place, paid, told, handed = seated(), [], 0, []

    def watch(early: bool) -> None:
        nonlocal told
        place.watched()
        told = place.paid_round
        missed = tuple(payout(number) for number in paid if number > told)
        if early:
            paid.append(len(paid) + 1)
            handed.extend(place.take_payout(payout(paid[-1])))
        handed.extend(place.take_me(me(0, payouts=missed)))

    connected = True
    for step in steps:
        if step == "pay" and connected:
            paid.append(len(paid) + 1)
            handed.extend(place.take_payout(payout(paid[-1])))
        elif step in {"pay", "pay and lose"}:
            paid.append(len(paid) + 1)
            connected = False
        elif step == "repeat me" and connected:
            missed = tuple(payout(number) for number in paid if number > told)
            handed.extend(place.take_me(me(0, payouts=missed)))
        elif step in {"watch", "early"}:
            watch(early=step == "early")
            connected = True
    watch(early=False)
    assert rounds(handed) == paid
