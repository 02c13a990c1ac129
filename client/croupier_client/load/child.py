"""One process of a load test: takes its share from standard input and tells what it sees on standard output.

    python -m croupier_client.load.child

It ends when its standard input closes, so that none is left behind by a parent that was killed.
"""

import asyncio
import signal
import sys

from croupier_client.errors import CroupierError
from croupier_client.load.files import raise_file_limit
from croupier_client.load.lines import LONGEST_LINE, Failed, Go, Peer, Ready, Share, Told
from croupier_client.load.part import prepared


async def _converse() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
    parent = Peer(reader, asyncio.StreamWriter(transport, protocol, None, loop), "the parent")
    working = asyncio.create_task(_work(parent))
    try:
        await working
    except CroupierError as error:
        parent.send(Failed(str(error)))
    await parent.flush()
    parent.close()


async def _work(parent: Peer) -> None:
    share = await parent.receive(Share)
    async with prepared(share.assignment) as part:
        parent.send(Ready(part.tables))
        await parent.receive(Go)
        number = share.assignment.part
        running = asyncio.create_task(part.run(lambda second: parent.send(Told(number, second))))
        gone = asyncio.create_task(parent.gone())
        await asyncio.wait([running, gone], return_when=asyncio.FIRST_COMPLETED)
        for task in (gone, running):
            if task is gone or gone.done():
                task.cancel()
        await asyncio.gather(running, gone, return_exceptions=True)
        if not running.cancelled():
            running.result()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's, which ends us
    raise_file_limit()
    asyncio.run(_converse())
