"""`croupier replay`: a recording, served like a live table."""

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from croupier_server.browser_table import browser_table
from croupier_server.errors import SetupError
from croupier_server.gateway.fanout import Fanout
from croupier_server.gateway.listener import Listener
from croupier_server.gateway.site import Site
from croupier_server.ports import bind_port, url_of
from croupier_server.replay.recording import Recording
from croupier_server.replay.transcript import Moment, read_transcript


def replay(
    transcript: Path,
    /,
    *,
    speed: Annotated[float, Parameter(validator=Number(gte=0.01, lte=1000))] = 1.0,
    bind: str = "127.0.0.1",
    port: int = 8000,
) -> int:
    """Serve a recording of `croupier watch --json` like a live table.

    It begins with the first watcher, prints one JSON line when it takes connections, and stops on Ctrl-C or
    SIGTERM.

    Args:
        transcript: The recording, one JSON object a line.
        speed: How many times as fast as it was recorded, 0.01 to 1000.
        bind: Address to listen on.
        port: Port to listen on; 0 for a free one.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s replay %(levelname)s %(message)s")
    try:
        asyncio.run(_serve(read_transcript(transcript), Fraction(speed), bind, port))
    except SetupError as error:
        sys.stderr.write(f"croupier: {error}\n")
        return 2
    return 0


async def _serve(moments: Sequence[Moment], speed: Fraction, bind: str, port: int) -> None:
    fanout = Fanout()
    recording = Recording(moments, fanout, speed)
    listener = Listener(recording, fanout, Site(browser_table()))
    listening = await bind_port(bind, port)
    running = asyncio.create_task(listener.run())
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    await recording.ready.wait()
    await listener.open(listening)
    sys.stdout.write(json.dumps({"ready": True, "url": url_of(listening)}) + "\n")
    sys.stdout.flush()
    stopped = asyncio.create_task(stopping.wait())
    await asyncio.wait([running, stopped], return_when=asyncio.FIRST_COMPLETED)
    await listener.close()
    if running.done():
        stopped.cancel()
        running.result()
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
