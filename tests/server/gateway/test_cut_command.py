"""The command `cut` over a real socket, in both codecs: answered, or refused for what it is."""

import base64
import hashlib

import pytest

from croupier_protocol.messages.values import TableId
from support.gateways import gateway_on
from support.players import connected, op, sit, standing, table_key

VALUE = b"v" * 32
HASH = hashlib.sha256(VALUE).digest()
OPEN_MS = 2**50


@pytest.fixture
async def server(store, pit):
    async with standing(store.url, pit, "standard"), gateway_on(store.url) as running:
        yield running


def text(value):
    return base64.b64encode(value).decode()


async def test_a_hash_and_its_value_are_taken_and_taken_again(server, pit):
    async with connected(server.url, watch=["standard"]) as ana:
        await sit(ana)
        await pit.client.hset(table_key(), "cut", f"1|hashes|{OPEN_MS}")
        hash_ = {"type": "cut", "table": "standard", "shoe": 1, "hash": text(HASH)}
        for _ in range(2):
            answer = await ana.ask(**hash_, op=op())
            assert (answer["type"], answer["table"], answer["shoe"]) == ("cut_taken", "standard", 1)
        await pit.client.hset(table_key(), "cut", f"1|values|{OPEN_MS}")
        value = {"type": "cut", "table": "standard", "shoe": 1, "value": text(VALUE)}
        assert (await ana.ask(**value, op=op()))["type"] == "cut_taken"
    [part] = (await pit.cuts.look(TableId("standard")))[1]
    assert (part.hash, part.value) == (HASH, VALUE)


NO_PARTS = [
    ({}, "invalid"),
    ({"hash": text(HASH), "value": text(VALUE)}, "invalid"),
    ({"hash": text(HASH[:31])}, "invalid"),
    ({"hash": "not base64"}, "invalid"),
    ({"value": text(VALUE)}, "cut_closed"),
    ({"hash": text(HASH), "seat": 4}, "invalid"),
    ({"hash": text(HASH), "shoe": 2}, "cut_closed"),
    ({"hash": text(HASH), "table": "nowhere"}, "unknown_table"),
]


async def test_what_is_no_part_is_refused(server, pit):
    async with connected(server.url, watch=["standard"]) as ana:
        await sit(ana)
        await pit.client.hset(table_key(), "cut", f"1|hashes|{OPEN_MS}")
        for fields, code in NO_PARTS:
            await ana.send(**{"type": "cut", "table": "standard", "shoe": 1, **fields}, op=op(), id=7)
            assert (fields, (await ana.until("error"))["code"]) == (fields, code)
    assert await pit.cuts.look(TableId("standard")) == (0, ())


async def test_nobody_and_a_guest_without_a_seat_have_no_part(server, pit):
    async with connected(server.url, watch=["standard"]) as nobody:
        await pit.client.hset(table_key(), "cut", f"1|hashes|{OPEN_MS}")
        cut = {"type": "cut", "table": "standard", "shoe": 1, "hash": text(HASH)}
        assert (await nobody.ask(**cut, op=op()))["code"] == "not_seated"
        await sit(nobody)
        await nobody.ask(type="leave", table="standard", op=op())
        assert (await nobody.ask(**cut, op=op()))["code"] == "not_seated"
