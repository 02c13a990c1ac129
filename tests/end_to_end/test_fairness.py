"""A shoe that players cut, through a void and a takeover, checked from outside; and keys of a real server."""

import asyncio
import hashlib
import json
import secrets
import sys
import urllib.error
import urllib.request
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier_client.connection import connect
from croupier_client.errors import BettingClosedError
from croupier_protocol.codec import JSON
from croupier_protocol.messages.events import CardDealt, RoundSettled, RoundVoided, ShoeEnded, ShoeOpened
from croupier_protocol.messages.to_client import PaidOut
from croupier_server.table.orders import Wish
from croupier_server.table.pace import Pace
from support.dealing import dealer_hears, rounds_more, until_round
from support.gateways import gateway_on
from support.serving import serving, until
from support.stores import open_pit, turbo

EXAMPLE = Path(__file__).parents[2] / "examples" / "verify.py"


async def run(*command):
    """A command to its end: status, and lines of standard output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(60):
        output, errors = await process.communicate()
    return process.returncode, output.decode().splitlines(), errors.decode()


async def croupier(*arguments):
    return await run("-m", "croupier_client.cli", *arguments)


async def order(data, *arguments):
    status, _, errors = await croupier("tables", *arguments, "--data", str(data))
    assert status == 0, errors


async def get(url, **headers):
    """Status, headers and body of a resource."""

    def fetch():
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(urllib.request.Request(url, headers=headers), timeout=10) as response:
                return response.status, dict(response.headers), response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read()

    return await asyncio.to_thread(fetch)


@pytest.fixture
def quick(monkeypatch):
    """Leases of a second, so that a takeover comes soon."""
    monkeypatch.setattr("croupier_server.dealer.dealer.LEASE_MS", 1_000)
    monkeypatch.setattr("croupier_server.dealer.others.STILL_S", 1.2)
    monkeypatch.setattr("croupier_server.dealer.dealer.TICK_S", 0.2)


class Watched:
    """A table watched as `croupier watch --json` does; `lines` are what that would have printed."""

    def __init__(self, watcher):
        self.watcher = watcher
        self.lines = []

    async def until(self, kind, condition=lambda event: True):
        async with asyncio.timeout(60):
            async for message in self.watcher:
                self.lines.append(str(self.watcher.frame))
                if isinstance(message, kind) and condition(message):
                    return message
        raise AssertionError("the table is not watched any more")


PACE = Pace("patient", 20, 300, 10, 10, 20, cut_ms=20_000, reveal_ms=20_000)
"""The cut ends as soon as everybody has sent what there is to send."""


@asynccontextmanager
async def dealt(url):
    """A dealer that hears of players, and that ends without giving its table back."""
    async with open_pit(url) as pit, dealer_hears(pit, replace(turbo("standard"), pace=PACE)):
        yield pit


async def give(pit, wish, reason):
    """An operator's order, and the dealer's answer."""
    name = f"order-{secrets.token_hex(8)}"
    await pit.orders.give("standard", name, wish, reason)
    async with asyncio.timeout(60):
        return await pit.orders.answer_to(name)


@pytest.mark.slow
async def test_a_shoe_cut_by_players_is_checked_from_outside(pit, store, tmp_path, quick):
    """Through a void, and a dealer that is gone and another that takes its table over."""
    async with (
        gateway_on(store.url) as server,
        AsyncExitStack() as dealing,
    ):
        await dealing.enter_async_context(dealt(store.url))
        await until_round(pit, 1, seconds=60)
        await until(lambda: "standard" in server.gateway.feed.tables, 60)
        url = server.url.removesuffix("/ws")
        async with (
            connect(url, codec=JSON) as ana,
            connect(url) as ben,
            ana.watch("standard") as watcher,
        ):
            watched = Watched(watcher)
            seats = [await client.sit("standard", buy_in=500_00) for client in (ana, ben)]
            assert await give(pit, Wish.ABANDON, "the first shoe") == "done"
            opened = await watched.until(ShoeOpened, lambda event: event.contributions)
            mine = {client.player.id: seat.number for client, seat in zip((ana, ben), seats, strict=True)}
            assert {one.player: one.seat for one in opened.contributions} == mine
            assert all(hashlib.sha256(one.value).digest() == one.hash for one in opened.contributions)
            await check_cards(ana.checker("standard"), watched)
            payout = await staked(seats[0])
            while await give(pit, Wish.VOID, "a card fell") != "done":
                pass  # it was between two rounds
            await watched.until(RoundVoided)
            await dealing.aclose()
            await dealing.enter_async_context(dealt(store.url))
            await rounds_more(pit, 1, seconds=60)
            assert await give(pit, Wish.ABANDON, "enough") == "done"
            ended = await watched.until(ShoeEnded, lambda event: event.shoe == opened.shoe)
            assert ended.reason == "enough"
            assert all(seat.left_out == () for seat in seats)
            await check_what_the_server_has(url, opened, tmp_path / "transcript.jsonl")
    await check_what_was_watched(watched.lines, payout, tmp_path / "transcript.jsonl")


async def check_cards(checker, watched):
    """Cards as they land: true as they are, and false with another salt or face."""
    for _ in range(5):
        event = await watched.until(CardDealt)
        view = watched.watcher.view
        assert await checker.check(event, view) is True
        assert await checker.check(replace(event, proof=event.proof[:2] + bytes(16)), view) is False
        assert await checker.check(replace(event, card="As" if event.card != "As" else "Ah"), view) is False


async def staked(seat):
    """The payout of a slip on the next window that takes it."""
    while True:
        with suppress(BettingClosedError):
            await seat.window()
            accepted = await seat.bet(player=5_00, banker=3_00, tie=1_00)
            payout = await anext(seat.payouts())
            assert payout.round == accepted.round
            return payout


async def check_what_the_server_has(url, opened, path):
    """The list and the transcript of a shoe, and what each verifier says of them."""
    shoes = f"{url.replace('ws', 'http', 1)}/shoes/standard"
    base = f"{shoes}/{opened.shoe}"
    status, headers, commitments = await get(f"{base}/commitments")
    assert (status, len(commitments)) == (200, 416 * 32)
    assert hashlib.sha256(commitments).digest() == opened.digest
    assert headers["ETag"] == f'"{opened.digest.hex()}"'
    assert "immutable" in headers["Cache-Control"]
    assert (await get(f"{base}/commitments", **{"If-None-Match": headers["ETag"]}))[0] == 304
    status, _, transcript = await get(base)
    assert status == 200
    assert b'"type":"void"' in transcript
    for missing in (str(opened.shoe + 1), "999", "0", "x", "1/commitment", "../1"):
        assert (await get(f"{shoes}/{missing}"))[0] == 404

    status, told, errors = await croupier("verify", url, "standard", str(opened.shoe))
    assert status == 0, (told, errors)
    assert "ok         seed is the one committed to before the cut: 2" in told
    assert "ok         shoe goes on where the last one ended: 1" in told
    assert told[-1] == "Everything that was checked is right."
    assert (await croupier("verify", url, "standard", str(opened.shoe + 1)))[0] == 2
    status, told, errors = await croupier("watch", url, "standard", "--rounds", "1", "--no-roads", "--check")
    assert status == 0, errors
    assert sum(line.endswith("  checked") for line in told) >= 4
    path.write_bytes(transcript)
    assert (await run(str(EXAMPLE), str(path)))[0] == 0


async def check_what_was_watched(lines, payout, path):
    """The same from what a watcher has seen, with a payout of its own, right and a cent off."""
    own = {"type": "payout", "payout": json.loads(JSON.encode(PaidOut(payout)))["payout"]}
    path.write_text("\n".join([*lines, json.dumps(own)]))
    status, told, errors = await croupier("verify", str(path), "--json")
    assert [line for line in told if "failed" in line] == [], errors
    assert status == 0
    assert {"check": "payout", "passed": 1} in [json.loads(line) for line in told]
    own["payout"]["returned"] += 1
    path.write_text("\n".join([*lines, json.dumps(own)]))
    status, told, _ = await croupier("verify", str(path), "--json")
    [failed] = [row for row in map(json.loads, told) if "failed" in row]
    assert status == 1
    assert (failed["check"], failed["line"]) == ("payout", len(lines) + 1)


@pytest.mark.long
async def test_a_key_is_rotated_and_one_that_is_gone_leaves_its_table_alone(tmp_path):
    data = tmp_path / "data"
    opened = partial(serving, data, "--pace", "turbo", tables=("standard", "vegas"))
    async with opened():
        pass
    key = data / "shoe.key"
    old = key.read_text()
    key.write_text("ab" * 32 + "\n" + old)
    async with opened() as server, connect(server.url) as client:
        async with client.watch("standard") as watcher:
            await Watched(watcher).until(RoundSettled)
        await order(data, "abandon", "standard", "--reason", "a new key")
        async with client.watch("standard") as watcher:
            await Watched(watcher).until(RoundSettled)
    key.write_text("ab" * 32 + "\n")
    async with opened() as server, connect(server.url) as client:
        async with client.watch("standard") as watcher:
            await Watched(watcher).until(RoundSettled)
        rows = {info.table: info for info in (await client.lobby()).tables}
        assert rows["vegas"].round > 0
