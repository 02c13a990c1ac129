"""Nothing is compressed here: what comes compressed anyhow is neither inflated nor read."""

import asyncio
import zlib

import pytest

from support.gateways import bare, dealing, gateway_on
from support.resident import forget_peak, peak_kb, resident_kb

OFFERING = (
    b"GET /ws HTTP/1.1\r\nHost: tables\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
    b"Sec-WebSocket-Protocol: croupier.v1.json\r\n\r\n"
)

TEXT, COMPRESSED, LAST, CONTINUED = 0x1, 0x40, 0x80, 0x0
LIMIT = 4_096
MOST_GROWN_KB = 16_000
"""A quarter of what would be inflated."""


def deflated(size: int) -> bytes:
    """So many zeros as permessage-deflate sends them (RFC 7692, 7.2.1): a thousandth of that."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (compressor.compress(bytes(size)) + compressor.flush(zlib.Z_SYNC_FLUSH))[:-4]


def frame(first: int, payload: bytes) -> bytes:
    """A client's frame with a mask of zeros; `first` is its first byte."""
    size = len(payload)
    length = (
        bytes([0x80 | 126]) + size.to_bytes(2) if size < 65_536 else bytes([0x80 | 127]) + size.to_bytes(8)
    )
    return bytes([first]) + length + bytes(4) + payload


def in_parts(payload: bytes) -> bytes:
    """A message in frames none of which is over the limit."""
    parts = [payload[start : start + LIMIT] for start in range(0, len(payload), LIMIT)]
    whole = frame(TEXT | COMPRESSED, parts[0])
    whole += b"".join(frame(CONTINUED, part) for part in parts[1:-1])
    return whole + frame(LAST | CONTINUED, parts[-1])


LARGEST_OF_A_FRAME = deflated(3_900_000)
"""No more than 1032 bytes come from one."""
SIXTY_FOUR_MB = deflated(64 * 1024 * 1024)

BOMBS = {
    "one frame within the limit": (frame(LAST | TEXT | COMPRESSED, LARGEST_OF_A_FRAME), 1002),
    "64 MB, each frame within the limit": (in_parts(SIXTY_FOUR_MB), 1002),
    "64 MB in one frame": (frame(LAST | TEXT | COMPRESSED, SIXTY_FOUR_MB), 1009),
}


@pytest.fixture
async def gateway(store):
    """A gateway with one turbo table that is being dealt."""
    async with dealing(store.url), gateway_on(store.url) as running:
        yield running


@pytest.mark.parametrize("what", BOMBS)
async def test_a_compressed_bomb_is_refused_and_never_inflated(gateway, what):
    """H5: to who offers compression none is agreed, and what comes compressed anyhow ends the connection."""
    bomb, code = BOMBS[what]
    assert len(LARGEST_OF_A_FRAME) <= LIMIT
    async with bare(gateway.url) as other:
        await other.ask(type="ping")
        forget_peak()
        before = resident_kb()
        for _ in range(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
            writer.write(OFFERING)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 101 ")
            assert b"sec-websocket-extensions" not in head.lower()
            writer.write(bomb)
            answer = await asyncio.wait_for(reader.readexactly(4), 10)
            assert (answer[0], int.from_bytes(answer[2:4])) == (0x88, code)
            writer.close()
        assert peak_kb() - before < MOST_GROWN_KB
        assert (await other.ask(type="ping"))["type"] == "pong"
