"""What a table tells of its seats, their bets and who is ready, on a manual clock."""

from msgspec.structs import replace

from croupier_protocol.messages.events import (
    BettingClosed,
    BettingOpened,
    Resumed,
    RoundSettled,
    ShoeEnded,
)
from croupier_protocol.messages.values import Phase, Player, TakenSeat
from croupier_server.table.state import (
    Bets,
    Order,
)
from support.manual_tables import Play


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
