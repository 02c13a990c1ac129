"""nginx, HAProxy and Caddy with the shipped configurations, in front of a real server, TLS ended in front."""

import asyncio
import re
import sys
import urllib.request
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from websockets.asyncio.client import connect as websocket
from websockets.exceptions import InvalidStatus

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_protocol.codec import JSON, MSGPACK
from support.fronts import FRONTS, front
from support.relay import Recorder
from support.serving import serving

CONFIG = """
[gateway]
trusted_proxies = ["127.0.0.1"]

[guests]
enabled = true

[[tables]]
name = "standard"
pace = "turbo"

[[tables]]
name = "quiet"
"""


@asynccontextmanager
async def served(tmp_path):
    """A server that believes proxies of this machine."""
    config = tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    async with serving(tmp_path / "data", "--config", str(config)) as server:
        yield server


def admin_port(server) -> int:
    return int(server.admin.rpartition(":")[2])


async def get(url: str, context=None) -> tuple[int, str, bytes]:
    """The status of an answer, where it leads, and its content."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context), Stay
    )

    def ask():
        try:
            with opener.open(url, timeout=60) as answer:
                return answer.status, "", answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.headers.get("Location", ""), refused.read()

    return await asyncio.to_thread(ask)


@pytest.mark.slow
async def test_pages_load_rounds_are_played_foreign_pages_refused_and_addresses_told(tmp_path, monkeypatch):
    """Through each of them at once, since most of the time is spent on waiting for the same round."""

    async def visit(name):
        recorder = Recorder(server.port)
        relay = await asyncio.start_server(recorder.accept, "127.0.0.1", 0)
        port = relay.sockets[0].getsockname()[1]
        async with relay, front(name, port, admin_port(server)) as (proxy, certificate):
            trusted = certificate.trusted()
            status, leads_to, _ = await get(f"http://localhost:{proxy.ends.http}/table/standard")
            assert status in {301, 308}
            assert re.fullmatch(r"https://localhost(:\d+)?/table/standard", leads_to)
            status, _, page = await get(proxy.origin + "/", trusted)
            assert (status, page[:15]) == (200, b"<!doctype html>")
            for path in ("/metrics", "/readyz", "/healthz", "/api/tables.list"):
                assert (await get(proxy.origin + path, trusted))[0] == 404
            wss = proxy.origin.replace("https", "wss") + "/ws"
            for foreign in ("https://evil.example", "null"):
                with pytest.raises(InvalidStatus) as refused:
                    async with websocket(wss, ssl=trusted, proxy=None, origin=foreign):
                        pass
                assert refused.value.response.status_code == 403
            async with websocket(wss, ssl=trusted, proxy=None, origin=proxy.origin):
                pass
            assert (name, set(recorder.forwarded())) == (name, {"127.0.0.1"})
            lying = {"X-Forwarded-For": "198.51.100.9"}
            elsewhere = {"host": "127.0.0.1", "local_addr": ("127.0.0.7", 0)}
            recorder.heard.clear()
            async with websocket(wss, ssl=trusted, proxy=None, additional_headers=lying, **elsewhere):
                pass
            assert (name, recorder.forwarded()) == (name, ["127.0.0.7"])
            # One after another: each reads the certificate to trust from the environment.
            async with AsyncExitStack() as stack:
                async with reading_certificates:
                    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
                    players = [
                        await stack.enter_async_context(connect(wss, codec=codec))
                        for codec in (JSON, MSGPACK)
                    ]
                await asyncio.gather(*map(play, players))

    async def play(player):
        seat = await player.sit("standard", buy_in=100_00)
        while True:
            number = await seat.window()
            try:
                await seat.bet(player=5_00)
                break
            except BettingClosedError:  # the machine was too slow for this window
                continue
        async for payout in seat.payouts():
            assert payout.round >= number
            assert [one.stake for one in payout.bets] == [5_00]
            break

    reading_certificates = asyncio.Lock()
    async with served(tmp_path) as server, asyncio.TaskGroup() as group:
        for name in FRONTS:
            group.create_task(visit(name), name=name)


@pytest.mark.long
async def test_a_spectator_of_a_paused_table_stays_for_more_than_a_minute_of_silence(tmp_path):
    """What comes in that time is pings and heartbeats alone."""
    silent_s = 75

    async def watch(name):
        async with front(name, server.port, admin_port(server)) as (proxy, certificate):
            await stay(proxy.origin.replace("https", "wss") + "/ws", certificate.trusted())

    async def stay(url, trusted):
        json = ["croupier.v1.json"]
        async with websocket(
            url, subprotocols=json, ssl=trusted, proxy=None, ping_interval=None
        ) as spectator:
            await spectator.send('{"type":"watch","id":1,"table":"quiet"}')
            seen = []
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(silent_s):
                    while True:
                        seen.append(re.search(r'"type":"(\w+)"', await spectator.recv())[1])
            assert seen[:2] == ["watching", "snapshot"]
            assert set(seen[2:]) == {"heartbeat"}
            await spectator.send('{"type":"ping","id":2}')
            assert '"pong"' in await spectator.recv()

    async with served(tmp_path) as server:
        command = (sys.executable, "-m", "croupier_client.cli", "tables", "pause", "quiet")
        pausing = await asyncio.create_subprocess_exec(*command, "--now", "--data", str(tmp_path / "data"))
        assert await pausing.wait() == 0
        async with asyncio.TaskGroup() as group:
            for name in FRONTS:
                group.create_task(watch(name), name=name)
