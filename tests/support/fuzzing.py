"""A process that sends mutated commands, or mutated requests, to one server and sees each of them judged.

Run as a program: a port, `frames` or `requests`, how many, and a seed, from which all that is sent follows.
It writes how many that were, how many connections were answered, and how many ended without an answer.
"""

import asyncio
import json
import math
import random
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgpack

from support.beside import output_of

GOLDEN = Path(__file__).parents[1] / "protocol" / "golden" / "commands.json"

TOGETHER = 10
"""Frames on a connection: with as many bad ones it is cut, so that none is passed over."""

AT_ONCE = 32
"""Connections under way."""

ANSWER_S = 60.0

UNFINISHED_S = 0.25
"""After so long without an answer a request is taken for one that the server waits for the rest of."""

ODD_NUMBERS = (0, -1, 1, 2**31, 2**53 - 1, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 1.5, math.inf, math.nan)
ODD_TEXTS = ("", "\x00", "\u202e", "A" * 300, "standard")
ODD_VALUES = (None, True, [], {}, [[[[]]]], {"a": {}}, *ODD_TEXTS, *ODD_NUMBERS)

LENGTHS_AND_DEPTHS = (b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\x91" * 200, b"[" * 200)
BYTES = (b"\x00", b"\xff", b"\xc1", b'"', b"\xed\xa0\x80", *LENGTHS_AND_DEPTHS)

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: tables\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: croupier.v1.%s\r\n\r\n"
)
ORDER = b"POST /api/tables HTTP/1.1\r\nHost: tables\r\nX-API-Key: k\r\nContent-Length: 2\r\n\r\n{}"

REQUESTS = (
    b"GET / HTTP/1.1\r\nHost: tables\r\n\r\n",
    b'GET /js/app.js HTTP/1.1\r\nHost: tables\r\nIf-None-Match: "0"\r\nAccept-Encoding: gzip, br\r\n\r\n',
    b"HEAD /index.html HTTP/1.1\r\nHost: tables\r\nConnection: keep-alive\r\n\r\n",
    b"GET /readyz HTTP/1.0\r\nX-Forwarded-For: 192.0.2.1, ::1\r\nCookie: token=a.b.c; theme=x\r\n\r\n",
    UPGRADE % b"json",
    ORDER,
)

HEADERS = (b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: x\r\n" * 300)
PATHS = (b"..", b"/../../etc/passwd", b"%2e%2e%2f", b"%00", b"?", b"#", b"A" * 9_000)
LINES = (b"\r\n", b"\n", b"\r", b": ", b"\x00", b"\xff\xfe", b"HTTP/9.9", *PATHS, *HEADERS)


class Sent(NamedTuple):
    """What came of everything that was sent."""

    sent: int
    answered: int
    ended: int


def mutated(seed: bytes, others: tuple[bytes, ...], parts: tuple[bytes, ...], choose: random.Random) -> bytes:
    """`seed` with one to four changes: bytes changed, cut out, doubled, put in, or taken from another."""
    found = bytearray(seed)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(found) + 1)
        to = min(at + choose.randint(1, 8), len(found))
        match choose.randrange(6):
            case 0 if found:
                found[min(at, len(found) - 1)] ^= 1 << choose.randrange(8)
            case 1:
                del found[at:to]
            case 2:
                found[at:at] = found[at:to]
            case 3:
                found[at:at] = choose.choice(parts)
            case 4:
                other = choose.choice(others)
                found[at:] = other[choose.randrange(len(other)) :]
            case _:
                found[at:to] = choose.randbytes(choose.randint(1, 8))
    return bytes(found[:4_000])


def odd(value, choose: random.Random):
    """A read command with one of its values, at whatever depth, changed for one that is not expected."""
    if isinstance(value, dict) and value and choose.random() < 0.9:
        key = choose.choice(list(value))
        if key == "type" and choose.random() < 0.8:
            return value
        return {**value, key: odd(value[key], choose)}
    return choose.choice(ODD_VALUES)


def commands(choose: random.Random, *, binary: bool) -> Iterator[bytes]:
    """Mutated commands without end."""
    golden = json.loads(GOLDEN.read_text()).values()
    texts = tuple(bytes.fromhex(one["msgpack"]) if binary else one["json"].encode() for one in golden)
    while True:
        text = choose.choice(texts)
        if choose.random() < 0.4:
            read = msgpack.unpackb(text) if binary else json.loads(text)
            changed = odd(read, choose)
            text = msgpack.packb(changed) if binary else json.dumps(changed).encode("utf-8", "surrogatepass")
            yield text[:4_000]
        else:
            yield mutated(text, texts, BYTES, choose)


def frame(payload: bytes, *, binary: bool, choose: random.Random) -> bytes:
    """One client's frame; one in a hundred is damaged as a frame, which ends its connection."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size)
    built = bytearray(bytes([0x82 if binary else 0x81]) + length + bytes(4) + payload)
    if choose.random() < 0.01:
        built[choose.randrange(2)] ^= 1 << choose.randrange(8)
    return bytes(built)


async def send_frames(port: int, count: int, choose: random.Random) -> Sent:
    """Ten commands on each connection, and a goodbye, which is answered when all have been read."""
    binary = choose.random() < 0.5
    payloads = commands(choose, binary=binary)
    sent = answered = ended = 0
    while sent < count:
        together = min(TOGETHER, count - sent)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE % (b"msgpack" if binary else b"json"))
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), ANSWER_S)
        if not head.startswith(b"HTTP/1.1 101 "):
            raise AssertionError(head)
        frames = [frame(next(payloads), binary=binary, choose=choose) for _ in range(together)]
        async with asyncio.timeout(ANSWER_S):
            body = await _told(reader, writer, b"".join(frames) + b"\x88\x80" + bytes(4))
        writer.close()
        answered += bool(body)
        ended += not body
        sent += together
    return Sent(sent, answered, ended)


async def send_requests(port: int, count: int, choose: random.Random) -> Sent:
    """One mutated request on each connection; the rest of those that lack something never comes."""
    sent = answered = ended = 0
    while sent < count:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = mutated(choose.choice(REQUESTS), REQUESTS, LINES, choose)
        answer = await _told(reader, writer, request, most_s=UNFINISHED_S)
        writer.close()
        sent += 1
        answered += answer.startswith(b"HTTP/1.")
        ended += not answer
    return Sent(sent, answered, ended)


async def _told(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes, *, most_s: float | None = None
) -> bytes:
    """Sends `text`, and returns all that is said until the connection ends, or for `most_s` at most."""
    told = b""
    with suppress(ConnectionError, TimeoutError):
        writer.write(text)
        async with asyncio.timeout(most_s):
            while more := await reader.read(1 << 16):
                told += more
    return told


async def send(port: int, what: str, count: int, seed: int) -> Sent:
    """Everything, over several connections at once."""
    way = {"frames": send_frames, "requests": send_requests}[what]
    shares = [count // AT_ONCE + (number < count % AT_ONCE) for number in range(AT_ONCE)]
    found = await asyncio.gather(
        *(way(port, share, random.Random(f"{seed} {number}")) for number, share in enumerate(shares) if share)
    )
    return Sent(*(sum(column) for column in zip(*found, strict=True)))


async def fuzz(port: int, what: str, count: int, seed: int) -> Sent:
    """Sends everything from another process, and returns what came of it."""
    return Sent(*json.loads(await output_of(__file__, port, what, count, seed)))


if __name__ == "__main__":
    came = asyncio.run(send(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    sys.stdout.write(json.dumps(came))
