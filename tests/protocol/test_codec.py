"""Frames in both codecs: golden ones for every message, and what is no message at all.

After a change of a message that is meant, write the golden files anew with
``PYTHONPATH=tests python tests/protocol/test_codec.py`` and read the difference.
"""

import json
import struct
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier_protocol.codec import (
    CODECS,
    JSON,
    MAX_CLIENT_FRAME,
    MAX_DETAIL,
    MSGPACK,
    UNTIMED,
    FrameError,
    UnknownMessage,
    encode_untimed,
)
from croupier_protocol.game.bets import BetName
from croupier_protocol.game.coup import Outcome, Side
from croupier_protocol.game.limits import Limits
from croupier_protocol.game.rules import Combination, Rounding
from croupier_protocol.game.rules_text import Paragraph, Section, Table
from croupier_protocol.game.settlement import BetResult, Result
from croupier_protocol.messages import events, to_client, to_server
from croupier_protocol.messages.errors import ErrorCode
from croupier_protocol.messages.notices import NoticeCode
from croupier_protocol.messages.offers import CommissionOffer, Offer, OfferedBet, Ratio
from croupier_protocol.messages.values import (
    Contribution,
    HandView,
    Language,
    PastCoup,
    Payout,
    Phase,
    Player,
    RoundRecord,
    RulesRef,
    TakenSeat,
)
from croupier_protocol.shoe.shoe import Burn
from support.frames import in_json

GOLDEN = Path(__file__).parent / "golden"

RULES = RulesRef(name="standard", digest="0f" * 32)
BURN = Burn(shown="Td", burnt=10)
PLAYER = HandView(cards=("2s", "3d", "Kh"), total=5)
BANKER = HandView(cards=("4h", "Kc"), total=4)
PAST = (
    PastCoup(41, Outcome.TIE, 6, 6, False, True, False),
    PastCoup(42, Outcome.PLAYER, 5, 4, False, False, False),
)
CONTRIBUTIONS = (
    Contribution(seat=3, player="g4f1c0a9d3e2b5768", hash=b"\x0a" * 32, value=b"\xa0" * 32),
    Contribution(seat=12, player="g0123456789abcdef", hash=b"\x0b" * 32),
)
HEAD = {
    "table": "standard",
    "epoch": "7c1f",
    "seq": 1234,
    "due_ms": 1_700_000_000_000,
    "at_ms": 1_700_000_000_003,
}
NOW_MS = 1_700_000_000_250
ANA = Player(id="g4f1c0a9d3e2b5768", name="Ana")
RESUME = "g4f1c0a9d3e2b5768.c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"
OP = "b1946ac92492d234"
PAYOUT = Payout(
    table="standard",
    round=42,
    bets=(
        BetResult("player", 500, Result.WIN, 500, 0, 1_000),
        BetResult("banker", 2_000, Result.WIN, 2_000, 100, 3_900),
        BetResult("tie", 2**53 - 1, Result.LOSE, 0, 0, 0),
        BetResult("player_pair", 100, Result.PUSH, 0, 0, 100),
        BetResult("banker_pair", 100, Result.REFUND, 0, 0, 100),
    ),
    returned=5_100,
    bankroll=2**53 - 1,
)

COMMANDS = [
    to_server.Hello(id=1, language=Language.FRENCH, resume=RESUME, name="Ana"),
    to_server.Lobby(id=2, follow=True),
    to_server.Watch(id=3, table="standard", since=to_server.Since(epoch="7c1f", seq=1233), paid_round=41),
    to_server.Unwatch(id=4, table="standard"),
    to_server.Rules(id=7, table="standard", language=Language.FRENCH),
    to_server.History(id=5, table="standard", before=42, limit=10),
    to_server.Ping(id=6),
    to_server.Sit(id=7, table="standard", buy_in=10_000, op=OP, seat=12),
    to_server.TopUp(id=8, table="standard", amount=2**53 - 1, op=OP),
    to_server.Slip(id=9, table="standard", round=42, rev=6, op=OP, bets={"player": 500, "tie": 100}),
    to_server.Deal(id=10, table="standard", round=42, op=OP),
    to_server.Leave(id=11, table="standard", op=OP),
    to_server.Cut(id=13, table="standard", shoe=3, op=OP, hash=b"\x0a" * 32),
    to_server.MyRounds(id=12, before="1700000000250-0", limit=100),
    to_server.Wallet(id=13),
    to_server.MyLimits(id=14, round_stake=5_000, day_stake=0, day_minutes=120, reality_minutes=30, op=OP),
    to_server.Exclude(id=15, days=7, op=OP),
    to_server.GoOn(id=16),
]
EVENTS = [
    events.ShoeCommitted(
        shoe=3,
        rules=RULES,
        rules_text='{"decks":8}',
        commitment=b"\xc0" * 32,
        previous=b"\xe0" * 32,
        cut_until_ms=1_700_000_002_000,
        **HEAD,
    ),
    events.CutListed(
        shoe=3,
        contributions=(replace(CONTRIBUTIONS[0], value=None), CONTRIBUTIONS[1]),
        reveal_until_ms=1_700_000_004_000,
        **HEAD,
    ),
    events.ShoeOpened(
        shoe=3,
        decks=8,
        rules=RULES,
        cards=416,
        burn=BURN,
        cut_at=400,
        coups=None,
        contributions=CONTRIBUTIONS,
        digest=b"\xd1" * 32,
        burn_salt=b"\x5a" * 16,
        **HEAD,
    ),
    events.ShoeEnded(
        shoe=3,
        reason="a card was seen",
        seed=b"\x5e" * 32,
        contributions=CONTRIBUTIONS,
        burnt=("As", "Td"),
        chain=b"\xe0" * 32,
        **HEAD,
    ),
    events.BettingOpened(round=42, shoe=3, coup=7, closes_at_ms=1_700_000_015_000, last=True, **HEAD),
    events.BetsChanged(round=42, totals={"player": 2**53 - 1, "tie": 100}, bettors=2, ready=1, **HEAD),
    events.SeatChanged(seat=12, player=ANA, **HEAD),
    events.BettingClosed(round=42, **HEAD),
    events.CardDealt(
        round=42, hand=Side.BANKER, index=1, card="Kc", total=4, proof=b"\x00\x38" + b"\x5a" * 16, **HEAD
    ),
    events.RoundResult(
        round=42,
        outcome=Outcome.PLAYER,
        player=PLAYER,
        banker=BANKER,
        natural=False,
        player_pair=False,
        banker_pair=True,
        **HEAD,
    ),
    events.RoundSettled(round=42, staked=2**53 - 1, returned=0, paid=500, **HEAD),
    events.RoundVoided(round=42, reason="abandoned", **HEAD),
    events.Paused(reason="une pause – à bientôt", **HEAD),
    events.Resumed(**HEAD),
    events.TableClosed(reason="fermée pour travaux", **HEAD),
]
OTHERS = [
    to_client.TableView(
        table="standard",
        epoch="7c1f",
        seq=1234,
        rules=RULES,
        phase=Phase.SETTLING,
        round=42,
        shoe=to_client.ShoeView(
            3, 8, 416, BURN, 400, None, 57, b"\xc0" * 32, b"\xe0" * 32, CONTRIBUTIONS, b"\xd1" * 32
        ),
        cut=to_client.CutView(
            4, RULES, b"\xc1" * 32, b"\xe1" * 32, 1_700_000_002_000, True, CONTRIBUTIONS[1:]
        ),
        coup=7,
        last=True,
        closes_at_ms=1_700_000_015_000,
        player=PLAYER,
        banker=BANKER,
        outcome=Outcome.PLAYER,
        natural=False,
        player_pair=False,
        banker_pair=True,
        past=PAST,
        reason=None,
        totals={"player": 500, "tie": 100},
        bettors=2,
        ready=1,
        seats=(TakenSeat(seat=12, player=ANA),),
    ),
    to_client.Welcome(id=1, version="0.1.0", server_ms=NOW_MS, silence_ms=50_000, player=ANA, resume=RESUME),
    to_client.LobbyState(
        id=2,
        server_ms=NOW_MS,
        tables=(
            to_client.TableInfo(
                "standard", RULES, "speed", Phase.BETTING, 42, 7, 1_700_000_015_000, 12, 3, Limits(), PAST
            ),
        ),
    ),
    to_client.LobbyUpdate(server_ms=NOW_MS, tables=()),
    to_client.Watching(id=3, table="standard", epoch="7c1f", seq=1234, resumed=True),
    to_client.Unwatched(id=4, table="standard"),
    to_client.TableRules(
        id=7,
        table="standard",
        rules=RULES,
        limits=Limits(main_most=200_00, seats=20),
        language=Language.FRENCH,
        title="Règles « standard »",
        sections=(
            Section(
                "La commission",
                (
                    Paragraph("Il n’y a pas de commission."),
                    Paragraph("À votre avantage.", notable=True),
                    Table("Montants", ("Mise", "De"), (("Joueur", "1,00"),), (1,)),
                ),
            ),
        ),
        offer=Offer(
            decks=8,
            bets=(
                OfferedBet(BetName("banker"), (Ratio(1, 1),), commission=True),
                OfferedBet(BetName("lucky_6"), (Ratio(12, 1), Ratio(20, 1)), commission=False),
                OfferedBet(BetName("big"), (Ratio(27, 50),), commission=False),
            ),
            commission=CommissionOffer(Ratio(1, 20), 25, Rounding.UP),
            combination=Combination((BetName("player"), BetName("banker"), BetName("tie")), 2),
        ),
    ),
    to_client.HistoryPage(
        id=5,
        table="standard",
        rounds=(
            RoundRecord(42, 3, 7, RULES, PLAYER, BANKER, Outcome.PLAYER, False, False, True, NOW_MS),
            RoundRecord(41, 3, 6, RULES, PLAYER, HandView(), None, False, False, False, NOW_MS, "abandoned"),
        ),
        more=True,
    ),
    to_client.Me(
        id=7,
        table="standard",
        rev=6,
        seat=12,
        bankroll=2**53 - 1,
        round=42,
        slip={"player": 500, "tie": 100},
        ready=True,
        leaving=True,
        last_slip={"banker": 200},
        payouts=(PAYOUT,),
        wallet=90_000,
    ),
    to_client.SlipAccepted(
        id=9, table="standard", round=42, rev=7, bets={"player": 500, "tie": 100}, bankroll=9_400
    ),
    to_client.SlipChanged(id=9, table="standard", round=42, rev=8, bets={}, bankroll=10_000),
    to_client.CutTaken(id=13, table="standard", shoe=3),
    to_client.PaidOut(PAYOUT),
    to_client.SeatNotice(
        table="standard",
        code=NoticeCode.REMOVED,
        message="The house has given up your seat; its chips are in your wallet.",
        reason="closing time",
    ),
    to_client.OwnRounds(
        id=12,
        rounds=(
            to_client.OwnRound("standard", RULES, PLAYER, BANKER, Outcome.PLAYER, PAYOUT, 9_400, NOW_MS),
        ),
        next="1700000000250-1",
    ),
    to_client.WalletState(id=13, balance=90_000, refill_to=100_000, refill_at_ms=NOW_MS),
    to_client.OwnLimits(
        id=14,
        round_stake=5_000,
        day_stake=2**53 - 1,
        day_minutes=120,
        reality_minutes=30,
        reality_usual=60,
        waiting=(to_client.WaitingLimit("day_stake", None, NOW_MS),),
        excluded_until_ms=NOW_MS,
        played_minutes=45,
    ),
    to_client.RealityCheck(
        minutes=60,
        staked=120_000,
        net=-3_500,
        message="You have been at the tables for 60 minutes: 1,200.00 staked, 35.00 lost.",
    ),
    to_client.Pong(id=6, server_ms=NOW_MS),
    to_client.Heartbeat(server_ms=NOW_MS),
    to_client.Stalled(table="standard", since_ms=NOW_MS),
    to_client.Live(table="standard"),
    to_client.Error(
        id=3,
        code=ErrorCode.TOO_MANY_TABLES,
        message="This connection watches as many tables as it may.",
        server_ms=NOW_MS,
        table="standard",
        bet="tie",
        limit=8,
    ),
]
MESSAGES = {
    "commands": COMMANDS,
    "events": EVENTS,
    "others": OTHERS,
}


def tag(message) -> str:
    return message.__struct_config__.tag


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
    remedy = "give COMMANDS, EVENTS or OTHERS of this file one of each message"
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


# What is no command


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
