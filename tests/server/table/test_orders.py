"""What an operator's order asks of a table in each phase, and when it is answered."""

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.values import Epoch, Phase, RulesRef, TableId
from croupier_protocol.view import opening_view
from croupier_server.table.orders import Answer, Standing, Wish, meet
from croupier_server.table.state import Order

VIEW = replace(opening_view(TableId("t"), Epoch("e"), RulesRef("standard", "ab")), round=7)

IN_PLAY = [Phase.BETTING, Phase.CLOSED, Phase.DEALING]


def met(wish, phase, given_in=7, **changes):
    return meet(replace(VIEW, phase=phase, **changes), Standing("op", wish, "why", given_in))


@pytest.mark.parametrize("phase", IN_PLAY)
def test_a_void_voids_the_round_it_was_given_in(phase):
    assert met(Wish.VOID, phase) is Order.VOID


@pytest.mark.parametrize("phase", list(Phase))
def test_a_void_never_reaches_into_the_next_round(phase):
    assert met(Wish.VOID, phase, given_in=6) == Answer("round 6 is over")


@pytest.mark.parametrize("phase", [Phase.SETTLING, Phase.SHUFFLING, Phase.RESULT])
def test_a_void_outside_the_play_is_refused(phase):
    assert met(Wish.VOID, phase) == Answer("round 7 is not in play")


def test_a_void_is_done_once_the_stakes_return():
    assert met(Wish.VOID, Phase.VOIDING, reason="why") == Answer("done")
    assert met(Wish.VOID, Phase.RESULT, reason="why") == Answer("done")


@pytest.mark.parametrize("phase", [*IN_PLAY, Phase.SETTLING, Phase.SHUFFLING, Phase.VOIDING])
def test_a_pause_waits_for_the_result(phase):
    assert met(Wish.PAUSE, phase) is None
    assert met(Wish.PAUSE, Phase.RESULT) is Order.PAUSE
    assert met(Wish.PAUSE, Phase.PAUSED) == Answer("done")


def test_a_pause_now_voids_the_round_first_but_only_that_one():
    assert met(Wish.PAUSE_NOW, Phase.DEALING) is Order.VOID
    assert met(Wish.PAUSE_NOW, Phase.VOIDING) is None
    assert met(Wish.PAUSE_NOW, Phase.RESULT) is Order.PAUSE
    assert met(Wish.PAUSE_NOW, Phase.DEALING, given_in=6) is None


def test_a_resume_ends_a_pause_and_is_done_otherwise():
    assert met(Wish.RESUME, Phase.PAUSED) is Order.RESUME
    assert met(Wish.RESUME, Phase.RESULT) == Answer("done")


def test_a_closing_waits_for_the_end_of_the_round_unless_it_is_now():
    assert met(Wish.CLOSE, Phase.DEALING) is None
    assert met(Wish.CLOSE, Phase.RESULT) is Order.CLOSE
    assert met(Wish.CLOSE, Phase.PAUSED) is Order.CLOSE
    assert met(Wish.CLOSE, Phase.SHUFFLING) is Order.CLOSE
    assert met(Wish.CLOSE, Phase.ENDED) is Order.CLOSE
    assert met(Wish.CLOSE_NOW, Phase.BETTING) is Order.VOID
    assert met(Wish.CLOSE_NOW, Phase.SETTLING) is None
    assert met(Wish.CLOSE_NOW, Phase.BETTING, given_in=6) is None
