"""Frames in both codecs: golden ones for every message, and what a newer server may send.

After a change of a message that is meant, write the golden files anew with
``PYTHONPATH=tests python tests/protocol/test_codec.py`` and read the difference.
"""

import json
import struct
import sys
from pathlib import Path

import msgpack
import pytest

from croupier_protocol.codec import (
    JSON,
    MSGPACK,
    UNTIMED,
    FrameError,
    UnknownMessage,
    encode_untimed,
)
from croupier_protocol.messages import events, to_client, to_server
from support.frames import in_json
from support.messages import COMMANDS, EVENTS, MESSAGES, NOW_MS, OTHERS, tag

GOLDEN = Path(__file__).parent / "golden"


def frames(messages) -> dict[str, dict[str, str]]:
    return {
        tag(message): {"msgpack": MSGPACK.encode(message).hex(), "json": JSON.encode(message).decode()}
        for message in messages
    }


def golden(name: str) -> dict[str, dict[str, str]]:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


EVERY_MESSAGE = [
    pytest.param(name, message, id=f"{name}-{tag(message)}")
    for name, messages in MESSAGES.items()
    for message in messages
]

REMEDY = "if the change is meant, run `PYTHONPATH=tests python tests/protocol/test_codec.py`"


def test_every_message_has_a_golden_frame():
    remedy = "give COMMANDS, EVENTS or OTHERS of tests/support/messages.py one of each message"
    assert {tag(each) for each in COMMANDS} == {tag(each) for each in to_server.ClientMessage.__args__}, (
        remedy
    )
    assert {tag(each) for each in [*EVENTS, *OTHERS]} == {
        tag(each) for each in to_client.ServerMessage.__args__
    }, remedy


@pytest.mark.parametrize(("name", "message"), EVERY_MESSAGE)
def test_golden_frames_are_what_is_written_and_what_is_read(name, message):
    expected = golden(name).get(tag(message), {})
    written = {"msgpack": MSGPACK.encode(message).hex(), "json": JSON.encode(message).decode()}
    assert written == expected, REMEDY
    if name == "commands":
        assert MSGPACK.decode_command(bytes.fromhex(expected["msgpack"])) == message
        assert JSON.decode_command(expected["json"]) == message
    else:
        assert MSGPACK.decode_message(bytes.fromhex(expected["msgpack"])) == message
        assert JSON.decode_message(expected["json"]) == message


@pytest.mark.parametrize(("name", "message"), EVERY_MESSAGE)
def test_the_package_msgpack_reads_and_writes_the_same_bytes(name, message):
    """An independent witness: other implementations see the same message."""
    expected = golden(name)[tag(message)]
    payload = bytes.fromhex(expected["msgpack"])
    plain = msgpack.unpackb(payload)
    assert in_json(plain) == json.loads(expected["json"])
    assert msgpack.packb(plain) == payload


@pytest.mark.parametrize("event", EVENTS, ids=tag)
def test_an_event_ends_with_the_time_that_the_store_writes(event):
    untimed = events.Event.__struct_fields__
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    body = encode_untimed(type(event)(**{**fields, "at_ms": UNTIMED}))
    assert untimed[-1] == "at_ms"
    for at_ms in (0, 1, 2**31, 1_700_000_000_003, 2**53 - 1):
        timed = body + struct.pack(">Q", at_ms)
        assert MSGPACK.decode_message(timed) == type(event)(**{**fields, "at_ms": at_ms})
        assert msgpack.unpackb(timed)["at_ms"] == at_ms


def test_an_event_with_a_time_is_not_for_the_store():
    with pytest.raises(ValueError, match="UNTIMED"):
        encode_untimed(EVENTS[0])


# What a newer server may send


def test_an_unknown_event_keeps_its_place():
    payload = {"type": "chat", "table": "t", "epoch": "e", "seq": 7, "lines": {"ana": 500}, "at_ms": 9}
    expected = events.UnknownEvent(type="chat", table="t", epoch="e", seq=7)
    assert MSGPACK.decode_message(msgpack.packb(payload)) == expected
    assert JSON.decode_message(json.dumps(payload)) == expected


def test_an_unknown_message_is_known_to_be_one():
    assert MSGPACK.decode_message(msgpack.packb({"type": "weather", "text": "x"})) == UnknownMessage(
        type="weather"
    )


def test_unknown_fields_are_passed_over():
    pong = {"type": "pong", "id": 6, "server_ms": NOW_MS, "mood": {"deep": [1]}}
    assert MSGPACK.decode_message(msgpack.packb(pong)) == to_client.Pong(id=6, server_ms=NOW_MS)


@pytest.mark.parametrize("message", [{"type": "pong"}, {"type": "card", "seq": 1}, {"kind": "pong"}, [], 7])
def test_a_known_message_that_is_wrong_is_no_message(message):
    with pytest.raises(FrameError):
        MSGPACK.decode_message(msgpack.packb(message))


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for file, written in MESSAGES.items():
        text = json.dumps(frames(written), indent=2, ensure_ascii=False)
        (GOLDEN / f"{file}.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(f"written: {GOLDEN}\n")
