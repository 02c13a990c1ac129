"""The load tester's own websocket, against a server that says byte for byte what a test wants."""

import asyncio
import base64
import functools
import hashlib
import ssl
from contextlib import suppress

import pytest

from croupier_client.address import parse_address
from croupier_client.load.lean_socket import Socket, Target
from croupier_protocol.codec import MSGPACK
from support.certificates import make_certificate

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PAYLOADS = {
    scheme: [bytes([number]) * 10_000 for number in range(first, first + 5)]
    for scheme, first in (("ws", 10), ("wss", 20))
}
"""Others for each: all connections read into the same buffer, and what an earlier one left is still there."""


async def say_all_at_once(reader, writer, payloads: list[bytes], gone: asyncio.Event) -> None:
    """Takes the handshake, and sends the payloads as one write: several records where there is TLS."""
    request = b""
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        request = await reader.readuntil(b"\r\n\r\n")
        [key] = [line[19:] for line in request.split(b"\r\n") if line.startswith(b"Sec-WebSocket-Key: ")]
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n"
            b"Sec-WebSocket-Protocol: "
            + MSGPACK.subprotocol.encode()
            + b"\r\n\r\n"
            + b"".join(b"\x82\x7e" + len(one).to_bytes(2, "big") + one for one in payloads)
        )
        await reader.read()
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    if request:  # else it was a look at whether anybody listens
        gone.set()


@pytest.mark.parametrize("scheme", ["ws", "wss"])
async def test_frames_that_come_together_are_told_one_by_one_and_whole(scheme, tmp_path, monkeypatch):
    context, payloads = None, PAYLOADS[scheme]
    if scheme == "wss":
        certificate = make_certificate(tmp_path)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate.chain, certificate.key)
    told, everything, gone = [], asyncio.Event(), asyncio.Event()

    def tell(payload: bytes) -> None:
        told.append(payload)
        if len(told) == len(payloads):
            everything.set()

    answer = functools.partial(say_all_at_once, payloads=payloads, gone=gone)
    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        target = await Target.find(parse_address(f"{scheme}://127.0.0.1:{port}"))
        found = await Socket.open(target, tell, None)
        try:
            async with asyncio.timeout(20):
                await everything.wait()
        finally:
            found.abort()
            await gone.wait()
    assert told == payloads
