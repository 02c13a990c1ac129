"""Operators' orders in the store: each once for its name, its answer told as often as it is asked for."""

import pytest

from croupier_server.store import orders
from croupier_server.store.errors import OperationReusedError
from croupier_server.table.orders import Wish
from support.records import OWNER, TABLE, TABLE_KEY, is_refused_in_other_types

ORDERS = "croupier:{main}:orders"
NOTES = "croupier:{main}:notes"
ANSWERED = "croupier:{main}:answered"

PAUSE = (TABLE, "op-0001", Wish.PAUSE, "a break")


@pytest.fixture
async def lease(pit):
    """Of a table that is in round 7."""
    found, _ = await pit.tables.acquire(TABLE, OWNER, 60_000, 1)
    await pit.client.hset(TABLE_KEY, "round", 7)
    return found


async def answered(pit, lease, text="done"):
    [standing] = await pit.orders.standing(TABLE)
    await pit.orders.answer(lease, standing, text)


async def test_an_answer_is_told_as_often_as_it_is_asked_for_and_the_order_is_not_given_anew(pit, lease):
    assert await pit.orders.give(*PAUSE)
    assert await pit.orders.give(*PAUSE)
    assert len(await pit.orders.standing(TABLE)) == 1
    await answered(pit, lease, "no | not now")
    for _ in range(3):
        assert await pit.orders.answer_to("op-0001") == "no / not now"
        assert await pit.orders.give(*PAUSE)
        assert await pit.orders.first_answer(*PAUSE) == "no / not now"
    assert await pit.orders.standing(TABLE) == []
    assert await pit.client.xlen(NOTES) == 1


@pytest.mark.parametrize("taken", [False, True])
async def test_a_name_stands_for_one_order(pit, lease, taken):
    await pit.orders.give(*PAUSE)
    await answered(pit, lease)
    if taken:
        await pit.orders.answer_to("op-0001")
    for other in (
        (TABLE, "op-0001", Wish.RESUME, "a break"),
        (TABLE, "op-0001", Wish.PAUSE, "another"),
        (TABLE, "op-0001", Wish.PAUSE, "a break", "ana"),
        ("elsewhere", "op-0001", Wish.PAUSE, "a break"),
    ):
        with pytest.raises(OperationReusedError):
            await pit.orders.give(*other)
        if taken:
            with pytest.raises(OperationReusedError):
                await pit.orders.first_answer(*other)


async def test_an_order_that_was_taken_back_has_no_answer_unless_it_came_before(pit, lease):
    await pit.orders.give(*PAUSE)
    assert await pit.orders.withdraw("op-0001") is None
    assert await pit.orders.answer_to("op-0001") is None
    await pit.orders.give(*PAUSE)
    await answered(pit, lease)
    assert await pit.orders.withdraw("op-0001") == "done"
    assert await pit.orders.answer_to("op-0001") == "done"


async def test_the_last_answers_are_kept(pit, lease, monkeypatch):
    monkeypatch.setattr(orders, "ANSWERS_KEPT", 3)
    for number in range(5):
        await pit.orders.give(TABLE, f"op-{number:05}", Wish.PAUSE, "x")
        await answered(pit, lease)
        await pit.orders.answer_to(f"op-{number:05}")
    assert await pit.client.llen(ANSWERED) == 3
    assert await pit.orders.first_answer(TABLE, "op-00002", Wish.PAUSE, "x") == "done"
    assert await pit.orders.first_answer(TABLE, "op-00001", Wish.PAUSE, "x") is None


@pytest.mark.parametrize("key", [TABLE_KEY, ORDERS, NOTES, ANSWERED])
async def test_a_key_of_a_wrong_type_is_a_typed_error_and_nothing_is_written(pit, lease, key):
    await pit.orders.give(*PAUSE)
    [standing] = await pit.orders.standing(TABLE)
    calls = {
        "give": ({TABLE_KEY, ORDERS, NOTES, ANSWERED}, lambda: pit.orders.give(*PAUSE)),
        "take": ({ORDERS, ANSWERED}, lambda: pit.orders.answer_to("op-0001")),
        "withdraw": ({ORDERS, ANSWERED}, lambda: pit.orders.withdraw("op-0001")),
        "answer": ({TABLE_KEY, ORDERS}, lambda: pit.orders.answer(lease, standing, "done")),
    }
    right = {NOTES: "stream", ANSWERED: "list"}.get(key, "hash")
    await is_refused_in_other_types(pit.client, key, right, calls)
