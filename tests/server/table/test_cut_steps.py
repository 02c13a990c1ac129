"""The cut of a shoe on a manual clock: hashes, values, a beacon, and what ends a shoe before its time."""

import hashlib

import pytest
from msgspec.structs import replace

from croupier_protocol.messages.events import (
    CutListed,
    SeatChanged,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableClosed,
)
from croupier_protocol.messages.values import Contribution, Phase, Player, TakenSeat
from croupier_server.table.beacon import BeaconSource
from croupier_server.table.state import (
    CutSeen,
    Drawn,
    Order,
)
from support.manual_tables import T0, Play

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
