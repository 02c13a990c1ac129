"""Frames that are no command, in both codecs: each is one kind of error."""

import json
import tracemalloc
from contextlib import suppress

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_protocol.codec import (
    CODECS,
    JSON,
    MAX_CLIENT_FRAME,
    MAX_DETAIL,
    MSGPACK,
    FrameError,
)
from croupier_protocol.messages import to_server
from croupier_protocol.messages.errors import ErrorCode
from support.messages import COMMANDS, OP


def refusal(codec, payload) -> ErrorCode:
    """The code that a frame is refused with."""
    with pytest.raises(FrameError) as refused:
        codec.decode_command(payload)
    assert len(refused.value.detail) <= MAX_DETAIL
    return refused.value.code


def command(**fields) -> bytes:
    return msgpack.packb({"type": "ping", **fields})


def nested(depth: int, inner: bytes = b"\xc0") -> bytes:
    """A ping whose `id` is so many arrays inside one another."""
    return b"\x82\xa4type\xa4ping\xa2id" + b"\x91" * depth + inner


@pytest.mark.parametrize("depth", [3, 16, 500, 1023])
def test_i1_deep_nesting_is_refused(depth):
    """I1: in a known field, in an unknown one, and alone, in both codecs."""
    assert refusal(MSGPACK, nested(depth)) is ErrorCode.INVALID
    unknown = nested(depth).replace(b"\xa2id", b"\xa2xx")
    assert refusal(MSGPACK, unknown) in {ErrorCode.INVALID, ErrorCode.MALFORMED}
    assert refusal(MSGPACK, b"\x91" * depth + b"\xc0") is ErrorCode.INVALID
    text = "[" * depth + "]" * depth
    assert refusal(JSON, '{"type":"ping","id":' + text + "}") is ErrorCode.INVALID
    assert refusal(JSON, text) is ErrorCode.INVALID


@pytest.mark.parametrize("depth", [4097, 100_000])
def test_i1_nesting_beyond_a_frame_is_refused_unread(depth):
    """I1: longer than any frame; the listener refuses it before, and so does the codec."""
    assert refusal(MSGPACK, nested(depth)) is ErrorCode.MALFORMED
    assert refusal(JSON, "[" * depth) is ErrorCode.MALFORMED


@pytest.mark.parametrize("depth", [3, 500, 1023, 100_000])
def test_i1_deep_nesting_from_a_server_is_one_error(depth):
    """I1: a client that meets such a server gets the typed error and nothing else."""
    for codec, payload in (
        (MSGPACK, b"\x91" * depth + b"\xc0"),
        (MSGPACK, b"\x82\xa4type\xa3new\xa1x" + b"\x91" * depth + b"\xc1"),
        (JSON, "[" * depth + "]" * depth),
        (JSON, '{"type":"new","x":' + "[" * depth + "}"),
    ):
        with pytest.raises(FrameError):
            codec.decode_message(payload)


@pytest.mark.parametrize("prefix", ["dd", "df", "db", "c6", "c9", "dc", "de", "da", "c5", "c8"])
def test_i2_a_huge_length_takes_no_memory(prefix):
    """I2: five bytes that announce four gigabytes, alone and as a field's value."""
    tracemalloc.start()
    try:
        for payload in (
            bytes.fromhex(prefix) + b"\xff\xff\xff\xff",
            nested(0, bytes.fromhex(prefix) + b"\xff\xff\xff\xff"),
        ):
            assert refusal(MSGPACK, payload) in {ErrorCode.MALFORMED, ErrorCode.INVALID}
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "payload",
    [
        b"\x81\x01\x02",
        b"\x81\xc0\x02",
        b"\x81\x91\x01\x02",
        b"\x81\xc4\x04type\xa4ping",
        b"\x82\xa4type\xa4ping\x01\x02",
        b"\x82\xa4type\xa4ping\xc0\x02",
        b"\x82\xa4type\xa4ping\x91\x01\x02",
        b"\x82\xa4type\xa4ping\xc4\x02id\x07",
    ],
    ids=bytes.hex,
)
def test_i3_keys_are_strings(payload):
    """I3: integer, nil, list and byte keys; the bytes `id` are not the string `id`."""
    assert refusal(MSGPACK, payload) in {ErrorCode.INVALID, ErrorCode.MALFORMED, ErrorCode.UNKNOWN_TYPE}


def test_i4_of_a_key_that_comes_twice_the_last_counts():
    """I4: both codecs agree, and so does the witness; no second parser ever reads a client's frame."""
    payload = b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x02"
    assert MSGPACK.decode_command(payload) == to_server.Ping(id=2)
    assert msgpack.unpackb(payload) == {"type": "ping", "id": 2}
    assert JSON.decode_command('{"type":"ping","id":1,"id":2}') == to_server.Ping(id=2)


def test_i4_of_an_amount_that_comes_twice_the_last_counts():
    """I4: in both codecs and at the witness; what is kept and shown is written anew from what was read."""
    place = {"type": "slip", "table": "t", "round": 1, "rev": 0, "op": OP}
    bets = b"\x82\xa6player\x64\xa6player\x01"
    payload = b"\x86" + msgpack.packb(place)[1:] + b"\xa4bets" + bets
    assert MSGPACK.decode_command(payload).bets == {"player": 1}
    assert msgpack.unpackb(payload)["bets"] == {"player": 1}
    text = json.dumps(place)[:-1] + ',"bets":{"player":100,"player":1}}'
    assert JSON.decode_command(text).bets == {"player": 1}


@pytest.mark.parametrize("name", [b"\xa1\xff", b"\xa3\xed\xa0\x80", b"\xa2\xc0\x80", b"\xa4\xf8\x88\x80\x80"])
def test_i5_bad_utf_8_is_refused(name):
    """I5: a broken byte, a lone surrogate, an overlong zero, five-byte forms."""
    payload = b"\x82\xa4type\xa7unwatch\xa5table" + name
    assert refusal(MSGPACK, payload) in {ErrorCode.MALFORMED, ErrorCode.INVALID}
    raw = b'{"type":"unwatch","table":"' + name[1:] + b'"}'
    assert refusal(JSON, raw.decode("utf-8", "surrogateescape")) in {ErrorCode.MALFORMED, ErrorCode.INVALID}


def test_i5_a_surrogate_escape_in_json_is_refused():
    """I5: what could not be sent on is not let in."""
    assert refusal(JSON, '{"type":"unwatch","table":"\\ud800"}') in {ErrorCode.MALFORMED, ErrorCode.INVALID}


@pytest.mark.parametrize(
    "value",
    [
        msgpack.packb(msgpack.ExtType(5, b"x")),
        b"\xd7\xff" + b"\xff" * 8,
        b"\xc7\x0c\xff" + b"\xff" * 12,
        b"\xc7\x05\xff" + b"\xff" * 5,
        msgpack.packb(msgpack.Timestamp(2**33)),
    ],
    ids=bytes.hex,
)
@pytest.mark.parametrize("field", ["type", "id", "table", "before", "limit", "other"])
def test_i6_extension_types_are_refused_in_every_field(field, value):
    """I6: an unknown extension, timestamps out of range in each length, a true timestamp."""
    fields = {"type": msgpack.packb("history"), "table": msgpack.packb("t"), field: value}
    payload = bytes([0x80 + len(fields)]) + b"".join(
        msgpack.packb(name) + packed for name, packed in fields.items()
    )
    assert refusal(MSGPACK, payload) in {ErrorCode.INVALID, ErrorCode.MALFORMED, ErrorCode.UNKNOWN_TYPE}


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (command() + b"\x00", ErrorCode.MALFORMED),
        (command() + command(), ErrorCode.MALFORMED),
        (b"", ErrorCode.MALFORMED),
        (b"\xc1", ErrorCode.MALFORMED),
        (nested(0, b"\xc1"), ErrorCode.MALFORMED),
        (command()[:-1], ErrorCode.MALFORMED),
        ('{"type":"ping"}', ErrorCode.WRONG_FRAME),
        (b"\xc0", ErrorCode.INVALID),
        (b"\x80", ErrorCode.INVALID),
        (b"\x90", ErrorCode.INVALID),
        (msgpack.packb({"type": "sing"}), ErrorCode.UNKNOWN_TYPE),
        (msgpack.packb({"type": "card"}), ErrorCode.UNKNOWN_TYPE),
        (msgpack.packb({"type": 7}), ErrorCode.INVALID),
        (command(cards=["As"]), ErrorCode.INVALID),
        (b" " * (MAX_CLIENT_FRAME + 1), ErrorCode.MALFORMED),
    ],
    ids=lambda value: value.value if isinstance(value, ErrorCode) else repr(value[:20]),
)
def test_i7_other_frames_that_are_no_command(payload, code):
    """I7: bytes left over, nothing at all, the byte 0xc1, a text frame, and commands that do not exist."""
    assert refusal(MSGPACK, payload) is code


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ('{"type":"ping"} x', ErrorCode.MALFORMED),
        ("", ErrorCode.MALFORMED),
        ("{", ErrorCode.MALFORMED),
        ('{"type":"ping","id":NaN}', ErrorCode.MALFORMED),
        (b'{"type":"ping"}', ErrorCode.WRONG_FRAME),
        ("null", ErrorCode.INVALID),
        ('{"type":"sing"}', ErrorCode.UNKNOWN_TYPE),
        ('{"type":"ping","id":1.5}', ErrorCode.INVALID),
        ('{"type":"ping","id":"1"}', ErrorCode.INVALID),
        ('{"type":"ping","id":true}', ErrorCode.INVALID),
        ('{"type":"ping","bankroll":5}', ErrorCode.INVALID),
    ],
)
def test_i7_other_texts_that_are_no_command(payload, code):
    """I7, in the other codec."""
    assert refusal(JSON, payload) is code


@pytest.mark.parametrize(
    "number", [-1, 2**53, 2**63, 2**64 - 1, -(2**63), 1e308, float("nan"), float("inf"), -0.5]
)
def test_c9_numbers_out_of_bounds_are_refused(number):
    """C9: what is no whole number from 0 to 2^53 − 1 is refused in every numeric field."""
    assert refusal(MSGPACK, command(id=number)) is ErrorCode.INVALID
    watch = {"type": "watch", "table": "t", "since": {"epoch": "e", "seq": number}}
    assert refusal(MSGPACK, msgpack.packb(watch)) is ErrorCode.INVALID
    history = {"type": "history", "table": "t", "before": number}
    assert refusal(MSGPACK, msgpack.packb(history)) is ErrorCode.INVALID
    assert (
        refusal(MSGPACK, msgpack.packb({"type": "history", "table": "t", "limit": number}))
        is ErrorCode.INVALID
    )


NO_AMOUNTS = {
    "zero": 0,
    "below zero": -1,
    "far below zero": -(2**63),
    "one over": 2**53,
    "a browser's rounding": 86_699_530_287_996_692,
    "2^63": 2**63,
    "2^64 - 1": 2**64 - 1,
    "nearly nothing": 1e-37,
    "half": 0.5,
    "nearly a hundred": 99.999999999,
    "a whole number with a point": 100.0,
    "1e308": 1e308,
    "minus nothing": -0.0,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "true": True,
    "false": False,
    "a string": "500",
    "-.6": "-.6",
    "bytes": b"500",
    "nothing": None,
    "a list": [500],
    "a map": {"player": 500},
}


@pytest.mark.parametrize("name", NO_AMOUNTS)
def test_c7_what_is_no_amount_is_refused_wherever_an_amount_stands(name):
    """C7, C8, C9, C12: in a slip, a buy-in and a top-up, in both codecs."""
    commands = [
        {"type": "slip", "table": "t", "round": 1, "rev": 0, "op": OP, "bets": {"player": NO_AMOUNTS[name]}},
        {"type": "sit", "table": "t", "op": OP, "buy_in": NO_AMOUNTS[name]},
        {"type": "top_up", "table": "t", "op": OP, "amount": NO_AMOUNTS[name]},
    ]
    for each in commands:
        assert refusal(MSGPACK, msgpack.packb(each)) is ErrorCode.INVALID
        if name != "bytes":
            assert refusal(JSON, json.dumps(each)) in {ErrorCode.INVALID, ErrorCode.MALFORMED}


@pytest.mark.parametrize("amount", [1, 100, 2**53 - 1])
def test_amounts_are_read_to_the_cent(amount):
    slip = to_server.Slip(table="t", round=1, rev=0, op=OP, bets={"player": amount})
    for codec in CODECS.values():
        payload = codec.encode(slip)
        assert codec.decode_command(payload.decode() if codec.text else payload) == slip


@pytest.mark.parametrize("field", ["payout", "result", "cards", "bankroll", "seat", "player", "name", "win"])
def test_l10_a_client_states_nothing_that_the_server_decides(field):
    """L3, L10: a slip is for one's own seat and has no field for anything else."""
    slip = {"type": "slip", "table": "t", "round": 1, "rev": 0, "op": OP, "bets": {"player": 500}}
    assert MSGPACK.decode_command(msgpack.packb(slip)).bets == {"player": 500}
    assert refusal(MSGPACK, msgpack.packb({**slip, field: 1})) is ErrorCode.INVALID


@pytest.mark.parametrize("bet", ["", "Player", "a" * 25, "a|b", "a=1", "a,b", "tie\n", "é", "{pit}"])
def test_names_of_bets_that_cannot_be_are_refused(bet):
    slip = {"type": "slip", "table": "t", "round": 1, "rev": 0, "op": OP, "bets": {bet: 500}}
    assert refusal(MSGPACK, msgpack.packb(slip)) is ErrorCode.INVALID


@pytest.mark.parametrize("op", ["", "short", "a" * 65, "with space", "with|bar|", "newline\n", "ééééééééé"])
def test_names_of_operations_that_cannot_be_are_refused(op):
    deal = {"type": "deal", "table": "t", "round": 1, "op": op}
    assert refusal(MSGPACK, msgpack.packb(deal)) is ErrorCode.INVALID


def test_a_slip_has_forty_bets_at_most():
    slip = {"type": "slip", "table": "t", "round": 1, "rev": 0, "op": OP}
    bets = {f"bet_{number}": 1 for number in range(41)}
    assert refusal(MSGPACK, msgpack.packb({**slip, "bets": bets})) is ErrorCode.INVALID


@pytest.mark.parametrize("table", ["", "A", "a" * 49, "a b", "-a", "a/b", "é", "a\n", "{pit}"])
def test_table_names_that_cannot_be_are_refused(table):
    assert refusal(MSGPACK, msgpack.packb({"type": "unwatch", "table": table})) is ErrorCode.INVALID


@settings(max_examples=400, deadline=None)
@given(payload=st.binary(max_size=200))
def test_any_bytes_are_a_command_or_one_kind_of_error(payload):
    for codec in CODECS.values():
        text = payload.decode("latin-1") if codec.text else payload
        for decode in (codec.decode_command, codec.decode_message):
            with suppress(FrameError):
                decode(text)


@settings(max_examples=300, deadline=None)
@given(index=st.integers(0, len(COMMANDS) - 1), data=st.data())
def test_a_damaged_command_is_a_command_or_one_kind_of_error(index, data):
    payload = bytearray(MSGPACK.encode(COMMANDS[index]))
    for _ in range(data.draw(st.integers(1, 4))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    try:
        MSGPACK.decode_command(bytes(payload))
    except FrameError as error:
        assert len(error.detail) <= MAX_DETAIL  # noqa: PT017 - either outcome is right
