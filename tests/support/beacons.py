"""A public beacon on this machine: a real HTTP server, whose answers a test sets."""

from contextlib import asynccontextmanager

from aiohttp import web

from croupier_server.table.beacon import BeaconSource

VALUE = bytes(range(100, 132))


class Beacon:
    """`answer(round)` is what the server says: status, body and headers; `asked` are the rounds asked for."""

    def __init__(self) -> None:
        self.answer = lambda round_: (200, f'{{"round": {round_}, "randomness": "{VALUE.hex()}"}}', {})
        self.asked: list[int] = []
        self.source = BeaconSource("", genesis=1_692_803_367, period=1)

    async def _respond(self, request: web.Request) -> web.Response:
        round_ = int(request.match_info["round"])
        self.asked.append(round_)
        status, body, headers = self.answer(round_)
        return web.Response(status=status, text=body, headers=headers)


@asynccontextmanager
async def beacon_running():
    """A beacon that draws every second, at `source`."""
    beacon = Beacon()
    application = web.Application()
    application.router.add_get("/public/{round}", beacon._respond)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    address = f"http://127.0.0.1:{port}/public/{{round}}#randomness"
    beacon.source = BeaconSource(address, genesis=1_692_803_367, period=1)
    try:
        yield beacon
    finally:
        await runner.cleanup()
