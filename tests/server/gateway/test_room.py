"""A room of watchers: one write each, in order, row by row; and readers that fall behind."""

import asyncio

import pytest

from croupier_protocol.codec import JSON, MSGPACK
from croupier_protocol.messages.events import BettingClosed
from croupier_server.gateway import room as rooms
from croupier_server.gateway.encoded import Encoded
from croupier_server.gateway.room import Room
from support.serving import until


class Member:
    """Stands in for an outlet: `taken` is each write, and `waiting` what its peer has not read."""

    def __init__(self, codec=MSGPACK) -> None:
        self.codec = codec
        self.taken: list[bytes] = []
        self.waiting = 0
        self.clear = False

    def put(self, frames, _now, bound) -> bool:
        if self.waiting > bound.most:
            return False
        self.taken.append(frames)
        return True


def event(seq: int) -> Encoded:
    return Encoded(BettingClosed(7, table="t", epoch="e", seq=seq, due_ms=5, at_ms=1_700_000_000_000))


def frames(codec, *numbers: int) -> bytes:
    return b"".join(event(number).frame(codec) for number in numbers)


async def quiet(room: Room) -> None:
    """Returns when the room has told everything."""
    while room._speaking is not None:
        await asyncio.sleep(0)


async def test_messages_that_come_together_are_one_write():
    room, binary, text = Room(), Member(), Member(JSON)
    room.enter(binary)
    room.enter(text)
    for number in (1, 2, 3):
        room.say(event(number))
    await quiet(room)
    room.say(event(4))
    await quiet(room)
    assert binary.taken == [frames(MSGPACK, 1, 2, 3), frames(MSGPACK, 4)]
    assert text.taken == [frames(JSON, 1, 2, 3), frames(JSON, 4)]


async def test_who_enters_knows_what_was_said_before_and_gets_what_is_said_after():
    room, early, late = Room(), Member(), Member()
    room.enter(early)
    room.say(event(1))
    room.enter(late)
    room.say(event(2))
    await quiet(room)
    assert (early.taken, late.taken) == ([frames(MSGPACK, 1, 2)], [frames(MSGPACK, 2)])


async def test_who_leaves_gets_nothing_more_of_what_is_on_its_way():
    room, member = Room(), Member()
    room.enter(member)
    room.say(event(1))
    room.leave(member)
    room.say(event(2))
    await quiet(room)
    assert member.taken == []
    assert len(room) == 0


@pytest.fixture
def rows_of_ten(monkeypatch):
    monkeypatch.setattr(rooms, "ROW", 10)


async def test_a_large_room_is_told_row_by_row_with_turns_for_others_between_them(rows_of_ten):
    room, members, turns = Room(), [Member() for _ in range(95)], 0
    for member in members:
        room.enter(member)
    room.say(event(1))
    while room._speaking is not None:
        await asyncio.sleep(0)
        turns += 1
    assert turns >= 10
    assert all(member.taken == [frames(MSGPACK, 1)] for member in members)


async def test_how_long_each_message_took_is_measured_once_and_when_the_last_row_knows_it(
    rows_of_ten,
):
    told = []
    room, members = Room(told.append), [Member() for _ in range(95)]
    for member in members:
        room.enter(member)
    room.say(event(1))
    await asyncio.sleep(0)
    room.say(event(2))
    while not all(member.taken for member in members):
        assert told == []
        await asyncio.sleep(0)
    assert len(told) == 1
    await quiet(room)
    assert len(told) == 2
    assert all(0 <= seconds < 10 for seconds in told)


async def test_a_large_room_waits_for_what_follows_at_once_and_tells_both_in_one_write(monkeypatch):
    monkeypatch.setattr(rooms, "LARGE", 2)
    room, members = Room(), [Member() for _ in range(2)]
    for member in members:
        room.enter(member)
    room.say(event(1), followed=True)
    await quiet(room)
    assert all(member.taken == [] for member in members)
    room.say(event(2))
    await quiet(room)
    assert all(member.taken == [frames(MSGPACK, 1, 2)] for member in members)
    room.say(event(3))
    await quiet(room)
    assert all(member.taken[1:] == [frames(MSGPACK, 3)] for member in members)


async def test_what_does_not_follow_is_not_waited_for_long(monkeypatch):
    monkeypatch.setattr(rooms, "LARGE", 1)
    room, member = Room(), Member()
    room.enter(member)
    room.say(event(1), followed=True)
    await until(lambda: member.taken == [frames(MSGPACK, 1)], 30)
    await quiet(room)
    room.say(event(2))
    await quiet(room)
    assert member.taken[1:] == [frames(MSGPACK, 2)]


async def test_a_room_that_is_told_quickly_waits_for_nothing():
    room, member = Room(), Member()
    room.enter(member)
    room.say(event(1), followed=True)
    await quiet(room)
    assert member.taken == [frames(MSGPACK, 1)]


async def test_what_is_said_to_be_followed_in_the_middle_of_a_round_goes_along(rows_of_ten, monkeypatch):
    monkeypatch.setattr(rooms, "LARGE", 2)
    room, members = Room(), [Member() for _ in range(95)]
    for member in members:
        room.enter(member)
    room.say(event(1))
    await asyncio.sleep(0)
    room.say(event(2), followed=True)
    await quiet(room)
    assert {b"".join(member.taken) for member in members} == {frames(MSGPACK, 1, 2)}


async def test_what_comes_afterwards_waits_for_the_last_row_and_for_nothing_said_later(rows_of_ten):
    room, members, done = Room(), [Member() for _ in range(95)], []
    for member in members:
        room.enter(member)
    room.afterwards(lambda: done.append("nothing to wait for"))
    assert done == ["nothing to wait for"]
    room.say(event(1))
    room.afterwards(lambda: done.append(1))
    await asyncio.sleep(0)
    room.say(event(2))
    room.afterwards(lambda: done.append(2))
    while not all(member.taken for member in members):
        assert done[1:] == []
        await asyncio.sleep(0)
    assert done[1:] == [1]
    await quiet(room)
    assert done[1:] == [1, 2]


async def test_what_comes_afterwards_comes_also_when_everybody_leaves_meanwhile(rows_of_ten):
    room, members, done = Room(), [Member() for _ in range(25)], []
    for member in members:
        room.enter(member)
    room.say(event(1))
    room.afterwards(lambda: done.append(1))
    for member in members:
        room.leave(member)
    await quiet(room)
    assert done == [1]


async def test_what_is_said_in_the_middle_of_a_round_goes_along_to_those_not_told_yet(
    rows_of_ten,
):
    room, members = Room(), [Member() for _ in range(95)]
    for member in members:
        room.enter(member)
    room.say(event(1))
    await asyncio.sleep(0)
    room.say(event(2))
    await asyncio.sleep(0)
    room.say(event(3))
    await quiet(room)
    writes = [tuple(member.taken) for member in members]
    assert writes.count((frames(MSGPACK, 1), frames(MSGPACK, 2, 3))) == 10
    assert writes.count((frames(MSGPACK, 1, 2), frames(MSGPACK, 3))) == 10
    assert writes.count((frames(MSGPACK, 1, 2, 3),)) == 75


async def test_nobody_is_always_first_or_last(rows_of_ten):
    room, members, order = Room(), [Member() for _ in range(95)], []
    for member in members:
        room.enter(member)
        member.put = lambda _frames, _now, _most, member=member: order.append(member) or True
    ends = set()
    for number in range(10):
        room.say(event(number))
        await quiet(room)
        assert len(order) == 95
        ends |= {order[0], order[-1]}
        order.clear()
    assert len(ends) == 20


async def test_in_the_middle_of_a_round_people_come_and_go(rows_of_ten):
    room, members, late = Room(), [Member() for _ in range(40)], Member()
    for member in members:
        room.enter(member)
    room.say(event(1))
    await asyncio.sleep(0)
    told = [member for member in members if member.taken]
    waiting = [member for member in members if not member.taken]
    assert (len(told), len(waiting)) == (10, 30)
    room.leave(waiting[0])
    room.enter(waiting[1])  # anew, with the present: what is on its way is in that
    room.enter(late)
    room.say(event(2))
    await quiet(room)
    assert waiting[0].taken == []
    assert waiting[1].taken == [frames(MSGPACK, 2)]
    assert late.taken == [frames(MSGPACK, 2)]
    for member in told + waiting[2:]:
        assert b"".join(member.taken) == frames(MSGPACK, 1, 2)


async def test_rows_that_many_have_left_become_one(rows_of_ten):
    room, members = Room(), [Member(codec) for codec in (MSGPACK, JSON) for _ in range(50)]
    for member in members:
        room.enter(member)
    staying = members[::10]
    for member in members:
        if member not in staying:
            room.leave(member)
    for number in (1, 2):
        room.say(event(number))
        await quiet(room)
    assert all(member.taken == [frames(member.codec, 1), frames(member.codec, 2)] for member in staying)
    assert [len(row.outlets) for row in room._rows] == [5, 5]


async def test_a_reader_that_falls_behind_loses_no_single_event_but_all_until_it_enters_again():
    room, slow, quick = Room(), Member(), Member()
    room.enter(slow)
    room.enter(quick)
    slow.waiting = rooms.MOST_WAITING.most + 1
    room.say(event(1))
    await quiet(room)
    assert list(room.lagging) == [slow]
    slow.waiting = 0
    room.say(event(2))
    await quiet(room)
    assert slow.taken == []
    room.enter(slow)
    room.say(event(3))
    await quiet(room)
    assert room.lagging == {}
    assert slow.taken == [frames(MSGPACK, 3)]
    assert b"".join(quick.taken) == frames(MSGPACK, 1, 2, 3)
