"""A process that connects, watches and goes, again and again, and goes in every way there is.

Run as a program: a port and how many times. It writes how many had the present before they went.
"""

import asyncio
import socket
import struct
import sys
from contextlib import suppress

from support.beside import output_of
from support.silent import REQUEST, client_frame, watch

AT_ONCE = 16
PRESENT_S = 60.0
GOODBYE = b"\x88\x80" + bytes(4)
AT_ONCE_GONE = struct.pack("ii", 1, 0)


async def cycle(port: int, number: int) -> bool:
    """One of them; whether it had the present. Every fifth goes in the middle of its handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        if number % 5 == 0:
            writer.write(REQUEST[: 40 + number % 100])
            return False
        writer.write(REQUEST)
        writer.write(client_frame('{"type":"hello"}') + watch("standard"))
        async with asyncio.timeout(PRESENT_S):
            await reader.readuntil(b'"type":"snapshot"')
        match number % 4:
            case 0:
                writer.write(GOODBYE)
                async with asyncio.timeout(PRESENT_S):
                    while await reader.read(1 << 16):
                        pass
            case 1:
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE_GONE)
            case 2:
                writer.write_eof()
        return True
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def cycles(port: int, count: int) -> int:
    """So many, some at a time; how many had the present."""

    async def share(first: int) -> int:
        return sum([await cycle(port, number) for number in range(first, count, AT_ONCE)])

    return sum(await asyncio.gather(*(share(first) for first in range(AT_ONCE))))


async def cycling(port: int, count: int) -> int:
    """The same in a process of its own."""
    return int(await output_of(__file__, port, count))


if __name__ == "__main__":
    sys.stdout.write(f"{asyncio.run(cycles(int(sys.argv[1]), int(sys.argv[2])))}")
